"""The encounters in a fleet's feeds: those of the newest run, and the fate of those before it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage.disk.layout import FLEET_EVENT_FILES
from storage.disk.run_ids import is_run_id, start_of
from storage.fleets.events import OF_FLEET, fleet_events
from storage.fleets.searched import Searched, searched
from storage.rows.danger import danger_of, level_of
from storage.rows.limits import RATED, Limits, Rated, in_words, rated, rated_rows, within
from storage.times import utc_rows
from storage.vocabulary import RESTRICTED_MESSAGE

KEPT = timedelta(days=3)  # after the TCA; and since the last run that had it
MOST = 1000  # encounters in a feed

Row = Mapping[str, Any]

_OF_EVENT = (
    *("event_id", "run_id", "origin", "computed_at", "primary_norad_id", "secondary_norad_id"),
    *("primary_name", "secondary_name", "tca", "relative_speed_m_s", "risk_level"),
    *(*RATED, "probability_method", "inside_to"),
)
_WORDS = ("risk_level", "probability_level", "probability_method", "encounter")


class Look(NamedTuple):
    """What one run found for a fleet: rows of `fleet_events`."""

    run_id: str
    rows: Sequence[Row]
    searched: Searched


class Encounter(NamedTuple):
    """One encounter of a fleet, as it is known last."""

    row: Row  # of `fleet_events`; of two objects of the fleet, the one with the smaller number
    cancelled: str  # why it is off; empty: it is not
    changed: datetime  # when this became known
    eased: str = ""  # why it is not told any more, though it is still there; empty: it stands, or is off


def encounters(looks: Sequence[Look], limits: Limits, now: datetime) -> list[Encounter]:
    """Return the encounters within limits, by TCA; at most MOST, the most dangerous.

    One that an earlier run had within them is cancelled if a later one, which would have found it, has not,
    or its object has left the fleet; it has eased if it is still there. Encounters are left out KEPT after
    their TCA.

    Args:
        looks: of the runs within KEPT of the newest, oldest first.
        limits: which encounters to include.
        now: UTC.
    """
    told = [by_event(look.rows) for look in looks]
    matching = [_within(rows, limits) for rows in told]
    numbers = frozenset().union(*matching)
    found = [_last_known(number, looks, told, matching, limits) for number in numbers]
    recent = [one for one in found if one.row["tca"] > now - KEPT]
    recent.sort(key=_danger)
    return sorted(recent[:MOST], key=lambda one: (one.row["tca"], one.row["event_id"]))


def looks_at(
    store: Path, fleet_id: int, limits: Limits, last: str | None = None, most: int | None = None
) -> list[Look]:
    """Return what the newest run, and those within KEPT of it, found for a fleet, oldest first.

    Of each only the encounters that one of them had within limits. Runs that have not searched the
    fleet are left out, and historic ones if there are others; none: no run has. With `last` that run is
    taken for the newest; with `most` no more runs are read than that takes.

    Raises:
        StoreError: a file is damaged, or cannot be read.
    """
    run_ids = [path.stem for path in store.glob(FLEET_EVENT_FILES) if is_run_id(path.stem)]
    if not run_ids:
        return []
    newest = max(run_ids) if last is None else last
    looked: dict[str, _Looked] = {}
    for run_id in reversed(within_reach(run_ids, newest)):
        one = (_read if run_id == newest else _read_once)(store, run_id, fleet_id)
        if one is not None:
            looked[run_id] = one
        if most is not None and sum(not found.searched.historic for found in looked.values()) == most:
            break
    of_now = {run_id: one for run_id, one in looked.items() if not one.searched.historic} or looked
    of_now = dict(sorted(of_now.items())[-most if most else 0 :])
    if not of_now:
        return []
    ids = [one.rows["event_id"].to_numpy()[within(one.rated, limits)] for one in of_now.values()]
    told = pa.array(np.concatenate(ids), pa.int64())
    return [
        Look(run_id, utc_rows(one.rows.filter(pc.is_in(one.rows["event_id"], told))), one.searched)
        for run_id, one in of_now.items()
    ]


def within_reach(run_ids: Iterable[str], newest: str) -> list[str]:
    """Return the runs whose encounters may still be listed beside those of the newest, oldest first."""
    first = start_of(newest) - KEPT
    return sorted(run_id for run_id in run_ids if run_id <= newest and start_of(run_id) >= first)


class _Looked(NamedTuple):
    rows: pa.Table
    rated: Rated
    searched: Searched


def _read(store: Path, run_id: str, fleet_id: int) -> _Looked | None:
    of = searched(store, run_id, fleet_id)
    if of is None:
        return None
    rows = fleet_events(store, run_id, fleet_id).select([*_OF_EVENT, *OF_FLEET])
    for name in _WORDS:
        rows = rows.set_column(rows.schema.get_field_index(name), name, rows[name].cast(pa.string()))
    return _Looked(rows, rated(lambda name: rows[name].to_pylist()), of)


# The rows of a run that is no longer the newest stay as they are; of 12 runs they would take seconds to
# read.
_read_once = lru_cache(maxsize=64)(_read)


def by_event(rows: Sequence[Row]) -> dict[int, Row]:
    """Return one row an encounter; never one whose source does not allow sharing it."""
    free = (row for row in rows if row["origin"] != RESTRICTED_MESSAGE)
    return {row["event_id"]: row for row in sorted(free, key=lambda row: row["norad_id"], reverse=True)}


def _why_gone(row: Row, look: Look) -> str:
    """Return why an encounter that a later look has not is off; empty: that look does not decide."""
    own = row["norad_id"]
    if own not in look.searched.members and row["tca"] > look.searched.since:
        return f"{own} is no longer in the fleet"
    if look.searched.finds(row):
        return f"run {look.run_id} no longer has it within the fleet's volume"
    return ""


def _last_known(
    number: int,
    looks: Sequence[Look],
    told: Sequence[dict[int, Row]],
    matching: Sequence[frozenset[int]],
    limits: Limits,
) -> Encounter:
    """Return the last state of an encounter; `matching`: which states were within the limits."""
    last = max(place for place, rows in enumerate(told) if number in rows)
    row = told[last][number]
    for look in looks[last + 1 :]:
        if why := _why_gone(row, look):
            return Encounter(row, why, max(row["computed_at"], start_of(look.run_id)))
    if number in matching[last]:
        return Encounter(row, "", row["computed_at"])
    eased = f"its level is {level_of(row)} now, and it is not within the limits: {in_words(limits)}"
    return Encounter(row, "", row["computed_at"], eased)


def _within(rows: Mapping[int, Row], limits: Limits) -> frozenset[int]:
    are_within = within(rated_rows(list(rows.values())), limits)
    return frozenset(number for number, is_within in zip(rows, are_within, strict=True) if is_within)


def _danger(one: Encounter) -> tuple[bool, tuple[float, float, int]]:
    return bool(one.cancelled or one.eased), danger_of(one.row)
