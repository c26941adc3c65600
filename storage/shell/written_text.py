"""Where a command writes a long text: to a file, or to standard output."""

import sys
from pathlib import Path

from screening.errors import InputError, UsageError
from storage.disk.whole_files import staged_beside


def checked_output(output: Path | None) -> Path | None:
    """Return the absolute path of the file to write; None: standard output.

    Raises UsageError if its folder does not exist.
    """
    if output is None:
        return None
    target = output.expanduser().absolute()
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist: create it, or name another.")
    return target


def write_out(text: str, target: Path | None) -> None:
    """Write a text to a file, which appears whole or not at all, or to standard output.

    Raises InputError if the file cannot be written.
    """
    if target is None:
        sys.stdout.write(text)
        return
    try:
        with staged_beside(target) as staged:
            staged.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}.") from error
