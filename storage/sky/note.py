"""Note what changed in the sky with a run: its catalogue, and break-ups that new objects come from."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.fragmentation.event import LONGEST_DAYS
from screening.fragmentation.launches import NO_LAUNCH, launches_of
from screening.orbits.elements import ElementArray
from screening.synthetic.marks import is_synthetic
from storage.disk.faults import store_faults
from storage.disk.layout import catalogue_change_file, fragmentation_file, replace_parquet
from storage.disk.whole_files import sync_folder
from storage.rows.records import conform, constant
from storage.sky import compare
from storage.sky.earlier import Base, Row, base_of, changes_until, fragmentations, sets_known_by
from storage.sky.pieces import Found, pieces_found, table_of
from storage.sky.words import Counts, catalogue_words
from storage.sky_schema import CATALOGUE_CHANGES
from storage.times import utc_datetime
from storage.upkeep.upgrade import opened_for_writing

Ids = npt.NDArray[np.int64]

LOCK_TIMEOUT_S = 60.0
_LAUNCHED_WITHIN = np.timedelta64(120, "D")
_MARGIN = np.timedelta64(1, "D")
_NONE = np.zeros(0, np.int64)


class _Changes(NamedTuple):
    """A catalogue against an earlier one."""

    new: Ids
    back: Ids
    gone: Ids
    renumbered: list[tuple[int, int]]  # former and present number
    doubled: Ids
    lost: compare.Lost


def note_changes(store: Path, run_id: str, elements: ElementArray, repeated: int = 0) -> None:
    """Store how a run's catalogue, sets (n,) by number, differs from an earlier one, and break-ups.

    `repeated`: older sets of the same objects that the text had. Nothing is noted twice.

    Raises:
        StoreError: the store cannot be read or written, a file is damaged, or another process holds it.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        if not len(elements) or catalogue_change_file(store, run_id).exists():
            return
        epoch, earlier = compare.epoch_of(elements), changes_until(store, run_id)
        base = base_of(store, run_id, epoch, earlier)
        changes = _changes(store, run_id, elements, epoch, base, earlier, repeated)
        since = utc_datetime(epoch) - timedelta(days=LONGEST_DAYS)
        recently = [row for row in earlier if since <= row["epoch"] <= utc_datetime(epoch)]
        stored = [] if is_synthetic(elements) else fragmentations(store)
        found = [] if is_synthetic(elements) else _found(store, run_id, elements, changes, recently, stored)
        if found:
            table = table_of(found, stored, run_id, utc_datetime(epoch))
            replace_parquet(table, fragmentation_file(store, run_id))
            sync_folder(fragmentation_file(store, run_id).parent)
        table = _table(run_id, elements, repeated, base, changes, recently, stored, found)
        replace_parquet(table, catalogue_change_file(store, run_id))
        sync_folder(catalogue_change_file(store, run_id).parent)


def _changes(
    store: Path,
    run_id: str,
    elements: ElementArray,
    epoch: np.datetime64,
    base: Base | None,
    earlier: Iterable[Row],
    repeated: int,
) -> _Changes:
    if base is None:
        return _Changes(_NONE, _NONE, _NONE, [], _NONE, compare.Lost(False, []))
    numbers = elements["norad_id"]
    gone = np.setdiff1d(base.norad_ids, numbers)
    unseen = np.setdiff1d(numbers, base.norad_ids)
    was_gone = [np.asarray(row["gone_norad_ids"], np.int64) for row in earlier]
    back = np.intersect1d(unseen, np.concatenate([_NONE, *was_gone]))
    is_new = np.isin(numbers, np.setdiff1d(unseen, back))
    is_doubled = compare.doubled(elements, is_new)
    sets = sets_known_by(store, run_id, gone, epoch + _MARGIN)
    lost = compare.lost(elements, len(np.unique(base.norad_ids)), sets["name"], len(gone))
    if max(repeated, is_doubled.sum()) >= compare.MOST_LOST * len(elements):
        lost = lost._replace(suspect=True)
    pairs = [] if lost.suspect else compare.renumbered(elements[is_new & ~is_doubled], sets)
    return _Changes(numbers[is_new], back, gone, pairs, numbers[is_doubled], lost)


def _found(
    store: Path,
    run_id: str,
    elements: ElementArray,
    changes: _Changes,
    recently: Iterable[Row],
    stored: Iterable[Row],
) -> list[Found]:
    others = [*changes.doubled.tolist(), *(present for _, present in changes.renumbered)]
    fresh = np.setdiff1d(changes.new, np.array(others, np.int64))
    pieces = _all_of(stored, "new_piece_norad_ids")
    left_out = (_all_of(recently, name) for name in ("doubled_norad_ids", "present_norad_ids"))
    recent = np.setdiff1d(_all_of(recently, "new_norad_ids"), np.concatenate([pieces, *left_out]))
    return pieces_found(store, run_id, elements, np.union1d(recent, fresh), fresh, stored)


def _all_of(rows: Iterable[Row], name: str) -> Ids:
    return np.concatenate([_NONE, *(np.asarray(row[name], np.int64) for row in rows)])


def _table(
    run_id: str,
    elements: ElementArray,
    repeated: int,
    base: Base | None,
    changes: _Changes,
    recently: Iterable[Row],
    stored: Iterable[Row],
    found: Iterable[Found],
) -> pa.Table:
    """Return the run's row of `catalogue_changes`."""
    epoch = compare.epoch_of(elements)
    pieces = np.concatenate([_all_of(stored, "new_piece_norad_ids"), *(one.pieces for one in found)])
    others = np.setdiff1d(changes.new, np.append(pieces, changes.doubled))
    rest = elements[np.isin(elements["norad_id"], others)]
    launch, launches = launches_of(rest["object_id"]), _launches(elements, changes.new, recently, epoch)
    is_of_one = np.isin(launch, launches)
    late = rest["norad_id"][~is_of_one & (launch != NO_LAUNCH)]
    before = None if base is None else len(np.unique(base.norad_ids))
    counts = Counts(
        objects=len(elements),
        before=before,
        suspect=changes.lost.suspect,
        families=changes.lost.families,
        repeated=repeated,
        stale=compare.stale(elements, epoch),
        new=len(changes.new) - len(changes.doubled),
        back=len(changes.back),
        gone=len(changes.gone),
        renumbered=len(changes.renumbered),
        doubled=len(changes.doubled),
        of_launches=int(is_of_one.sum()),
        launches=sorted(set(launch[is_of_one].tolist())),
        late=len(late),
        pieces=int(np.isin(changes.new, pieces).sum()),
    )
    row = {
        "epoch": utc_datetime(epoch),
        "objects": counts.objects,
        "objects_before": counts.before,
        "suspect": counts.suspect,
        "missing_families": counts.families,
        "repeated": repeated,
        "stale": counts.stale,
        "new_norad_ids": changes.new,
        "back_norad_ids": changes.back,
        "gone_norad_ids": changes.gone,
        "former_norad_ids": [former for former, _ in changes.renumbered],
        "present_norad_ids": [present for _, present in changes.renumbered],
        "doubled_norad_ids": changes.doubled,
        "launches": counts.launches,
        "late_norad_ids": late,
        "words": catalogue_words(counts),
    }
    types = {column.name: column.type for column in CATALOGUE_CHANGES.columns}
    columns = {name: pa.array([value], types[name]) for name, value in row.items()}
    columns["run_id"] = constant(run_id, 1)
    columns["base_run_id"] = pa.nulls(1, pa.string()) if base is None else constant(base.run_id, 1)
    return conform(columns, CATALOGUE_CHANGES, "catalogue_changes")


def _launches(elements: ElementArray, new: Ids, recently: Iterable[Row], epoch: np.datetime64) -> list[str]:
    """Return the launches of new objects that are of the last months, and new to the catalogue.

    Their other objects come in the following weeks.
    """
    launch, is_new = launches_of(elements["object_id"]), np.isin(elements["norad_id"], new)
    earlier = {one for row in recently for one in row["launches"]}
    since = str(epoch - _LAUNCHED_WITHIN)[:4]  # of a launch only the year is known
    of_late = [one for one in np.unique(launch[is_new]).tolist() if one[:4] >= since]
    known = set(launch[~is_new].tolist())
    return [one for one in of_late if one in earlier or one not in known]
