"""One event in words: its headline and its sentences.

Every form that shows an event to a reader takes its sentences from here; `geometry.py` has those that need
more than the event's row. A row has the columns of the view `events`, None for NULL.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from screening.answers import answer
from screening.orbits.revolution import angle_deg, place
from screening.orbits.timegrid import FloatArray, window
from storage.rows.danger import levels_for_a_reader
from storage.rows.graded import graded
from storage.rows.marks import GUESSED_RADII, USUAL_ERRORS
from storage.rows.trajectory_words import trajectory_words
from storage.rows.words import numbers
from storage.rows.words.numbers import (
    brief_distance,
    chance_words,
    distance,
    instant,
    minute,
    moment,
    number,
    odds,
    rounded,
)
from storage.times import datetime64_us, time_text
from storage.vocabulary import TOLD

Row = Mapping[str, Any]
SIDES = ("primary", "secondary")


class Manoeuvred(NamedTuple):
    """A manoeuvre of an object since the set that an event rests on."""

    at: datetime  # UTC
    dv_m_s: float


_NONE: Mapping[str, Manoeuvred] = MappingProxyType({})

SYNTHETIC = "Synthetic catalogue: none of these objects exists."
HISTORIC = "Historic catalogue: the encounter lies in the past."
RESTRICTED = "Restricted: the source of the message does not allow sharing this."
ADVICE = (
    "No number here justifies a manoeuvre on its own: ask the object's operator, the 18th and 19th "
    "Space Defense Squadrons (through Space-Track), TraCSS or EU SST for a message with measured covariances."
)
_FLAGS = {
    "slow": "the relative motion curves during the encounter",
    "long": "the encounter takes too large a part of a revolution",
    "curved": "the errors follow the curve of the orbits",
    "non_positive_definite": "a covariance is not positive definite",
}
_SAME = 0.05  # of probabilities that a reader takes for one
WORTH_SAYING = 0.02  # of probabilities of a burn
_HEAD_ON_DEG, _SAME_WAY_DEG = 150.0, 30.0


@answer(
    headline="High: SL-8 DEB and COSMOS 1408 DEB, near: 80 m, P 2.0e-05",
    encounter="At 2024-11-01 14:55:15.161 UTC they pass 91.3 m apart, head-on, ...",
    passage="head-on, at a relative speed of 14.2 km/s, 780 km above the Earth",
    probability="The collision probability is 2.00e-05 (1 in 50,000). By its probability the level is high.",
    consequence="A collision would shatter both; about 1,200 pieces of 10 cm or more.",
    dilution="The probability is not diluted: ...",
    change="",
    manoeuvred="",
    caution="The probability rests on error statistics of similar element sets.",
    outlook="Of 1,200 encounters rated critical or high 3 days ahead (here), 6 % were still ...",
    advice="No number here justifies a manoeuvre on its own: ...",
)
class EventWords:
    """An event in sentences, by its row and its history; empty where there is nothing to say."""

    headline: str
    """One line: level, both objects, how near, how likely."""
    encounter: str
    """When, how near, how fast and where they pass."""
    passage: str
    """How fast and where they pass, for beside the miss; empty: no states are known."""
    probability: str
    """The collision probability, or why there is none, and the level."""
    consequence: str
    """What a collision would leave."""
    dilution: str
    """Whether smaller errors would make the probability larger."""
    change: str
    """What the event was before the path of an object had another source."""
    manoeuvred: str
    """Whose path the event has no longer, as the object has manoeuvred since."""
    caution: str
    """What the probability rests on, and whose path is doubtful."""
    outlook: str
    """What became of earlier encounters of this level, as many days ahead."""
    advice: str = ADVICE
    """Whom to ask."""


def event_words(
    row: Row, history: Sequence[Row] = (), since: Mapping[str, Manoeuvred] = _NONE, outlook: str = ""
) -> EventWords:
    """Return the words of an event.

    `history`: what each run found of it, oldest first; `since`: the sides that have manoeuvred since;
    `outlook`: what became of others.
    """
    newer = not history or row["computed_at"] > history[-1]["computed_at"]
    return EventWords(
        headline=headline(row),
        encounter=_encounter(row),
        passage=_passage(row),
        probability=_probability(row),
        consequence=graded(row).consequence
        or "The outcome of a collision is unknown, because a mass is unknown.",
        dilution=_dilution(row),
        change=_change([*history, row] if newer else history),
        manoeuvred=_manoeuvred(row, since),
        caution=" ".join(filter(None, [another_path(row), _caution(row)])),
        outlook=outlook,
    )


def headline(row: Row, first: str = "primary", status: str = "") -> str:
    """Return one line: the level, or the status in its place, both objects, how near, how likely.

    `first`: the side that is named first.
    """
    danger = graded(row)
    miss = danger.near_words or brief_distance(row["miss_distance_m"])
    names = " and ".join(name_of(row, side) for side in _in_order(first))
    return f"{status or danger.level.capitalize()}: {names}, {miss}, {danger.chance_words}"


def facts(row: Row, first: str = "primary") -> list[str]:
    """Return the lines of a short text on an event, seen from the side `first`."""
    danger, speed_m_s = graded(row), row["relative_speed_m_s"]
    who = " and ".join(f"{name_of(row, side)} ({row[f'{side}_norad_id']})" for side in _in_order(first))
    lines = [
        who,
        f"Closest approach: {time_text(rounded(row['tca']), 'milliseconds')}",
        f"Level: {danger.words}",
        own_radius(row).capitalize(),
        danger.consequence,
        "Diluted: with smaller errors and the same miss it would be larger." if is_diluted(row) else "",
        f"Miss distance: {brief_distance(row['miss_distance_m'])}{_offset(row, first)}",
        "" if speed_m_s is None else f"Relative speed: {speed_m_s:,.0f} m/s",
        another_path(row),
    ]
    return [line for line in lines if line]


def own_radius(row: Row) -> str:
    """Say that a fleet's own hard-body radius counts in an event; empty: the run's does."""
    radius_m = row.get("fleet_hard_body_radius_m")
    return f"at the fleet's own hard-body radius, {radius_m:.3g} m for both objects" if radius_m else ""


def name_of(row: Row, side: str) -> str:
    """Return an object's name; of one without a name its catalogue number."""
    return str(row[f"{side}_name"] or "").strip() or str(row[f"{side}_norad_id"])


def in_plane(row: Row) -> bool:
    """Return whether the integral in the encounter plane counts: only then its maximum says something."""
    return row["probability_2d"] is not None and row["probability_method"] in (None, "2d")


def is_diluted(row: Row) -> bool:
    """Return whether smaller errors would make the probability that counts larger."""
    return bool(row.get("diluted")) and in_plane(row)


def flown_sides(row: Row, trajectory: str) -> list[str]:
    """Return the names of the objects whose path is from this kind of trajectory."""
    return [name_of(row, side) for side in SIDES if row[f"{side}_trajectory"] == trajectory]


def manoeuvring(row: Row) -> list[str]:
    """Return the names of the objects that thrust often or did so lately."""
    return [name_of(row, side) for side in SIDES if row[f"{side}_manoeuvring"]]


def another_path(row: Row) -> str:
    """Say which objects fly another path than their element sets; empty: none does."""
    said = [
        f"{name_of(row, side)} flies another path than its element set since {minute(since)} UTC, "
        "by its operator's ephemeris."
        for side in SIDES
        if (since := row.get(f"{side}_departs_at")) is not None
    ]
    return " ".join(said)


def _in_order(first: str) -> Sequence[str]:
    return SIDES if first == "primary" else SIDES[::-1]


def _offset(row: Row, first: str) -> str:
    """Return the miss along the axes of the side `first`; a fleet's rows have it in km."""
    axes = ("radial", "in_track", "cross_track")
    if "miss_radial_km" in row:
        offsets_km = [row[f"miss_{axis}_km"] for axis in axes]
    elif row["miss_radial_m"] is None:
        return ""
    else:
        offsets_km = [row[f"miss_{axis}_m"] / 1000.0 for axis in axes]
    words = "; from {} radial {:.3f}, in-track {:.3f}, cross-track {:.3f} km"
    return words.format(name_of(row, first), *offsets_km)


def _encounter(row: Row) -> str:
    said = f"At {instant(row['tca'])} UTC they pass {distance(row['miss_distance_m'])} apart"
    source = (
        "" if row["origin"] not in TOLD else " No run found this encounter: a received message reports it"
    )
    passage = _passage(row)
    if not passage:
        return f"{said}.{source and f'{source}, without states.'}"
    return f"{said}, {passage}.{source and f'{source}.'}"


def _passage(row: Row) -> str:
    speed_m_s = row["relative_speed_m_s"]
    if speed_m_s is None:
        return ""
    at_tca = window(datetime64_us(row["tca"]), 0.0)
    altitude_km = place(_vector(row, "primary_{}_km"), at_tca)[2]
    angle = angle_deg(*(_vector(row, f"{side}_v{{}}_km_s") for side in SIDES))
    return (
        f"{_direction(angle)}, at a relative speed of {numbers.speed(speed_m_s)}, "
        f"{number(altitude_km, 0)} km above the Earth"
    )


def _vector(row: Row, column: str) -> FloatArray:
    """Return a vector (3,) of a row in TEME; `column`: with the axis left out."""
    return np.array([row[column.format(axis)] for axis in "xyz"], float)


def _direction(angle: float) -> str:
    if angle > _HEAD_ON_DEG:
        return "head-on"
    return "in nearly the same direction" if angle < _SAME_WAY_DEG else f"crossing at {number(angle, 0)}°"


def _probability(row: Row) -> str:
    danger, near_level = graded(row), levels_for_a_reader(row)[1]
    near = f" The miss alone would make it {near_level}." if near_level else ""
    if danger.probability is None:
        flags = [_FLAGS[flag] for flag in (row["probability_flag"] or "").split()]
        unrated = "the message gives too little" if row["origin"] in TOLD else "the event has not been rated"
        why = ", and ".join(flags) or unrated
        unknown = "So the level is unknown, which does not mean low."
        return f"No collision probability could be computed: {why}. {unknown}{near}"
    chances = f" ({odds(danger.probability)})" if odds(danger.probability) else ""
    return (
        f"The collision probability is {chance_words(danger)}{chances}. By its probability the level is "
        f"{danger.level}.{near}{_with_gaussian_errors(row)}"
    )


def gaussian_probability(row: Row) -> float | None:
    """Return what Gaussian errors alone would give; None: the probability that counts, or not known."""
    plain = row.get({"2d": "probability_2d", "3d": "probability_3d"}.get(row["probability_method"] or "", ""))
    best = graded(row).probability
    return plain if plain and best and abs(best / plain - 1.0) > _SAME else None


def _with_gaussian_errors(row: Row) -> str:
    plain = gaussian_probability(row)
    if plain is None:
        return ""
    burns = any((row.get(f"{side}_burn_share") or 0.0) >= WORTH_SAYING for side in SIDES)
    between = ", and a burn may come in between" if burns else ""
    given = numbers.probability(plain)
    return f" Gaussian errors alone would give {given}: real ones have wider tails{between}."


def _dilution(row: Row) -> str:
    if row["diluted"] is None or not in_plane(row):
        return ""
    if not row["diluted"]:
        return (
            "The probability is not diluted: the errors are small enough, compared with the miss, for it to "
            "be meaningful."
        )
    return (
        "The probability is diluted: with smaller errors and the same miss it would be larger, up to "
        f"{numbers.probability(row['probability_max'])}. Better data also change the miss, and usually "
        "increase it."
    )


def _change(rows: Sequence[Row]) -> str:
    """Say what the event was before an object's path last had another source; rows oldest first."""
    for before, after in list(pairwise(rows))[::-1]:
        moved = [
            f"{name_of(after, side)} from its {was} to its {now}"
            for side in SIDES
            if (was := trajectory_words(before[f"{_same_object(before, after, side)}_trajectory"]))
            != (now := trajectory_words(after[f"{side}_trajectory"]))
        ]
        if moved:
            switched = f"At {minute(after['computed_at'])} UTC the event switched {' and '.join(moved)}"
            return f"{switched}: {_values(before, after)}."
    return ""


def _manoeuvred(row: Row, since: Mapping[str, Manoeuvred]) -> str:
    said = [
        f"{name_of(row, side)} has manoeuvred since ({burn_words(since[side].dv_m_s, since[side].at)})"
        for side in SIDES
        if side in since
    ]
    return f"{', and '.join(said)}: the event describes a path from before that." if said else ""


def burn_words(dv_m_s: float, at: datetime) -> str:
    """Return the size and the time of a burn: 0.31 m/s on 2 Nov 04:10 UTC."""
    return f"{dv_m_s:.2g} m/s on {moment(at)}"


def _same_object(before: Row, after: Row, side: str) -> str:
    """Return which side of an earlier row the object is: the one asked about stands first."""
    return "primary" if before["primary_norad_id"] == after[f"{side}_norad_id"] else "secondary"


def _values(*rows: Row) -> str:
    misses = " to ".join(distance(row["miss_distance_m"]) for row in rows)
    chances = " to ".join(chance_words(graded(row)) for row in rows)
    levels = " to ".join(graded(row).level for row in rows)
    return f"the miss went from {misses}, the probability from {chances}, the level from {levels}"


def _burnt(row: Row) -> str:
    """Say which objects may have burnt since their element sets, as the probability has it."""
    shares = {row[f"{side}_name"]: row.get(f"{side}_burn_share") or 0.0 for side in SIDES}
    may = [f"{name} ({share:.0%})" for name, share in shares.items() if share >= WORTH_SAYING]
    return f" It allows for a burn since the element set of {' and of '.join(may)}." if may else ""


def _caution(row: Row) -> str:
    """Say what the probability rests on, and whose path is doubtful; empty where neither is known."""
    sources = {row[f"{side}_covariance_source"] for side in SIDES}
    if not sources & set(USUAL_ERRORS) or graded(row).probability is None:
        return ""
    guessed = row["hard_body_source"] in GUESSED_RADII
    sizes = " and on radii guessed from the type of object" if guessed else ""
    said = f"The probability rests on error statistics of similar element sets{sizes}.{_burnt(row)}"
    if not (thrusting := manoeuvring(row)):
        return said
    plural = len(thrusting) > 1
    return (
        f"{said} The element set{'s' if plural else ''} of {' and '.join(thrusting)}, which "
        f"manoeuvre{'' if plural else 's'} often or did so recently, may be tens of kilometres off."
    )
