"""Read conjunction data messages (CCSDS 508.0-B-1, and what later versions kept of it) for scoring.

    text -> entries (kvn, xml) -> values with units (values) -> ConjunctionMessage

A message that cannot be scored raises UnreadableMessage, which names line and keyword. One that contradicts
itself but can be scored is returned; encounter.remarks lists the contradictions.
"""

from collections.abc import Iterator

import numpy as np

from screening.errors import InputError
from screening.orbits.texts.decoding import catalogue_text
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.encounter import encounter, relative_rtn
from screening.risk.messages.entries import FIRST_KEYWORD, Entry, UnreadableMessage, unreadable
from screening.risk.messages.kvn import read_kvn
from screening.risk.messages.message import ConjunctionMessage, MessageObject
from screening.risk.messages.values import Values
from screening.risk.messages.xml import read_xml

MAX_BYTES = 16 * 1024**2  # one message has 10 kB

# Names of frames in messages, and their names here. TEME is not in the standard: receivers would misread its
# velocities and covariances.
FRAMES = {"EME2000": "EME2000", "J2000": "EME2000", "GCRF": "GCRF", "ICRF": "GCRF", "ITRF": "ITRF"}

SMALLEST_RADIUS_VECTOR_M, LARGEST_RADIUS_VECTOR_M = 1e6, 1e10
LARGEST_SPEED_M_S = 1e5
SMALLEST_RELATIVE_SPEED_M_S = 1e-6  # the last digit of velocities, written in km/s

_AXES = ("R", "T", "N")
_STATE = ("R", "T", "N", "RDOT", "TDOT", "NDOT")
_COVARIANCE_UNITS = ("m**2", "m**2/s", "m**2/s**2")


def read_messages(text: bytes | str, *, source_name: str = "the text") -> list[ConjunctionMessage]:
    """Read the conjunction data messages of a text, KVN or XML: the content decides.

    Bytes are decoded like those of a catalogue, gzip included. Raises UnreadableMessage if the text has no
    message, or one that cannot be scored.
    """
    content = _decoded(text, source_name)
    is_xml = content.lstrip().startswith("<")
    messages = read_xml(content, source_name) if is_xml else read_kvn(content, source_name)
    if not messages:
        first = next((line.strip() for line in content.split("\n") if line.strip()), "(nothing)")
        raise unreadable(source_name, f"it holds no message; messages begin with {FIRST_KEYWORD}", 1, first)
    return [_message(entries, source_name) for entries in messages]


def _decoded(text: bytes | str, source_name: str) -> str:
    try:
        return catalogue_text(text, max_bytes=MAX_BYTES, source_name=source_name)
    except InputError as error:
        why = str(error).rstrip(".").replace("\n", " ")
        raise UnreadableMessage(
            f"Cannot read a conjunction data message from {source_name}: {why}."
        ) from error


def _message(entries: list[Entry], source_name: str) -> ConjunctionMessage:
    header_entries, objects_entries = _parts(entries, source_name)
    header = Values(header_entries, "the message", source_name)
    parts = [Values(objects_entries[name], name, source_name) for name in ("OBJECT1", "OBJECT2")]
    tca = header.instant("TCA")
    if np.isnat(tca):
        raise header.missing("TCA")
    primary, secondary = (_object(part) for part in parts)
    for each, part in zip((primary, secondary), parts, strict=True):
        if len(each.covariance_rtn) < max(len(primary.covariance_rtn), len(secondary.covariance_rtn)):
            raise part.missing("CRDOT_R", ", that of the other object is not")
    message = ConjunctionMessage(
        version=header.words(FIRST_KEYWORD),
        message_id=header.words("MESSAGE_ID"),
        originator=header.words("ORIGINATOR"),
        creation_date=header.instant("CREATION_DATE"),
        tca=tca,
        primary=primary,
        secondary=secondary,
        hard_body_radius_m=_combined_radius_m(header, primary, secondary),
        miss_distance_m=header.number("MISS_DISTANCE", "m"),
        relative_speed_m_s=header.number("RELATIVE_SPEED", "m/s"),
        relative_position_rtn_m=np.array([header.number(f"RELATIVE_POSITION_{a}", "m") for a in _AXES]),
        relative_velocity_rtn_m_s=np.array([header.number(f"RELATIVE_VELOCITY_{a}", "m/s") for a in _AXES]),
        probability=_probability(header),
        probability_method=header.words("COLLISION_PROBABILITY_METHOD"),
        lines={keyword: entry.line for keyword, entry in header.entries.items()},
    )
    _require_encounter(message, parts[1])
    return message


def _parts(entries: list[Entry], source_name: str) -> tuple[list[Entry], dict[str, list[Entry]]]:
    """Split a message's entries into those before the first OBJECT and those of OBJECT1 and OBJECT2."""
    header: list[Entry] = []
    objects: dict[str, list[Entry]] = {}
    part = header
    for entry in entries:
        if entry.keyword == "OBJECT":
            name = entry.value.upper()
            if name not in ("OBJECT1", "OBJECT2") or name in objects:
                why = "OBJECT must be OBJECT1 and OBJECT2, each once"
                raise unreadable(source_name, why, entry.line, entry.text)
            part = objects.setdefault(name, [])
        part.append(entry)
    for name in ("OBJECT1", "OBJECT2"):
        if name not in objects:
            why = f"OBJECT = {name} is missing; perhaps the text is cut off"
            raise unreadable(source_name, why, entries[-1].line, entries[-1].text)
    return header, objects


def _object(values: Values) -> MessageObject:
    centre = values.words("ORBIT_CENTER")
    if centre and centre.upper() != "EARTH":
        raise values.wrong(values.entries["ORBIT_CENTER"], "must be EARTH")
    return MessageObject(
        designator=values.words("OBJECT_DESIGNATOR"),
        catalog_name=values.words("CATALOG_NAME"),
        name=values.words("OBJECT_NAME"),
        international_designator=values.words("INTERNATIONAL_DESIGNATOR"),
        frame=_frame(values),
        r_m=_vector(values, ("X", "Y", "Z"), "km", SMALLEST_RADIUS_VECTOR_M, LARGEST_RADIUS_VECTOR_M),
        v_m_s=_vector(values, ("X_DOT", "Y_DOT", "Z_DOT"), "km/s", 0.0, LARGEST_SPEED_M_S),
        covariance_rtn=_covariance(values),
        covariance_line=values.line("CR_R"),
        covariance_method=values.words("COVARIANCE_METHOD"),
        hard_body_radius_m=values.hard_body_radius_m(),
    )


def _frame(values: Values) -> str:
    entry = values.entry("REF_FRAME")
    if entry is None:
        raise values.missing("REF_FRAME")
    name = entry.value.upper().replace(" ", "")
    # Realisations of the terrestrial frame, such as ITRF2000 and ITRF-97, differ by centimetres.
    frame = FRAMES.get("ITRF" if name.startswith("ITRF") else name)
    if frame is None:
        raise values.wrong(entry, "must be EME2000, GCRF or ITRF")
    return frame


def _vector(
    values: Values, keywords: tuple[str, str, str], unit: str, smallest: float, largest: float
) -> FloatArray:
    vector = np.array([values.required(keyword, unit) for keyword in keywords])
    length = float(np.linalg.norm(vector))
    if not smallest <= length <= largest:
        why = (
            f"and its companions make a vector of {length:g} in SI units, must be from {smallest:g} "
            f"to {largest:g}"
        )
        raise values.wrong(values.entries[keywords[0]], why)
    return vector


def _covariance(values: Values) -> FloatArray:
    """Return the (6, 6) covariance, or (3, 3) if there is none for the velocity."""
    numbers = {
        (row, column): values.number(keyword, _COVARIANCE_UNITS[(row > 2) + (column > 2)])
        for row, column, keyword in _covariance_keywords()
    }
    size = 3 if all(np.isnan(numbers[row, column]) for row, column in numbers if row > 2) else 6
    covariance = np.empty((size, size))
    for row, column, keyword in _covariance_keywords():
        if row >= size:
            break
        if np.isnan(numbers[row, column]):
            kind = values.words("ALT_COV_TYPE")
            raise values.missing(keyword, f" (ALT_COV_TYPE {kind} is not read, only RTN)" if kind else "")
        covariance[row, column] = covariance[column, row] = numbers[row, column]
    return covariance


def _covariance_keywords() -> Iterator[tuple[int, int, str]]:
    for row, first in enumerate(_STATE):
        for column, second in enumerate(_STATE[: row + 1]):
            yield row, column, f"C{first}_{second}"


def _combined_radius_m(header: Values, primary: MessageObject, secondary: MessageObject) -> float:
    """Return the header's combined radius, else the sum of both; NaN if one is missing."""
    combined = header.hard_body_radius_m()
    return primary.hard_body_radius_m + secondary.hard_body_radius_m if np.isnan(combined) else combined


def _probability(header: Values) -> float:
    probability = header.number("COLLISION_PROBABILITY", "")
    if not (np.isnan(probability) or 0.0 <= probability <= 1.0):
        raise header.wrong(header.entries["COLLISION_PROBABILITY"], "must be from 0 to 1")
    return probability


def _require_encounter(message: ConjunctionMessage, secondary: Values) -> None:
    frames = {message.primary.frame, message.secondary.frame}
    if len(frames) > 1 and "ITRF" in frames:
        why = f"must be {message.primary.frame}, like that of OBJECT1: ITRF rotates with the Earth"
        raise secondary.wrong(secondary.entries["REF_FRAME"], why)
    _, velocity_m_s = relative_rtn(encounter(message))
    if np.linalg.norm(velocity_m_s) < SMALLEST_RELATIVE_SPEED_M_S:
        why = "and its companions equal those of OBJECT1; without relative velocity there is no encounter"
        raise secondary.wrong(secondary.entries["X_DOT"], why)
