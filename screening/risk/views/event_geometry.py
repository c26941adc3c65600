"""The geometry of one event, from which its pictures are drawn.

The encounter plane and the curves of the probability come from the event's own numbers, so they agree with
its row; the distance over time and the orbits come from the element sets or ephemerides behind it.
"""

from typing import NamedTuple

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.revolution import angle_deg, place
from screening.orbits.timegrid import FloatArray, window
from screening.orbits.trajectories import Paths
from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.tiers import LIMITS
from screening.risk.views.encounter_rtn import encounter_rtn
from screening.risk.views.plane_view import covariance_teme_m2, plane_view
from screening.risk.views.shapes import EncounterRtn, PlaneView, RadiusCurve, RangeCurve, ScaleCurve
from screening.risk.views.tracks import NO_STATE, SAME_PLACE_M, Side, Track, track

# The distance between two objects around their TCA, and the secondary's path seen from the primary.

METRES_PER_KM = 1000.0

# A fast encounter is over in seconds; minutes show how the two came and went.
FAST_WIDE_S = 600.0
POINTS_EACH_SIDE = 120  # of TCA
# Near: until the distance has grown to so many misses, to show the bottom of the curve.
MISSES_SHOWN = 8.0
SHORTEST_NEAR_S = 0.05
NEAR_PART_OF_WIDE = 1.0 / 6.0  # at most
# Slow encounters: a revolution on either side, or the time inside the threshold and some more.
INSIDE_MARGIN = 1.1
LONGEST_SLOW_S = 86_400.0


def range_curve(primary: Paths, secondary: Paths, half_width_s: float) -> RangeCurve:
    """Compute distances from `half_width_s` before to after TCA, at which the spans of both paths start.

    Each holds one object.
    """
    steps = np.arange(-POINTS_EACH_SIDE, POINTS_EACH_SIDE + 1.0)
    seconds = half_width_s / POINTS_EACH_SIDE * steps  # exactly 0 in the middle
    first = np.zeros(len(seconds), np.int32)
    (_, r_km, v_km_s), (_, other_km, _) = primary.at(first, seconds), secondary.at(first, seconds)
    relative_m = (other_km - r_km) * METRES_PER_KM
    rtn = np.einsum("nij,nj->ni", rtn_axes(r_km, v_km_s), relative_m)
    return RangeCurve(seconds, np.linalg.norm(relative_m, axis=1), rtn[:, 0], rtn[:, 1], rtn[:, 2])


def half_widths_s(
    miss_m: float, speed_m_s: float, period_s: float, slow: bool, inside_s: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the half widths of the near and the wide curve, s.

    `inside_s` is when the pair is inside the threshold, seconds from TCA; None for a fast encounter.
    """
    wide = FAST_WIDE_S
    if slow:
        ends = [] if inside_s is None else [INSIDE_MARGIN * abs(end) for end in inside_s]
        wide = min(max(FAST_WIDE_S, period_s, *ends), LONGEST_SLOW_S)
    passing = MISSES_SHOWN * miss_m / speed_m_s if speed_m_s > 0 else np.inf
    return min(max(passing, SHORTEST_NEAR_S), NEAR_PART_OF_WIDE * wide), wide


# The collision probability of one encounter against the combined hard-body radius, its least known input.

SMALLEST_M, LARGEST_M = 0.05, 30.0  # from two fragments to a station with its arrays
POINTS_PER_DECADE = 24
# An event's own radius that is outside this range, as for a station set by hand, widens it by so much.
BEYOND = 1.5


def radius_curve(
    plane: EncounterPlane, radius_m: float, shadow_m: float | None = None, bounding_m: float | None = None
) -> RadiusCurve | None:
    """Compute the curve of one encounter (1,) with a combined hard-body radius.

    `shadow_m`, `bounding_m`: the same of the spheres with both mean shadows, and around both. While the disk
    is small against the sigmas the probability grows as the square of the radius. None if the probability is
    not defined.
    """
    if not radius_m > 0:
        return None
    marked_m = [own for own in (radius_m, shadow_m, bounding_m) if own is not None]
    first, last = min(SMALLEST_M, min(marked_m) / BEYOND), max(LARGEST_M, max(marked_m) * BEYOND)
    steps = int(np.ceil(np.log10(last / first) * POINTS_PER_DECADE))
    radii = np.geomspace(first, last, steps + 1)
    every_m = np.append(radii, marked_m)
    alike = np.ones(len(every_m))
    miss_m = plane.miss_major_m * alike, plane.miss_minor_m * alike
    sigmas_m = plane.sigma_major_m * alike, plane.sigma_minor_m * alike
    probability, _ = exact_2d(*miss_m, *sigmas_m, every_m)
    if not np.isfinite(probability).all():
        return None
    of_marked = dict(zip(marked_m, probability[len(radii) :].tolist(), strict=True))
    return RadiusCurve(
        radius_m=radii,
        probability=probability[: len(radii)],
        hard_body_radius_m=radius_m,
        probability_2d=of_marked[radius_m],
        mean_shadow_radius_m=shadow_m,
        probability_mean_shadow=None if shadow_m is None else of_marked[shadow_m],
        bounding_radius_m=bounding_m,
        probability_bounding=None if bounding_m is None else of_marked[bounding_m],
        limits=LIMITS,
    )


# The dilution curve: the collision probability when all sigmas grow or shrink together.

# Range on both sides of the peak and of k = 1, whichever is further out.
DECADES_BEYOND = 1.5
POINTS_PER_DECADE = 24


def scale_curve(plane: EncounterPlane, radius_m: float) -> ScaleCurve | None:
    """Compute the curve of one encounter (1,) with a combined hard-body radius.

    Below the peak the data are good, and better data would show a miss; if k = 1 lies beyond the peak the
    probability is diluted: it is small because little is known (Alfano 2005, "Relating position uncertainty
    to maximum conjunction probability"). None if the probability is not defined.
    """
    miss_m = plane.miss_major_m, plane.miss_minor_m
    sigmas_m = plane.sigma_major_m, plane.sigma_minor_m
    radii_m = np.array([radius_m])
    as_it_is = float(exact_2d(*miss_m, *sigmas_m, radii_m)[0][0])
    largest, _, peak = maximum_over_scale(*miss_m, *sigmas_m, radii_m)
    if not (np.isfinite(as_it_is) and np.isfinite(peak[0])):
        return None
    scale = _scales(float(peak[0]))
    probability, _ = exact_2d(*miss_m, sigmas_m[0] * scale, sigmas_m[1] * scale, radii_m)
    return ScaleCurve(
        scale, probability, as_it_is, float(peak[0]), float(largest[0]), diluted=float(peak[0]) < 1.0
    )


def _scales(peak: float) -> FloatArray:
    """Return k from well below to well above 1 and the peak, on one logarithmic grid through 1."""
    exponent = np.log10(peak) if peak > 0 else 0.0
    first = np.floor((min(0.0, exponent) - DECADES_BEYOND) * POINTS_PER_DECADE)
    last = np.ceil((max(0.0, exponent) + DECADES_BEYOND) * POINTS_PER_DECADE)
    scales: FloatArray = 10.0 ** (np.arange(first, last + 1) / POINTS_PER_DECADE)
    return scales


METRES_PER_KM = 1000.0

UNRATED = "The event has not been rated (a quick analysis does not): it has no {}."
NO_PROBABILITY = {
    "slow": "The relative motion curves as the two pass (flag slow), so no plane integral holds.",
    "long": "The passage takes too large a part of a revolution (flag long), so no plane integral holds.",
    "non_positive_definite": "The covariance is not positive definite, so the integral is not defined.",
}
NOT_IN_PLANE = "The probability is not that of the encounter plane, so its curve would not apply."
AT_REST = "The two have no relative velocity at TCA, so there is no plane normal to it."
NO_STATES = "This event comes only from messages without states: no run has it."
NOT_IN_MESSAGE = "The message that reports this event has no {}."
NO_COVARIANCE = "The ephemeris of {} comes without a covariance."


class Event(NamedTuple):
    """The stored values of one event."""

    tca: np.datetime64  # UTC
    primary: Side
    secondary: Side
    miss_distance_m: float
    relative_speed_m_s: float | None  # None: its states are not known
    hard_body_radius_m: float | None
    slow: bool
    flags: tuple[str, ...]  # words of PROBABILITY_FLAGS
    in_plane: bool  # whether the probability that counts is the integral in the encounter plane
    inside_s: tuple[float, float] | None  # from TCA: when a slow pair is inside the threshold
    shadow_m: float | None = None  # of the spheres with both mean shadows; None: no published dimensions
    bounding_m: float | None = None  # of the spheres around both
    hard_body_source: str | None = None


class EventGeometry(NamedTuple):
    """The data for an event's pictures; None for parts named in `missing`."""

    plane: PlaneView | None
    rtn: EncounterRtn | None
    dilution: ScaleCurve | None
    radius: RadiusCurve | None
    near: RangeCurve | None
    wide: RangeCurve | None
    primary: Track | None
    secondary: Track | None
    approach_angle_deg: float | None  # between the velocities: 0 overtaking, 180 head-on
    place: tuple[float, float, float] | None  # primary at TCA: latitude, longitude (deg), altitude (km)
    missing: dict[str, str]  # name of a part -> why it is None


def event_geometry(event: Event) -> EventGeometry:
    """Compute the geometry of one event."""
    missing: dict[str, str] = {}
    at_tca = window(event.tca, 0.0)
    primary = track(event.primary, at_tca, "primary", missing)
    secondary = track(event.secondary, at_tca, "secondary", missing)
    if not (event.primary.has_state and event.secondary.has_state):
        return _without_states(event, missing)
    near, wide = _ranges(event, primary, secondary, missing)
    diluted, radius = _probabilities(event, missing)
    plane = _plane(event, missing)
    return EventGeometry(
        plane=plane,
        rtn=encounter_rtn(
            (_state_m(event.primary), _state_m(event.secondary)),
            None if plane is None else plane.axes_teme,
            _covariances_m2(event),
            _paths(primary, secondary),
        ),
        dilution=diluted,
        radius=radius,
        near=near,
        wide=wide,
        primary=primary,
        secondary=secondary,
        approach_angle_deg=angle_deg(event.primary.v_teme_km_s, event.secondary.v_teme_km_s),
        place=place(event.primary.r_teme_km, at_tca),
        missing=missing,
    )


def _paths(primary: Track | None, secondary: Track | None) -> tuple[Paths, Paths] | None:
    """Return the paths of both, None if one is not known or leads past where the event has its object."""
    if primary is None or secondary is None:
        return None
    beside_m = max(primary.offset_m, secondary.offset_m)
    return (primary.paths, secondary.paths) if beside_m < SAME_PLACE_M else None


def _without_states(event: Event, missing: dict[str, str]) -> EventGeometry:
    """Return the geometry of an event known from a message without states: none, and why."""
    parts = ("encounter_plane", "encounter_rtn", "range", "approach_angle_deg", "place")
    for part in (*parts, "probability_against_scale", "probability_against_radius"):
        missing[part] = NO_STATES
    for who, side in (("primary", event.primary), ("secondary", event.secondary)):
        missing[f"orbits.{who}"] = NO_STATE.format(side.called)
    return EventGeometry(None, None, None, None, None, None, None, None, None, None, missing)


def _plane(event: Event, missing: dict[str, str]) -> PlaneView | None:
    covariances = _covariances_m2(event)
    states = _state_m(event.primary), _state_m(event.secondary)
    view = plane_view(*states, covariances, (event.hard_body_radius_m, event.hard_body_source))
    if view is None:
        missing["encounter_plane"] = AT_REST
    if covariances is None:
        missing["encounter_plane.covariance"] = _why_no_covariance(event)
    return view


def _probabilities(event: Event, missing: dict[str, str]) -> tuple[ScaleCurve | None, RadiusCurve | None]:
    """Return the probability against the scale of the covariance, and against the radius."""
    covariances = _covariances_m2(event)
    flags = [flag for flag in event.flags if flag in NO_PROBABILITY]
    reason, by_scale, by_radius = NO_PROBABILITY["non_positive_definite"], None, None
    if covariances is None:
        reason = _why_no_covariance(event)
    elif event.hard_body_radius_m is None:
        reason = _lacking(event, "hard-body radius")
    elif not event.in_plane:
        reason = " ".join(NO_PROBABILITY[flag] for flag in flags) or NOT_IN_PLANE
    else:
        states = [_state_m(side)[np.newaxis] for side in (event.primary, event.secondary)]
        parts = [part for state in states for part in (state[:, :3], state[:, 3:])]
        plane = encounter_plane(*parts, *(covariance[np.newaxis] for covariance in covariances))
        by_scale = scale_curve(plane, event.hard_body_radius_m)
        by_radius = radius_curve(plane, event.hard_body_radius_m, event.shadow_m, event.bounding_m)
    for name, curve in (("scale", by_scale), ("radius", by_radius)):
        if curve is None:
            missing[f"probability_against_{name}"] = reason
    return by_scale, by_radius


def _ranges(
    event: Event, primary: Track | None, secondary: Track | None, missing: dict[str, str]
) -> tuple[RangeCurve | None, RangeCurve | None]:
    if primary is None or secondary is None:
        why = [missing[f"orbits.{who}"] for who in ("primary", "secondary") if f"orbits.{who}" in missing]
        missing["range"] = " ".join(why)
        return None, None
    assert event.relative_speed_m_s is not None, "it has states"
    widths = half_widths_s(
        event.miss_distance_m, event.relative_speed_m_s, primary.period_s, event.slow, event.inside_s
    )
    near, wide = (range_curve(primary.paths, secondary.paths, width) for width in widths)
    return near, wide


def _why_no_covariance(event: Event) -> str:
    if event.primary.told:
        return _lacking(event, "usable covariance")
    unknown = [side for side in (event.primary, event.secondary) if side.sigma_rtn_m is None]
    said = [NO_COVARIANCE.format(side.called) for side in unknown if side.on_ephemeris]
    rated = event.hard_body_radius_m is not None
    return " ".join(said) if rated and said else UNRATED.format("covariance")


def _lacking(event: Event, what: str) -> str:
    return (NOT_IN_MESSAGE if event.primary.told else UNRATED).format(what)


def _covariances_m2(event: Event) -> tuple[FloatArray, FloatArray] | None:
    found = [
        covariance_teme_m2(side.r_teme_km, side.v_teme_km_s, side.sigma_rtn_m, side.correlations)
        for side in (event.primary, event.secondary)
        if side.sigma_rtn_m is not None
    ]
    return (found[0], found[1]) if len(found) == 2 else None


def _state_m(side: Side) -> FloatArray:
    return np.concatenate([side.r_teme_km, side.v_teme_km_s]) * METRES_PER_KM
