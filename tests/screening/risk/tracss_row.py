"""A message as TraCSS writes it: the object TracssCdmV2 of its Subscriber Service, version 1.0.

Every value but the probability is text; a unit stands in a key of its own; names of objects are prefixes.
"""

import re

_UNIT = re.compile(r"(.*?)\s*\[([^\]]*)\]\s*")
_AS_IT_IS = {
    "HBR": "HBR",
    "OD": "OD",
    "RDOT": "RDot",
    "TDOT": "TDot",
    "NDOT": "NDot",
    "AREA": "Area",
    "PC": "Pc",
}
_WITH_VALUE = re.compile(
    r"(MISS_DISTANCE|MAHALANOBIS_DISTANCE|RELATIVE_\w+|HBR|[XYZ](_DOT)?|C([RTN](DOT)?|DRG|SRP)_\w+|\w+_SPAN)"
)


def tracss_row(text: str, offset: int = 0) -> dict[str, object]:
    """Return a message in KVN, without comments, as TraCSS writes it; the first object gets its radius."""
    made: dict[str, object] = {"correlationId": f"c-{offset}", "runId": None}
    prefix = ""
    for line in text.splitlines():
        keyword, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            continue
        unit = _UNIT.fullmatch(value)
        value, unit_text = (unit[1], unit[2]) if unit else (value, "")
        if keyword == "OBJECT":
            prefix = value.lower()
        key = _camel(keyword, prefix)
        if keyword == "HBR":
            key = "object1HBR"
        if keyword == "COLLISION_PROBABILITY":
            made[key] = float(value)
        elif _WITH_VALUE.fullmatch(keyword):
            made[f"{key}Value"], made[f"{key}Unit"] = value, unit_text or None
        else:
            made[key] = value
    if "object1HBRValue" in made:
        made |= {"object2HBRValue": "0.0001", "object2HBRUnit": "m"}
    return made | {"offset": offset}


def _camel(keyword: str, prefix: str) -> str:
    first, *others = keyword.split("_")
    words = [_AS_IT_IS.get(word, word.capitalize()) for word in others]
    begin = first.capitalize() if first != "HBR" else first
    return f"{prefix}{begin}{''.join(words)}" if prefix else f"{first.lower()}{''.join(words)}"
