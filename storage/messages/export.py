"""Export the messages of a store: one in any form, or all in a file, as received or as a table."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from screening.errors import InputError, UsageError
from screening.risk.messages.read import ReadMessage, each_with_text
from screening.risk.messages.written.received import received as as_lines
from screening.risk.messages.written.text import message_text
from screening.vocabulary import MessageForm
from storage.disk.faults import store_faults
from storage.disk.layout import new_parquet
from storage.disk.whole_files import staged_beside
from storage.message_schema import RECEIVED, TEXT
from storage.messages.kept import received, texts

SUFFIXES = (".zip", ".parquet")
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # that an archive can say


def export_messages(store: Path, target: Path, *, allow_restricted: bool) -> int:
    """Write messages to a new file, which appears whole or not at all; return how many.

    A zip archive has each as it was received, named by its id; a Parquet file the rows of the table. Those
    whose sources forbid sharing them are left out unless they are allowed.

    Raises:
        UsageError: the file's name ends otherwise, or its folder does not exist.
        InputError: it cannot be written.
    """
    target = target.expanduser().absolute()
    if target.suffix not in SUFFIXES:
        raise UsageError(f"{target} ends in {target.suffix!r}; expected {' or '.join(SUFFIXES)}.")
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist: create it, or name another.")
    rows = received(store)
    if not allow_restricted:
        rows = rows.filter(pc.invert(rows["restricted"]))
    with store_faults(store.resolve()):
        parts = _with_texts(store, rows)
        try:
            with staged_beside(target) as staged:
                (_write_archive if target.suffix == ".zip" else _write_table)(staged, parts)
        except OSError as error:
            raise InputError(f"{target} cannot be written: {error.strerror or error}.") from error
    return len(rows)


def in_form(text: str, form: MessageForm) -> str:
    """Return a message that the store keeps in another form, with every value that it has.

    Raises InputError for a summary, which has no states: there is no message without them.
    """
    (read,) = each_with_text(text)
    assert isinstance(read, ReadMessage), "only readable messages are stored"
    return message_text(as_lines(read), form)


def _with_texts(store: Path, rows: pa.Table) -> Iterator[pa.Table]:
    """Yield the wanted rows of one batch at a time, with their texts."""
    for batch in texts(store):
        here = rows.filter(pc.is_in(rows["id"], batch["id"].combine_chunks()))
        rows = rows.filter(pc.invert(pc.is_in(rows["id"], here["id"].combine_chunks())))
        at = pc.index_in(here["id"], batch["id"].combine_chunks())
        here = here.append_column(TEXT, batch[TEXT].take(at))
        yield here.select(RECEIVED.arrow.names).cast(RECEIVED.arrow)


def _write_table(path: Path, parts: Iterator[pa.Table]) -> None:
    with new_parquet(path, RECEIVED.arrow) as writer:
        for part in parts:
            writer.write_table(part)


def _write_archive(path: Path, parts: Iterator[pa.Table]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts:
            for one, text in zip(part["id"].to_pylist(), part[TEXT].to_pylist(), strict=True):
                archive.writestr(zipfile.ZipInfo(f"{one}{_suffix(text)}", _EARLIEST), text)


def _suffix(text: str) -> str:
    """Return the usual suffix of a message's form."""
    begin = text.lstrip()[:1]
    return {"<": ".xml", "{": ".json"}.get(begin, ".kvn")
