"""Folders with copies of published files, one of which is changed."""

import csv
import io
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.validation.comparison import Comparison

SharedFile = Callable[[str], Path]
Row = dict[str, str]


def copied(folder: Path, shared_file: SharedFile, names: Iterable[str]) -> Path:
    """Copy files and folders of the published data into a folder, and return it."""
    for name in names:
        source, target = shared_file(name), folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, copy_function=shutil.copyfile)
            target.chmod(0o755)
        else:
            shutil.copyfile(source, target)
    return folder


def replaced(path: Path, before: str, after: str) -> None:
    """Replace a text that a file has once."""
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


def change_rows(path: Path, change: Callable[[Row], None]) -> int:
    """Change the rows of a table in place, and return how many are others now."""
    rows = list(csv.DictReader(path.read_text().splitlines()))
    changed = 0
    for row in rows:
        before = dict(row)
        change(row)
        changed += row != before
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(written.getvalue())
    return changed


def beyond(comparison: Comparison) -> list[str]:
    """Return the names of the measures that do not agree."""
    return [measure.name for measure in comparison.measures if not measure.agrees]
