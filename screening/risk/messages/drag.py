"""Drag errors that both objects of a message share, and their effect on the covariance of the miss.

Both orbits are predicted with one forecast of air density. If it is wrong, both objects arrive early or late
together, so their errors are correlated. Comments in messages of the US centre, and keywords of version 2.0,
give the relative uncertainty of the density at each object and the sensitivity of its state to it.
"""

import math
import re

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.encounter import Encounter
from screening.risk.messages.message import ConjunctionMessage, Remark
from screening.risk.messages.texts.entries import Entry
from screening.risk.messages.values import LARGEST_NUMBER, NUMBER, SI, Values

_UNCERTAINTY, _POSITION, _VELOCITY = (
    "DENSITY_FORECAST_UNCERTAINTY",
    "DCP_SENSITIVITY_VECTOR_POSITION",
    "DCP_SENSITIVITY_VECTOR_VELOCITY",
)
_COMMENTS = {
    _UNCERTAINTY: re.compile(r"DENSITY[ _]FORECAST[ _]UNCERTAINTY ?[=:]? ?(.*)", re.IGNORECASE),
    _POSITION: re.compile(r"SENSITIVITY[ _]VECTOR[ _](?:RTN[ _])?POS\w* ?[=:]? ?(.*)", re.IGNORECASE),
    _VELOCITY: re.compile(r"SENSITIVITY[ _]VECTOR[ _](?:RTN[ _])?VEL\w* ?[=:]? ?(.*)", re.IGNORECASE),
}
_UNIT = re.compile(r"[(\[]?\s*(k?m)(?:/s(?:ec)?)?\s*[)\]]?", re.IGNORECASE)

NOT_GIVEN = np.full(6, np.nan)


def read_drag_error(values: Values) -> tuple[FloatArray, list[Remark]]:
    """Return the error (6,) of one object's state from one sigma of density, m and m/s, in its own RTN.

    NaN if uncertainty or sensitivity is not given. An unreadable value gives NaN and a remark, not an error,
    since comments have no fixed form.
    """
    found = {keyword: _entry(values, keyword) for keyword in _COMMENTS}
    if found[_UNCERTAINTY] is None or found[_POSITION] is None:
        return NOT_GIVEN, []
    numbers, wrong = {}, []
    for keyword, count in ((_UNCERTAINTY, 1), (_POSITION, 3), (_VELOCITY, 3)):
        entry = found[keyword]
        numbers[keyword] = np.zeros(count) if entry is None else _numbers(entry.value, count)
        if entry is not None and np.isnan(numbers[keyword]).any():
            text = f"{keyword} of {values.part} must be {count} numbers; drag errors are taken as independent"
            wrong.append(Remark(entry.line, entry.keyword, text))
    if wrong:
        return NOT_GIVEN, wrong
    sensitivity = np.concatenate([numbers[_POSITION], numbers[_VELOCITY]])
    return abs(float(numbers[_UNCERTAINTY][0])) * sensitivity, []


def cross_covariance(message: ConjunctionMessage, states: Encounter) -> FloatArray | None:
    """Return the covariance X (6, 6) of the primary's error with the secondary's, in the frame of the states.

    None unless both objects have a drag error and a covariance. That of the miss is then C1 + C2 - X - X'
    (Casali et al. 2018, "Effect of cross-correlation of orbital error on probability of collision
    determination", AAS 18-272, eq. 11).
    """
    objects = (message.primary, message.secondary)
    if any(each.covariance_rtn is None or np.isnan(each.drag_error_rtn).any() for each in objects):
        return None
    axes = rtn_axes(states.r_m, states.v_m_s)
    errors = [
        np.concatenate([each.drag_error_rtn[:3] @ axes[i], each.drag_error_rtn[3:] @ axes[i]])
        for i, each in enumerate(objects)
    ]
    return np.outer(*errors)


def _entry(values: Values, keyword: str) -> Entry | None:
    """Return the entry of a keyword of version 2.0, or its value in a comment."""
    for name in (keyword, f"DCP_{keyword}"):
        given = values.entry(name)
        if given is not None and given.value:
            return given
    for comment in values.comments:
        match = _COMMENTS[keyword].search(" ".join(comment.value.split()))
        if match:
            return comment._replace(value=match[1])
    return None


def _numbers(text: str, count: int) -> FloatArray:
    """Return `count` numbers in SI units from a text with at most one unit; NaN for any other text."""
    matches = re.fullmatch(rf"\[?((?:{NUMBER}[ ,]*){{{count}}})\]?(.*)", text.strip(), re.ASCII)
    unit = _UNIT.fullmatch(matches[2].strip()) if matches and matches[2].strip() else None
    if matches is None or (matches[2].strip() and unit is None):
        return np.full(count, math.nan)
    given = [float(one.upper().replace("D", "E")) for one in re.findall(NUMBER, matches[1], re.ASCII)]
    if len(given) != count or max(map(abs, given)) > LARGEST_NUMBER:
        return np.full(count, math.nan)
    return np.array(given) * (SI[unit[1].lower()] if unit else 1.0)
