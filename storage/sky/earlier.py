"""What the store has of runs before one: catalogues, their changes, break-ups, element sets of objects."""

from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from storage.analyst_file.tables_and_views import files, files_in
from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.connections import file_reader
from storage.disk.layout import (
    CATALOGUE_CHANGE_FILES,
    FRAGMENTATION_FILES,
    IMPORTED_ELEMENT_FILES,
    RUN_ELEMENT_FILES,
    RUN_FILES,
    SCREENED,
    SCREENED_FILES,
    quoted,
    run_folder,
)
from storage.disk.run_ids import stamp, start_of
from storage.rows.elements import sets_of_rows
from storage.times import datetime64_us, utc_rows

Ids = npt.NDArray[np.int64]
Row = dict[str, Any]

COMPLETE_WITHIN = timedelta(days=7)  # a catalogue that stays small so long is another one, and complete
_CUT_MAY_BE_OLDER = np.timedelta64(2, "D")  # its newest sets may be missing
_SETS_FROM = timedelta(days=90)
_OF_RUN = ["run_id", "historic", "synthetic"]


class Base(NamedTuple):
    """The run that a catalogue is compared with."""

    run_id: str
    norad_ids: Ids


def changes_until(store: Path, run_id: str) -> list[Row]:
    """Return the rows of `catalogue_changes` of runs until one, of its kind, oldest first.

    What is historic or synthetic is not compared with what is not.
    """
    if not any(store.glob(CATALOGUE_CHANGE_FILES)):
        return []  # a store of an earlier release
    kind = _kind(store, run_id)
    verify_all(store.glob(CATALOGUE_CHANGE_FILES))
    with file_reader() as connection:
        rows = connection.sql(
            f"FROM {files(store, CATALOGUE_CHANGE_FILES)} WHERE run_id <= {quoted(run_id)} ORDER BY run_id"
        ).to_arrow_table()
    return [row for row in utc_rows(rows) if _kind(store, row["run_id"]) in (kind, None)]


def fragmentations(store: Path) -> list[Row]:
    """Return all rows of `fragmentations`, by run."""
    if not any(store.glob(FRAGMENTATION_FILES)):
        return []  # a store of an earlier release
    verify_all(store.glob(FRAGMENTATION_FILES))
    with file_reader() as connection:
        rows = connection.sql(f"FROM {files(store, FRAGMENTATION_FILES)} ORDER BY run_id, fragmentation_id")
        return utc_rows(rows.to_arrow_table())


def base_of(store: Path, run_id: str, epoch: np.datetime64, changes: list[Row]) -> Base | None:
    """Return the run to compare with; None: the store has none of the same kind whose objects are known.

    What is known to have a newer catalogue than that of `epoch` (UTC) is left out.
    """
    kind, suspect = _kind(store, run_id), {row["run_id"] for row in changes if row["suspect"]}
    newer = {row["run_id"] for row in changes if datetime64_us(row["epoch"]) > epoch + _CUT_MAY_BE_OLDER}
    names = {path.parent.name.removeprefix("run_id=") for path in store.glob(SCREENED_FILES)} - newer
    before = sorted((name for name in names if name < run_id), reverse=True)
    since = stamp(start_of(run_id) - COMPLETE_WITHIN)
    recent = [name for name in before if name >= since and name not in suspect]
    for name in (*recent, *before[:1]):
        if _kind(store, name) == kind:
            path = run_folder(store, name) / SCREENED
            verify_parquet(path, ["norad_id"])
            return Base(name, pq.read_table(path, columns=["norad_id"])["norad_id"].to_numpy())
    return None


def _kind(store: Path, run_id: str) -> tuple[bool, bool] | None:
    """Return whether a run is historic, and synthetic; None: its record is not in a folder of its own."""
    path = run_folder(store, run_id) / RUN_FILES["runs"]
    if not path.is_file():
        return None
    verify_parquet(path, _OF_RUN)
    (row,) = pq.read_table(path, columns=_OF_RUN).to_pylist()
    return row["historic"], row["synthetic"]


def sets_known_by(store: Path, run_id: str, norad_ids: Ids, until: np.datetime64) -> ElementArray:
    """Return the newest set, of an epoch until a time (UTC), of each object that a run and those before had.

    Ascending by number. Of what runs stored only the last 90 days are looked through.
    """
    since = stamp(start_of(run_id) - _SETS_FROM)
    of_runs = (path for path in store.glob(RUN_ELEMENT_FILES) if path.stem >= since)
    paths = sorted((*of_runs, *store.glob(IMPORTED_ELEMENT_FILES)))
    if not len(norad_ids) or not paths:
        return np.zeros(0, ELEMENT_DTYPE)
    verify_all(paths)
    newest = "QUALIFY row_number() OVER (PARTITION BY norad_id ORDER BY epoch DESC) = 1 ORDER BY norad_id"
    in_time = f"epoch <= TIMESTAMP '{until}'"
    known = f"(run_id <= {quoted(run_id)} OR run_id IS NULL)"
    with file_reader() as connection:
        connection.register("asked", pa.table({"norad_id": norad_ids}))
        rows = connection.execute(
            sets_of_rows(
                f"FROM {files_in(paths)} SEMI JOIN asked USING (norad_id)",
                f"WHERE {known} AND {in_time} AND trajectory IS DISTINCT FROM 'ephemeris' {newest}",
            )
        ).fetchall()
    return np.array(rows, ELEMENT_DTYPE)
