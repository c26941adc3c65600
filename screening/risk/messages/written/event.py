"""A stored event as the lines of a message, version 1.0 (CCSDS 508.0-B-1)."""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.texts.entries import OBJECT
from screening.risk.messages.written.lines import Line, Message, comments, instant_text, number
from screening.risk.messages.written.one_object import AboutObject, object_lines
from screening.vocabulary import PUBLISHED_SIZES, SIZES_FROM, ClaimMethod, MessageFrame

ORIGINATOR = "SKYSIEVE"
VERSION = "1.0"
_KM = 1e3
_AXES = "RTN"


class NoMessage(InputError):
    """An event on which no message can be written: it is known from messages, or has no states."""


class Claim(NamedTuple):
    """What COLLISION_PROBABILITY may be."""

    column: str
    method: str  # as the registry of SANA has it, where it does
    comment: str = ""


CLAIMS: dict[str, Claim] = {
    "foster": Claim("probability_2d", "FOSTER-1992"),
    "formula": Claim("probability", "CHAN-1997", "COLLISION_PROBABILITY is the first term of Chan's series"),
    "maximum": Claim(
        "probability_max",
        "ALFANO-MAX-PROBABILITY",
        "COLLISION_PROBABILITY is the largest at another size of the same ellipse, and no bound",
    ),
    "monte_carlo": Claim("probability_mc", "MONTE-CARLO"),
}
# What `best` is, by the event's `probability_method`; of rows of earlier releases the integral in the plane.
_BEST = {
    "2d": Claim("probability_best", "FOSTER-1992"),
    "3d": Claim(
        "probability_best",
        "DESIGN-POINT-3D",
        "COLLISION_PROBABILITY is in three dimensions: of the likeliest orbits that meet, Gaussian in "
        "equinoctial elements",
    ),
    "trajectory_mc": Claim(
        "probability_best", "MONTE-CARLO", "COLLISION_PROBABILITY is from sampled trajectories"
    ),
    "bound": Claim(
        "probability_best",
        "BOUND",
        "COLLISION_PROBABILITY is at most this: the largest available number, as it could not be computed",
    ),
}


_SAME = 0.01
_MIXTURE = (
    "COLLISION_PROBABILITY is a weighted sum over errors with tails and burns in between; the covariances "
    "below, alone, give FOSTER-1992 = {:.4E}"
)


def claim_of(event: Mapping[str, Any], method: ClaimMethod) -> Claim | None:
    """Return what a message states as the probability of an event; None if it has none of that kind."""
    if method == "best":
        claim = _BEST.get(str(event.get("probability_method")), CLAIMS["foster"])
        plain, best = (known_number(event[name]) for name in ("probability_2d", "probability_best"))
        if claim is _BEST["2d"] and plain and best and abs(best / plain - 1.0) > _SAME:
            claim = Claim(claim.column, "FOSTER-1992-MIXTURE", _MIXTURE.format(plain))
    else:
        claim = CLAIMS[method]
    return None if known_number(event[claim.column]) is None else claim


class Screening(NamedTuple):
    """The run that found an event."""

    window_start: datetime  # UTC
    window_end: datetime  # UTC
    threshold_m: float
    synthetic: bool  # its catalogue is generated, not observed


class Stated(NamedTuple):
    """What a message says that the row of its event does not."""

    objects: tuple[AboutObject, AboutObject]
    screening: Screening | None  # None: not known, or an analysis of a single object
    frame: MessageFrame
    method: ClaimMethod
    intents: tuple[str, ...] = ()  # what operators intend, in sentences


def event_message(event: Mapping[str, Any], stated: Stated) -> Message:
    """Return the message on an event.

    `event`: the columns of the table `conjunctions`; NULL numbers may be None or NaN. States are turned from
    TEME into the frame; covariances stay in the RTN of each object, by its inertial velocity.
    Raises NoMessage.
    """
    if not has_states(event):
        raise NoMessage(
            f"The event {event['event_id']} is known only from a summary without states, and the standard "
            "has no message without them."
        )
    states = [
        (
            _vector(event, who, ("x_km", "y_km", "z_km")),
            _vector(event, who, ("vx_km_s", "vy_km_s", "vz_km_s")),
        )
        for who in ("primary", "secondary")
    ]
    rotations = rotations_to_teme(stated.frame, np.array([event["tca"].replace(tzinfo=None)], "M8[us]"))
    header = [*_header(event, stated), *_relative(event, stated, states), *_claim(event, stated.method)]
    first, second = (
        [
            Line(OBJECT, f"OBJECT{1 + side}"),
            *object_lines(event, who, stated.objects[side], states[side], stated.frame, rotations),
        ]
        for side, who in enumerate(("primary", "secondary"))
    )
    return Message(VERSION, header, (first, second))


def has_states(event: Mapping[str, Any]) -> bool:
    """Return whether an event has states: one known only from a summary has none."""
    return known_number(event["primary_x_km"]) is not None


def known_number(value: float | None) -> float | None:
    """Return a stored number, None if it is NULL."""
    return None if value is None or math.isnan(value) else value


def message_id(event: Mapping[str, Any], frame: MessageFrame, method: ClaimMethod) -> str:
    """Return an id that no other message has: one of another frame or method has another."""
    made = event["computed_at"].strftime("%Y%m%dT%H%M%S%fZ")
    also = [word for word, usual in ((frame, "EME2000"), (method, "best")) if word != usual]
    return "_".join([str(event["event_id"]), made, *also])


def _header(event: Mapping[str, Any], stated: Stated) -> list[Line]:
    return [
        Line("CREATION_DATE", instant_text(event["computed_at"])),
        Line("ORIGINATOR", ORIGINATOR),
        Line("MESSAGE_ID", message_id(event, stated.frame, stated.method)),
    ]


def _relative(
    event: Mapping[str, Any], stated: Stated, states: list[tuple[FloatArray, FloatArray]]
) -> list[Line]:
    (r1_km, v1_km_s), (r2_km, v2_km_s) = states
    axes = rtn_axes(r1_km[None], v1_km_s[None])[0]
    miss_m, velocity_m_s = axes @ (r2_km - r1_km) * _KM, axes @ (v2_km_s - v1_km_s) * _KM
    return [
        *comments(*_said(event, stated)),
        Line("TCA", instant_text(event["tca"])),
        number("MISS_DISTANCE", event["miss_distance_m"], "m"),
        number("RELATIVE_SPEED", event["relative_speed_m_s"], "m/s"),
        *(number(f"RELATIVE_POSITION_{axis}", miss_m[i], "m") for i, axis in enumerate(_AXES)),
        *(number(f"RELATIVE_VELOCITY_{axis}", velocity_m_s[i], "m/s") for i, axis in enumerate(_AXES)),
        *_screened(event, stated.screening),
    ]


def _said(event: Mapping[str, Any], stated: Stated) -> list[str]:
    """Return what has no keyword: radius, in the words that readers know, consequence, limits of numbers."""
    radius_m = known_number(event["hard_body_radius_m"])
    flags = event["probability_flag"]
    claim = claim_of(event, stated.method)
    return [
        f"HBR = {radius_m:.15g} [m]" if radius_m is not None else "",
        f"HBR SOURCE = {event['hard_body_source']}" if radius_m is not None else "",
        *_consequence(event),
        f"SIZES AND MASSES = {SIZES_FROM}"
        if any(about.radius_source in PUBLISHED_SIZES for about in stated.objects)
        else "",
        f"EVENT = {event['event_id']}",
        f"RUN = {event['run_id']} ({event['origin']})",
        "SYNTHETIC: the catalogue is generated, not observed"
        if stated.screening and stated.screening.synthetic
        else "",
        f"PROBABILITY FLAGS = {flags}" if flags else "",
        *(f"INTENT = {words}" for words in stated.intents),
        *(_levels(event) if stated.method == "best" else ()),
        claim.comment if claim else "",
        _interval(event) if claim and stated.method == "monte_carlo" else "",
    ]


def _consequence(event: Mapping[str, Any]) -> Iterator[str]:
    pieces = known_number(event["fragments_10cm"])
    if event["catastrophic"] is not None and pieces is not None:
        yield f"CATASTROPHIC = {'YES' if event['catastrophic'] else 'NO'}"
        yield f"PIECES OF 10 CM OR MORE = {pieces:.4g}"


def _levels(event: Mapping[str, Any]) -> Iterator[str]:
    for called, name in (("LEVEL BY PROBABILITY", "probability_level"), ("LEVEL BY DISTANCE", "near_level")):
        if event.get(name):
            yield f"{called} = {event[name]}"


def _interval(event: Mapping[str, Any]) -> str:
    low, high = event["probability_mc_low"], event["probability_mc_high"]
    return f"MONTE CARLO 95 PERCENT INTERVAL = {low:.6g} to {high:.6g}, {event['mc_samples']} samples"


def _screened(event: Mapping[str, Any], screening: Screening | None) -> list[Line]:
    """Return the window and the volume of the search, and for a slow event when it is inside."""
    lines = []
    if screening is not None:
        lines = [
            Line("START_SCREEN_PERIOD", instant_text(screening.window_start)),
            Line("STOP_SCREEN_PERIOD", instant_text(screening.window_end)),
            Line("SCREEN_VOLUME_FRAME", "RTN"),
            Line("SCREEN_VOLUME_SHAPE", "ELLIPSOID"),
            *(number(f"SCREEN_VOLUME_{axis}", screening.threshold_m, "m") for axis in "XYZ"),
        ]
    if event["inside_from"] is not None and event["inside_to"] is not None:
        lines += [
            Line("SCREEN_ENTRY_TIME", instant_text(event["inside_from"])),
            Line("SCREEN_EXIT_TIME", instant_text(event["inside_to"])),
        ]
    return lines


def _claim(event: Mapping[str, Any], method: ClaimMethod) -> list[Line]:
    claim = claim_of(event, method)
    if claim is None:
        return []
    return [
        number("COLLISION_PROBABILITY", event[claim.column]),
        Line("COLLISION_PROBABILITY_METHOD", claim.method),
    ]


def _vector(event: Mapping[str, Any], who: str, names: tuple[str, str, str]) -> FloatArray:
    return np.array([event[f"{who}_{name}"] for name in names])
