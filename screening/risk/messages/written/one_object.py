"""One object of a stored event as the lines of a message: who it is, its state, its covariance."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from screening.orbits.reference.celestial import Rotations
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.covariances import LARGEST_SIGMA_M
from screening.risk.messages.written.layout import COVARIANCE
from screening.risk.messages.written.lines import Line, comments, instant_text, number
from screening.risk.objects.state_errors import with_velocities
from screening.vocabulary import MessageFrame

# The covariance (6, 6) that a message must state, from what the row of an event keeps of it.

# Receivers know sigmas of the Earth's radius as "no covariance"; the speed is that of a circular orbit there.
_EARTH_RADIUS_M = 6_378_137.0
_CIRCULAR_SPEED_M_S = 7_905.36
_M_PER_KM = 1e3


class StatedCovariance(NamedTuple):
    """A covariance, in m and s, in the object's own RTN."""

    matrix: FloatArray  # (6, 6)
    known: bool  # false: it stands for none


def stated_covariance(
    event: Mapping[str, Any], who: str, state: tuple[FloatArray, FloatArray]
) -> StatedCovariance:
    """Return the covariance of the primary or the secondary of an event at TCA.

    The row keeps sigmas and correlations of the position; the standard requires the velocity too, and zeros
    would be taken for certainty: see `with_velocities`. `state`: position and velocity (3,), TEME, km, km/s.
    """
    sigma_m = np.array([event[f"{who}_sigma_{axis}_m"] for axis in "rtn"], float)  # None becomes NaN
    if np.isnan(sigma_m).any():
        sigmas = [_EARTH_RADIUS_M] * 3 + [_CIRCULAR_SPEED_M_S] * 3
        return StatedCovariance(np.diag(np.square(sigmas)), known=False)
    correlations = np.eye(3)
    for (row, column), axes in (((0, 1), "rt"), ((0, 2), "rn"), ((1, 2), "tn")):
        given = np.array(event[f"{who}_correlation_{axes}"], float)
        correlations[row, column] = correlations[column, row] = np.nan_to_num(given)
    positions = correlations * np.outer(sigma_m, sigma_m)
    r_m, v_m_s = (vector[None] * _M_PER_KM for vector in state)
    return StatedCovariance(with_velocities(positions[None], r_m, v_m_s)[0], known=True)


# The contact of an object's operator as the lines of a message.

_E_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_PHONE = re.compile(r"(?:tel\.?:? ?)?(\+?[0-9(][0-9 ()./-]{4,})", re.IGNORECASE)


def contact_lines(contact: str) -> list[Line]:
    """Return the lines of a contact, whose parts commas or semicolons separate; none if it is empty.

    An e-mail address and a telephone number have keywords of their own; all other parts are the organisation
    (CCSDS 508.0-B-1, table 3-3).
    """
    found: dict[str, list[str]] = {"OPERATOR_ORGANIZATION": [], "OPERATOR_PHONE": [], "OPERATOR_EMAIL": []}
    for part in filter(None, map(str.strip, re.split("[,;]", contact))):
        if _E_MAIL.fullmatch(part):
            found["OPERATOR_EMAIL"].append(part)
        elif number := _PHONE.fullmatch(part):
            found["OPERATOR_PHONE"].append(number[1])
        else:
            found["OPERATOR_ORGANIZATION"].append(part)
    return [Line(keyword, ", ".join(parts)) for keyword, parts in found.items() if parts]


_TYPES = {"payload": "PAYLOAD", "rocket_body": "ROCKET BODY", "debris": "DEBRIS"}
_NEVER_MANOEUVRES = ("rocket_body", "debris")
_PATHS = {
    "supgp": "SGP4 from the supplemental element set of {}Z",
    "ephemeris": "its operator's ephemeris, from {}Z on",
}
_BY_ELEMENTS = "SGP4 from the element set of {}Z"
_COVARIANCES = {
    "default": "error law of element sets{}",
    "differenced": "error law of element sets{}, times a factor from the object's own sets",
    "own": "error law of element sets{}, times a factor from the object's own sets",
    "constellation": "error law of element sets{}, measured for its constellation",
    "trajectory": "its operator's, of the position",
    "cdm": "that of a received message, of the position",
}
_TERMS = "TERMS: the source of its ephemeris does not allow sharing it"
_CALCULATED = ("trajectory", "cdm")
_VELOCITIES = "of the velocity stated, not estimated: that of a neighbour on an orbit of the same period"
_UNKNOWN = (
    "not known: the sigmas are the Earth's radius and the circular speed there, and mean that there is none"
)


_NO_KNOWLEDGE = "COVARIANCE larger than the Earth: receivers take it as missing"


class AboutObject(NamedTuple):
    """Facts about an object beside its event; empty: unknown."""

    object_id: str = ""  # international designator
    object_type: str = ""  # of OBJECT_TYPES
    law: str = ""  # the regime and class of its error law
    ephemeris: str = ""  # name of the ephemeris that the event rests on
    restricted: bool = False  # the terms of its source do not allow sharing it
    contact: str = ""  # of its operator
    radius_m: float | None = None  # hard-body radius, by the newest run
    radius_source: str = ""  # where that is from, of HARD_BODY_SOURCES


def object_lines(
    event: Mapping[str, Any],
    who: str,
    about: AboutObject,
    state: tuple[FloatArray, FloatArray],
    frame: MessageFrame,
    rotations: Rotations,
) -> list[Line]:
    """Return the lines behind OBJECT of the primary or the secondary.

    `state`: position and velocity (3,), TEME, km and km/s, which `rotations` (1,) turn into the frame.
    """
    covariance = stated_covariance(event, who, state)
    on_ephemeris = event[f"{who}_trajectory"] == "ephemeris"
    calculated = event[f"{who}_covariance_source"] in _CALCULATED
    return [
        Line("OBJECT_DESIGNATOR", str(event[f"{who}_norad_id"])),
        Line("CATALOG_NAME", "SATCAT"),
        Line("OBJECT_NAME", str(event[f"{who}_name"]).strip() or "UNKNOWN"),
        Line("INTERNATIONAL_DESIGNATOR", about.object_id.strip() or "UNKNOWN"),
        Line("OBJECT_TYPE", _TYPES.get(about.object_type, "UNKNOWN")),
        *contact_lines(about.contact),
        Line("EPHEMERIS_NAME", (about.ephemeris or "UNKNOWN") if on_ephemeris else "NONE"),
        Line("COVARIANCE_METHOD", "CALCULATED" if calculated else "DEFAULT"),
        Line("MANEUVERABLE", _manoeuvrable(event[f"{who}_manoeuvring"], about.object_type)),
        Line("ORBIT_CENTER", "EARTH"),
        Line("REF_FRAME", frame),
        *comments(*_said(event, who, about), _TERMS if about.restricted else ""),
        *_state_lines(state, rotations),
        *comments(*_about_covariance(event, who, about, known=covariance.known)),
        *_covariance_lines(covariance.matrix),
    ]


def _manoeuvrable(manoeuvring: bool | None, object_type: str) -> str:
    """Return what is known: that it thrusts; that it cannot; that it was not seen to says nothing."""
    if manoeuvring:
        return "YES"
    return "NO" if object_type in _NEVER_MANOEUVRES else "N/A"


def _said(event: Mapping[str, Any], who: str, about: AboutObject) -> list[str]:
    epoch, age_days = event[f"{who}_epoch"], event[f"{who}_age_days"]
    path = _PATHS.get(event[f"{who}_trajectory"], _BY_ELEMENTS)
    age = "" if age_days is None or np.isnan(age_days) else f", {age_days:.3f} d before TCA"
    manoeuvres, radius_m = event[f"{who}_manoeuvring"], event[f"{who}_radius_m"]
    source = f", SOURCE = {about.radius_source}" if radius_m == about.radius_m else ""
    return [
        "" if radius_m is None or np.isnan(radius_m) else f"RADIUS = {radius_m:.15g} [m]{source}",
        f"PATH = {path.format(instant_text(epoch))}{age}" if epoch is not None else "",
        "MANOEUVRES often or lately: its element set may be tens of km off" if manoeuvres else "",
    ]


def _about_covariance(event: Mapping[str, Any], who: str, about: AboutObject, *, known: bool) -> list[str]:
    if not known:
        return [f"COVARIANCE = {_UNKNOWN}"]
    law = f" ({about.law})" if about.law else ""
    words = _COVARIANCES.get(event[f"{who}_covariance_source"], _COVARIANCES["default"])
    largest_m = max(event[f"{who}_sigma_{axis}_m"] for axis in "rtn")
    return [
        f"COVARIANCE = {words.format(law)}",
        f"COVARIANCE {_VELOCITIES}",
        _NO_KNOWLEDGE if largest_m >= LARGEST_SIGMA_M else "",
    ]


def _state_lines(state: tuple[FloatArray, FloatArray], rotations: Rotations) -> list[Line]:
    (r_km,), (v_km_s,) = rotations.from_teme(state[0][None], state[1][None])
    return [
        *(number(axis, r_km[i], "km") for i, axis in enumerate("XYZ")),
        *(number(f"{axis}_DOT", v_km_s[i], "km/s") for i, axis in enumerate("XYZ")),
    ]


def _covariance_lines(covariance: FloatArray) -> list[Line]:
    return [number(keyword, covariance[row, column], unit) for row, column, keyword, unit in COVARIANCE]
