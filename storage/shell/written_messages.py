"""Where a command writes many messages: a new folder, or a zip file; whole or not at all."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from screening.errors import InputError, UsageError
from storage.disk.whole_files import staged_beside, sync_folder
from storage.disk.zipped import NamedText, zip_parts

_ZIP = ".zip"


def checked_target(output: Path) -> Path:
    """Return the absolute path of what is to be written.

    Raises UsageError if the folder around it does not exist, or if a folder is to be written that has
    something in it.
    """
    target = output.expanduser().absolute()
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist: create it, or name another.")
    if target.suffix == _ZIP:
        if target.is_dir():
            raise UsageError(f"{target} is a folder: name a file that ends in {_ZIP}.")
    elif target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(
            f"{target} exists already: name a new folder, or a file that ends in {_ZIP}, which is replaced."
        )
    return target


def write_messages(files: Iterable[NamedText], target: Path) -> int:
    """Write messages to a zip file or a folder, as its name says, and return how many.

    It appears when it is complete.

    Raises InputError if it cannot be written; then nothing is left.
    """
    counted = _Counted(files)
    try:
        if target.suffix == _ZIP:
            with staged_beside(target) as staged, staged.open("wb") as file:
                for part in zip_parts(counted):
                    file.write(part)
        else:
            _write_folder(counted, target)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}.") from error
    return counted.count


class _Counted:
    """Counts what goes through it."""

    def __init__(self, files: Iterable[NamedText]) -> None:
        self._files, self.count = files, 0

    def __iter__(self) -> Iterator[NamedText]:
        for one in self._files:
            self.count += 1
            yield one


def _write_folder(files: Iterable[NamedText], target: Path) -> None:
    staged = target.with_name(f".{target.name}.new")
    shutil.rmtree(staged, ignore_errors=True)  # left behind by a process that was killed
    staged.mkdir()
    try:
        for one in files:
            (staged / one.name).write_text(one.text, encoding="utf-8", newline="\n")
        sync_folder(staged)
        staged.replace(target)  # replaces an empty folder
    finally:
        shutil.rmtree(staged, ignore_errors=True)
