"""The encounter in a conjunction data message: both states in one frame, and contradictions."""

from typing import NamedTuple

import erfa
import numpy as np

from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.frames import EARTH_ROTATION_RAD_S, itrf_rotation
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray, julian_date
from screening.risk.messages.message import ConjunctionMessage, MessageObject, Remark

_J2000_JD = 2451545.0

# Claimed numbers are rounded, and so are the states from which they were computed.
POSITION_TOLERANCE_M = 10.0
RELATIVE_TOLERANCE = 0.01
VELOCITY_TOLERANCE_M_S = 1.0
TCA_TOLERANCE_S = 0.1
CORRELATION_TOLERANCE = 1e-6  # of velocities, which match positions to the given digits
SMALLEST_VARIANCE_M2 = 1e-12  # a micrometre squared: negligible for orbits


class Encounter(NamedTuple):
    """Both objects at TCA, in one frame with fixed axes: primary, secondary."""

    frame: str  # GCRF, or "ITRF at TCA"
    r_m: FloatArray  # (2, 3)
    v_m_s: FloatArray  # (2, 3)


def encounter(message: ConjunctionMessage) -> Encounter:
    """Return the states of a message in one frame with inertial velocities.

    EME2000 is turned by the frame bias into GCRF, 23 mas or 0.8 m in low orbits. ITRF's axes are frozen at
    TCA and the Earth's rotation is added to the velocities, about the pole of that day: relative quantities,
    and those in the RTN of one object, are the same in all frames that do not rotate. Taking ITRF's z axis
    for the pole would tilt the RTN by 1e-7 rad, and change the probability of long thin covariances.
    """
    objects = (message.primary, message.secondary)
    if message.primary.frame == "ITRF":  # then both are
        r_m = np.array([each.r_m for each in objects])
        v_m_s = np.array([each.v_m_s for each in objects])
        return Encounter("ITRF at TCA", r_m, v_m_s + np.cross(_rotation_itrf_rad_s(message.tca), r_m))
    turned = [_gcrf(each) for each in objects]
    return Encounter("GCRF", np.array([r for r, _ in turned]), np.array([v for _, v in turned]))


def _rotation_itrf_rad_s(instant: np.datetime64) -> FloatArray:
    """Return the Earth's rotation (3,) along the axes of ITRF."""
    jd, day_fraction = julian_date(np.array([instant], "M8[us]"))
    turn = itrf_rotation(jd, day_fraction, earth_orientation(jd, day_fraction))[0]
    rotation: FloatArray = EARTH_ROTATION_RAD_S * turn[:, 2]
    return rotation


def _gcrf(each: MessageObject) -> tuple[FloatArray, FloatArray]:
    if each.frame == "GCRF":
        return each.r_m, each.v_m_s
    to_eme2000, *_ = erfa.bp06(_J2000_JD, 0.0)
    return erfa.trxp(to_eme2000, each.r_m), erfa.trxp(to_eme2000, each.v_m_s)


def relative_rtn(states: Encounter) -> tuple[FloatArray, FloatArray]:
    """Return position (3,) in m and velocity (3,) in m/s, secondary minus primary, in the primary's RTN."""
    axes = rtn_axes(states.r_m[:1], states.v_m_s[:1])[0]
    return axes @ (states.r_m[1] - states.r_m[0]), axes @ (states.v_m_s[1] - states.v_m_s[0])


def remarks(message: ConjunctionMessage, states: Encounter) -> list[Remark]:
    """Return claims of a message that its own states and covariances contradict."""
    position, velocity = relative_rtn(states)
    return [
        *message.notes,
        *_claims(message, position, velocity),
        *_instant(message, position, velocity),
        *_covariance("OBJECT1", message.primary),
        *_covariance("OBJECT2", message.secondary),
    ]


def _claims(message: ConjunctionMessage, position: FloatArray, velocity: FloatArray) -> list[Remark]:
    miss_m, speed_m_s = float(np.linalg.norm(position)), float(np.linalg.norm(velocity))
    near_m = POSITION_TOLERANCE_M + RELATIVE_TOLERANCE * miss_m
    slow_m_s = VELOCITY_TOLERANCE_M_S + RELATIVE_TOLERANCE * speed_m_s
    claims = [
        ("MISS_DISTANCE", message.miss_distance_m, miss_m, near_m),
        ("RELATIVE_SPEED", message.relative_speed_m_s, speed_m_s, slow_m_s),
    ]
    for axis, name in enumerate("RTN"):
        claimed = message.relative_position_rtn_m[axis], message.relative_velocity_rtn_m_s[axis]
        claims.append((f"RELATIVE_POSITION_{name}", claimed[0], position[axis], near_m))
        claims.append((f"RELATIVE_VELOCITY_{name}", claimed[1], velocity[axis], slow_m_s))
    found = [
        Remark(message.lines[keyword], keyword, f"{claimed:g} is claimed, the states give {computed:g}")
        for keyword, claimed, computed, tolerance in claims
        if abs(claimed - computed) > tolerance  # NaN, not claimed, is not
    ]
    # With OBJECT1 and OBJECT2 swapped the frame turns a little, and the vector is reversed.
    reversed_by_m = float(np.linalg.norm(message.relative_position_rtn_m + position))
    if found and reversed_by_m <= near_m < miss_m:
        keyword = "RELATIVE_POSITION_R"
        found.append(Remark(message.lines[keyword], keyword, "OBJECT1 and OBJECT2 seem to be swapped"))
    return found


def _instant(message: ConjunctionMessage, position: FloatArray, velocity: FloatArray) -> list[Remark]:
    until_closest_s = -float(position @ velocity) / float(velocity @ velocity)
    if abs(until_closest_s) <= TCA_TOLERANCE_S:
        return []
    text = f"the states are closest {until_closest_s:+.3g} s from the time given"
    return [Remark(message.lines["TCA"], "TCA", text)]


def _covariance(name: str, each: MessageObject) -> list[Remark]:
    """Return remarks on a covariance that no distribution has."""
    if each.covariance_rtn is None:
        return []
    position = each.covariance_rtn[:3, :3]
    variances = np.diag(position)
    if np.any(variances < SMALLEST_VARIANCE_M2):
        return [Remark(each.covariance_line, "CR_R", f"the covariance of {name} has a variance not above 0")]
    largest = largest_correlation(each.covariance_rtn)
    if largest <= 1.0 + CORRELATION_TOLERANCE:
        largest = largest_correlation(position)
    if largest > 1.0:
        text = f"the covariance of {name} has a correlation of {largest:.9g}"
        return [Remark(each.covariance_line, "CR_R", text)]
    if float(np.linalg.eigvalsh(position / np.sqrt(np.outer(variances, variances)))[0]) <= 0.0:
        return [Remark(each.covariance_line, "CR_R", f"the covariance of {name} is not positive definite")]
    return []


def largest_correlation(covariance: FloatArray) -> float:
    """Return the largest absolute value off the diagonal of a correlation matrix, from a covariance (m, m).

    Infinite if a component without variance has a covariance; variances of 0 alone are allowed.
    """
    sigma = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = np.outer(sigma, sigma)
    beside = np.where(covariance == 0.0, 0.0, np.inf)
    correlation = np.divide(np.abs(covariance), scale, out=beside, where=scale > 0)
    np.fill_diagonal(correlation, 0.0)
    return float(correlation.max())
