"""Messages that we write as XML, against the schemas of CCSDS."""

from pathlib import Path
from typing import Any

import ccsds_ndm
import numpy as np

from screening.errors import InputError
from screening.orbits.ephemerides import Segment
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.risk.messages.read import each_message
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.validation.comparison import About, Comparison, Measure, NotRun, largest
from tests.validation.messages.files_read import FOLLOWS_THE_STANDARD, MESSAGE_FOLDERS
from tests.validation.messages.made_messages import (
    CATALOGUE,
    HOURS,
    ONE_IN,
    STATES,
    ephemeris_as_xml,
    events_as_xml,
    received_as_xml,
)
from tests.validation.messages.messages_read import files_in
from tests.validation.messages.plain_ephemerides import STARLINK, STATION

try:
    from lxml import etree
except ImportError:  # installed for development alone
    etree = None

SCHEMAS = "ndm/xsd"
MASTER = f"{SCHEMAS}/ndmxml-4.0.0-master-4.0.xsd"
EPHEMERIDES = (STARLINK, STATION)
ROUNDING_UM = 1.0
UM_PER_KM = 1e9

ABOUT = About(
    title="Written messages",
    source="CCSDS, schemas of NDM/XML 4.0.0 (https://sanaregistry.org/r/ndmxml_unqualified), by lxml; and "
    "the library ccsds-ndm.",
    what=f"Messages on all events of {HOURS:g} hours of one in {ONE_IN} objects of the catalogue, in both "
    f"frames; the real messages that follow the standard, as we share them; the first {STATES} states of "
    "both operators' ephemerides, as OEM in five frames. Every one must follow the schema. Messages "
    "on events are read by the library; ephemerides are read again.",
    limits="A message follows the schema or it does not. Positions are turned between frames and printed "
    "with all digits, so rounding is left.",
    files=(SCHEMAS, CATALOGUE, *MESSAGE_FOLDERS, *EPHEMERIDES),
    command='make test ARGS="tests/screening/risk/messages/written tests/storage/in_memory/test_messages.py"',
)


def compare(data: Path) -> Comparison:
    """Write all messages, and hold them against the schema."""
    schema = schema_of(data)
    names = filter(FOLLOWS_THE_STANDARD.fullmatch, files_in(data, MESSAGE_FOLDERS))
    handed_on = [received_as_xml(data, name) for name in names]
    paths = [made for name in EPHEMERIDES for made in ephemeris_as_xml(data, name)]
    events = list(events_as_xml(data))
    texts = {
        "messages on events": events,
        "messages shared": handed_on,
        "OEM": [text for _, text in paths],
    }
    measures = [
        Measure(f"{len(some):,} {kind}: not valid", sum(not is_valid(schema, text) for text in some), "", 0)
        for kind, some in texts.items()
    ]
    unread = sum(not is_read_alike(text) for text in events)
    measures.append(Measure("messages on events that ccsds-ndm does not read alike", unread, "", 0))
    apart_um = largest(off_um(written.segments[0], text) for written, text in paths)
    measures.append(Measure("OEM read again: largest difference", apart_um, "um", ROUNDING_UM, rounding=True))
    return Comparison(sum(map(len, texts.values())), "messages", tuple(measures))


def schema_of(data: Path) -> Any:
    """Read the schema of all messages, lxml's XMLSchema; raises NotRun without lxml."""
    if etree is None:
        raise NotRun("needs lxml")
    try:
        return etree.XMLSchema(etree.parse(str(data / MASTER)))
    except (etree.LxmlError, OSError) as error:
        raise InputError(f"{(data / MASTER).absolute()} is no schema ({error}): it is damaged.") from error


def is_valid(schema: Any, text: str) -> bool:
    """Return whether a text is XML that follows the schema."""
    try:
        return bool(schema.validate(etree.fromstring(text.encode())))
    except etree.XMLSyntaxError:
        return False


def is_read_alike(text: str) -> bool:
    """Return whether ccsds-ndm reads a message, and the same miss, objects and in-track variances."""
    ours = next(each_message(text))
    try:
        theirs = ccsds_ndm.from_str(text)
    except (ccsds_ndm.NdmError, ValueError):
        return False
    if isinstance(ours, UnreadableMessage) or not isinstance(theirs, ccsds_ndm.Cdm):
        return False
    same = theirs.body.relative_metadata_data.miss_distance == ours.miss_distance_m
    for segment, one in zip(theirs.body.segments, (ours.primary, ours.secondary), strict=True):
        same &= segment.metadata.object_designator == one.designator
        covariance = one.covariance_rtn  # None: its sigmas are those that stand for none
        same &= covariance is None or segment.data.covariance_matrix.ct_t == covariance[1, 1]
    return bool(same)


def off_um(written: Segment, text: str) -> float:
    """Return how far a coordinate is from the written one when a message is read again."""
    (read,) = chosen(read_ephemerides(text.encode(), "the message"), "the message").ephemeris.segments
    if not np.array_equal(read.epochs, written.epochs):
        return np.inf
    return float(np.abs(read.r_teme_km - written.r_teme_km).max()) * UM_PER_KM
