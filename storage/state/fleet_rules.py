"""What a fleet may be: name, numbers, volumes, look-ahead, radius, pattern, class; checked and uniform."""

import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from screening.errors import UsageError
from screening.vocabulary import (
    LARGEST_RADIUS_M,
    MANOEUVRE_CLASSES,
    MAX_NORAD_ID,
    SMALLEST_RADIUS_M,
    ManoeuvreClass,
    range_text,
)
from screening.volumes.shapes import text_of, volume_of
from storage.times import parse_time, time_text
from storage.vocabulary import BOUNDING, FIRST_ORGANISATION, FLEET_HOURS_RANGE, SHADOW

LONGEST_NAME = 100
LONGEST_PATTERN = 100
LONGEST_CONTACT = 200
NOT_SAID: ManoeuvreClass = "unknown"
MOST_NUMBERS = 5_000  # given one by one, in one fleet
_SHOWN = 60  # characters of a value that is refused


class FleetObject(NamedTuple):
    """An object that was given to a fleet by its number; None: as the fleet has it."""

    norad_id: int
    volume: str | None = None
    hours: float | None = None


class NewFleet(NamedTuple):
    """A fleet that is to be made. See `Fleet`."""

    name: str
    objects: tuple[FleetObject, ...] = ()
    name_pattern: str = ""
    volume: str = "handbook"
    hours: float | None = None
    contact: str = ""
    made_by: str = ""
    credential_id: int | None = None
    radius: str = SHADOW
    organisation_id: int = FIRST_ORGANISATION
    manoeuvre_class: ManoeuvreClass = NOT_SAID


class Fleet(NamedTuple):
    """A named set of objects, and what is searched for around them. Times are UTC with their zone."""

    id: int
    name: str
    created: datetime
    made_by: str
    credential_id: int | None  # None: made on the command line
    contact: str  # of the operator, shown to the other side of an encounter; "": none
    volume: str  # as screening.volumes.shapes writes it
    hours: float | None  # look-ahead; None: the run's
    name_pattern: str  # a shell pattern of names, matched at each run; "": none
    radius: str = SHADOW  # hard-body radius of its objects: shadow (as runs have it), bounding, or metres
    organisation_id: int = FIRST_ORGANISATION  # which alone sees it
    manoeuvre_class: ManoeuvreClass = NOT_SAID  # of MANOEUVRE_CLASSES: how its objects avoid others
    objects: tuple[FleetObject, ...] = ()  # given by number, in their order


def drafted(new: NewFleet, now: datetime) -> Fleet:
    """Return a new fleet as it would be stored now, without an id. Raises UsageError as `checked_fleet`."""
    created = parse_time(time_text(now, "seconds"))
    return checked_fleet(Fleet(id=0, created=created, **new._asdict()))


def checked_fleet(fleet: Fleet) -> Fleet:
    """Return a fleet as it is stored: texts trimmed and composed, volumes canonical, numbers in order, once.

    Raises:
        UsageError: a value is not allowed, or the fleet can have no objects.
    """
    objects = _checked_objects(fleet.objects)
    pattern = one_line(fleet.name_pattern, "the pattern of names of a fleet", 0, LONGEST_PATTERN)
    if not objects and not pattern:
        raise UsageError(
            f"The fleet {_shown(fleet.name)} has no objects: give their catalogue numbers, or a "
            "pattern of names such as STARLINK-3*."
        )
    return fleet._replace(
        name=_checked_name(fleet.name),
        contact=one_line(fleet.contact, "the contact of a fleet", 0, LONGEST_CONTACT),
        volume=text_of(volume_of(fleet.volume)),
        hours=_checked_hours(fleet.hours),
        name_pattern=pattern,
        objects=objects,
        radius=checked_radius(fleet.radius),
        manoeuvre_class=checked_class(fleet.manoeuvre_class),
    )


def checked_radius(text: str) -> str:
    """Return the hard-body radius of a fleet's objects as it is stored: shadow, bounding, or metres.

    Raises:
        UsageError: it is none of these.
    """
    word = text.strip().lower()
    if word in (SHADOW, BOUNDING):
        return word
    try:
        radius_m = float(word)
    except ValueError:
        radius_m = float("nan")
    if not SMALLEST_RADIUS_M <= radius_m <= LARGEST_RADIUS_M:  # NaN is refused too
        raise UsageError(
            f"{_shown(text)} is not allowed as the hard-body radius of a fleet: expected {SHADOW}, "
            f"{BOUNDING}, or {range_text((SMALLEST_RADIUS_M, LARGEST_RADIUS_M))} m."
        )
    return f"{radius_m:g}"


def checked_class(text: str) -> ManoeuvreClass:
    """Return a class of MANOEUVRE_CLASSES as it is stored. Raises UsageError if it is none."""
    word = text.strip().lower()
    for known in MANOEUVRE_CLASSES:
        if word == known:
            return known
    raise UsageError(
        f"{_shown(text)} is not allowed as the manoeuvre class of a fleet: expected "
        f"{', '.join(MANOEUVRE_CLASSES)}."
    )


def name_key(name: str) -> str:
    """Return what two names that count as the same have in common: case and composition do not matter."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def _checked_name(name: str) -> str:
    name = one_line(name, "the name of a fleet", 1, LONGEST_NAME)
    if name.isdecimal():
        raise UsageError(
            f"{_shown(name)} is not allowed as the name of a fleet: a number would be taken as an id."
        )
    return name


def _checked_objects(objects: Iterable[FleetObject]) -> tuple[FleetObject, ...]:
    known: dict[int, FleetObject] = {}
    for number, volume, hours in objects:
        if not 1 <= number <= MAX_NORAD_ID:
            raise UsageError(f"{number} is not a catalogue number: expected 1 to {MAX_NORAD_ID}.")
        one = FleetObject(
            number, None if volume is None else text_of(volume_of(volume)), _checked_hours(hours)
        )
        if known.setdefault(number, one) != one:
            raise UsageError(
                f"Object {number} is given twice to the fleet, with different volumes or hours: give it once."
            )
    if len(known) > MOST_NUMBERS:
        raise UsageError(
            f"{len(known):,} catalogue numbers are too many for a fleet: up to {MOST_NUMBERS:,} are allowed. "
            "Make several, or give a pattern of names."
        )
    return tuple(known[number] for number in sorted(known))


def _checked_hours(hours: float | None) -> float | None:
    low, high = FLEET_HOURS_RANGE
    if hours is not None and not low <= hours <= high:
        raise UsageError(
            f"{hours:g} hours is not allowed as the look-ahead of a fleet: expected "
            f"{range_text(FLEET_HOURS_RANGE)} hours."
        )
    return None if hours is None else float(hours)


def one_line(text: str, what: str, shortest: int, longest: int) -> str:
    """Return a text trimmed and composed. Raises UsageError if its length is wrong, or it is not one line."""
    plain = unicodedata.normalize("NFC", text.strip()) if len(text) <= 10 * longest else text
    if not shortest <= len(plain) <= longest or not plain.isprintable():
        raise UsageError(
            f"{_shown(text)} is not allowed as {what}: expected {shortest} to {longest} printable characters "
            "in one line, without invisible marks."
        )
    return plain


def _shown(text: str) -> str:
    return ascii(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!a}... ({len(text):,} characters)"
