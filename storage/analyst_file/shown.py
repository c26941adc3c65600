"""Which file analysts find as `skysieve.duckdb`: a link to one of those in the folder `shown`.

DuckDB 2.0 opens what it is given three times: for its kind, its header, and the rest. Were the file itself
replaced in between, the header of one would go with the blocks of another. A link it follows once, at first,
so the file behind it has to stay for a moment longer: it does until the next but one is shown.

A store that was copied with what its links point to has a plain file in place of the link, which is as good.
"""

import os
import shutil
from pathlib import Path

from storage.disk.layout import ANALYST_FILE, SHOWN, STAGING
from storage.disk.whole_files import sync_folder

_FORMER = "former.duckdb"
_LINK = "link.duckdb"


def show_file(store: Path, staged: Path, run_id: str) -> None:
    """Give a finished analyst file of a run its place, and show it in one step.

    Needs the lock and a staging folder, in which the file lies.
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
    for path in folder.iterdir():
        if path not in (placed, shown_before):
            path.unlink()


def remember_shown(store: Path) -> None:
    """Keep a second name of what is shown in the staging folder."""
    if os.path.lexists(store / ANALYST_FILE):
        _second_name(store / ANALYST_FILE, store / STAGING / _FORMER)


def show_remembered(store: Path, run_id: str) -> None:
    """Show what was shown when the staging folder was made, and remove what a run has placed since."""
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
    """Return the numbers that analyst files of a run have; a number is not used again while it is shown."""
    return [int(path.name.split(".")[1]) for path in folder.glob(f"{run_id}.*.duckdb")]


def _second_name(path: Path, name: Path) -> None:
    """Give a link, or a file, a second name; where the file system has no hard links, copy it."""
    try:
        os.link(path, name, follow_symlinks=False)
    except OSError:
        shutil.copyfile(path, name, follow_symlinks=False)
