"""Read a catalogue text of any known format into validated element sets, one per object."""

import re
from collections.abc import Callable, Iterable
from itertools import islice

import numpy as np

from screening.errors import UnreadableCatalogue
from screening.orbits.elements import Catalogue, ElementArray, validate
from screening.orbits.texts import tle
from screening.orbits.texts.decoding import DEFAULT_MAX_BYTES, catalogue_text, lines_of
from screening.orbits.texts.epochs import ISO_EPOCH, EpochForm
from screening.orbits.texts.omm.csv import DELIMITERS, read_omm_csv
from screening.orbits.texts.omm.fields import REQUIRED, OmmRecords, to_elements
from screening.orbits.texts.omm.json import read_omm_json
from screening.orbits.texts.omm.kvn import FIRST_KEYWORD, read_omm_kvn
from screening.orbits.texts.omm.xml import read_omm_xml
from screening.orbits.texts.rejections import KEPT_REJECTIONS, MAX_RECORDS
from screening.orbits.texts.unreadable import none_usable, unreadable

# Each returns the records in pieces.
_READERS: dict[str, Callable[[str, str], Iterable[OmmRecords]]] = {
    "omm-csv": read_omm_csv,
    "omm-json": read_omm_json,
    "omm-kvn": lambda text, source_name: [read_omm_kvn(text, source_name)],
    "omm-xml": lambda text, source_name: [read_omm_xml(text, source_name)],
    "tle": tle.read_tle,
}

_EXPECTED = f"{', '.join(REQUIRED)} as OMM in CSV, JSON, XML or KVN, or TLE:\n" + "\n".join(
    f"             {line}" for line in tle.EXPECTED
)
_START_CHARACTERS = 65536  # the first elements of an XML text and the header of a table fit well within
_XML_MESSAGE = re.compile(r"<(?:[\w.-]+:)?(?:ndm|omm|segment)[\s>]")
_WEB_PAGE = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_KVN_MESSAGE = re.compile(rf"^[ \t]*{FIRST_KEYWORD}[ \t]*=", re.MULTILINE)


def parse_catalogue(
    text: bytes | str, *, source_name: str = "the text", max_bytes: int = DEFAULT_MAX_BYTES
) -> Catalogue:
    """Read a catalogue in any format, recognised by its content, not by a name.

    OMM as CSV, JSON, XML or KVN, and TLE with or without names; compressed by gzip or not; UTF-8, UTF-16 with
    a byte order mark, else Latin-1. If an object occurs twice, the newest epoch is kept, and of equal epochs
    the later one in the text. `source_name` appears in errors. Raises UnreadableCatalogue if no element set
    is usable or the text is cut off, InputError if there are more than `max_bytes` bytes, decompressed if
    compressed, or more records than any catalogue has. Time and memory are linear in the size of the text.

    A table may end without a line feed if its last record has all its fields; whether the last of them has
    all its digits, cannot be decided. A table, TLE, KVN and JSON lines cut after a record seem whole.
    """
    every = parse_every_set(text, source_name=source_name, max_bytes=max_bytes)
    newest = _newest_of_each(every.elements)
    return every._replace(elements=newest, superseded=len(every.elements) - len(newest))


def parse_every_set(
    text: bytes | str, *, source_name: str = "the text", max_bytes: int = DEFAULT_MAX_BYTES
) -> Catalogue:
    """Read a catalogue as `parse_catalogue`, with all sets of each object, in the order of the text."""
    content = catalogue_text(text, max_bytes=max_bytes, source_name=source_name)
    text_format, epoch_form, pieces = records_of(content, source_name)
    valid, rejected, uncounted = [], [], 0
    for piece in pieces:
        read, lines, unread = to_elements(piece, epoch_form)
        accepted, invalid = validate(read, lines)
        valid.append(accepted)
        rejected += unread + invalid
        uncounted += piece.rejected.count - len(piece.rejected.kept)
    elements = np.concatenate(valid)
    del valid
    rejected.sort()
    if len(elements) == 0:
        raise none_usable(source_name, rejected, len(rejected) + uncounted)
    kept = rejected[:KEPT_REJECTIONS]
    more = uncounted + len(rejected) - len(kept)
    return Catalogue(elements, kept, 0, text_format, more)


def records_of(content: str, source_name: str) -> tuple[str, EpochForm, Iterable[OmmRecords]]:
    """Recognise a text; return its format, the form of its epochs, and its records in pieces.

    Raises UnreadableCatalogue, the pieces too.
    """
    text_format = _recognised(content)
    if text_format is None:
        raise _unrecognised(content, source_name)
    epoch_form = tle.TLE_EPOCH if text_format == "tle" else ISO_EPOCH
    return text_format, epoch_form, _READERS[text_format](content, source_name)


def _newest_of_each(elements: ElementArray) -> ElementArray:
    """Return one element set per object, sorted by norad_id."""
    if (np.diff(elements["norad_id"]) > 0).all():
        return elements
    # lexsort is stable: of equal epochs the later in the text comes last.
    order = np.lexsort((elements["epoch_day_fraction"], elements["epoch_jd"], elements["norad_id"]))
    newest: ElementArray = elements[order[np.append(np.diff(elements["norad_id"][order]) != 0, True)]]
    return newest


def _recognised(content: str) -> str | None:
    """Return the name of the content's format, None if it is unknown."""
    start = content.lstrip()[:_START_CHARACTERS]
    if start.startswith(("[", "{")):
        return "omm-json"
    if start.startswith("<"):
        return "omm-xml" if _XML_MESSAGE.search(start) and not _WEB_PAGE.search(start) else None
    if FIRST_KEYWORD in content and _KVN_MESSAGE.search(content):  # the first alone takes a 50th of the time
        return "omm-kvn"
    header = start.partition("\n")[0].upper()
    if any(mark in header for mark in DELIMITERS) and any(keyword in header for keyword in REQUIRED):
        return "omm-csv"
    return "tle" if any(map(tle.is_element_line, islice(lines_of(content), MAX_RECORDS))) else None


def _unrecognised(content: str, source_name: str) -> UnreadableCatalogue:
    first = next(((i, line) for i, line in enumerate(lines_of(content), 1) if line.strip()), None)
    if first is None:
        return unreadable(source_name, "it is empty", 1, "(nothing)", _EXPECTED)
    web_page = _WEB_PAGE.search(content[:_START_CHARACTERS])
    why = "it is a web page, perhaps an error page of the server" if web_page else "it is neither OMM nor TLE"
    return unreadable(source_name, why, first[0], first[1].strip(), _EXPECTED)
