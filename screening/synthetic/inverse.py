"""Find element sets whose SGP4 orbit passes through a given state at a given time."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, seconds_since

BoolArray = npt.NDArray[np.bool_]

# A velocity is the slope of SGP4's positions around a time. SGP4's own velocity is off by tenths of a metre
# per second: a state to be met must agree with the object's motion, not with the velocity that SGP4 reports.
# Fourth order: 1e-10 km/s off, as much as rounding.
_SLOPE_STEP_S = 3.0
_SLOPE_OFFSETS = np.arange(-2.0, 3.0)
_SLOPE_WEIGHTS = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / (12.0 * _SLOPE_STEP_S)

POSITION_TOLERANCE_KM = 1e-7
VELOCITY_TOLERANCE_KM_S = 2e-9
_LARGEST_ITERATIONS = 20
# Weight of a velocity against a position, seconds; about the time in which a low orbit turns by a radian.
_VELOCITY_WEIGHT_S = 1000.0
# Steps for the slopes in the unknowns below, each about 10 m of position.
_UNKNOWN_STEPS = np.array([1e-7, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6])

_MINUTES_PER_DAY = 1440.0


def motion(elements: ElementArray, span: TimeWindow, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return where each object is at its own time, and the slope of its path: (k, 3) km and km/s, TEME.

    `times_s` (k,) are seconds from the start of `span`. NaN where SGP4 fails.
    """
    times = times_s[:, None] + _SLOPE_STEP_S * _SLOPE_OFFSETS
    fractions = span.start_day_fraction + times / SECONDS_PER_DAY
    jd = np.full(len(_SLOPE_OFFSETS), span.start_jd)
    path = np.empty((len(elements), len(_SLOPE_OFFSETS), 3))
    for i, record in enumerate(satrecs(elements)):
        error, path[i], _ = record.sgp4_array(jd, fractions[i])
        path[i, error != 0] = np.nan
    return path[:, 2], np.einsum("s,ksc->kc", _SLOPE_WEIGHTS, path)


def elements_through(
    template: ElementArray,
    span: TimeWindow,
    times_s: FloatArray,
    r_teme_km: FloatArray,
    v_teme_km_s: FloatArray,
) -> tuple[ElementArray, BoolArray]:
    """Find the element sets that pass through states at their times.

    The states (k, 3), TEME, are of bound orbits, not retrograde and equatorial; the times (k,) are seconds
    from the start of `span`. Everything but the six elements, the epoch too, is taken from the templates
    (k,). The velocity is the slope of the path. Returns element sets (k,) and where they meet the state
    within POSITION_TOLERANCE_KM and VELOCITY_TOLERANCE_KM_S.

    The osculating elements are first refined with the epoch at the time of the state itself, where they are
    close to SGP4's mean elements, then carried to the template's epoch by the secular rates and refined
    again.
    """
    at_state = template.copy()
    at_state["epoch_jd"] = span.start_jd
    at_state["epoch_day_fraction"] = span.start_day_fraction + times_s / SECONDS_PER_DAY
    unknowns = _osculating(r_teme_km, v_teme_km_s)
    unknowns, _ = _newton(unknowns, at_state, span, times_s, r_teme_km, v_teme_km_s)
    unknowns = _carried(unknowns, at_state, template, span, times_s)
    unknowns, met = _newton(unknowns, template, span, times_s, r_teme_km, v_teme_km_s)
    return _with_elements(template, unknowns), met


def _newton(
    unknowns: FloatArray,
    template: ElementArray,
    span: TimeWindow,
    times_s: FloatArray,
    r_teme_km: FloatArray,
    v_teme_km_s: FloatArray,
) -> tuple[FloatArray, BoolArray]:
    wanted = np.hstack([r_teme_km, v_teme_km_s * _VELOCITY_WEIGHT_S])
    met = np.zeros(len(unknowns), np.bool_)
    for _ in range(_LARGEST_ITERATIONS):
        # One row per copy: the unknowns themselves, then each of the six moved by its step.
        moved = unknowns + np.vstack([np.zeros(6), np.diag(_UNKNOWN_STEPS)])[:, None, :]
        copies = np.tile(template, 7)
        r, v = motion(_with_elements(copies, moved.reshape(-1, 6)), span, np.tile(times_s, 7))
        reached = np.hstack([r, v * _VELOCITY_WEIGHT_S]).reshape(7, -1, 6)
        missing = wanted - reached[0]
        met = (np.linalg.norm(missing[:, :3], axis=1) < POSITION_TOLERANCE_KM) & (
            np.linalg.norm(missing[:, 3:], axis=1) < VELOCITY_TOLERANCE_KM_S * _VELOCITY_WEIGHT_S
        )
        usable = ~met & np.isfinite(reached).all(axis=(0, 2))
        if not usable.any():
            break
        slopes = (reached[1:, usable] - reached[0, usable]) / _UNKNOWN_STEPS[:, None, None]
        unknowns[usable] += np.linalg.solve(slopes.transpose(1, 2, 0), missing[usable][:, :, None])[:, :, 0]
    return unknowns, met


def _osculating(r_teme_km: FloatArray, v_teme_km_s: FloatArray) -> FloatArray:
    """Return Kepler's orbits through states as unknowns (k, 6), without a singularity at circular orbits.

    Mean motion in rev/day; e cos and e sin of the longitude of perigee; tan(i/2) cos and sin of the node;
    mean longitude in radians (equinoctial elements, Broucke & Cefola 1972).
    """
    radius = np.linalg.norm(r_teme_km, axis=1)
    angular = np.cross(r_teme_km, v_teme_km_s)
    normal = angular / np.linalg.norm(angular, axis=1, keepdims=True)
    p, q = -normal[:, 1] / (1.0 + normal[:, 2]), normal[:, 0] / (1.0 + normal[:, 2])
    f_axis, g_axis = _axes(p, q)
    to_perigee = np.cross(v_teme_km_s, angular) / MU_KM3_S2 - r_teme_km / radius[:, None]
    k, h = _dot(to_perigee, f_axis), _dot(to_perigee, g_axis)
    a = 1.0 / (2.0 / radius - _dot(v_teme_km_s, v_teme_km_s) / MU_KM3_S2)
    eccentricity, perigee = np.hypot(k, h), np.arctan2(h, k)
    true_anomaly = np.arctan2(_dot(r_teme_km, g_axis), _dot(r_teme_km, f_axis)) - perigee
    eccentric_anomaly = 2.0 * np.arctan2(
        np.sqrt(1.0 - eccentricity) * np.sin(true_anomaly / 2.0),
        np.sqrt(1.0 + eccentricity) * np.cos(true_anomaly / 2.0),
    )
    longitude = perigee + eccentric_anomaly - eccentricity * np.sin(eccentric_anomaly)
    mean_motion_rev_day = np.sqrt(MU_KM3_S2 / a**3) * SECONDS_PER_DAY / (2.0 * np.pi)
    return np.stack([mean_motion_rev_day, k, h, p, q, longitude], axis=1)


def _axes(p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the two axes (k, 3) in the orbital plane from which longitudes are measured."""
    size = (1.0 + p * p + q * q)[:, None]
    f_axis = np.stack([1.0 + p * p - q * q, 2.0 * p * q, -2.0 * q], axis=1) / size
    g_axis = np.stack([2.0 * p * q, 1.0 - p * p + q * q, 2.0 * p], axis=1) / size
    return f_axis, g_axis


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = np.einsum("ij,ij->i", a, b)
    return product


def _with_elements(template: ElementArray, unknowns: FloatArray) -> ElementArray:
    mean_motion_rev_day, k, h, p, q, longitude = unknowns.T
    node, perigee = np.arctan2(q, p), np.arctan2(h, k)
    out = template.copy()
    out["mean_motion_rev_day"] = mean_motion_rev_day
    out["eccentricity"] = np.hypot(k, h)
    out["inclination_deg"] = 2.0 * np.degrees(np.arctan(np.hypot(p, q)))
    out["raan_deg"] = np.degrees(node) % 360.0
    out["argument_of_perigee_deg"] = np.degrees(perigee - node) % 360.0
    out["mean_anomaly_deg"] = np.degrees(longitude - perigee) % 360.0
    return out


def _carried(
    unknowns: FloatArray,
    at_state: ElementArray,
    template: ElementArray,
    span: TimeWindow,
    times_s: FloatArray,
) -> FloatArray:
    """Carry the unknowns back from the time of the state to the template's epoch."""
    records = satrecs(_with_elements(at_state, unknowns))
    rates = np.array([(record.mdot, record.argpdot, record.nodedot) for record in records])
    until_state_s = times_s - seconds_since(span, template["epoch_jd"], template["epoch_day_fraction"])
    turned = rates * (until_state_s * _MINUTES_PER_DAY / SECONDS_PER_DAY)[:, None]
    mean_anomaly, perigee_argument, node = turned.T
    eccentricity_vector = (unknowns[:, 1] + 1j * unknowns[:, 2]) * np.exp(-1j * (perigee_argument + node))
    tilt = (unknowns[:, 3] + 1j * unknowns[:, 4]) * np.exp(-1j * node)
    return np.column_stack(
        [
            unknowns[:, 0],
            eccentricity_vector.real,
            eccentricity_vector.imag,
            tilt.real,
            tilt.imag,
            unknowns[:, 5] - mean_anomaly - perigee_argument - node,
        ]
    )
