"""The geometry of a stored event: gather what it rests on, compute, and name the numbers as they are sent."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import isnan
from typing import Any

import numpy as np
import numpy.typing as npt

from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import EventRecord
from screening.orbits.revolution import Revolution
from screening.risk.probability.dilution import Dilution
from screening.risk.views.event_geometry import Event, EventGeometry, Side, Track, event_geometry
from screening.risk.views.plane_view import PlaneView, Spread
from screening.risk.views.range_curve import RangeCurve
from storage.in_memory.event_table import EventQuery
from storage.in_memory.single_objects import element_sets_at, object_facts
from storage.in_memory.snapshot import Snapshot

Json = dict[str, Any]

BOTH = ("primary", "secondary")
X_AXIS = "right: in the plane, square to the y axis; x, y and the relative velocity are right-handed"
Y_AXIS = "up: the primary's radial direction, away from the Earth, as seen in the plane"
OTHER_RADII = "The event was rated with radii other than those that the newest run knows of."
UNKNOWN_OBJECT = "The newest run does not have this object."

_IDENTITY = (
    "id", "run_id", "origin", "computed_at", "tca", "encounter", "inside_from", "inside_to", "risk_level",
    "miss_distance_m", "relative_speed_m_s", "miss_radial_m", "miss_in_track_m", "miss_cross_track_m",
    "probability_flag",
)  # fmt: skip
_FACTS = ("object_id", "object_type", "status", "last_manoeuvre")
# Decimals that are sent: 1 mm, 1 cm on orbits, 0.1 m on the ground.
_M, _KM, _DEG = 3, 5, 6


def geometry_of(snapshot: Snapshot, event: EventRecord) -> Json:
    """Return what the pictures of one stored event are drawn from, as it is sent."""
    record = known(event)
    found = event_geometry(_stored(snapshot, record))
    objects = {who: _object(snapshot, record, who, getattr(found, who)) for who in BOTH}
    missing = dict(found.missing)
    _check_radii(record["hard_body_radius_m"], objects, missing)
    latitude, longitude, altitude = found.place
    return {
        **{name: record[name] for name in _IDENTITY},
        "approach_angle_deg": found.approach_angle_deg,
        "place": {"latitude_deg": latitude, "longitude_deg": longitude, "altitude_km": altitude},
        "objects": objects,
        "encounter_plane": _plane(record, found.plane),
        "probability_against_scale": found.dilution and _dilution(found.dilution),
        "range": _ranges(found),
        "orbits": {who: _orbit(getattr(found, who)) for who in BOTH},
        "missing": missing,
    }


def known(event: EventRecord) -> Json:
    """Return an event with None for every NULL: among numbers in memory it is a NaN."""
    return {n: None if isinstance(value, float) and isnan(value) else value for n, value in event.items()}


def load_kernels(snapshot: Snapshot) -> None:
    """Compute the geometry of the most dangerous event, so that no request waits for kernels: 0.6 s.

    The first time on a machine they are compiled, for about ten seconds.
    """
    for event in records(EVENT_FIELDS, snapshot.events(EventQuery(limit=1)).rows):
        geometry_of(snapshot, event)


def _stored(snapshot: Snapshot, record: Json) -> Event:
    inside = record["inside_from"], record["inside_to"]
    return Event(
        tca=_instant(record["tca"]),
        primary=_side(snapshot, record, "primary"),
        secondary=_side(snapshot, record, "secondary"),
        miss_distance_m=record["miss_distance_m"],
        relative_speed_m_s=record["relative_speed_m_s"],
        hard_body_radius_m=record["hard_body_radius_m"],
        slow=record["encounter"] == "slow",
        flags=tuple((record["probability_flag"] or "").split()),
        inside=None if None in inside else (_instant(inside[0]), _instant(inside[1])),
    )


def _side(snapshot: Snapshot, record: Json, who: str) -> Side:
    sigmas = [record[f"{who}_sigma_{axis}_m"] for axis in "rtn"]
    number = record[f"{who}_norad_id"]
    return Side(
        called=f"{number} {record[f'{who}_name']}",
        r_teme_km=np.array([record[f"{who}_{axis}_km"] for axis in "xyz"]),
        v_teme_km_s=np.array([record[f"{who}_v{axis}_km_s"] for axis in "xyz"]),
        sigma_rtn_m=None if None in sigmas else np.array(sigmas, float),
        element_sets=element_sets_at(snapshot, number, record[f"{who}_epoch"]),
    )


def _object(snapshot: Snapshot, record: Json, who: str, track: Track | None) -> Json:
    facts = object_facts(snapshot, record[f"{who}_norad_id"])
    age: timedelta = record["tca"] - record[f"{who}_epoch"]
    return {
        "norad_id": record[f"{who}_norad_id"],
        "name": record[f"{who}_name"],
        **{name: facts.get(name) or None for name in _FACTS},
        "epoch": record[f"{who}_epoch"],
        "age_hours": age / timedelta(hours=1),
        "covariance_source": record[f"{who}_covariance_source"],
        **{f"sigma_{axis}_m": record[f"{who}_sigma_{axis}_m"] for axis in "rtn"},
        "hard_body_radius_m": facts.get("hard_body_radius_m"),
        "hard_body_source": facts.get("hard_body_source"),
        **_orbit_facts(track),
    }


def _orbit_facts(track: Track | None) -> Json:
    names = ("period_min", "perigee_km", "apogee_km", "inclination_deg", "sgp4_offset_m")
    if track is None:
        return dict.fromkeys(names)
    inclination = float(track.elements["inclination_deg"])
    values = (track.period_s / 60.0, *track.apsides_km, inclination, track.offset_m)
    return dict(zip(names, values, strict=True))


def _check_radii(combined: float | None, objects: Mapping[str, Json], missing: dict[str, str]) -> None:
    """Show the objects' radii only where they make up the event's: it may have been rated with others."""
    radii = [objects[who]["hard_body_radius_m"] for who in BOTH]
    agree = None not in radii and combined is not None and bool(np.isclose(sum(radii), combined, rtol=1e-9))
    for who, radius in zip(BOTH, radii, strict=True):
        if not agree:
            objects[who].update(hard_body_radius_m=None, hard_body_source=None)
            reason = OTHER_RADII if radius is not None else UNKNOWN_OBJECT
            missing[f"objects.{who}.hard_body_radius_m"] = reason


def _plane(record: Json, view: PlaneView | None) -> Json | None:
    if view is None:
        return None
    return {
        "x_axis": X_AXIS,
        "y_axis": Y_AXIS,
        **{f"{name}_teme": axis.tolist() for name, axis in zip("xyz", view.axes_teme, strict=True)},
        "miss_x_m": view.miss_x_m,
        "miss_y_m": view.miss_y_m,
        "miss_along_m": view.miss_along_m,
        "miss_sigmas": view.miss_sigmas,
        "hard_body_radius_m": record["hard_body_radius_m"],
        "hard_body_source": record["hard_body_source"],
        **{who: _spread(getattr(view, who)) for who in (*BOTH, "combined")},
    }


def _spread(spread: Spread | None) -> Json | None:
    return None if spread is None else spread._asdict()


def _dilution(curve: Dilution) -> Json:
    return {
        "scale": curve.scale.tolist(),
        "probability": curve.probability.tolist(),
        "probability_2d": curve.probability_2d,
        "peak_scale": curve.peak_scale,
        "peak_probability": curve.peak_probability,
        "diluted": curve.peak_scale < 1.0,
    }


def _ranges(found: EventGeometry) -> Json | None:
    if found.near is None or found.wide is None:
        return None
    return {"near": _range(found.near), "wide": _range(found.wide)}


def _range(curve: RangeCurve) -> Json:
    distances = {name: _rounded(values, _M) for name, values in curve._asdict().items()}
    return {**distances, "seconds_from_tca": curve.seconds_from_tca.tolist()}


def _orbit(track: Track | None) -> Json | None:
    if track is None:
        return None
    orbit: Revolution = track.orbit
    return {
        "seconds_from_tca": _rounded(orbit.seconds, _M),
        "r_teme_km": _rounded(orbit.r_teme_km, _KM),
        "r_itrf_km": _rounded(orbit.r_itrf_km, _KM),
        "r_itrf_at_tca_km": _rounded(orbit.r_itrf_at_instant_km, _KM),
        "latitude_deg": _rounded(orbit.latitude_deg, _DEG),
        "longitude_deg": _rounded(orbit.longitude_deg, _DEG),
        "altitude_km": _rounded(orbit.altitude_km, _KM),
    }


def _rounded(values: npt.NDArray[np.float64], decimals: int) -> list[Any]:
    rounded: list[Any] = np.round(values, decimals).tolist()
    return rounded


def _instant(time: datetime) -> np.datetime64:
    return np.datetime64(time, "us")
