"""Encounters of fleets known only from received messages: rows of FLEET_EVENTS beside those of a run."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.orbits.timegrid import FloatArray
from screening.volumes.inside import inside, reach_km, relative_rtn_km, volume_array
from screening.volumes.shapes import volume_of
from storage.disk.checksums import stamp_of, verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import ANALYSES, told_file, whose_told
from storage.fleet_schema import FLEET_EVENTS, FLEET_MEMBERS
from storage.schema import CONJUNCTIONS, Table
from storage.state.database import query_state
from storage.vocabulary import EVERYBODY, MESSAGE

# At these levels a message counts wherever the other object passes: misses of 17 km have been truly red. Of
# a bound ("at most") that says little: without errors any miss has a large one.
_WHEREVER = ("critical", "high", "medium")


def messages_path(store: Path, organisation_id: int) -> Path:
    """Return the file of the encounters known only from messages of an organisation that may be shared."""
    return store / ANALYSES / told_file(MESSAGE, organisation_id)


def told_paths(store: Path, organisation_id: int | None) -> tuple[Path, ...]:
    """Return the files of those that an organisation sees, its own and everybody's; None: all."""
    if organisation_id is None:
        return tuple(sorted((store / ANALYSES).glob(f"{MESSAGE}*.parquet")))
    return tuple(messages_path(store, whose) for whose in (EVERYBODY, organisation_id))


def read_rows(store: Path, path: Path, table: Table) -> pa.Table:
    """Return the rows of a file of a table. Raises StoreError if it is damaged, or cannot be read."""
    with store_faults(store):
        verify_parquet(path)
        return pq.read_table(path, schema=table.arrow, partitioning=None, use_threads=False)


def message_stamps(store: Path) -> tuple[tuple[int, str], ...]:
    """Return whose encounters there are, and what changes with them; empty: there are none."""
    found = []
    for path in told_paths(store, None):
        status = path.stat()
        found.append((whose_told(path.name), f"{status.st_mtime_ns}-{status.st_ino}"))
    return tuple(found)


def around_members(store: Path, run_id: str, members: Path) -> pa.Table:
    """Return which encounters of messages belong to which object of a fleet, rows of FLEET_EVENTS.

    `members`: file of FLEET_MEMBERS, as of the run; of another run than the newest there are none. An
    encounter belongs to an object if it is medium or more dangerous by a probability that is not merely a
    bound, or inside the object's volume. Where the message has no states, its miss decides, by the volume's
    reach.
    """
    with store_faults(store):
        stamp = stamp_of(members)
    fleets = tuple(query_state(store, "SELECT id, name, organisation_id FROM fleets"))
    return _around(store, run_id, message_stamps(store), fleets, members, stamp)


@lru_cache(maxsize=4)
def _around(
    store: Path,
    run_id: str,
    stamps: tuple[tuple[int, str], ...],
    fleets_of: tuple[tuple[int, str, int], ...],
    members: Path,
    _members_stamp: tuple[int, ...],
) -> pa.Table:
    none = FLEET_EVENTS.arrow.empty_table()
    rows = read_rows(store, members, FLEET_MEMBERS) if stamps else None
    if rows is None:
        return none
    there = rows.filter(rows["found"])
    whose = np.array([number for _, _, number in fleets_of], np.int64)
    ids = np.array([number for number, _, _ in fleets_of], np.int64)
    parts = []
    for organisation_id, _ in stamps:
        path = messages_path(store, organisation_id)
        events = read_rows(store, path, CONJUNCTIONS)
        events = events.filter(pc.equal(events["run_id"].cast(pa.string()), run_id))
        see = pa.array(ids if organisation_id == EVERYBODY else ids[whose == organisation_id])
        of_them = there.filter(pc.is_in(there["fleet_id"], see))
        parts += [_on_side(events, own, other, of_them) for own, other in (_SIDES, _SIDES[::-1])]
    rows = _once(pa.concat_tables(parts))
    names = {number: name for number, name, _ in fleets_of}
    fleets = pa.array([names.get(number) for number in rows["fleet_id"].to_pylist()], pa.string())
    rows = rows.append_column("fleet", fleets).append_column("run_id", pa.array([run_id] * len(rows)))
    rows = rows.filter(pc.is_valid(rows["fleet"]))
    # A message's own radius counts, whatever the fleet's: the columns that are left are NULL.
    for column in FLEET_EVENTS.columns:
        if column.name not in rows.column_names:
            rows = rows.append_column(column.name, pa.nulls(len(rows), column.type))
    return rows.select(FLEET_EVENTS.arrow.names).cast(FLEET_EVENTS.arrow)


def _once(rows: pa.Table) -> pa.Table:
    """Return rows with each event of an object of a fleet once: both it and everybody may have a message."""
    keys = list(zip(*(rows[name].to_pylist() for name in ("fleet_id", "norad_id", "event_id")), strict=True))
    return rows.take(pa.array(sorted({key: place for place, key in enumerate(keys)}.values()), pa.int64()))


_SIDES = ("primary", "secondary")
_OF_MEMBER = ("fleet_id", "norad_id", "volume")


def _on_side(events: pa.Table, own: str, other: str, members: pa.Table) -> pa.Table:
    """Return the encounters of members that are the `own` side of events."""
    numbers = events[f"{own}_norad_id"].to_numpy()
    chosen = [
        (place, row)
        for row, number in enumerate(members["norad_id"].to_pylist())
        for place in np.flatnonzero(numbers == number).tolist()
    ]
    places, rows = np.array(chosen, np.int64).reshape(-1, 2).T
    mine, events = members.take(pa.array(rows)), events.take(pa.array(places))
    relative_km = _relative_km(events, own, other)
    levels, methods = (
        np.array(events[f"probability_{name}"].to_pylist(), object) for name in ("level", "method")
    )
    volumes = volume_array([volume_of(text.rpartition(": ")[2]) for text in mine["volume"].to_pylist()])
    unplaced = ~np.isfinite(relative_km).all(axis=1)
    miss_km = events["miss_distance_m"].to_numpy() / 1000.0
    is_inside = np.where(unplaced, miss_km <= reach_km(volumes), inside(volumes, relative_km))
    belongs = is_inside | (np.isin(levels, _WHEREVER) & (methods != "bound"))
    columns = {name: mine[name] for name in _OF_MEMBER} | {"event_id": events["event_id"]}
    for axis, name in enumerate(("radial", "in_track", "cross_track")):
        columns[f"miss_{name}_km"] = pa.array(relative_km[:, axis])
    return pa.table(columns).filter(pa.array(belongs))


def _relative_km(events: pa.Table, own: str, other: str) -> FloatArray:
    """Return where the other object is at TCA (n, 3) in one's own RTN; NaN where a message has no states."""

    def columns(*names: str) -> FloatArray:
        return np.column_stack([events[name].to_numpy().astype(np.float64) for name in names])

    r_km = columns(*(f"{own}_{axis}_km" for axis in "xyz"))
    v_km_s = columns(*(f"{own}_v{axis}_km_s" for axis in "xyz"))
    other_r_km = columns(*(f"{other}_{axis}_km" for axis in "xyz"))
    return relative_rtn_km(r_km, v_km_s, other_r_km)
