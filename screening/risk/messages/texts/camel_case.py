"""Keys of TraCSS: the standard's keywords in camel case, `missDistanceValue`, `object1XDotUnit`.

Its interface writes every message as one flat object (TracssCdmV2 in the document of its Subscriber Service).
"""

import re

from screening.risk.messages.texts.keywords import WORDS

_CAMEL_CASE = re.compile(r"[a-z]+\d?(?:[A-Z]\w*)?", re.ASCII)
_PARTS = re.compile(r"(?:object([12])(?=[A-Z]))?(\w+?)(Value|Unit)?", re.ASCII)
_AXES = ("R", "T", "N", "RDOT", "TDOT", "NDOT", "DRG", "SRP")
_OTHERS = (
    *(f"RELATIVE_{what}_{axis}" for what in ("POSITION", "VELOCITY") for axis in "RTN"),
    *(f"C{row}_{column}" for row in _AXES for column in _AXES),
    *(
        f"COLLISION_{what}"
        for what in ("PROBABILITY", "PROBABILITY_METHOD", "MAX_PROBABILITY", "MAX_PC_METHOD")
    ),
    *(f"SCREEN_{what}" for what in ("VOLUME_FRAME", "VOLUME_SHAPE", "VOLUME_X", "VOLUME_Y", "VOLUME_Z")),
    *(f"DCP_SENSITIVITY_VECTOR_{what}" for what in ("POSITION", "VELOCITY")),
    *(f"OPERATOR_{what}" for what in ("ORGANIZATION", "PHONE", "EMAIL")),
    "AREA_PC",
    "OPS_STATUS",
    "SCREEN_PC_THRESHOLD",
)
_WITH_LINES = {word.replace("_", ""): word for word in (*WORDS, *_OTHERS)} | {
    "STARTSCREENINGPERIOD": "START_SCREEN_PERIOD",
    "STOPSCREENINGPERIOD": "STOP_SCREEN_PERIOD",
}
# Where a message stood in the stream, and what computed it: the message in other forms has none of these.
_OF_THE_STREAM = frozenset(("OFFSET", "CORRELATIONID", "BATCHID", "RUNID", "COUNTER", "OCMMESSAGEID"))


def as_keyword(key: str) -> str:
    """Return a key as other forms in JSON write it: `OBJECT1_X_DOT`, `OBJECT1_X_DOT_UNIT`; empty: no content.

    Keys that are not in camel case come back in upper case.
    """
    if not _CAMEL_CASE.fullmatch(key):
        return key.upper()
    parts = _PARTS.fullmatch(key)
    assert parts is not None, "letters and digits alone"
    number, name, suffix = parts.groups()
    word = _WITH_LINES.get(name.upper())
    if word is None:
        return "" if key.upper() in _OF_THE_STREAM else key.upper()
    return f"{f'OBJECT{number}_' if number else ''}{word}{'_UNIT' if suffix == 'Unit' else ''}"
