"""Read hard-body radii from keywords and, since version 1.0 has no keyword, from comments."""

import math
import re
from typing import NamedTuple

from screening.risk.messages.texts.entries import Entry
from screening.risk.messages.values import LARGEST_NUMBER, NUMBER, SI, Values

RADIUS_KEYWORDS = ("HBR", "COMBINED_HBR", "HARD_BODY_RADIUS", "OPERATOR_HARD_BODY_RADIUS")
EXCLUSION_KEYWORD = "EXCLUSION_VOLUME_RADIUS"

# From the best known to the least: one radius for both objects; each object's, by its operator or by the
# sender; the exclusion volume of at least one object, a convention of the US centre.
SOURCES = ("combined", "operator", "object", "exclusion_volume")


def _in_comment(names: str) -> re.Pattern[str]:
    """Match `HBR = 10 [m]`, `HBR: 10`, `Hard-body radius (m) 10`, ..., with single blanks; no other unit."""
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:{names}) ?(?:[(\[] ?(?P<before>k?m) ?[)\]])? ?[=:]? ?"
        rf"(?P<value>{NUMBER})(?: ?[(\[]? ?(?P<after>k?m)\b|(?![\w.]| ?[(\[]| ?(?:ft|feet|cm|mm)\b))",
        re.ASCII | re.IGNORECASE,
    )


_OPERATOR = re.compile(r"OPERATOR[ _-]", re.IGNORECASE)
_RADIUS = _in_comment("HBR|HARD[ _-]?BODY[ _-]?RADIUS")
_EXCLUSION = _in_comment("EXCLUSION[ _-]VOLUME[ _-]RADIUS")


class Radius(NamedTuple):
    """A radius in m, NaN if there is none, and where it is from."""

    metres: float
    source: str  # of SOURCES, empty if there is none


NO_RADIUS = Radius(math.nan, "")


def object_radius(values: Values) -> Radius:
    """Return the hard-body radius of one object, else that of its exclusion volume.

    Raises UnreadableMessage for a hard-body radius that is not positive.
    """
    hard_body = _hard_body(values)
    return _exclusion_volume(values) if math.isnan(hard_body.metres) else hard_body


def combined_radius(header: Values, primary: Radius, secondary: Radius) -> Radius:
    """Return the header's combined radius, else the sum of both; NaN if one is missing."""
    given = _hard_body(header)
    if not math.isnan(given.metres):
        return Radius(given.metres, "combined")
    if math.isnan(primary.metres + secondary.metres):
        return NO_RADIUS
    worst = max(primary.source, secondary.source, key=SOURCES.index)
    return Radius(primary.metres + secondary.metres, worst)


def _hard_body(values: Values) -> Radius:
    for keyword in RADIUS_KEYWORDS:
        radius_m = values.number(keyword, "m")
        if not math.isnan(radius_m):
            source = "operator" if _OPERATOR.match(keyword) else "object"
            return _positive(values, values.entries[keyword], radius_m, source)
    for comment in values.comments:
        text = " ".join(comment.value.split())
        match = _RADIUS.search(text)
        if match:
            source = "operator" if _OPERATOR.search(text, 0, match.start()) else "object"
            return _positive(values, comment, _metres(match), source)
    return NO_RADIUS


def _exclusion_volume(values: Values) -> Radius:
    """Return the radius of the exclusion volume; 0 counts as none."""
    radius_m = values.number(EXCLUSION_KEYWORD, "m")
    for comment in values.comments:
        match = _EXCLUSION.search(" ".join(comment.value.split()))
        if match and math.isnan(radius_m):
            radius_m = _metres(match)
    return Radius(radius_m, "exclusion_volume") if 0.0 < radius_m <= LARGEST_NUMBER else NO_RADIUS


def _metres(match: re.Match[str]) -> float:
    unit = (match["after"] or match["before"] or "m").lower()
    return float(match["value"].upper().replace("D", "E")) * SI[unit]


def _positive(values: Values, entry: Entry, radius_m: float, source: str) -> Radius:
    if not 0.0 < radius_m <= LARGEST_NUMBER:
        raise values.wrong(entry, "must give a hard-body radius above 0")
    return Radius(radius_m, source)
