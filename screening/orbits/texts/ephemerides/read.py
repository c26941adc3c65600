"""Read ephemerides of any known format, recognised by its content."""

import re
from collections.abc import Sequence

import ccsds_ndm

from screening.errors import InputError, UnreadableCatalogue
from screening.orbits.texts.decoding import beginning, catalogue_text
from screening.orbits.texts.ephemerides.errors import unreadable
from screening.orbits.texts.ephemerides.messages import read_messages
from screening.orbits.texts.ephemerides.objects import Block, ReadEphemeris, put_together
from screening.orbits.texts.ephemerides.ocm import read_ocm
from screening.orbits.texts.ephemerides.oem import read_oem
from screening.orbits.texts.ephemerides.sp3 import is_sp3, read_sp3
from screening.orbits.texts.ephemerides.starlink import is_starlink, read_starlink

MAX_BYTES = 32 * 1024**2  # a year of 60 s steps in OEM has 60 MB, Starlink's three days 2 MB
MAX_LINES = 2_000_000

_MESSAGE = re.compile(r"^[ \t]*CCSDS_[A-Z]{3}_VERS[ \t]*=|<(?:[\w.-]+:)?(?:ndm|oem|ocm)[\s>]", re.MULTILINE)
_EPHEMERIS = re.compile(r"^[ \t]*CCSDS_O[EC]M_VERS[ \t]*=|<(?:[\w.-]+:)?(?:oem|ocm)[\s>]", re.MULTILINE)
_START_CHARACTERS = 65536
_FORMATS = "OEM or OCM (KVN or XML), Starlink's text, SP3-c or SP3-d"


def read_ephemerides(data: bytes, name: str) -> list[ReadEphemeris]:
    """Return the ephemerides of a file: one for each object, and for each of several trajectories of one.

    `name` is that of the file: errors name it, and Starlink's files identify their satellite by it. The data
    may be compressed by gzip. Raises UnreadableEphemeris, InputError above MAX_BYTES or MAX_LINES.
    """
    try:
        text = catalogue_text(data, max_bytes=MAX_BYTES, source_name=name)
    except UnreadableCatalogue:
        raise unreadable(name, "its gzip data are damaged or cut off") from None
    if (lines := text.count("\n")) > MAX_LINES:
        raise InputError(f"{name} has {lines:,} lines; at most {MAX_LINES:,} are allowed.")
    return put_together(_blocks(text, name), name)


def is_ephemeris(data: bytes) -> bool:
    """Return whether the content of a file begins as an ephemeris does, compressed by gzip or not."""
    text = beginning(data, _START_CHARACTERS)
    return is_starlink(text) or is_sp3(text) or _EPHEMERIS.search(text) is not None


def chosen(read: Sequence[ReadEphemeris], name: str, choice: str = "") -> ReadEphemeris:
    """Return the one ephemeris of a file, or the one of `choice`: number, name, designator or trajectory.

    Raises InputError with what there is, if that is not exactly one.
    """
    wanted = choice.strip().casefold()
    found = [one for one in read if not wanted or wanted in _names(one)]
    if len(found) == 1:
        return found[0]
    there = "; ".join(one.words for one in read[:10]) + (" ..." if len(read) > 10 else "")
    if not wanted:
        raise InputError(f"{name} contains {len(read)} trajectories; choose one: {there}.")
    count = "none" if not found else f"{len(found)} trajectories"
    raise InputError(f"{name} holds {count} of {choice!r}. It holds: {there}.")


def _names(one: ReadEphemeris) -> set[str]:
    names = (str(one.ephemeris.norad_id), one.ephemeris.name, one.ephemeris.object_id, one.candidate)
    return {name.casefold() for name in names} - {"", "0"}


def _blocks(text: str, name: str) -> list[Block]:
    if is_starlink(text):
        return read_starlink(text, name)
    if is_sp3(text):
        return read_sp3(text, name)
    if not _MESSAGE.search(text[:_START_CHARACTERS]):
        raise unreadable(
            name,
            f"it is empty; expected: {_FORMATS}" if not text.strip() else f"it is none of {_FORMATS}",
            1,
            text,
        )
    blocks: list[Block] = []
    for message in read_messages(text, name):
        if isinstance(message, ccsds_ndm.Oem):
            blocks += read_oem(message, text, name)
        else:
            blocks += read_ocm(message, text, name)
    return blocks
