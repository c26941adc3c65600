"""Make files and folders private that hold credentials, or may hold some."""

import logging
import os
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_OF_OTHERS = 0o077

log = logging.getLogger("skysieve")


def keep_private(path: Path) -> None:
    """Remove the permissions of others on a file or a folder, if it exists.

    A private folder hides its files, whatever their own permissions. What belongs to another owner cannot be
    changed: that is logged and raises nothing.
    """
    mode = FOLDER_MODE if path.is_dir() else FILE_MODE
    try:
        if path.stat().st_mode & _OF_OTHERS:
            path.chmod(mode)
    except FileNotFoundError:
        return  # the journals of a database come and go
    except OSError as error:
        log.warning(
            "%s can be read by others, and this process cannot change that (%s): its owner must run "
            "chmod %o.",
            path.absolute(),
            error.strerror,
            mode,
        )


def make_private_file(path: Path) -> None:
    """Create an empty file that only its owner may read, unless it exists; an existing file is not opened.

    Closing a file drops all POSIX locks of this process on it, including those of SQLite's open connections:
    another process would then remove the journal under them.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
