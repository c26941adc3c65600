"""Files and folders that only their owner may read: what holds credentials, or may hold some."""

import logging
import os
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_OF_OTHERS = 0o077

log = logging.getLogger("skysieve")


def keep_private(path: Path) -> None:
    """Take from others what they may do with a file, or with a folder and the files in it; those there are.

    A file that belongs to somebody else cannot be changed: that is logged, and raises nothing.
    """
    inside = [one for one in path.iterdir() if one.is_file()] if path.is_dir() else []
    for one in (path, *inside):
        try:
            if one.stat().st_mode & _OF_OTHERS:
                one.chmod(FOLDER_MODE if one.is_dir() else FILE_MODE)
        except FileNotFoundError:
            continue  # the journals of a database come and go
        except OSError as error:
            log.warning(
                "%s can be read by others, and that cannot be changed (%s): its owner has to, by chmod %o.",
                one.absolute(),
                error.strerror,
                FOLDER_MODE if one.is_dir() else FILE_MODE,
            )


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner may read, if there is none; one that is there is not opened.

    To close a file takes all POSIX locks on it from this process, those of SQLite's open connections too:
    another process would then remove the journal under them.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
