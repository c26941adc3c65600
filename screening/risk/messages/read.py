"""Read conjunction data messages (CCSDS 508.0-B-1, and what later versions kept of it) for scoring.

    text -> entries (kvn, xml, json_form) -> values with units (values) -> ConjunctionMessage

A message that cannot be scored is an UnreadableMessage, which names line and keyword. One that contradicts
itself but can be scored is returned; encounter.remarks lists the contradictions.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.frames import EARTH_ROTATION_RAD_S
from screening.orbits.reference.local_axes import cross
from screening.orbits.texts.decoding import catalogue_text
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.covariances import read_covariance
from screening.risk.messages.drag import NOT_GIVEN, read_drag_error
from screening.risk.messages.encounter import encounter, relative_rtn
from screening.risk.messages.message import ConjunctionMessage, MessageObject, Remark
from screening.risk.messages.radii import Radius, combined_radius, object_radius
from screening.risk.messages.texts.entries import (
    FIRST_KEYWORD,
    OBJECT,
    Entry,
    Found,
    GoOn,
    MessageTexts,
    UnreadableMessage,
    unreadable,
)
from screening.risk.messages.texts.json_form import read_json
from screening.risk.messages.texts.keywords import unknown
from screening.risk.messages.texts.kvn import read_kvn
from screening.risk.messages.texts.xml import read_xml
from screening.risk.messages.values import Values
from screening.vocabulary import Manoeuvrable

# Read one object of a message: its name, its state at TCA, its covariance and its radius.

# Names of frames in messages, and their names here. TEME is not in the standard: receivers would misread its
# velocities and covariances.
FRAMES = {"EME2000": "EME2000", "J2000": "EME2000", "GCRF": "GCRF", "ICRF": "GCRF", "ITRF": "ITRF"}

SMALLEST_RADIUS_VECTOR_M, LARGEST_RADIUS_VECTOR_M = 1e6, 1e10
LARGEST_SPEED_M_S = 1e5
# Sine of the angle between position and velocity: below it the axes R, T, N are not defined.
SMALLEST_SINE = 1e-9
_MANOEUVRABLE: dict[str, Manoeuvrable] = {"YES": "yes", "NO": "no"}


def state_object(values: Values) -> tuple[MessageObject, Radius, list[Remark]]:
    """Return an object with its state, its radius, and remarks on its covariance and drag errors.

    Raises UnreadableMessage if a required value is missing or wrong.
    """
    centre = values.words("ORBIT_CENTER")
    if centre and centre.upper() != "EARTH":
        raise values.wrong(values.entries["ORBIT_CENTER"], "must be EARTH")
    frame = _frame(values)
    r_m = _vector(values, ("X", "Y", "Z"), "km", SMALLEST_RADIUS_VECTOR_M, LARGEST_RADIUS_VECTOR_M)
    v_m_s = _vector(values, ("X_DOT", "Y_DOT", "Z_DOT"), "km/s", 0.0, LARGEST_SPEED_M_S)
    _require_plane(values, r_m, v_m_s, frame)
    covariance, about_covariance = read_covariance(values, r_m, v_m_s, frame)
    drag_error, about_drag = read_drag_error(values)
    radius = object_radius(values)
    each = _named(values, frame, r_m, v_m_s, covariance, drag_error, radius)
    return each, radius, about_covariance + about_drag


def _named(
    values: Values,
    frame: str,
    r_m: FloatArray,
    v_m_s: FloatArray,
    covariance: FloatArray | None,
    drag_error: FloatArray,
    radius: Radius,
) -> MessageObject:
    return MessageObject(
        designator=values.words("OBJECT_DESIGNATOR"),
        catalog_name=values.words("CATALOG_NAME"),
        name=values.words("OBJECT_NAME"),
        international_designator=values.words("INTERNATIONAL_DESIGNATOR"),
        frame=frame,
        r_m=r_m,
        v_m_s=v_m_s,
        covariance_rtn=covariance,
        covariance_line=values.line("CR_R"),
        covariance_method=values.words("COVARIANCE_METHOD"),
        ephemeris_name=values.words("EPHEMERIS_NAME"),
        drag_error_rtn=drag_error,
        hard_body_radius_m=radius.metres,
        manoeuvrable=_MANOEUVRABLE.get(values.words("MANEUVERABLE").upper()),
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


def _require_plane(values: Values, r_m: FloatArray, v_m_s: FloatArray, frame: str) -> None:
    """Raise UnreadableMessage if position and inertial velocity span no plane."""
    inertial = v_m_s + np.cross([0.0, 0.0, EARTH_ROTATION_RAD_S], r_m) if frame == "ITRF" else v_m_s
    normal = np.linalg.norm(cross(r_m, inertial))
    if not normal > SMALLEST_SINE * np.linalg.norm(r_m) * np.linalg.norm(inertial):
        why = "and its companions lie along the position, or are 0: such an object has no orbit"
        raise values.wrong(values.entries["X_DOT"], why)


def summary_object(values: Values) -> tuple[MessageObject, Radius, list[Remark]]:
    """Return an object of a message without states, and its radius."""
    radius = object_radius(values)
    unknown = np.full(3, np.nan)
    return _named(values, "", unknown, unknown, None, NOT_GIVEN, radius), radius, []


MAX_BYTES = 64_000_000  # a message has 10 kB, a summary 500 bytes
MAX_MESSAGES = 100_000  # the scores of so many take 400 MB

SMALLEST_RELATIVE_SPEED_M_S = 1e-6  # the last digit of velocities, written in km/s
FARTHEST_TCA = np.timedelta64(60, "D")  # nobody knows orbits for longer

_AXES = ("R", "T", "N")
_BEGIN_CHARACTERS = 1_000_000  # blanks allowed before the first message


class ReadMessage(NamedTuple):
    """A message, and what it was read from."""

    message: ConjunctionMessage
    entries: list[Entry]
    text: str  # its own, whatever else stood beside it


def each_message(
    text: bytes | str, *, source_name: str = "the text"
) -> Iterator[ConjunctionMessage | UnreadableMessage]:
    """Yield each message of a text (KVN, XML or JSON, recognised by its content) or the error of a bad one.

    Reading goes on after a bad message if its end is clear. Bytes are decoded like those of a catalogue, gzip
    included. A text without a message yields one error.
    """
    for one in each_with_text(text, source_name=source_name):
        yield one.message if isinstance(one, ReadMessage) else one


def each_with_text(
    text: bytes | str, *, source_name: str = "the text", go_on: GoOn = lambda: None
) -> Iterator[ReadMessage | UnreadableMessage]:
    """Yield each message as `each_message` does, with its entries and its text.

    `go_on` is also called within long messages, and may raise to end the reading.
    """
    number = 0
    try:
        content = _decoded(text, source_name)
        for found in _texts(content, source_name, go_on):
            number += 1
            if number > MAX_MESSAGES:
                more = f"{source_name} holds more than {MAX_MESSAGES:,} messages; the others are not read"
                yield UnreadableMessage(f"{more}. Divide it.")
                return
            name = source_name if number == 1 else f"{source_name}, message {number}"
            yield found if isinstance(found, UnreadableMessage) else _read(found, name)
    except UnreadableMessage as error:
        yield error
        return
    if number == 0:
        first = content[:_BEGIN_CHARACTERS].strip().partition("\n")[0] or "(nothing)"
        yield unreadable(source_name, f"it holds no message; messages begin with {FIRST_KEYWORD}", 1, first)


def _texts(content: str, source_name: str, go_on: GoOn) -> MessageTexts:
    begin = content[:_BEGIN_CHARACTERS].lstrip()
    if not begin:
        return iter(())
    if begin.startswith("<"):
        return read_xml(content, source_name, go_on)
    if begin.startswith(("{", "[")):
        return read_json(content, source_name, go_on)
    return read_kvn(content, source_name, go_on)


def _read(found: Found, source_name: str) -> ReadMessage | UnreadableMessage:
    try:
        return ReadMessage(_message(found.entries, source_name), *found)
    except UnreadableMessage as error:
        return error


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
    creation_date = header.instant("CREATION_DATE")
    if tca - creation_date > FARTHEST_TCA:  # NaT is not
        why = f"must be at most {FARTHEST_TCA} after CREATION_DATE, {creation_date}"
        raise header.wrong(header.entries["TCA"], why)
    summary = _is_summary(header, parts)
    read = [summary_object(part) if summary else state_object(part) for part in parts]
    (primary, first_radius, first_notes), (secondary, second_radius, second_notes) = read
    _require_like_covariances(primary, secondary, parts)
    radius = combined_radius(header, first_radius, second_radius)
    message = ConjunctionMessage(
        version=header.words(FIRST_KEYWORD),
        message_id=header.words("MESSAGE_ID"),
        originator=header.words("ORIGINATOR"),
        creation_date=creation_date,
        tca=tca,
        primary=primary,
        secondary=secondary,
        hard_body_radius_m=radius.metres,
        hard_body_source=radius.source,
        miss_distance_m=header.number("MISS_DISTANCE", "m"),
        relative_speed_m_s=header.number("RELATIVE_SPEED", "m/s"),
        relative_position_rtn_m=np.array([header.number(f"RELATIVE_POSITION_{a}", "m") for a in _AXES]),
        relative_velocity_rtn_m_s=np.array([header.number(f"RELATIVE_VELOCITY_{a}", "m/s") for a in _AXES]),
        probability=_probability(header),
        probability_method=header.words("COLLISION_PROBABILITY_METHOD"),
        lines={keyword: entry.line for keyword, entry in header.entries.items()},
        notes=[*_about_keywords(entries), *first_notes, *second_notes],
    )
    if summary:
        _require_summary(message, header, parts)
    else:
        _require_encounter(message, parts[1])
    return message


def _about_keywords(entries: list[Entry]) -> list[Remark]:
    """Return a remark on keywords that are not in the standard: one may be misspelt. JSON has many others."""
    ignored = unknown(entry for entry in entries if not entry.written)
    more = f", and so are {len(ignored) - 1} more" if len(ignored) > 1 else ""
    text = f"is not a keyword of the standard and is ignored{more}"
    return [Remark(entry.line, entry.keyword, text) for entry in ignored[:1]]


def _is_summary(header: Values, parts: list[Values]) -> bool:
    """Return whether a message has no states because its form has none: `cdm_public`, which is not a CDM."""
    stateless = all(part.entry(keyword) is None for part in parts for keyword in ("X", "Y", "Z", "REF_FRAME"))
    return stateless and not header.words(FIRST_KEYWORD)


def _require_summary(message: ConjunctionMessage, header: Values, parts: list[Values]) -> None:
    """Raise UnreadableMessage if a summary lacks a designator or the miss distance."""
    for each, part in zip((message.primary, message.secondary), parts, strict=True):
        if not each.designator:
            raise part.missing("OBJECT_DESIGNATOR", ", and so are states")
    if np.isnan(message.miss_distance_m):
        raise header.missing("MISS_DISTANCE", ", and so are states")
    if message.miss_distance_m < 0.0:
        raise header.wrong(header.entries["MISS_DISTANCE"], "must not be negative")


def _require_like_covariances(primary: MessageObject, secondary: MessageObject, parts: list[Values]) -> None:
    """Raise UnreadableMessage if only one covariance includes velocities."""
    sizes = [0 if each.covariance_rtn is None else len(each.covariance_rtn) for each in (primary, secondary)]
    for size, part in zip(sizes, parts, strict=True):
        if 0 < size < max(sizes):
            raise part.missing("CRDOT_R", ", that of the other object is not")


def _parts(entries: list[Entry], source_name: str) -> tuple[list[Entry], dict[str, list[Entry]]]:
    """Split a message's entries into those before the first OBJECT and those of OBJECT1 and OBJECT2."""
    header: list[Entry] = []
    objects: dict[str, list[Entry]] = {}
    part = header
    for entry in entries:
        if entry.keyword == OBJECT:
            name = entry.value.upper()
            if name not in ("OBJECT1", "OBJECT2") or name in objects:
                why = "OBJECT must be OBJECT1 and OBJECT2, each once"
                raise unreadable(source_name, why, entry.line, entry.text, OBJECT)
            part = objects.setdefault(name, [])
        part.append(entry)
    for name in ("OBJECT1", "OBJECT2"):
        if name not in objects:
            why = f"OBJECT = {name} is missing; perhaps the text is cut off"
            raise unreadable(source_name, why, entries[-1].line, entries[-1].text, OBJECT)
    return header, objects


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
