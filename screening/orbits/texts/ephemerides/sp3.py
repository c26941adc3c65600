"""Read SP3-c and SP3-d, the ephemerides of navigation and laser-ranged satellites (IGS): Earth-fixed, km."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.ephemerides.checks import Refuse, Written, segment_of
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris, unreadable
from screening.orbits.texts.ephemerides.objects import AsWritten, Block, ReadObject
from screening.orbits.texts.ephemerides.times import to_utc

# Realisations of ITRF, within centimetres: IGS14, IGb20, ITR08, ITRF, SLR20.
_FRAME = re.compile(r"(?:IGS|IGB|ITR|ITF|SLR)\w*", re.IGNORECASE)
_TIME_SYSTEMS = {"GPS": "GPS", "UTC": "UTC", "TAI": "TAI", "TT": "TT"}
_HEADING = re.compile(r"#[cd][PV]\d{4}", re.ASCII)
_EPOCH = re.compile(r"\*  (\d{4}) ([ \d]\d) ([ \d]\d) ([ \d]\d) ([ \d]\d) +(\d{1,2}\.\d{1,9})", re.ASCII)
_MANOEUVRE_COLUMN = 78
_TIME_SYSTEM_LINE = "%c"


@dataclass
class _States:
    """States of one satellite between two thrusts."""

    epochs: list[np.datetime64] = field(default_factory=list)
    r_km: list[tuple[float, float, float]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def is_sp3(text: str) -> bool:
    """Return whether a text begins as SP3-c or SP3-d does."""
    return _HEADING.match(text) is not None


def read_sp3(text: str, source_name: str) -> list[Block]:
    """Return the segments of all satellites of a file. Velocities and clocks are not read.

    A satellite without a position at some epoch (zeros, or 999999) is without it; where the file marks a
    manoeuvre, a segment ends. Raises UnreadableEphemeris.
    """
    frame = text[46:51].strip()
    if not _FRAME.fullmatch(frame):
        raise unreadable(source_name, f"its frame is {frame!r}; allowed: ITRF, IGS, SLR frames", 1, text)
    blocks = []
    satellites, system = _satellites(text, source_name)
    for name, parts in satellites.items():
        used = [part for part in parts if len(part.epochs) > 1]
        if not used:
            raise unreadable(source_name, f"{name} has fewer than 2 states")
        for index, part in enumerate(used, 1):
            what = f"{name}, segment {index}"
            refuse = _refuse(part, what, text, source_name)
            segment, _, repaired, notes = segment_of(_written(part), what, refuse, refuse)
            as_written = AsWritten("SP3", frame, system, "", None, repaired, part.lines.__getitem__)
            blocks.append(Block(ReadObject(0, name, ""), "", segment, tuple(notes), as_written))
    return blocks


def _satellites(text: str, source_name: str) -> tuple[dict[str, list[_States]], str]:
    """Return the states of each satellite, and the time system."""
    satellites: dict[str, list[_States]] = defaultdict(lambda: [_States()])
    system = ""
    epoch: np.datetime64 | None = None
    for number, line in enumerate(lines_of(text), 1):
        if line.startswith(_TIME_SYSTEM_LINE) and not system:
            system = _time_system(line, number, text, source_name)
        elif line.startswith("EOF"):
            return satellites, system
        elif line.startswith("*"):
            epoch = _epoch(line, system, number, text, source_name)
        elif line.startswith("P"):
            if epoch is None:
                raise unreadable(source_name, "a position comes before the first epoch", number, text)
            _add(satellites[line[1:4].strip()], line, epoch, number, text, source_name)
    raise unreadable(source_name, "its last line is not EOF: it is cut off")


def _add(
    parts: list[_States], line: str, epoch: np.datetime64, number: int, text: str, source_name: str
) -> None:
    try:
        x, y, z = (float(line[start : start + 14]) for start in (4, 18, 32))
    except ValueError:
        raise unreadable(source_name, "a position is not three numbers of 14 columns", number, text) from None
    if x == y == z == 0.0 or max(abs(x), abs(y), abs(z)) >= 999_999.0:
        return
    parts[-1].epochs.append(epoch)
    parts[-1].r_km.append((x, y, z))
    parts[-1].lines.append(number)
    if line[_MANOEUVRE_COLUMN : _MANOEUVRE_COLUMN + 1] == "M":
        parts.append(_States())


def _time_system(line: str, number: int, text: str, source_name: str) -> str:
    given = line[9:12].strip()
    if given not in _TIME_SYSTEMS:
        why = f"its time system is {given!r}; allowed: {', '.join(_TIME_SYSTEMS)}"
        raise unreadable(source_name, why, number, text)
    return _TIME_SYSTEMS[given]


def _epoch(line: str, system: str, number: int, text: str, source_name: str) -> np.datetime64:
    match = _EPOCH.match(line)
    year, month, day, hour, minute = (int(word) for word in match.groups()[:5]) if match else 5 * (0,)
    try:
        minutes = np.datetime64(f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}", "us")
    except ValueError:  # month 0 too
        match = None
    if match is None:
        raise unreadable(source_name, "its epoch is not year, month, day, time", number, text)
    microseconds = round(float(match[6]) * 1e6)
    instant = minutes + np.timedelta64(microseconds, "us")
    return np.datetime64(to_utc(np.array([instant], "M8[us]"), system)[0], "us")


def _written(part: _States) -> Written:
    return Written(
        epochs=np.array(part.epochs, "M8[us]"),
        r_km=np.array(part.r_km),
        v_km_s=None,
        frame="ITRF",
        frozen_at=None,
        usable=(None, None),
        covariances=(),
    )


def _refuse(part: _States, what: str, text: str, source_name: str) -> Refuse:
    def refuse(why: str, index: int | None) -> UnreadableEphemeris:
        line = None if index is None else part.lines[index]
        return unreadable(source_name, f"{what}: {why}", line, text)

    return refuse
