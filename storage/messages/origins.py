"""Recognise messages that must not be shared by their content."""

import re
from collections.abc import Iterable

from screening.risk.messages.texts.entries import Entry

# Space-Track's user agreement forbids sharing its data without approval. Its rows have an id of their own
# and whether they count as an emergency; neither keyword is in the standard.
_SPACE_TRACK = re.compile(r"(COMMENT_)?EMERGENCY_REPORTABLE|CDM_ID|SAT_?[12]_(ID|EXCL_VOL)|SAT[12]_RCS")
_WRITTEN = re.compile(r'"(\w+)":')
# The centre whose messages Space-Track gives out, under its names over the years.
_US_CENTRE = re.compile(r"(JSPOC|CSPOC|18 ?SPCS|18 ?SDS|19 ?SDS)\b", re.IGNORECASE)


def is_restricted(entries: Iterable[Entry], originator: str) -> bool:
    """Return whether a message is Space-Track's: a row of `cdm_public` or `cdm`, or from the US centre."""
    if _US_CENTRE.match(originator):
        return True
    return any(_SPACE_TRACK.fullmatch(_as_written(entry)) for entry in entries)


def _as_written(entry: Entry) -> str:
    """Return the keyword as its sender writes it: the reader gives Space-Track's the standard's names."""
    written = _WRITTEN.match(entry.written)
    return written[1].upper() if written else entry.keyword
