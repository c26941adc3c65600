"""Write files that readers see whole or not at all: staged, synced, then moved into place in one step."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def synced(path: Path) -> Iterator[BinaryIO]:
    """Open a new file for writing and reading; when the block ends, its content is on the disk."""
    with path.open("w+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def as_text(stream: BinaryIO) -> Iterator[io.TextIOWrapper]:
    """Write texts to an open file, which stays open; UTF-8, line ends unchanged."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    yield text
    text.detach()  # flushes


def write_text(path: Path, text: str) -> None:
    """Write a text and wait until it is on the disk."""
    with synced(path) as file:
        file.write(text.encode())


def put_in_place(staged: Path, path: Path) -> None:
    """Rename a written file to its final name, replacing another, and wait until that is on the disk."""
    staged.replace(path)
    sync_folder(path.parent)


@contextmanager
def staged_beside(target: Path) -> Iterator[Path]:
    """Yield a path at which to write the file that replaces another when the block ends.

    If the block raises, the old file is unchanged, and nothing is left beside it.
    """
    staged = target.with_name(f".{target.name}.new")
    try:
        yield staged
        staged.replace(target)
    finally:
        staged.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until a folder's entries (files created, renamed, removed) are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
