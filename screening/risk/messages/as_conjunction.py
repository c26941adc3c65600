"""A message as a rated conjunction: a row like those of runs, for an encounter that no run has found."""

import numpy as np

from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import (
    COVARIANCE_SOURCES,
    ENCOUNTERS,
    HARD_BODY_SOURCES,
    PROBABILITY_FLAGS,
    RISK_BASES,
    ConjunctionArray,
    unrated,
)
from screening.risk.messages.encounter import encounter, relative_rtn
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.scores import MessageScore
from screening.risk.probability.choice import NOT_2D
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS, PROBABILITY_METHODS, RISK_LEVELS

METRES_PER_KM = 1000.0

_FRAMES: dict[str, FrameName] = {"EME2000": "EME2000", "GCRF": "GCRF", "ITRF": "ITRF"}


def as_conjunction(
    message: ConjunctionMessage, score: MessageScore, hard_body_source: str = "cdm"
) -> ConjunctionArray:
    """Return a message that has been scored as a rated conjunction, CONJUNCTION_DTYPE (1,).

    `hard_body_source`, of HARD_BODY_SOURCES: where the radius with which it was scored is from.

    What the message does not say does not apply: of a summary that is all but the miss distance. Catalogue
    numbers that are none are 0, and there are no epochs of element sets. The levels are those of the score.
    """
    out = unrated(1)
    words = score.probability_flag.split()
    out["tca"] = message.tca
    out["encounter"] = ENCOUNTERS.index("slow" if "slow" in words else "fast")
    out["probability_flag"] = sum(1 << bit for bit, word in enumerate(PROBABILITY_FLAGS) if word in words)
    _set_sides(out, message)
    out["hard_body_radius_m"] = score.hard_body_radius_m
    if np.isfinite(score.hard_body_radius_m):
        out["hard_body_source"] = HARD_BODY_SOURCES.index(hard_body_source)
    _set_miss(out, message, score)
    _set_probabilities(out, score, in_plane=not out["probability_flag"][0] & NOT_2D)
    _set_levels(out, score)
    return out


def catalogue_number(designator: str) -> int:
    """Return the catalogue number that a designator is; 0 if it is none."""
    return int(designator) if designator.isascii() and designator.isdigit() and len(designator) <= 9 else 0


def _set_sides(out: ConjunctionArray, message: ConjunctionMessage) -> None:
    """Fill the objects' numbers, their states in TEME, and their errors."""
    frames = {_FRAMES[each.frame] for each in (message.primary, message.secondary) if each.frame in _FRAMES}
    tca = np.array([message.tca], "M8[us]")
    to_teme = {frame: rotations_to_teme(frame, tca) for frame in frames}
    for who, each in (("primary", message.primary), ("secondary", message.secondary)):
        out[f"{who}_norad_id"] = catalogue_number(each.designator)
        if each.frame not in _FRAMES:
            continue
        r_teme_m, v_teme_m_s = to_teme[_FRAMES[each.frame]].states(each.r_m[None], each.v_m_s[None])
        for axis, name in enumerate("xyz"):
            out[f"{who}_{name}_km"] = r_teme_m[0, axis] / METRES_PER_KM
            out[f"{who}_v{name}_km_s"] = v_teme_m_s[0, axis] / METRES_PER_KM
        if each.covariance_rtn is not None:
            _set_errors(out, who, each.covariance_rtn[:3, :3])


def _set_miss(out: ConjunctionArray, message: ConjunctionMessage, score: MessageScore) -> None:
    """Fill the miss and the speed: from the states, also if there is no score; else as claimed."""
    miss_rtn_m: FloatArray = message.relative_position_rtn_m
    miss_m, speed_m_s = score.miss_distance_m, score.relative_speed_m_s
    if message.has_states:
        miss_rtn_m, velocity_rtn_m_s = relative_rtn(encounter(message))
        miss_m, speed_m_s = (float(np.linalg.norm(one)) for one in (miss_rtn_m, velocity_rtn_m_s))
    out["miss_distance_m"], out["relative_speed_m_s"] = miss_m, speed_m_s
    for axis, name in enumerate(("radial", "in_track", "cross_track")):
        out[f"miss_{name}_m"] = miss_rtn_m[axis]


def _set_errors(out: ConjunctionArray, who: str, covariance_rtn_m2: FloatArray) -> None:
    variances = np.diag(covariance_rtn_m2)
    if np.any(variances <= 0.0):
        return  # no errors have that; the flag says so
    out[f"{who}_covariance_source"] = COVARIANCE_SOURCES.index("cdm")
    sigma_m = np.sqrt(variances)
    for axis, name in enumerate("rtn"):
        out[f"{who}_sigma_{name}_m"] = sigma_m[axis]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        correlation = covariance_rtn_m2[a, b] / (sigma_m[a] * sigma_m[b])
        out[f"{who}_correlation_{'rtn'[a]}{'rtn'[b]}"] = correlation


def _set_probabilities(out: ConjunctionArray, score: MessageScore, *, in_plane: bool) -> None:
    """Fill the probabilities; a bound for lack of a covariance is no integral."""
    out["probability_best"], out["probability_3d"] = score.probability_best, score.probability_3d
    if score.probability_method:
        out["probability_method"] = PROBABILITY_METHODS.index(score.probability_method)
    if score.missing_covariance:
        return
    for name in ("probability", "formula_h", "formula_u", "formula_r", "probability_2d", "probability_max"):
        out[name] = getattr(score, name)
    if np.isfinite(score.probability_max):
        out["diluted"] = score.diluted
    if in_plane and np.isnan(score.probability_2d):
        correlated = score.probability_2d_correlated
        out["probability_2d"] = score.probability_2d_unchecked if np.isnan(correlated) else correlated


def _set_levels(out: ConjunctionArray, score: MessageScore) -> None:
    out["risk_level"] = RISK_LEVELS.index(score.risk_level)
    out["risk_basis"] = RISK_BASES.index(score.risk_basis)
    out["probability_level"] = PROBABILITY_LEVELS.index(score.probability_level)
    if score.near_level:
        out["near_level"] = NEAR_LEVELS.index(score.near_level)
