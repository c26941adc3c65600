"""Conjunction data messages made for tests, as KVN, the same in XML, and a summary in JSON."""

import re
from xml.sax.saxutils import escape, quoteattr

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.texts.entries import UnreadableMessage

HEADER = {
    "CCSDS_CDM_VERS": "1.0",
    "CREATION_DATE": "2024-11-01T10:00:00.000",
    "ORIGINATOR": "MADE UP",
    "MESSAGE_ID": "1",
    "TCA": "2024-11-02T03:04:05.678",
    "MISS_DISTANCE": "1000 [m]",
    "RELATIVE_SPEED": "10606.6 [m/s]",
    "RELATIVE_POSITION_R": "1000 [m]",
    "RELATIVE_POSITION_T": "0 [m]",
    "RELATIVE_POSITION_N": "0 [m]",
    "RELATIVE_VELOCITY_R": "0 [m/s]",
    "RELATIVE_VELOCITY_T": "-7500 [m/s]",
    "RELATIVE_VELOCITY_N": "7500 [m/s]",
    "COLLISION_PROBABILITY": "1.5e-05",
    "COLLISION_PROBABILITY_METHOD": "FOSTER-1992",
    "HBR": "12.5 [m]",
}
# Space-Track's class cdm_public, all strings.
SUMMARY = {
    "CDM_ID": "392735348",
    "CREATED": "2022-12-02 02:09:06.000000",
    "EMERGENCY_REPORTABLE": "Y",
    "TCA": "2022-12-04T01:03:42.235000",
    "MIN_RNG": "886",
    "PC": "0.000173503",
    "SAT_1_ID": "3740",
    "SAT_1_NAME": "THOR ABLESTAR DEB",
    "SAT1_OBJECT_TYPE": "DEBRIS",
    "SAT1_RCS": "SMALL",
    "SAT_1_EXCL_VOL": "5.00",
    "SAT_2_ID": "87650",
    "SAT_2_NAME": "UNKNOWN",
    "SAT2_OBJECT_TYPE": "UNKNOWN",
    "SAT2_RCS": "SMALL",
    "SAT_2_EXCL_VOL": "5.00",
}
STATE_NAMES = ("R", "T", "N", "RDOT", "TDOT", "NDOT")
UNITS = ("[m**2]", "[m**2/s]", "[m**2/s**2]")
VARIANCES = (100.0, 10000.0, 400.0, 1e-2, 1e-4, 1e-4)


def _covariance() -> dict[str, str]:
    return {
        f"C{row}_{column}": f"{VARIANCES[i] if i == j else 0.0} {UNITS[(i > 2) + (j > 2)]}"
        for i, row in enumerate(STATE_NAMES)
        for j, column in enumerate(STATE_NAMES[: i + 1])
    }


def _object(name: str, designator: str, x_km: str, velocity_km_s: tuple[str, str]) -> dict[str, str]:
    return {
        "OBJECT": name,
        "OBJECT_DESIGNATOR": designator,
        "CATALOG_NAME": "SATCAT",
        "OBJECT_NAME": f"SATELLITE <{designator}> [A]",
        "INTERNATIONAL_DESIGNATOR": "2024-001A",
        "EPHEMERIS_NAME": "NONE",
        "COVARIANCE_METHOD": "CALCULATED",
        "REF_FRAME": "EME2000",
        "X": f"{x_km} [km]",
        "Y": "0.0 [km]",
        "Z": "0.0 [km]",
        "X_DOT": "0.0 [km/s]",
        "Y_DOT": f"{velocity_km_s[0]} [km/s]",
        "Z_DOT": f"{velocity_km_s[1]} [km/s]",
        **_covariance(),
    }


def read_messages(text: bytes | str, *, source_name: str = "the text") -> list[ConjunctionMessage]:
    """The messages of a text; raises the first error."""
    messages = []
    for found in each_message(text, source_name=source_name):
        if isinstance(found, UnreadableMessage):
            raise found
        messages.append(found)
    return messages


Parts = list[dict[str, str]]  # the header, OBJECT1, OBJECT2


def parts() -> Parts:
    """A message of two objects that cross at a right angle, 1 km apart, radially."""
    return [
        dict(HEADER),
        _object("OBJECT1", "000012345", "7000.0", ("7.5", "0.0")),
        _object("OBJECT2", "000067890", "7001.0", ("0.0", "7.5")),
    ]


def kvn(message: Parts | None = None) -> str:
    """The message as lines."""
    return "".join(f"{key:<30} = {value}\n" for part in message or parts() for key, value in part.items())


def without_covariance(text: str, *which: int) -> str:
    """Leave out the covariances of objects (1, 2) of a message, whoever wrote it."""
    parts = re.split(r"(?m)^(?=OBJECT\s*=\s*OBJECT[12])", text)
    for each in which:
        parts[each] = re.sub(r"(?m)^C[RTN](DOT)?_[RTN](DOT)?\s*=.*\n", "", parts[each])
    return "".join(parts)


def to_xml(text: str) -> str:
    """Turn lines into the elements of CCSDS 505.0-B: every keyword one, units as an attribute."""
    head: list[str] = []
    segments: list[list[str]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        keyword, value = _keyword_and_value(line)
        if keyword == "CCSDS_CDM_VERS":
            version = value
            continue
        if keyword == "OBJECT":
            segments.append([])
        (segments[-1] if segments else head).append(_element(keyword, value))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<cdm xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="CCSDS_CDM_VERS" '
        f"version={quoteattr(version)}>\n<header/>\n<body>\n<relativeMetadataData>\n"
        + "\n".join(head)
        + "\n</relativeMetadataData>\n"
        + "".join("<segment><data>\n" + "\n".join(lines) + "\n</data></segment>\n" for lines in segments)
        + "</body>\n</cdm>\n"
    )


def _keyword_and_value(line: str) -> tuple[str, str]:
    if line.lstrip().upper().startswith("COMMENT"):
        return "COMMENT", line.strip()[len("COMMENT") :].strip()
    keyword, _, value = line.partition("=")
    return keyword.strip(), value.strip()


def _element(keyword: str, value: str) -> str:
    number = re.fullmatch(r"([-+.\dEe]+|NaN) *\[(.+)\]", value)
    if number:
        return f"<{keyword} units={quoteattr(number[2])}>{number[1]}</{keyword}>"
    return f"<{keyword}>{escape(value)}</{keyword}>"
