"""Navigation data messages of CCSDS, read by a library; its errors with the lines that it leaves out."""

import re
from xml.parsers import expat

import ccsds_ndm

from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris, line_at, unreadable

_LINE = re.compile(r"line (\d+), column \d+")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|`([^`]*)`")
_MISSING = re.compile(r"missing field `(\w+)`")
_BLOCK = re.compile(r"<(header|metadata|stateVector|covarianceMatrix|traj|cov)\b[^>]*>(.*?)</\1>", re.DOTALL)
_CONTEXT = re.compile(r"(?:KVN parsing error at )?line \d+, column \d+: *(?:\nContext: )?")


def read_messages(text: str, source_name: str) -> list[ccsds_ndm.Oem | ccsds_ndm.Ocm]:
    """Return the ephemeris and comprehensive messages of a text. Raises UnreadableEphemeris."""
    try:
        message = ccsds_ndm.from_str(text)
    except (ccsds_ndm.NdmError, ValueError, OSError) as error:
        raise _explained(text, str(error), source_name) from None
    found = message.messages if isinstance(message, ccsds_ndm.Ndm) else [message]
    kept = [one for one in found if isinstance(one, (ccsds_ndm.Oem, ccsds_ndm.Ocm))]
    if not kept:
        kinds = ", ".join(sorted({type(one).__name__.upper() for one in found})) or "nothing"
        raise unreadable(source_name, f"it holds {kinds}, neither OEM nor OCM")
    return kept


class Blocks:
    """Where the blocks and keywords of a message stand in its text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def line_of_match(self, pattern: str, index: int) -> int | None:
        """Return the line of the match of a pattern with an index from 0, None if there are fewer."""
        for i, match in enumerate(re.finditer(pattern, self._text, re.MULTILINE)):
            if i == index:
                return line_at(self._text, match.start())
        return None

    def line_of_keyword(self, keyword: str, index: int) -> int | None:
        """Return the line of a keyword's occurrence, in KVN or in XML."""
        return self.line_of_match(rf"^[ \t]*{keyword}[ \t]*=|<{keyword}\b", index)


def _explained(text: str, message: str, source_name: str) -> UnreadableEphemeris:
    line, broken = _line_of(text, message)
    why = broken or _CONTEXT.sub("", message).replace("expected expected", "expected").strip().rstrip(".")
    if re.fullmatch(r"[A-Z_]+", why):
        why = f"{why} is missing or wrong"
    if line is not None and not why:
        line, why = _wrong_row(text, line)
    return unreadable(source_name, re.sub(r"\s+", " ", why)[:300], line, text)


def _wrong_row(text: str, line: int) -> tuple[int, str]:
    """Return the row of a covariance that is not a triangle's, which the library does not report."""
    width = 0
    for number, row in enumerate(text.split("\n")[line - 1 :], line):
        words = row.split()
        if not words or words[0] in ("COMMENT", "COVARIANCE_START") or "=" in row:
            width = 0
            continue
        width += 1
        if len(words) != width or width > 6:
            return number, f"a row of a covariance has {len(words)} numbers, and not {width}"
    return line, "it does not follow the standard"


def _line_of(text: str, message: str) -> tuple[int | None, str]:
    """Return the line that an error of the library is about, and what is wrong if the XML itself is."""
    if found := _LINE.search(message):
        return int(found[1]), ""
    if text.lstrip().startswith("<"):
        parser = expat.ParserCreate("utf-8")  # as it is encoded below, whatever it says
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            return error.lineno, f"its XML is broken ({expat.ErrorString(error.code)})"
    if missing := _MISSING.search(message):
        blocks = (b for b in _BLOCK.finditer(text) if f"<{missing[1]}" not in b[2])
        block = next(blocks, None)
        return (None if block is None else line_at(text, block.start())), ""
    return _line_with([next(filter(None, groups), "") for groups in _QUOTED.findall(message)], text), ""


def _line_with(quoted: list[str], text: str) -> int | None:
    """Return the first line that holds the first two quoted words of an error, else the value alone."""
    words = [word for word in quoted if word][:2]
    for wanted in (words, words[-1:]):
        for number, line in enumerate(text.split("\n"), 1) if wanted else ():
            if all(word in line for word in wanted):
                return number
    return None
