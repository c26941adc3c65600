"""The columns of a digest's list: each has two lines, with a name and a unit for both."""

from typing import NamedTuple

from api.answers.stored_events import StoredEvent
from api.report.digest import Digest, Entry
from screening.vocabulary import SIZES_FROM
from storage.rows.marks import LEGEND, MARKS, NOT_COMPUTED, marks
from storage.rows.words.event import ADVICE
from storage.rows.words.numbers import NOT_KNOWN, YES_NO, metres, number, odds, probability

_DILUTED = "D: diluted, larger if errors were smaller"


class Column(NamedTuple):
    """A column: the heads of its two lines, how wide it is, and on which side its texts stand."""

    heads: tuple[str, str]
    points: float
    side: str = "left"


_OBJECTS = Column(("primary", "secondary"), 97.0)
_OF_FLEET = Column(("satellite", "other object"), 97.0)
_COLUMNS = (
    Column(("no.", ""), 18.0),
    Column(("TCA", "(UTC)"), 54.0),
    _OBJECTS,
    Column(("age (h)", "age (h)"), 40.0, "right"),
    Column(("miss (m)", "(km/s)"), 44.0, "right"),
    Column(("radial (m)", "in-track (m)"), 62.0, "right"),
    Column(("cross (m)", "encounter"), 55.0, "right"),
    Column(("probability", "odds, or how"), 77.0, "right"),
    Column(("pieces", "both"), 38.0, "right"),
)
_LEVEL = Column(("level", "near"), 42.0)


def columns(digest: Digest) -> list[Column]:
    """Return the columns of the list."""
    named = _OBJECTS if digest.fleet is None else _OF_FLEET
    return [*(named if column is _OBJECTS else column for column in _COLUMNS), _LEVEL]


def cells(number_in_list: int, entry: Entry) -> list[tuple[str, str]]:
    """Return an event as both lines of each column."""
    event = entry.event
    names = [f"{side.norad_id} {side.name.strip()}" for side in entry.sides]
    ages = [number(age, 0) for age in entry.ages_hours]
    radial, in_track, cross_track = map(metres, entry.relative_m)
    return [
        (str(number_in_list), ""),
        (f"{event.tca:%Y-%m-%d}", f"{event.tca:%H:%M:%S}"),
        (names[0], names[1]),
        (ages[0], ages[1]),
        (metres(event.miss_distance_m), _speed_km_s(event.relative_speed_m_s)),
        (radial, in_track),
        (cross_track, event.encounter),
        (_probability(event), event.graded.method_words or odds(event.decisive_probability)),
        (number(event.fragments_10cm, 0), YES_NO[event.catastrophic]),
        event.levels,
    ]


def legend(digest: Digest) -> list[str]:
    """Return what heads and marks mean, and what to do; nothing without events."""
    if not digest.entries:
        return []
    whose = "primary" if digest.fleet is None else "satellite"
    said = (
        f"Radial, in-track, cross: from the {whose} to the other object at TCA, in its frame. (km/s): "
        "relative speed. Age: of the element set at TCA. Level: by the probability alone. Near: the level "
        "that the miss alone would give. Pieces, both: how many pieces of 10 cm or more a collision "
        f"would leave, and whether it would shatter both. Sizes and masses: {SIZES_FROM}."
    )
    found = "".join(_marks(entry.event) for entry in digest.entries)
    guesses = f" {LEGEND}." if set(MARKS) & set(found) else ""
    return [f"{said}{guesses}{f' {_DILUTED}.' if 'D' in found else ''}", ADVICE]


def _speed_km_s(value_m_s: float | None) -> str:
    return NOT_KNOWN if value_m_s is None else number(value_m_s / 1000, 1 if value_m_s >= 1000 else 3)


def _probability(event: StoredEvent) -> str:
    if event.decisive_probability is None:
        return f"{NOT_COMPUTED} {_marks(event)}".strip()
    shown = probability(event.decisive_probability)
    return f"{event.graded.at_most}{shown} {_marks(event)}".strip()


def _marks(event: StoredEvent) -> str:
    chance = event.decisive_probability
    manoeuvring, departs_at = zip(*((one.manoeuvring, one.departs_at) for one in event.sides), strict=True)
    found = marks(chance, event.hard_body_source, manoeuvring, departs_at)
    return f"{found}D" if event.diluted and event.in_plane else found
