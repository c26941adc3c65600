"""The geometry of an event as it is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from api.answers.geometry import EventDetails, named
from api.answers.stored_events import StoredSide
from api.models.geometry import EventObject, EventObjects, EventOrbits, Geometry, Orbit, Place, Ranges
from screening.answers import same_fields
from screening.orbits.revolution import Revolution
from screening.risk.views.tracks import Track
from storage.fleets.manoeuvre_classes import said_by_operators
from storage.in_memory.single_objects import ObjectDetails, mover_of
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.geometry import geometry_words
from storage.rows.words.right_of_way import WhoGivesWay, who_gives_way
from storage.rows.words.whom import WhomOfBoth
from storage.trajectories.trajectory_file import Trajectory

T = TypeVar("T")

# Decimals of sent values: 1 mm, 1 cm on orbits, 0.1 m on the ground.
_M, _KM, _DEG = 3, 5, 6
_DISTANCES_M = ("radial_m", "in_track_m", "cross_track_m")


def geometry_answer(details: EventDetails, whom: WhomOfBoth, gives_way: WhoGivesWay) -> Geometry:
    """Return the geometry with the decimals that are sent."""
    event, geometry, _, trajectories = details
    tracks = geometry.primary, geometry.secondary
    rtn, near, wide = geometry.rtn, geometry.near, geometry.wide
    if rtn is not None and rtn.path is not None:
        rtn = replace(rtn, path=_rounded(rtn.path, "seconds_from_tca", *_DISTANCES_M))
    ranges = [_rounded(curve, "range_m", *_DISTANCES_M) for curve in (near, wide) if curve is not None]
    return Geometry(
        **same_fields(Geometry, event),
        approach_angle_deg=geometry.approach_angle_deg,
        place=None if geometry.place is None else Place(*geometry.place),
        objects=event_objects(details),
        right_of_way=gives_way,
        whom_to_ask=whom,
        encounter_plane=geometry.plane,
        encounter_rtn=rtn,
        probability_against_scale=geometry.dilution,
        probability_against_radius=geometry.radius,
        range=Ranges(*ranges) if ranges else None,
        orbits=EventOrbits(*(None if track is None else _orbit(track.orbit) for track in tracks)),
        words=geometry_words(event.row, geometry, named(trajectories)),
        missing=geometry.missing,
    )


def event_objects(details: EventDetails) -> EventObjects:
    """Return what is known about both objects."""
    event, geometry, objects, trajectories = details
    tracks = geometry.primary, geometry.secondary
    return EventObjects(*map(_object, event.sides, event.ages_hours, objects, tracks, trajectories))


def right_of_way(
    snapshot: Snapshot, details: EventDetails, messages: Sequence[Mapping[str, Any]]
) -> WhoGivesWay:
    """Return who gives way, as an organisation that sees the snapshot may know; `messages`: on the event."""
    event, operators = details.event, said_by_operators(snapshot.store, snapshot.organisation_id)
    movers = (
        mover_of(side.norad_id, side.name, known, operators, messages)
        for side, known in zip(event.sides, details.objects, strict=True)
    )
    return who_gives_way(event.row, *movers)


def _object(
    side: StoredSide,
    age_hours: float | None,
    details: ObjectDetails,
    track: Track | None,
    behind: Trajectory | None,
) -> EventObject:
    known = {**same_fields(EventObject, side, details), "radius_m": details.radius_m}  # the side's is another
    perigee_km, apogee_km = track.apsides_km if track else (None, None)
    offset_m = track.offset_m if track and side.epoch else None  # a message's state is its own path
    return EventObject(
        **known,
        trajectory_id=behind and behind.id,
        trajectory_added=behind and behind.about.added,
        trajectory_added_by=(behind and behind.about.added_by) or None,
        trajectory_departs_at=behind and behind.about.departs_at,
        age_hours=age_hours,
        period_min=track and track.period_s / 60.0,
        perigee_km=perigee_km,
        apogee_km=apogee_km,
        inclination_deg=track and track.inclination_deg,
        path_offset_m=offset_m,
        sgp4_offset_m=offset_m if track and track.ephemeris is None else None,
    )


def _rounded(curve: T, *names: str) -> T:
    return replace(curve, **{name: np.round(getattr(curve, name), _M) for name in names})  # type: ignore[type-var]


def _orbit(orbit: Revolution) -> Orbit:
    return Orbit(
        seconds_from_tca=np.round(orbit.seconds, _M),
        r_teme_km=np.round(orbit.r_teme_km, _KM),
        r_itrf_km=np.round(orbit.r_itrf_km, _KM),
        r_itrf_at_tca_km=np.round(orbit.r_itrf_at_instant_km, _KM),
        latitude_deg=np.round(orbit.latitude_deg, _DEG),
        longitude_deg=np.round(orbit.longitude_deg, _DEG),
        altitude_km=np.round(orbit.altitude_km, _KM),
    )
