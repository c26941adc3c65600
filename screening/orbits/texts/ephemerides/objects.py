"""Blocks of a file put together: whose they are, and which of them follow one another."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.texts.ephemerides.errors import unreadable
from screening.orbits.timegrid import FloatArray, UtcArray
from screening.vocabulary import EphemerisForm

NUMBER_COMMENT = "NORAD_CAT_ID = "  # in the metadata of an OEM, whose OBJECT_ID is the designator
_DESIGNATOR = re.compile(r"(\d{4})-?(\d{3})-?([A-Z]{1,3})")


class ReadObject(NamedTuple):
    """The object that a block is about, if it says so."""

    norad_id: int  # 0: not said
    name: str
    object_id: str  # international designator; empty: not said

    @property
    def words(self) -> str:
        """How errors name it."""
        number = [str(self.norad_id)] if self.norad_id else []
        return " ".join([*number, self.name, *([f"({self.object_id})"] if self.object_id else [])]).strip()


class AsWritten(NamedTuple):
    """What a file says of a segment beside its path, for checks."""

    form: EphemerisForm
    frame: str
    time_system: str
    covariance_frame: str  # empty: no covariance
    v_teme_km_s: FloatArray | None  # (n, 3); None: it has none
    repaired: UtcArray  # epochs of covariances that were not positive definite, and were repaired
    line_of: Callable[[int], int | None]  # of a state


class Block(NamedTuple):
    """A segment of a file, with its object."""

    object: ReadObject
    candidate: str  # which of several trajectories of the object; empty: its only one
    segment: Segment
    notes: tuple[str, ...]
    written: AsWritten


class ReadEphemeris(NamedTuple):
    """An ephemeris of a file, and what is worth knowing about it."""

    ephemeris: Ephemeris
    candidate: str  # TRAJ_ID, if there are several trajectories of the object; empty: the only one
    notes: tuple[str, ...]
    written: tuple[AsWritten, ...]  # of each segment

    @property
    def words(self) -> str:
        """How errors name it."""
        words = ReadObject(*self.ephemeris[:3]).words or "an object without a name"
        return f"{words}, {self.candidate}" if self.candidate else words


def catalogue_number(text: str) -> int:
    """Return a catalogue number, 0 if the text is none."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


def normal_designator(text: str) -> str:
    """Return an international designator as 1998-067A, empty if the text is none."""
    match = _DESIGNATOR.fullmatch(text.strip().upper())
    return f"{match[1]}-{match[2]}{match[3]}" if match else ""


def put_together(blocks: Sequence[Block], source_name: str) -> list[ReadEphemeris]:
    """Return one ephemeris for each object and candidate, in the order of the file.

    Raises UnreadableEphemeris if segments of one trajectory go back in time, or both can be used at a time.
    """
    groups: dict[tuple[int | str, str], list[Block]] = {}
    for block in blocks:
        key = block.object.norad_id or block.object.object_id or block.object.name
        groups.setdefault((key, block.candidate), []).append(block)
    read = []
    for members in groups.values():
        whose, candidate = members[0].object, members[0].candidate
        segments = [block.segment for block in members]
        for i, (before, after) in enumerate(pairwise(segments), 2):
            if after.usable_from < before.usable_to:
                gone = f"segment {i} of {whose.words} begins at {after.usable_from}Z"
                raise unreadable(source_name, f"{gone}, before the one before it ends, {before.usable_to}Z")
        notes = tuple(note for block in members for note in block.notes)
        written = tuple(block.written for block in members)
        read.append(ReadEphemeris(Ephemeris(*whose, tuple(segments)), candidate, notes, written))
    return read
