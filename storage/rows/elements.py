"""Store each element set once, over all runs."""

import logging
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import instants
from screening.vocabulary import TRAJECTORY_KINDS
from storage import schema
from storage.disk.checksums import ASIDE, DamagedFile, verify_parquet
from storage.disk.current import NOTHING_EXPIRED, Expiry
from storage.disk.layout import ELEMENT_FILES
from storage.rows.records import conform, constant, words
from storage.rows.row_hashes import row_hash

# Only what propagation needs: texts take five sixths of a record, and histories have millions of records.
HISTORY_DTYPE = np.dtype(
    [("norad_id", "i8"), *((n, "f8") for n in ELEMENT_DTYPE.names or () if ELEMENT_DTYPE[n].kind == "f")]
)

log = logging.getLogger("skysieve")

# A set is identified by its numbers: a new name for the object does not make a new set.
_NUMBERS = tuple(n for n in ELEMENT_DTYPE.names or () if ELEMENT_DTYPE[n].kind in "if" and n != "trajectory")


def element_table(elements: ElementArray, *, run_id: str) -> pa.Table:
    """Return element sets (n,) of ELEMENT_DTYPE as rows of the table `elements`."""
    columns = {name: pa.array(np.ascontiguousarray(elements[name])) for name in ELEMENT_DTYPE.names or ()}
    columns["trajectory"] = words(elements["trajectory"], TRAJECTORY_KINDS)
    columns["run_id"] = constant(run_id, len(elements))
    columns["epoch"] = pa.array(instants(elements["epoch_jd"], elements["epoch_day_fraction"]))
    columns["content_hash"] = pa.array(content_hashes(elements))
    return conform(columns, schema.ELEMENTS, "elements")


def sets_of_rows(query: str, condition: str = "") -> str:
    """Return a query for the fields of ELEMENT_DTYPE, in its order, of rows of the table `elements`."""
    coded = f"coalesce(list_position({list(TRAJECTORY_KINDS)}, trajectory), 1) - 1 AS trajectory"
    fields = ", ".join(coded if name == "trajectory" else name for name in ELEMENT_DTYPE.names or ())
    return f"SELECT {fields} {query} {condition}"


def content_hashes(elements: ElementArray) -> npt.NDArray[np.int64]:
    """Return 63-bit hashes (n,) of the numbers of element sets, the same on every machine."""
    wide = (elements[name].astype("f8" if ELEMENT_DTYPE[name].kind == "f" else "i8") for name in _NUMBERS)
    return (row_hash(wide) >> np.uint64(1)).astype(np.int64)


def new_sets(store: Path, table: pa.Table, expiry: Expiry = NOTHING_EXPIRED) -> pa.Table:
    """Return the rows of `elements` whose set the store does not show yet. Needs the lock.

    An unreadable file is set aside and logged: the views over all files would fail with it, and only the
    history misses its sets.
    """
    shown = [path for path in sorted(store.glob(ELEMENT_FILES)) if path.stem >= expiry.elements_from]
    known = [hashes for path in shown for hashes in _hashes_in(path)]
    stored = pa.chunked_array(known, pa.int64())
    return table.filter(pc.invert(pc.is_in(table["content_hash"], stored)))


def _hashes_in(path: Path) -> list[pa.Array]:
    """Return the hashes of a file's sets, none of one that is damaged and was set aside."""
    try:
        verify_parquet(path, ["content_hash"])
        column = pq.ParquetFile(path).read(columns=["content_hash"])["content_hash"]
    except (pa.ArrowException, OSError, DamagedFile) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # an error of the disk; the file may be intact
        aside = path.with_name(f"{path.name}{ASIDE}")
        path.rename(aside)
        what = error.what if isinstance(error, DamagedFile) else error
        log.warning("The element sets in %s cannot be read (%s); set aside as %s.", path, what, aside.name)
        return []
    return list(column.chunks)
