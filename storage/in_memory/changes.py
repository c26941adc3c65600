"""What the newest run has that the run before had not, from the files of both."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from screening.vocabulary import PROBABILITY_LEVELS
from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import RUN_FILES, run_folder, with_every_column
from storage.in_memory.complexes import ALONE, Side, told_by_another
from storage.in_memory.searching import (
    Ids,
    Passes,
    Searching,
    ahead,
    finds,
    newest_searching,
    searching_before,
)
from storage.in_memory.snapshot import Snapshot
from storage.rows.danger import PROBABILITIES, PROBABILITY_LEVEL, danger_keys
from storage.rows.over_runs import changes as rule
from storage.rows.over_runs.changes import Mask
from storage.rows.row_order import row_order

ROW = (
    *("event_id", "tca", "encounter", "primary_norad_id", "primary_name", "secondary_norad_id"),
    *("secondary_name", "risk_level", "probability_level", "miss_distance_m", "relative_speed_m_s"),
    *PROBABILITIES,
)
_NORAD_IDS = ("primary_norad_id", "secondary_norad_id")
_COMPLEXES = ("primary_complex_id", "secondary_complex_id")
_READ = ("event_id", "tca", "miss_distance_m", *_NORAD_IDS, *PROBABILITIES)
_VISIT = ("encounter", "inside_from", "inside_to")


class Found(NamedTuple):
    """The events of one run as columns (n,), in the order of their ids."""

    event_id: Ids
    level: npt.NDArray[np.int8]  # place in PROBABILITY_LEVELS
    passes: Passes
    complexes: Ids  # (2, n) of primary and secondary; ALONE: in none
    danger: tuple[npt.NDArray[np.generic], ...]  # keys of the order most dangerous first


class Part(NamedTuple):
    """Some of the events."""

    levels: npt.NDArray[np.int8]  # of all of them
    worst: Ids  # the most dangerous first, one of each encounter with a complex
    worst_before: npt.NDArray[np.int8] | None = None  # the levels that these had


class Changes(NamedTuple):
    """What changed since the run before, as `storage.rows.over_runs.changes` has it."""

    before: str
    new: Part
    first_looked_for: Part
    raised: Part
    eased: Part
    gone: Part
    not_looked_for: Part


def changes(snapshot: Snapshot) -> Changes | None:
    """Compare the newest run with the one before; None if the store keeps none: 0.1 s for 132,000 events.

    Raises StoreError if a file cannot be read.
    """
    before = searching_before(snapshot)
    if before is None:
        return None
    newest = newest_searching(snapshot)
    now, then = (_found(snapshot, one) for one in (newest, before))
    found = rule.compare(_side(then, newest), _side(now, before))
    return Changes(
        before.run_id,
        new=_part(now, found.new),
        first_looked_for=_part(now, found.first_looked_for),
        raised=_part(now, found.raised, found.level_before),
        eased=_part(now, found.eased, found.level_before),
        gone=_part(then, found.gone),
        not_looked_for=_part(then, found.not_looked_for),
    )


def _side(found: Found, other: Searching) -> rule.Side:
    """Return the events of a run against what the other one has searched."""
    return rule.Side(found.event_id, found.level, finds(other, found.passes), ahead(other, found.passes))


def rows_of(snapshot: Snapshot, run_id: str, event_ids: Ids) -> list[dict[str, Any]]:
    """Return some events of a run as it found them, with the columns ROW, in the order of the ids."""
    if len(event_ids) == 0:
        return []
    source = f"SELECT {', '.join(ROW)} FROM ({_source(snapshot, run_id)})"  # noqa: S608
    rows = snapshot.rows(f"{source} WHERE event_id IN (SELECT unnest(?))", [event_ids.tolist()])
    by_id = {row[0]: dict(zip(ROW, row, strict=True)) for row in rows}
    return [by_id[one] for one in event_ids.tolist()]


def _part(found: Found, mask: Mask, was: npt.NDArray[np.int8] | None = None) -> Part:
    primary, secondary = (Side(*both) for both in zip(found.passes.norad_ids, found.complexes, strict=True))
    told = mask & ~told_by_another(mask, primary, secondary, found.passes.tca, found.danger)
    ids = found.event_id[told]
    order = row_order([*(key[told] for key in found.danger), ids])
    return Part(found.level[mask], ids[order], None if was is None else was[told][order])


def _found(snapshot: Snapshot, run: Searching) -> Found:
    columns = snapshot.columns(
        f"SELECT {', '.join(_READ)}, {', '.join(f'coalesce({c}, {ALONE}) AS {c}' for c in _COMPLEXES)}, "  # noqa: S608
        "encounter = 'slow' AS visits, least(tca, inside_from) AS begins, greatest(tca, inside_to) AS ends, "
        f"(list_position({list(PROBABILITY_LEVELS)}, {PROBABILITY_LEVEL}) - 1)::TINYINT AS level "
        f"FROM ({_source(snapshot, run.run_id)}) ORDER BY event_id"
    )
    filled = {name: np.ma.filled(columns[name].astype(np.float64), np.nan) for name in PROBABILITIES}
    level = np.ma.getdata(columns["level"]).astype(np.int8)
    plain = filled | {"miss_distance_m": np.ma.getdata(columns["miss_distance_m"])}
    tca, begins, ends = (np.ma.getdata(columns[name]).astype("M8[us]") for name in ("tca", "begins", "ends"))
    miss_m = plain["miss_distance_m"]
    within_m = np.where(np.ma.getdata(columns["visits"]), run.threshold_m, miss_m)
    both, complexes = (
        np.stack([np.ma.getdata(columns[name]).astype(np.int64) for name in names])
        for names in (_NORAD_IDS, _COMPLEXES)
    )
    return Found(
        np.ma.getdata(columns["event_id"]).astype(np.int64),
        level,
        Passes(tca, begins, ends, miss_m, within_m, both),
        complexes,
        danger_keys(plain.__getitem__),
    )


def _source(snapshot: Snapshot, run_id: str) -> str:
    file = run_folder(snapshot.store, run_id) / RUN_FILES["conjunctions"]
    with store_faults(snapshot.store):
        verify_parquet(file, {*ROW, *_VISIT, *_COMPLEXES})
    listed = with_every_column(snapshot.store, [file])
    return f"FROM read_parquet({listed}, hive_partitioning = false, union_by_name = true)"
