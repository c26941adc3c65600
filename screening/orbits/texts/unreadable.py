"""Error messages for texts that are not catalogues, and short forms of their content."""

from collections.abc import Sequence

from screening.errors import UnreadableCatalogue
from screening.orbits.elements import Catalogue, Rejection

_SHOWN_CHARACTERS = 80
_REASONS_SHOWN = 3


def shown(text: str, at_most: int = _SHOWN_CHARACTERS) -> str:
    """Return the text on one line, cut to `at_most` characters, with `?` for unprintable characters."""
    cut = text[:at_most] + ("..." if len(text) > at_most else "")
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in cut)


def unreadable(source_name: str, why: str, line: int, text: str, expected: str) -> UnreadableCatalogue:
    """Build the error for a text that is not a catalogue: the offending line, and what was expected."""
    return UnreadableCatalogue(
        f"Cannot read element sets from {source_name}: {why}.\n"
        f"  line {line:<4}: {shown(text)}\n"
        f"  expected : {expected}"
    )


def cut_off(source_name: str, text: str, missing: str) -> UnreadableCatalogue:
    """Build the error for a text without its end: what is missing, and the end of its last line."""
    whole = text.rstrip()
    start = whole.rfind("\n") + 1
    tail = max(start, len(whole) - _SHOWN_CHARACTERS)
    last = ("..." if tail > start else "") + shown(whole[tail:].lstrip())
    return UnreadableCatalogue(
        f"Cannot read element sets from {source_name}: it is cut off: {missing}.\n"
        f"  line {whole.count(chr(10)) + 1:<4}: {last}"
    )


def rejection_text(rejection: Rejection) -> str:
    """Return the line of a record, its name and why it was rejected."""
    return f"line {rejection.line} ({shown(rejection.record)}): {rejection.reason}"


def rejections_text(rejected: Sequence[Rejection], more: int, used: int) -> str:
    """Return how many records of a text were rejected, and the first of them; empty if none was.

    `more` were rejected beyond those in `rejected`, and `used` were not.
    """
    if not rejected:
        return ""
    count = len(rejected) + more
    return f"{count:,} of {count + used:,} records were rejected; the first: {rejection_text(rejected[0])}"


def mostly_rejected(catalogue: Catalogue) -> str:
    """Return `rejections_text` of a catalogue if most of its records were rejected, else nothing."""
    used = catalogue.used_count
    if catalogue.rejected_count <= used:
        return ""
    return rejections_text(catalogue.rejected, catalogue.more_rejected, used)


def none_usable(source_name: str, rejected: Sequence[Rejection], count: int) -> UnreadableCatalogue:
    """Build the error for a text with `count` records, none of them usable: the first reasons."""
    none = f"none of its {count} records can" if count > 1 else "its one record cannot"
    first = [
        f"  line {r.line:<4}: {shown(r.record)}\n             {r.reason}" for r in rejected[:_REASONS_SHOWN]
    ]
    more = [f"  and {count - len(first)} more"] if count > len(first) else []
    return UnreadableCatalogue(
        "\n".join([f"Cannot read element sets from {source_name}: {none} be used.", *first, *more])
    )
