"""Which new objects are pieces of break-ups: of those that the store has, and of new ones."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.fragmentation.event import (
    FEWEST_PIECES,
    BreakUp,
    Cloud,
    belongs,
    break_up,
    cloud,
    possible_parents,
)
from screening.fragmentation.launches import NO_LAUNCH, families, launches_of
from screening.orbits.elements import ElementArray
from screening.risk.objects.pieces import beginning_with
from screening.risk.objects.pieces import pieces as marked_by_name
from storage.rows.records import conform, constant
from storage.sky.compare import epoch_of
from storage.sky.earlier import Row, sets_known_by
from storage.sky_schema import FRAGMENTATIONS
from storage.times import datetime64_us, utc_datetime

Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_MOST_PARENTS = 4
_PLACE = ("x_km", "y_km", "z_km")
_VELOCITY = ("vx_km_s", "vy_km_s", "vz_km_s")
_SPEEDS = ("speed_r_m_s", "speed_t_m_s", "speed_n_m_s")


class Found(NamedTuple):
    """A break-up, and pieces of it."""

    row: Row  # as the table has it, without what a run adds
    pieces: Ids


def pieces_found(
    store: Path, run_id: str, elements: ElementArray, recent: Ids, fresh: Ids, stored: Iterable[Row]
) -> list[Found]:
    """Return the break-ups of which pieces are among `recent` new objects that belong to none so far.

    Args:
        store: where the earlier sets of possible parents are.
        run_id: the run.
        elements: its sets (n,), by number.
        recent: new objects of the last weeks, those of the run included.
        fresh: new objects of the run: only where these are, a new break-up is looked for.
        stored: rows of `fragmentations` so far.
    """
    if not len(fresh):
        return []
    some = elements[np.isin(elements["norad_id"], recent)]
    some = some[_may_be_piece(some)]
    found = []
    for event in {row["fragmentation_id"]: row for row in stored}.values():
        own = _pieces_of(event, some)
        if own.any():
            found.append(Found(event, some["norad_id"][own]))
            some = some[~own]
    for family in families(some, FEWEST_PIECES):
        members = some[family]
        if not np.isin(members["norad_id"], fresh).any():
            continue
        new = _new_event(store, run_id, elements, members, recent)
        if new is not None:
            found.append(Found(new, members["norad_id"][_pieces_of(new, members)]))
    return found


def table_of(found: Sequence[Found], stored: Iterable[Row], run_id: str, found_at: datetime) -> pa.Table:
    """Return break-ups and the pieces that a run found as rows of the table; `found_at` is UTC."""
    before: dict[int, int] = {}
    for row in stored:
        before[row["fragmentation_id"]] = row["pieces"]
    columns: dict[str, Any] = {
        column.name: pa.array([one.row.get(column.name) for one in found], column.type)
        for column in FRAGMENTATIONS.columns
        if not pa.types.is_dictionary(column.type)
    }
    columns["run_id"] = constant(run_id, len(found))
    columns["found_at"] = pa.array([found_at] * len(found), pa.timestamp("us"))
    columns["new_piece_norad_ids"] = pa.array([one.pieces for one in found], pa.list_(pa.int64()))
    totals = [before.get(one.row["fragmentation_id"], 0) + len(one.pieces) for one in found]
    columns["pieces"] = pa.array(totals, pa.int32())
    return conform(columns, FRAGMENTATIONS, "fragmentations")


def _may_be_piece(some: ElementArray) -> Mask:
    """Return which objects (n,) are debris by their names, or have none yet."""
    debris, rocket_bodies = marked_by_name(some["name"])
    names = some["name"]
    unnamed = np.isin(names, ("", "UNKNOWN", "TBA")) | beginning_with(names, "TBA ", "OBJECT ")
    may: Mask = debris | (unnamed & ~rocket_bodies)
    return may


def _pieces_of(event: Row, some: ElementArray) -> Mask:
    """Return which objects (n,) are pieces: debris of the parent's launch, or what passed the point."""
    launch = launches_of(np.array([event["parent_object_id"]]))[0]
    own = (launches_of(some["object_id"]) == launch) & marked_by_name(some["name"])[0]
    own &= launch != NO_LAUNCH
    others = np.flatnonzero(~own)
    if len(others):
        place = (np.array([event[name] for name in names]) for names in (_PLACE, _VELOCITY))
        own[others] = belongs(some[others], datetime64_us(event["at"]), *place)
    mask: Mask = own & (some["norad_id"] != event["parent_norad_id"])
    return mask


def _new_event(
    store: Path, run_id: str, elements: ElementArray, members: ElementArray, recent: Ids
) -> Row | None:
    """Return the break-up that a family of new objects comes from; None: from none of late."""
    found = cloud(members, epoch_of(elements))
    if found is None:
        return None
    for others in _possible_parents(elements, members, recent):
        rows = []
        for now, before in _near(store, run_id, found, others):
            event = break_up(found, before)
            if event is not None:
                # Of two that flew there, the stage of a launch bursts far more often than its payload.
                is_stage = bool(marked_by_name(now["name"])[1][0])
                rows.append((event.misfit - (0.5 if is_stage else 0.0), _row(now, event)))
        if rows:
            return min(rows, key=lambda one: one[0])[1]
    return None


def _possible_parents(elements: ElementArray, members: ElementArray, recent: Ids) -> Iterator[ElementArray]:
    """Yield objects that may have broken up: of the same launch, of any, and those without a name yet.

    Debris does not break up so that a catalogue shows it.
    """
    launches = [one for one in set(launches_of(members["object_id"]).tolist()) if one != NO_LAUNCH]
    whole = elements[~marked_by_name(elements["name"])[0]]
    is_named, is_own = ~_may_be_piece(whole), np.isin(launches_of(whole["object_id"]), launches)
    yield whole[is_named & is_own]
    yield whole[is_named & ~np.isin(whole["norad_id"], recent)]
    yield whole[~is_named & is_own]


def _near(
    store: Path, run_id: str, found: Cloud, others: ElementArray
) -> list[tuple[ElementArray, ElementArray]]:
    """Return what flew near the point of a cloud, each with its last set before, or the present one."""
    near = others[possible_parents(found, others)][:_MOST_PARENTS]
    earlier = sets_known_by(store, run_id, near["norad_id"], found.at)
    place = {int(number): row for row, number in enumerate(earlier["norad_id"])}
    return [
        (near[[row]], earlier[[place[int(number)]]] if int(number) in place else near[[row]])
        for row, number in enumerate(near["norad_id"])
    ]


def _row(parent: ElementArray, event: BreakUp) -> Row:
    at = utc_datetime(event.at)
    number = int(parent["norad_id"][0])
    values = dict(
        zip(_PLACE + _VELOCITY + _SPEEDS, (*event.r_km, *event.v_km_s, *event.speeds_m_s), strict=True)
    )
    return {
        "fragmentation_id": int(f"{number}{at:%Y%m%d}"),
        "parent_norad_id": number,
        "parent_name": str(parent["name"][0]),
        "parent_object_id": str(parent["object_id"][0]),
        "at": at,
        "uncertainty_hours": event.uncertainty_hours,
        **{name: float(value) for name, value in values.items()},
    }
