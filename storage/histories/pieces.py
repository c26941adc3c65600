"""Cut the stream of a catalogue into texts of whole records: a history may be larger than the memory."""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from screening.errors import InputError
from screening.orbits.texts.dated import has_lines
from screening.orbits.texts.omm.fields import REQUIRED
from screening.orbits.texts.omm.kvn import FIRST_KEYWORD

PIECE_BYTES = 4 << 20
# What must be read at once: a whole text of XML or UTF-16, or what has no end of a record.
MOST_BYTES_AT_ONCE = 256 << 20
_HEAD_BYTES = 65536
_WRAPPER = re.compile(rb'\s*\{(?:[^\[\]{}"]|"[^"\\]*")*\[\s*(?=\{)')
_BETWEEN = re.compile(rb"\}[\s,]*+(?=\{)")
_MOST_TRIES = 50  # of braces in names, so that hostile ones take no long
_BOM = b"\xef\xbb\xbf"


class Piece(NamedTuple):
    """A part of a text, which can be read as one of its own."""

    text: bytes
    line: int  # of the whole text, that of the piece's first


class _Form(NamedTuple):
    """How texts of a form are cut."""

    cut: Callable[[bytes], int]  # the end of the last whole record but one; 0: there is none
    before: bytes = b""  # what the first piece begins with, and every other one must
    after: bytes = b""  # what every piece but the last must end with
    wrapped: bool = False  # whether the list of records is in an object


def pieces_of(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """Yield a text in pieces that end behind a record.

    Raises:
        InputError: it has no end of a record for very long.
        UnreadableStream: it cannot be read to its end.
    """
    rest, line, first = stream.read(PIECE_BYTES), 1, True
    form = _form(rest)
    while True:
        more = stream.read(PIECE_BYTES)
        if not more:
            yield _piece(form, rest, line, first=first, last=True)
            return
        rest += more
        end = form.cut(rest)
        if end:
            yield _piece(form, rest[:end], line, first=first, last=False)
            line += rest.count(b"\n", 0, end)
            rest, first = rest[end:], False
        elif len(rest) > MOST_BYTES_AT_ONCE:
            size = f"{MOST_BYTES_AT_ONCE >> 20} MiB"
            raise InputError(
                f"{name} contains a record longer than {size}, the most that can be read at once."
            )


def _piece(form: _Form, text: bytes, line: int, *, first: bool, last: bool) -> Piece:
    if form.wrapped and last:
        text = text.rstrip().removesuffix(b"}")
    if form.wrapped and first:
        text = b"[" + text[_wrapper_end(text) :]
    if not first:
        line -= form.before.count(b"\n")
        text = form.before + text
    if form.after and not last:
        text = text.rstrip(b", \t\r\n") + form.after
    return Piece(text, line)


def _form(text: bytes) -> _Form:
    """Recognise how a text is cut from its beginning."""
    head = text[:_HEAD_BYTES].removeprefix(_BOM).lstrip()
    if head.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return _Form(lambda _text: 0)
    if head.startswith(b"["):
        return _Form(_behind_object, b"[", b"]")
    if head.startswith(b"{"):
        wrapped = _wrapper_end(text) > 0
        return _Form(_behind_object, b"[", b"]", wrapped=True) if wrapped else _Form(_behind_object)
    if FIRST_KEYWORD.encode() in head:
        return _Form(lambda text: max(text.rfind(FIRST_KEYWORD.encode()), 0))
    header = head.partition(b"\n")[0]
    columns = header.decode("latin-1").upper()
    if has_lines(columns) or any(keyword in columns for keyword in REQUIRED):
        return _Form(lambda text: text.rfind(b"\n") + 1, header + b"\n")
    return _Form(_behind_line_2)


def _wrapper_end(text: bytes) -> int:
    """Return where the list begins that is in an object, 0 if there is none."""
    found = _WRAPPER.match(text.removeprefix(_BOM)[:_HEAD_BYTES])
    return found.end() + (len(_BOM) if text.startswith(_BOM) else 0) if found else 0


def _behind_line_2(text: bytes) -> int:
    """Return where the last line 2 ends that has an end."""
    at = len(text)
    while (at := text.rfind(b"\n2 ", 0, at)) >= 0:
        end = text.find(b"\n", at + 1) + 1
        if end:
            return end
    return 0


def _behind_object(text: bytes) -> int:
    """Return where the last flat object ends that another follows; no brace in a name counts."""
    start, tries = len(text), 0
    while (start := text.rfind(b"}", 0, start)) > 0 and tries < _MOST_TRIES:
        found = _BETWEEN.match(text, start)
        tries += bool(found)
        if found and (text.count(b'"', 0, start) - text.count(b'\\"', 0, start)) % 2 == 0:
            return found.end()
    return 0
