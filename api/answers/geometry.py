"""The geometry of a stored event: gather its data, compute it, and add facts about the objects."""

import itertools
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

import numpy as np

from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import StoredEvent, StoredSide, typed
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.views.event_geometry import Event, EventGeometry, event_geometry
from screening.risk.views.tracks import Side, Track
from storage.in_memory.event_table import EventQuery
from storage.in_memory.single_objects import (
    ObjectDetails,
    element_sets_at,
    newest_element_sets,
    object_details,
)
from storage.in_memory.snapshot import Snapshot
from storage.times import datetime64_us
from storage.trajectories.kept import trajectories_of
from storage.trajectories.trajectory_file import Trajectory

_LOOKED_THROUGH = 100
OTHER_RADII = "The event was rated with radii other than those of the newest run."
UNKNOWN_OBJECT = "The newest run does not have this object."


class EventDetails(NamedTuple):
    """One event, its geometry, and facts about its objects."""

    event: StoredEvent
    geometry: EventGeometry  # its `missing` also names what is None in `objects`
    objects: tuple[ObjectDetails, ObjectDetails]  # primary, secondary
    trajectories: tuple[Trajectory | None, Trajectory | None] = (None, None)  # that the event rests on


def event_details(snapshot: Snapshot, event: StoredEvent) -> EventDetails:
    """Compute the geometry of one event, and look up its objects.

    Their radii are shown only if they add up to the event's: it may have been rated with others.
    """
    kept = [_trajectories(snapshot, side) for side in event.sides]
    primary_side, secondary_side = (_side(snapshot, *both) for both in zip(event.sides, kept, strict=True))
    objects = tuple(object_details(snapshot, side.norad_id) for side in event.sides)
    geometry = event_geometry(
        Event(
            tca=datetime64_us(event.tca),
            primary=primary_side,
            secondary=secondary_side,
            miss_distance_m=event.miss_distance_m,
            relative_speed_m_s=event.relative_speed_m_s,
            hard_body_radius_m=event.hard_body_radius_m,
            slow=event.encounter == "slow",
            flags=tuple((event.probability_flag or "").split()),
            in_plane=event.in_plane,
            inside_s=event.inside_s,
            shadow_m=_sum_m(event, objects, "radius_m"),
            bounding_m=_sum_m(event, objects, "bounding_radius_m"),
            hard_body_source=event.hard_body_source,
        )
    )
    behind = _behind(geometry.primary, kept[0]), _behind(geometry.secondary, kept[1])
    primary, secondary = objects
    radii = primary.hard_body_radius_m, secondary.hard_body_radius_m
    known = [radius for radius in (*radii, event.hard_body_radius_m) if radius is not None]
    if len(known) == 3 and np.isclose(known[0] + known[1], known[2], rtol=1e-9):
        return EventDetails(event, geometry, (primary, secondary), behind)
    why = {
        f"objects.{who}.hard_body_radius_m": UNKNOWN_OBJECT if radius is None else OTHER_RADII
        for who, radius in zip(("primary", "secondary"), radii, strict=True)
    }
    unsized = {"hard_body_radius_m": None, "hard_body_source": None}
    return EventDetails(
        event,
        geometry._replace(missing=geometry.missing | why),
        (primary._replace(**unsized), secondary._replace(**unsized)),
        behind,
    )


def named(trajectories: Sequence[Trajectory | None]) -> list[tuple[str, datetime] | None]:
    """Return the id of each trajectory, and when it was added."""
    return [one and (one.id, one.about.added) for one in trajectories]


def _sum_m(
    event: StoredEvent,
    objects: Sequence[ObjectDetails],
    published: Literal["radius_m", "bounding_radius_m"],
) -> float | None:
    """Return the sum of the published radii of both; of an object without one, that it was rated with.

    None if neither has one, or one was not rated.
    """
    radii: list[float | None] = [getattr(one, published) for one in objects]
    if radii == [None, None]:
        return None
    for i, (side, one) in enumerate(zip(event.sides, objects, strict=True)):
        radii[i] = radii[i] or side.radius_m or one.hard_body_radius_m
    known = [radius for radius in radii if radius is not None]
    return sum(known) if len(known) == len(radii) else None


def load_kernels(snapshot: Snapshot) -> None:
    """Compute the geometry of a dangerous event of ours, so that no request waits for kernels: 0.6 s.

    The first time on a machine compiling them takes about ten seconds.
    """
    listed = records(EVENT_FIELDS, snapshot.events(EventQuery(limit=_LOOKED_THROUGH)).rows)
    known = (event for one in listed if not (event := typed(one)).told)
    for event in itertools.islice(known, 1):
        event_details(snapshot, event)


def _trajectories(snapshot: Snapshot, side: StoredSide) -> list[Trajectory]:
    return (
        trajectories_of(snapshot.store, side.norad_id, snapshot.organisation_id) if side.on_ephemeris else []
    )


def _behind(track: Track | None, kept: list[Trajectory]) -> Trajectory | None:
    return None if track is None or track.ephemeris is None else kept[track.ephemeris]


def _side(snapshot: Snapshot, side: StoredSide, kept: list[Trajectory]) -> Side:
    sigmas = side.sigma_r_m, side.sigma_t_m, side.sigma_n_m
    correlations = side.correlation_rt, side.correlation_rn, side.correlation_tn
    return Side(
        called=f"{side.norad_id} {side.name}",
        r_teme_km=np.array([side.x_km, side.y_km, side.z_km], float),  # None becomes NaN
        v_teme_km_s=np.array([side.vx_km_s, side.vy_km_s, side.vz_km_s], float),
        sigma_rtn_m=None if None in sigmas else np.array(sigmas, float),
        correlations=np.array([value or 0.0 for value in correlations]),
        element_sets=_element_sets(snapshot, side),
        on_ephemeris=side.on_ephemeris,
        ephemerides=[one.ephemeris for one in kept],
        epoch=np.datetime64("NaT", "us") if side.epoch is None else datetime64_us(side.epoch),
        told=side.epoch is None,
    )


def _element_sets(snapshot: Snapshot, side: StoredSide) -> ElementArray:
    if side.on_ephemeris:
        return newest_element_sets(snapshot, side.norad_id)
    if side.epoch is None:  # of a message
        return np.zeros(0, ELEMENT_DTYPE)
    return element_sets_at(snapshot, side.norad_id, side.epoch)
