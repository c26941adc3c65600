"""Published ephemerides: read or refused as they should be, every state as it stands in the file."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from screening.errors import InputError
from screening.orbits.ephemerides import Segment
from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.objects import ReadEphemeris
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.timegrid import FloatArray, UtcArray
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import bytes_of
from tests.validation.messages.files_read import (
    EPHEMERIS_FOLDERS,
    READ_EPHEMERIDES,
    REFUSED_EPHEMERIDES,
    Readable,
    Refusal,
)
from tests.validation.messages.messages_read import files_in
from tests.validation.messages.plain_ephemerides import STARLINK, STATION, States, space_station, starlink

ROUNDING_UM = 1.0  # turned to TEME and back; a double resolves 1e-3 um at 7,000 km
PAIR = ("ndm/ocm/golden_ocm.ocm", "ndm/ocm/golden_ocm.xml")
OPERATORS: dict[str, Callable[[Path], States]] = {STARLINK: starlink, STATION: space_station}
WHOSE = {STARLINK: "STARLINK-2729", STATION: "space station"}
UM_PER_KM = 1e9

ABOUT = About(
    title="Reading ephemerides",
    source="Tests of Orekit (https://github.com/CS-SI/Orekit; examples of CCSDS 502.0, and files broken on "
    "purpose), an OCM in KVN and XML, NASA's ephemeris of the International Space Station "
    "(2022-02-14), SpaceX's of STARLINK-2729 (2023-01-29).",
    what="Every OEM and OCM is read, with object and number of states, or refused with line and reason: "
    "those about Mars, with clocks of their own, or broken. Every epoch and position of both "
    "operators' files is turned back to EME2000 and held against the numbers in the text.",
    limits="What rounding leaves of positions that are turned to TEME and back: a micrometre.",
    files=(*EPHEMERIS_FOLDERS, STARLINK),
    command='make test ARGS="tests/screening/orbits/texts/ephemerides"',
)


def compare(data: Path) -> Comparison:
    """Read every file, and compare every state of both operators' files."""
    names = files_in(data, EPHEMERIS_FOLDERS)
    outcomes = {name: outcome(data, name) for name in names}
    refused = sum(isinstance(found, UnreadableEphemeris) for found in outcomes.values())
    unexpected = sum(is_unexpected(name, found) for name, found in outcomes.items())
    measures = [
        Measure("read", len(names) - refused),
        Measure("refused", refused),
        Measure("not read or refused as expected", unexpected, "", 0),
    ]
    if set(PAIR) <= set(names):
        one, other = (segment_in(data, name) for name in PAIR)
        apart_um = float(np.abs(one.r_teme_km - other.r_teme_km).max()) * UM_PER_KM
        measures.append(Measure("OCM in KVN and XML: largest difference", apart_um, "um", 0))
    for name, read in OPERATORS.items():
        if (data / name).exists():
            epochs, r_km = read(data)
            apart_um = off_um(segment_in(data, name), epochs, r_km)
            title = f"{WHOSE[name]}, {len(epochs):,} states: largest difference"
            measures.append(Measure(title, apart_um, "um", ROUNDING_UM, rounding=True))
    return Comparison(len(names), "files", tuple(measures))


def outcome(data: Path, name: str) -> ReadEphemeris | UnreadableEphemeris:
    """Return the ephemeris of a file, or the error with which it is refused."""
    try:
        return chosen(read_ephemerides(bytes_of(data, name), name), name)
    except UnreadableEphemeris as error:
        return error


def is_unexpected(name: str, found: ReadEphemeris | UnreadableEphemeris) -> bool:
    """Return whether a file is not read, or not refused, as it should be; an unknown one is unexpected."""
    if isinstance(found, UnreadableEphemeris):
        refusal = REFUSED_EPHEMERIDES.get(name)
        return refusal is None or not _is_refused(found, refusal)
    readable = READ_EPHEMERIDES.get(name)
    return readable is None or not _is_read(found, readable)


def _is_refused(error: UnreadableEphemeris, expected: Refusal) -> bool:
    said = str(error)
    return bool(re.search(expected.reason, said)) and f"\n  line {expected.line:<4}: " in said


def _is_read(found: ReadEphemeris, expected: Readable) -> bool:
    counts = [len(segment.epochs) for segment in found.ephemeris.segments]
    noted = bool(found.notes) == bool(expected.note)
    said = not expected.note or any(re.search(expected.note, note) for note in found.notes)
    return found.ephemeris[:3] == expected[:3] and counts == [expected.states] and noted and said


def segment_in(data: Path, name: str) -> Segment:
    """Return the one segment of a file."""
    segments = chosen(read_ephemerides(bytes_of(data, name), name), name).ephemeris.segments
    if len(segments) != 1:
        raise InputError(f"{(data / name).absolute()} has {len(segments)} segments; expected 1.")
    return segments[0]


def off_um(segment: Segment, epochs: UtcArray, r_km: FloatArray) -> float:
    """Return how far a coordinate of a segment is from states in EME2000; infinite with other epochs."""
    if not np.array_equal(segment.epochs, epochs):
        return np.inf
    back, _ = rotations_to_teme("EME2000", epochs).from_teme(segment.r_teme_km, segment.r_teme_km)
    return float(np.abs(back - r_km).max()) * UM_PER_KM
