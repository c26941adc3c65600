"""Show analysts a file as `skysieve.duckdb`: a link to one of those in the folder `shown`.

DuckDB 2.0 opens a path three times: for the file's kind, its header, and the rest. If the file itself were
replaced in between, the header of one would be combined with the blocks of another. DuckDB follows a link
once, at first, so the file behind it must remain for a moment longer: it does until the next but one is
shown, and for STANDS_S at least.

A store that was copied with links followed has a plain file instead of the link, which works as well.
"""

import os
import shutil
import time
from itertools import pairwise
from pathlib import Path

from storage.disk.layout import ANALYST_FILE, SHOWN, STAGING
from storage.disk.whole_files import sync_folder

_FORMER = "former.duckdb"
_LINK = "link.duckdb"

STANDS_S = 10.0  # a reader that followed the link opens the file behind it within this time


def show_file(store: Path, staged: Path, run_id: str) -> None:
    """Move a finished analyst file of a run into place, and show it in one step.

    Needs the lock and a staging folder, in which the file lies. A file that was replaced earlier goes if no
    reader can be opening it any more: the one that followed it was written more than STANDS_S ago.
    """
    folder = store / SHOWN
    shown_before = (store / ANALYST_FILE).resolve()
    placed = folder / f"{run_id}.{1 + max(_numbers(folder, run_id), default=0)}.duckdb"
    staged.rename(placed)
    sync_folder(folder)
    link = store / STAGING / _LINK
    link.symlink_to(placed.relative_to(store))
    link.replace(store / ANALYST_FILE)
    sync_folder(store)
    written = {path: path.stat().st_mtime for path in folder.iterdir()}
    for path, follower in pairwise(sorted(written, key=written.__getitem__)):
        stands = abs(time.time() - written[follower]) < STANDS_S
        if path not in (placed, shown_before) and not stands:
            path.unlink()


def remember_shown(store: Path) -> None:
    """Keep a second name of the shown file in the staging folder."""
    if os.path.lexists(store / ANALYST_FILE):
        _second_name(store / ANALYST_FILE, store / STAGING / _FORMER)


def show_remembered(store: Path, run_id: str) -> None:
    """Show the file that was shown when staging began, and remove files that a run has placed since."""
    former, link = store / STAGING / _FORMER, store / STAGING / _LINK
    if os.path.lexists(former):
        link.unlink(missing_ok=True)
        _second_name(former, link)
        link.replace(store / ANALYST_FILE)
    else:
        (store / ANALYST_FILE).unlink(missing_ok=True)
    sync_folder(store)
    for path in (store / SHOWN).glob(f"{run_id}.*"):
        path.unlink()


def _numbers(folder: Path, run_id: str) -> list[int]:
    """Return the numbers of a run's analyst files; a number is not reused while its file is shown."""
    return [int(path.name.split(".")[1]) for path in folder.glob(f"{run_id}.*.duckdb")]


def _second_name(path: Path, name: Path) -> None:
    """Give a link, or a file, a second name; where the file system has no hard links, copy it."""
    try:
        os.link(path, name, follow_symlinks=False)
    except OSError:
        shutil.copyfile(path, name, follow_symlinks=False)
