"""What a run has found around the objects of fleets: which events are inside whose volume.

Two files a run: the members of each fleet as it was searched, and their events. The second is there, even
without rows, once fleets have been searched; until then the first does not count. A fleet that has no row in
the first has not been searched. The events themselves are rows of the run, or, beyond its threshold or its
window, rows of `analyses` of origin `fleet`. Encounters known only from received messages are added when
they are asked for.
"""

import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from screening.errors import StoreError
from screening.risk.conjunctions import RISK_BASES
from screening.risk.tiers import probability_levels, risk_levels
from screening.vocabulary import PROBABILITY_LEVELS, PROBABILITY_METHODS, RISK_LEVELS
from storage.disk.layout import ANALYSES, FLEETS, RUN_FILES, replace_parquet, run_folder, whose_told
from storage.disk.run_ids import is_run_id
from storage.disk.whole_files import sync_folder
from storage.fleet_schema import FLEET_EVENTS, FLEET_MEMBERS
from storage.fleets.from_messages import around_members, message_stamps, read_rows, told_paths
from storage.rows.over_runs.winning import wins
from storage.rows.records import words
from storage.schema import CONJUNCTIONS
from storage.state.database import query_state
from storage.vocabulary import EVERYBODY, FLEET, SECOND_LOOK, TOLD

# What a row of `fleet_events` has of the fleet, beside the columns of the event.
OF_FLEET = (
    *("fleet_id", "fleet", "norad_id", "volume"),
    *("miss_radial_km", "miss_in_track_km", "miss_cross_track_km", "fleet_hard_body_radius_m"),
)
# What a fleet's own radius is counted for: an analysis since, and a message, keep the radius they have.
_RATED = ("run", SECOND_LOOK, FLEET)


log = logging.getLogger("skysieve")


class FleetMember(NamedTuple):
    """An object that belonged to a fleet at a run."""

    norad_id: int
    name: str  # in the catalogue; "": not in it
    found: bool  # in the catalogue
    volume: str  # around it, with the handbook's regime if it is the handbook's; "": not in the catalogue
    hours: float  # look-ahead, from the start of the run's window


def sides(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return which side of a row of `fleet_events` the fleet's object is, and the other one."""
    if row["secondary_norad_id"] == row["norad_id"]:
        return "secondary", "primary"
    return "primary", "secondary"


def looked_at(store: Path, run_id: str) -> bool:
    """Return whether the fleets of a run have been searched: its file is there, even without rows."""
    return events_path(store, run_id).is_file()


def fleet_events(store: Path, run_id: str, fleet_id: int) -> pa.Table:
    """Return the events inside the volumes of a fleet, by TCA: the columns of the event, then OF_FLEET.

    A row an object of the fleet, so that an encounter of two of its objects may have two. A second look after
    the run beats the run's row, and the fleet's own radius counts. No rows if the fleets have not been
    searched at, or there was no such fleet.

    Raises:
        StoreError: a file is damaged, or cannot be read.
    """
    mine, whose = inside_fleet(store, run_id, fleet_id), organisation_of(store, fleet_id)
    events = at_own_radius(_winning_rows(store, run_id, whose, _stamps(store, run_id, whose)), mine)
    ids = events["event_id"].to_numpy()
    wanted = mine["event_id"].to_numpy()
    order = np.argsort(ids, kind="stable")
    place = np.minimum(np.searchsorted(ids, wanted, sorter=order), max(len(ids) - 1, 0))
    there = np.flatnonzero(ids[order[place]] == wanted) if len(ids) else np.zeros(0, np.intp)
    rows = events.take(pa.array(order[place[there]] if len(ids) else there))
    mine = mine.take(pa.array(there))
    for name in OF_FLEET:
        rows = rows.append_column(name, mine[name])
    return rows.sort_by([("tca", "ascending"), ("event_id", "ascending"), ("norad_id", "ascending")])


def organisation_of(store: Path, fleet_id: int) -> int:
    """Return whose a fleet is; of one that was removed, nobody's: it sees what everybody sees."""
    found = query_state(store, "SELECT organisation_id FROM fleets WHERE id = ?", (fleet_id,))
    return int(found[0][0]) if found else EVERYBODY


def seen_by(store: Path, name: str, rows: pa.Table) -> dict[int, pa.Table]:
    """Return the rows of a file of analyses by the organisation that alone sees them, or EVERYBODY.

    What messages tell is seen by who has received them; what the search around fleets has found, by those
    whose fleets these are.
    """
    if name.startswith(TOLD):
        return {whose_told(name): rows}
    if not name.startswith(f"{FLEET}-"):
        return {EVERYBODY: rows}
    try:
        inside = found_inside(store, name.removeprefix(f"{FLEET}-").removesuffix(".parquet"))
    except StoreError as error:
        log.warning("What was found around fleets is not shown: %s", error)
        return {}
    return {
        whose: rows.filter(pc.is_in(rows["event_id"], inside.filter(_among(inside, ids))["event_id"]))
        for whose, ids in _fleets_of_each(store).items()
    }


def _fleets_of_each(store: Path) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, whose in query_state(store, "SELECT id, organisation_id FROM fleets"):
        found.setdefault(whose, []).append(number)
    return found


def _among(inside: pa.Table, ids: Sequence[int]) -> pa.ChunkedArray:
    return pc.is_in(inside["fleet_id"], pa.array(ids, pa.int64()))


def inside_fleet(store: Path, run_id: str, fleet_id: int) -> pa.Table:
    """Return which events are inside the volumes of a fleet, rows of FLEET_EVENTS, by object."""
    rows = membership(store, run_id)
    return rows.filter(pc.equal(rows["fleet_id"], fleet_id)).sort_by("norad_id")


def at_own_radius(events: pa.Table, mine: pa.Table) -> pa.Table:
    """Return events (n,), rows of CONJUNCTIONS, with radius, probability and levels as a fleet has them.

    `mine` are its rows of FLEET_EVENTS. The other columns do not count and stay the event's.
    """
    mine = mine.filter(pc.is_valid(mine["fleet_probability_best"])).combine_chunks()
    place = pc.index_in(events["event_id"], mine["event_id"].combine_chunks()).combine_chunks()
    known = pc.and_(place.is_valid(), _is_rated(events).combine_chunks())
    mine, miss_m = mine.take(place.filter(known)), events["miss_distance_m"].filter(known).to_numpy()
    if not len(mine):
        return events
    best = mine["fleet_probability_best"].to_numpy()
    method = mine["fleet_probability_method"].cast(pa.string())
    codes = pc.index_in(method, pa.array(PROBABILITY_METHODS)).to_numpy()
    level, basis = risk_levels(miss_m, best, codes)
    replaced = {
        "hard_body_radius_m": mine["fleet_hard_body_radius_m"],
        "probability_best": mine["fleet_probability_best"],
        "probability_method": method,
        "probability_level": words(probability_levels(best), PROBABILITY_LEVELS),
        "risk_level": words(level, RISK_LEVELS),
        "risk_basis": words(basis, RISK_BASES),
    }
    for name, values in replaced.items():
        old, plain = (
            events[name],
            pa.float64() if name in ("hard_body_radius_m", "probability_best") else pa.string(),
        )
        new = pa.chunked_array([values]) if isinstance(values, pa.Array) else values
        column = pc.replace_with_mask(
            old.cast(plain).combine_chunks(), known, new.cast(plain).combine_chunks()
        )
        events = events.set_column(events.schema.get_field_index(name), name, column.cast(old.type))
    return events


def _is_rated(events: pa.Table) -> pa.ChunkedArray:
    return pc.is_in(events["origin"].cast(pa.string()), pa.array(_RATED))


def fleet_members(store: Path, run_id: str, fleet_id: int) -> list[FleetMember]:
    """Return the objects of a fleet at a run, by number, also those without events and unknown ones."""
    rows = members_of_run(store, run_id)
    rows = rows.filter(pc.equal(rows["fleet_id"], fleet_id)).sort_by("norad_id")
    return [FleetMember(**row) for row in rows.select(FleetMember._fields).to_pylist()]


def fleets_looked_at(store: Path, run_id: str) -> frozenset[int]:
    """Return the ids of the fleets that a run has searched."""
    return frozenset(pc.unique(members_of_run(store, run_id)["fleet_id"]).to_pylist())


def members_of_run(store: Path, run_id: str) -> pa.Table:
    """Return the members of all fleets at a run, rows of FLEET_MEMBERS; none if not searched."""
    if not looked_at(store, run_id):
        return FLEET_MEMBERS.arrow.empty_table()
    return read_rows(store, members_path(store, run_id), FLEET_MEMBERS)


def found_inside(store: Path, run_id: str) -> pa.Table:
    """Return which events a run has found inside volumes, rows of FLEET_EVENTS; none if not searched."""
    if not looked_at(store, run_id):
        return FLEET_EVENTS.arrow.empty_table()
    return read_rows(store, events_path(store, run_id), FLEET_EVENTS)


def membership(store: Path, run_id: str) -> pa.Table:
    """Return which events are inside whose volume, rows of FLEET_EVENTS; none if not searched.

    Those that a run found, and, of the newest run, those known only from messages (`around_members`).
    """
    rows = found_inside(store, run_id)
    if not (looked_at(store, run_id) and message_stamps(store)):
        return rows
    told = around_members(store, run_id, members_path(store, run_id))
    has = pc.is_in(told["event_id"], rows["event_id"].combine_chunks())
    return pa.concat_tables([rows, told.filter(pc.invert(has))]).unify_dictionaries()


def write_membership(
    store: Path, run_id: str, events: pa.Table, members: pa.Table, of_others: pa.Table
) -> None:
    """Write what a run has found, rows of FLEET_EVENTS and FLEET_MEMBERS. Needs the lock of a prepared store.

    `of_others` are the members of fleets whose events stay as they were: first only these are written, so
    that a kill leaves fleets that have not been searched, instead of fleets without events.
    """
    steps = (
        (of_others, members_path(store, run_id)),
        (events, events_path(store, run_id)),
        (members, members_path(store, run_id)),
    )
    for rows, path in steps:
        replace_parquet(rows, path)
        sync_folder(store / FLEETS)


def events_path(store: Path, run_id: str) -> Path:
    """Return the file of the events inside volumes; its name counts as a run id's."""
    return store / FLEETS / f"{_checked(run_id)}.parquet"


def members_path(store: Path, run_id: str) -> Path:
    """Return the file of the members of fleets."""
    return store / FLEETS / f"{_checked(run_id)}.members.parquet"


def found_path(store: Path, run_id: str) -> Path:
    """Return the file of the events that the run itself does not have."""
    return store / ANALYSES / f"{FLEET}-{_checked(run_id)}.parquet"


def _checked(run_id: str) -> str:
    if not is_run_id(run_id):
        raise StoreError(f"{run_id!r} is not a run id: expected the form 20261121T060000Z.")
    return run_id


def _sources(store: Path, run_id: str, organisation_id: int | None) -> tuple[Path, ...]:
    """Return the files in which the events of a run are that an organisation sees; None: all."""
    return (
        store / ANALYSES / f"{SECOND_LOOK}-{run_id}.parquet",
        run_folder(store, run_id) / RUN_FILES["conjunctions"],
        found_path(store, run_id),
        *told_paths(store, organisation_id),
    )


def _stamps(store: Path, run_id: str, organisation_id: int) -> tuple[tuple[int, int], ...]:
    """Return what changes with the files that have a run's events."""
    stamps = []
    for path in (*_sources(store, run_id, organisation_id), events_path(store, run_id)):
        found = path.stat() if path.is_file() else None
        stamps.append((found.st_mtime_ns, found.st_ino) if found else (0, 0))
    return tuple(stamps)


@lru_cache(maxsize=4)
def _winning_rows(
    store: Path, run_id: str, organisation_id: int, _stamps: tuple[tuple[int, int], ...]
) -> pa.Table:
    """Return the events inside any fleet's volumes, as an organisation sees them, each once."""
    return events_with(store, run_id, pc.unique(membership(store, run_id)["event_id"]), organisation_id)


def events_with(store: Path, run_id: str, wanted: pa.Array, organisation_id: int | None = None) -> pa.Table:
    """Return the events of a run with these ids, rows of CONJUNCTIONS, each once: second looks go first.

    As an organisation sees them; None: also what messages of any of them tell.

    Raises:
        StoreError: a file is damaged, or cannot be read.
    """
    found = [CONJUNCTIONS.arrow.empty_table()]
    for path in _sources(store, run_id, organisation_id) if len(wanted) else ():
        if path.is_file():
            rows = read_rows(store, path, CONJUNCTIONS)
            found.append(rows.filter(pc.is_in(rows["event_id"], wanted)))
    rows = pa.concat_tables(found)
    return rows.filter(pa.array(wins(rows))).combine_chunks()
