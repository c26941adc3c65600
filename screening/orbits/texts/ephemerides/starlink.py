"""Read Starlink's ephemerides: EME2000, km, km/s, a covariance in UVW with each state.

Four lines of heading, then four lines an epoch: its time as YYYYDDDhhmmss.sss UTC with a state, and the lower
triangle of a 6 x 6 covariance. Whose it is stands in the name of the file alone:
MEME_<catalogue number>_<name>_<start>_<kind>_<stop>_UNCLASSIFIED.txt.
"""

import re
from pathlib import PurePath

import numpy as np

from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.ephemerides.checks import Written, WrittenCovariance, segment_of
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris, unreadable
from screening.orbits.texts.ephemerides.frames import LOCAL_FRAMES, LocalName, local_frame_of
from screening.orbits.texts.ephemerides.objects import AsWritten, Block, ReadObject
from screening.orbits.texts.ephemerides.times import WrongEpoch, read_epochs
from screening.orbits.timegrid import FloatArray

_HEADING_LINES = 4
_EPOCH_LINES = 4
_NUMBERS = 28  # an epoch, a state of 6, a triangle of 21
_LINE_NUMBERS = 7
_EPOCH = re.compile(r"(\d{4})(\d{3})(\d\d)(\d\d)(\d\d(?:\.\d*)?)", re.ASCII)
_FILE_NAME = re.compile(r"MEME_(\d{1,9})_(.+?)_\d{7}_", re.ASCII)
_STOP = re.compile(r"ephemeris_stop:(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC", re.ASCII)
_LOWER = np.tril_indices(6)


def is_starlink(text: str) -> bool:
    """Return whether a text has the heading of such a file."""
    return text[:200].lstrip().lower().startswith("created:") and "ephemeris_start:" in text[:500]


def read_starlink(text: str, source_name: str) -> list[Block]:
    """Return the one segment of a file. Raises UnreadableEphemeris."""
    heading = text.split("\n", _HEADING_LINES)
    if len(heading) <= _HEADING_LINES:
        raise unreadable(source_name, "it has a header but no states")
    frame = local_frame_of(heading[3])
    if frame is None:
        why = f"the frame of its covariances is {heading[3].strip()[:20]!r}; allowed: {LOCAL_FRAMES}"
        raise unreadable(source_name, why, _HEADING_LINES, text)
    written = _written(heading[4], frame, text, source_name)

    def refuse(why: str, index: int | None) -> UnreadableEphemeris:
        return unreadable(source_name, why, None if index is None else _line_of(index), text)

    segment, velocities, repaired, notes = segment_of(written, "the file", refuse, refuse)
    if stop := _STOP.search(heading[1]):
        end = np.datetime64(f"{stop[1]}T{stop[2]}", "us")
        if end - segment.epochs[-1] > 2 * np.diff(segment.epochs).max():
            notes.append(f"its states end at {segment.epochs[-1]}Z, ephemeris_stop is {end}Z; cut off?")
    as_written = AsWritten("MEME", "EME2000", "UTC", frame, velocities, repaired, _line_of)
    return [Block(_object(source_name), "", segment, tuple(notes), as_written)]


def _line_of(index: int) -> int:
    """Return the line of a state."""
    return _HEADING_LINES + 1 + _EPOCH_LINES * index


def _written(body: str, frame: LocalName, text: str, source_name: str) -> Written:
    words = body.split()
    try:
        numbers: FloatArray = np.array(words, float).reshape(-1, _NUMBERS)
    except ValueError:
        raise _first_wrong_line(text, source_name) from None
    try:
        epochs = read_epochs([_iso(word) for word in words[::_NUMBERS]], "UTC")
    except WrongEpoch as error:
        why = "its epoch is not of the form YYYYDDDhhmmss.sss"
        raise unreadable(source_name, why, _line_of(error.index), text) from None
    covariances = np.zeros((len(numbers), 6, 6))
    covariances[:, _LOWER[0], _LOWER[1]] = covariances[:, _LOWER[1], _LOWER[0]] = numbers[:, 7:]
    return Written(
        epochs=epochs,
        r_km=numbers[:, 1:4],
        v_km_s=numbers[:, 4:7],
        frame="EME2000",
        frozen_at=None,
        usable=(None, None),
        covariances=tuple(
            WrittenCovariance(epoch, matrix, frame) for epoch, matrix in zip(epochs, covariances, strict=True)
        ),
    )


def _iso(word: str) -> str:
    match = _EPOCH.fullmatch(word)
    return "{}-{}T{}:{}:{}".format(*match.groups()) if match else word


def _first_wrong_line(text: str, source_name: str) -> UnreadableEphemeris:
    last = 0
    for number, line in enumerate(lines_of(text), 1):
        words = line.split()
        if number <= _HEADING_LINES or not words:
            continue
        last = number
        try:
            np.array(words, float)
            why = f"it has {len(words)} numbers, and not {_LINE_NUMBERS}"
            wrong = len(words) != _LINE_NUMBERS
        except ValueError:
            why, wrong = "it has something other than numbers", True
        if wrong:
            return unreadable(source_name, why, number, text)
    return unreadable(source_name, "it ends within a state and its covariance; cut off?", last, text)


def _object(source_name: str) -> ReadObject:
    match = _FILE_NAME.search(PurePath(source_name).name)
    return ReadObject(int(match[1]), match[2], "") if match else ReadObject(0, "", "")
