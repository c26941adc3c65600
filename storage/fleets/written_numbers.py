"""Read the objects of a fleet as people write them: numbers, with volumes or hours of their own."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from screening.errors import InputError, UsageError
from screening.vocabulary import MAX_NORAD_ID
from screening.volumes.shapes import volume_of
from storage.state.fleet_rules import FleetObject

LARGEST_FILE_BYTES = 1_000_000  # 5,000 numbers with volumes take a fifth

_NUMBER = re.compile(r"[0-9]{1,9}")
_HOURS = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)h")
_SEPARATORS = re.compile(r"[,;\s]+")
_SHOWN = 60


def read_objects(path: Path) -> tuple[FleetObject, ...]:
    """Read a file of catalogue numbers.

    They are separated by line breaks, commas or blanks; behind `#` is a comment. A volume, or hours as `48h`,
    behind numbers are those of all numbers before them on the line: `25544, 48274 box:2x25x25 48h`.

    Raises:
        InputError: it cannot be read, is too large, or has something else; the message has the line.
    """
    shown = path.absolute()
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(f"{shown} cannot be read: {error.strerror}.") from error
    if len(data) > LARGEST_FILE_BYTES:
        raise InputError(
            f"{shown} is too large: expected catalogue numbers, at most {LARGEST_FILE_BYTES:,} bytes."
        )
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{shown} is not UTF-8 text: expected catalogue numbers.") from error
    found = tuple(_each_alike(_objects_of(lines, str(shown)), str(shown)))
    if not found:
        raise InputError(
            f"{shown} has no catalogue numbers: expected one per line, or several separated by commas."
        )
    return found


def numbers_of(text: str, option: str) -> tuple[int, ...]:
    """Read catalogue numbers with commas or blanks between, as of an option. Raises UsageError."""
    words = [word for word in _SEPARATORS.split(text) if word]
    if not words or not all(map(_is_number, words)):
        raise UsageError(
            f"{option} is {_cut(text)!r}: expected catalogue numbers, 1 to {MAX_NORAD_ID}, separated "
            "by commas."
        )
    return tuple(map(int, words))


def object_with_volume(text: str) -> FleetObject:
    """Read `NUMBER=VOLUME`, as of an option. Raises UsageError."""
    number, equals, volume = text.partition("=")
    if not equals or not _is_number(number.strip()):
        raise UsageError(
            f"{_cut(text)!r} is not an object with its volume: expected its catalogue number, = and the "
            "volume, such as 25544=box:2x25x25."
        )
    try:
        volume_of(volume)
    except InputError as error:
        raise UsageError(f"--object-volume {int(number)}: {error}") from error
    return FleetObject(int(number), volume)


def _objects_of(lines: Iterable[str], file: str) -> Iterator[tuple[int, FleetObject]]:
    for place, line in enumerate(lines, start=1):
        numbers: list[int] = []
        volume, hours = None, None
        for word in _SEPARATORS.split(line.partition("#")[0].strip()):
            if _is_number(word) and volume is None and hours is None:
                numbers.append(int(word))
            elif numbers and hours is None and (length := _HOURS.fullmatch(word)):
                hours = float(length[1])
            elif numbers and volume is None and word[:1].isalpha():
                volume = word
            elif word:
                raise InputError(
                    f"{file}, line {place}: {_cut(word)!r} is not expected there. A line has catalogue "
                    f"numbers, 1 to {MAX_NORAD_ID}, optionally followed by their own volume and "
                    "hours: 25544 box:2x25x25 48h."
                )
        try:
            if volume is not None:
                volume_of(volume)
        except InputError as error:
            raise InputError(f"{file}, line {place}: {error}") from error
        for number in numbers:
            yield place, FleetObject(number, volume, hours)


def _each_alike(written: Iterable[tuple[int, FleetObject]], file: str) -> Iterator[FleetObject]:
    """Return objects with the lines they are from, without these. Raises InputError if two contradict."""
    known: dict[int, tuple[int, FleetObject]] = {}
    for place, one in written:
        first, same = known.setdefault(one.norad_id, (place, one))
        if same != one:
            raise InputError(
                f"{file}, line {place}: object {one.norad_id} has another volume or other hours in line "
                f"{first}: give it once."
            )
        yield one


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and 1 <= int(text) <= MAX_NORAD_ID


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
