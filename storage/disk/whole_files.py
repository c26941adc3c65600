"""Files that readers see whole or not at all: written aside, synced, then put in place in one step."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def synced(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be written anew, and read; when the block ends its content is on the disk."""
    with path.open("w+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def as_text(stream: BinaryIO) -> Iterator[io.TextIOWrapper]:
    """Write texts to an open file, which stays open: UTF-8, lines as they are."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    yield text
    text.detach()  # flushes


def write_text(path: Path, text: str) -> None:
    """Write a text and wait until it is on the disk."""
    with synced(path) as file:
        file.write(text.encode())


def put_in_place(staged: Path, path: Path) -> None:
    """Give a written file its name, in place of another, and wait until that is on the disk."""
    staged.replace(path)
    sync_folder(path.parent)


@contextmanager
def staged_beside(target: Path) -> Iterator[Path]:
    """Give the path at which to write what takes the place of a file when the block ends.

    If the block raises, that is as it was, and nothing is left beside it.
    """
    staged = target.with_name(f".{target.name}.new")
    try:
        yield staged
        staged.replace(target)
    finally:
        staged.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until a folder's entries (files made, renamed, removed) are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
