"""Which objects a run has screened, and which of them SGP4 could not propagate: a file beside its events."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from screening.orbits.elements import ElementArray
from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import SCREENED, catalogue_change_file, run_folder

Ids = npt.NDArray[np.int64]
_COLUMNS = pa.schema(
    [
        pa.field("run_id", pa.dictionary(pa.int32(), pa.string()), False),
        pa.field("norad_id", pa.int64(), False),
        pa.field("failed", pa.bool_(), False),
    ]
)
_READ = ["norad_id", "failed"]


def screened_table(elements: ElementArray, failed: npt.ArrayLike, run_id: str) -> pa.Table:
    """Return the file's table for the sets (n,) that a run has screened; `failed`: places in these."""
    lost = np.zeros(len(elements), np.bool_)
    lost[np.asarray(failed, np.int64)] = True
    run = pa.DictionaryArray.from_arrays(np.zeros(len(elements), np.int32), [run_id])
    return pa.table([run, pa.array(elements["norad_id"].astype(np.int64)), pa.array(lost)], _COLUMNS)


def screened(store: Path, run_id: str) -> Ids | None:
    """Return the objects that a run has screened through its whole window, ascending.

    None: a run of an earlier release, which left no file; or it has expired. Of a run whose catalogue is
    suspect, none: what it has not found is not gone.

    Raises StoreError if the file cannot be read.
    """
    path = run_folder(store, run_id) / SCREENED
    if not path.is_file():
        return None
    if is_suspect(store, run_id):
        return np.zeros(0, np.int64)
    with store_faults(store):
        verify_parquet(path, _READ)
        rows = pq.read_table(path, columns=_READ, use_threads=False)
    found: Ids = rows["norad_id"].to_numpy()[~rows["failed"].to_numpy()]
    return np.unique(found)


def is_suspect(store: Path, run_id: str) -> bool:
    """Return whether the catalogue of a run was cut, or has objects twice, against the one before.

    Raises StoreError if the file cannot be read.
    """
    path = catalogue_change_file(store, run_id)
    if not path.is_file():
        return False  # of an earlier release, expired, or not compared yet
    with store_faults(store):
        verify_parquet(path, ["suspect"])
        rows = pq.read_table(path, columns=["suspect"], use_threads=False).to_pylist()
    return any(row["suspect"] for row in rows)
