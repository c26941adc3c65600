"""Element sets as they are kept: each set once, over all runs."""

from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from storage import schema
from storage.digest import row_hash
from storage.layout import ELEMENT_FILES, quoted_glob
from storage.records import conform, constant, epochs

# A set is the same set when its numbers are: a new name for the object does not make a new one.
_NUMBERS = tuple(n for n in ELEMENT_DTYPE.names or () if ELEMENT_DTYPE[n].kind in "if")


def element_table(elements: ElementArray, *, run_id: str) -> pa.Table:
    """Return element sets (n,) of ELEMENT_DTYPE as rows of the table `elements`."""
    columns = {name: pa.array(np.ascontiguousarray(elements[name])) for name in ELEMENT_DTYPE.names or ()}
    columns["run_id"] = constant(run_id, len(elements))
    columns["epoch"] = pa.array(epochs(elements))
    columns["content_hash"] = pa.array(content_hashes(elements))
    return conform(columns, schema.ELEMENTS, "elements")


def content_hashes(elements: ElementArray) -> npt.NDArray[np.int64]:
    """Return 63-bit hashes (n,) of the numbers of element sets, the same on every machine."""
    wide = (elements[name].astype("f8" if ELEMENT_DTYPE[name].kind == "f" else "i8") for name in _NUMBERS)
    return (row_hash(wide) >> np.uint64(1)).astype(np.int64)


def new_sets(store: Path, table: pa.Table) -> pa.Table:
    """Return the rows of `elements` whose set no file of the store holds yet."""
    with duckdb.connect() as connection:
        connection.register("candidates", table.select(["content_hash"]))
        known = connection.sql(
            "SELECT content_hash FROM candidates SEMI JOIN read_parquet("  # noqa: S608 - the path is quoted
            f"{quoted_glob(store, ELEMENT_FILES)}, union_by_name = true) USING (content_hash)"
        ).to_arrow_table()
    return table.filter(pc.invert(pc.is_in(table["content_hash"], known["content_hash"])))
