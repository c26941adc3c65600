"""The geometry of one event, from which its pictures are drawn.

The encounter plane and the curves of the probability come from the event's own numbers, so they agree with
its row; the distance over time and the orbits come from the element sets behind it.
"""

from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.revolution import Revolution, apsides_km, period_s, place, revolution
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow, window
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.probability.dilution import Dilution, dilution
from screening.risk.views.plane_view import PlaneView, plane_view
from screening.risk.views.radius_curve import RadiusCurve, radius_curve
from screening.risk.views.range_curve import RangeCurve, half_widths_s, range_curve

METRES_PER_KM = 1000.0

UNRATED = "The event has not been rated (a quick analysis does not): it has no {}."
NO_PROBABILITY = {
    "slow": "The relative motion curves as the two pass (flag slow), so no plane integral holds.",
    "long": "The passage takes too large a part of a revolution (flag long), so no plane integral holds.",
    "non_positive_definite": "The covariance is not positive definite, so the integral is not defined.",
}
AT_REST = "The two have no relative velocity at TCA, so there is no plane normal to it."
NO_ELEMENTS = "The element set of {} that the event rests on is no longer in the store."
FAILED = "SGP4 cannot propagate the element set of {} around TCA."


class Side(NamedTuple):
    """One of the two objects at TCA."""

    called: str  # for the reasons: its number, or both
    r_teme_km: FloatArray  # (3,)
    v_teme_km_s: FloatArray  # (3,)
    sigma_rtn_m: FloatArray | None  # (3,) 1-sigma position, own RTN; None if not rated
    element_sets: ElementArray  # (k,) those with the event's epoch: none, one, or several that were published


class Event(NamedTuple):
    """The stored values of one event."""

    tca: np.datetime64  # UTC
    primary: Side
    secondary: Side
    miss_distance_m: float
    relative_speed_m_s: float
    hard_body_radius_m: float | None
    slow: bool
    flags: tuple[str, ...]  # words of PROBABILITY_FLAGS
    inside_s: tuple[float, float] | None  # from TCA: when a slow pair is inside the threshold


class Track(NamedTuple):
    """One object according to the element set behind an event."""

    elements: np.void  # the set itself
    period_s: float
    apsides_km: tuple[float, float]  # altitudes of perigee and apogee
    offset_m: float  # of SGP4's position at TCA from the event's: 0 unless it was found on an ephemeris
    orbit: Revolution


class EventGeometry(NamedTuple):
    """The data for an event's pictures; None for parts named in `missing`."""

    plane: PlaneView | None
    dilution: Dilution | None
    radius: RadiusCurve | None
    near: RangeCurve | None
    wide: RangeCurve | None
    primary: Track | None
    secondary: Track | None
    approach_angle_deg: float  # between the velocities: 0 overtaking, 180 head-on
    place: tuple[float, float, float]  # of the primary at TCA: latitude, longitude (deg), altitude (km)
    missing: dict[str, str]  # name of a part -> why it is None


def event_geometry(event: Event) -> EventGeometry:
    """Compute the geometry of one event."""
    missing: dict[str, str] = {}
    at_tca = window(event.tca, 0.0)
    primary = _track(event.primary, at_tca, "orbits.primary", missing)
    secondary = _track(event.secondary, at_tca, "orbits.secondary", missing)
    near, wide = _ranges(event, at_tca, primary, secondary, missing)
    diluted, radius = _probabilities(event, missing)
    return EventGeometry(
        plane=_plane(event, missing),
        dilution=diluted,
        radius=radius,
        near=near,
        wide=wide,
        primary=primary,
        secondary=secondary,
        approach_angle_deg=_angle_deg(event.primary.v_teme_km_s, event.secondary.v_teme_km_s),
        place=place(event.primary.r_teme_km, at_tca),
        missing=missing,
    )


def _plane(event: Event, missing: dict[str, str]) -> PlaneView | None:
    view = plane_view(_state_m(event.primary), _state_m(event.secondary), _covariances_m2(event))
    if view is None:
        missing["encounter_plane"] = AT_REST
    elif view.combined is None:
        missing["encounter_plane.covariance"] = UNRATED.format("covariance")
    return view


def _probabilities(event: Event, missing: dict[str, str]) -> tuple[Dilution | None, RadiusCurve | None]:
    """Return the probability against the scale of the covariance, and against the radius."""
    covariances = _covariances_m2(event)
    flags = [flag for flag in event.flags if flag in NO_PROBABILITY]
    reason, by_scale, by_radius = NO_PROBABILITY["non_positive_definite"], None, None
    if covariances is None:
        reason = UNRATED.format("covariance")
    elif event.hard_body_radius_m is None:
        reason = UNRATED.format("hard-body radius")
    elif flags:
        reason = " ".join(NO_PROBABILITY[flag] for flag in flags)
    else:
        states = [_state_m(side)[np.newaxis] for side in (event.primary, event.secondary)]
        parts = [part for state in states for part in (state[:, :3], state[:, 3:])]
        plane = encounter_plane(*parts, *(covariance[np.newaxis] for covariance in covariances))
        by_scale = dilution(plane, event.hard_body_radius_m)
        by_radius = radius_curve(plane, event.hard_body_radius_m)
    for name, curve in (("scale", by_scale), ("radius", by_radius)):
        if curve is None:
            missing[f"probability_against_{name}"] = reason
    return by_scale, by_radius


def _ranges(
    event: Event, at_tca: TimeWindow, primary: Track | None, secondary: Track | None, missing: dict[str, str]
) -> tuple[RangeCurve | None, RangeCurve | None]:
    if primary is None or secondary is None:
        why = [missing[f"orbits.{who}"] for who in ("primary", "secondary") if f"orbits.{who}" in missing]
        missing["range"] = " ".join(why)
        return None, None
    widths = half_widths_s(
        event.miss_distance_m, event.relative_speed_m_s, primary.period_s, event.slow, event.inside_s
    )
    pair = Propagator(np.array([primary.elements, secondary.elements]), at_tca)
    return range_curve(pair, widths[0]), range_curve(pair, widths[1])


def _track(side: Side, at_tca: TimeWindow, part: str, missing: dict[str, str]) -> Track | None:
    """Propagate the element set of the event's state, the nearest one if several have its epoch."""
    if len(side.element_sets) == 0:
        missing[part] = NO_ELEMENTS.format(side.called)
        return None
    candidates = Propagator(side.element_sets, at_tca)
    _, r_km, v_km_s = candidates.on_grid(np.zeros(1))
    offsets_m = np.linalg.norm(r_km[0].T - side.r_teme_km, axis=1) * METRES_PER_KM
    if np.all(np.isnan(offsets_m)):
        missing[part] = FAILED.format(side.called)
        return None
    best = int(np.nanargmin(offsets_m))
    chosen = side.element_sets[best]
    motion, eccentricity = float(chosen["mean_motion_rev_day"]), float(chosen["eccentricity"])
    period = period_s(motion)
    orbit = revolution(candidates, best, r_km[0, :, best], v_km_s[0, :, best], period)
    return Track(chosen, period, apsides_km(motion, eccentricity), float(offsets_m[best]), orbit)


def _covariances_m2(event: Event) -> tuple[FloatArray, FloatArray] | None:
    sides = event.primary, event.secondary
    sigmas = [side.sigma_rtn_m for side in sides if side.sigma_rtn_m is not None]
    if len(sigmas) < len(sides):
        return None
    first, second = (
        rtn_covariance_to_inertial(
            sigma_m[np.newaxis], side.r_teme_km[np.newaxis], side.v_teme_km_s[np.newaxis]
        )[0]
        for sigma_m, side in zip(sigmas, sides, strict=True)
    )
    return first, second


def _state_m(side: Side) -> FloatArray:
    return np.concatenate([side.r_teme_km, side.v_teme_km_s]) * METRES_PER_KM


def _angle_deg(a: FloatArray, b: FloatArray) -> float:
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))
