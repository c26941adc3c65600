"""Keep analyses on demand in a bounded number of files, which are rewritten when their place is needed.

A file that a reader has listed must stay, and the number of questions is unbounded: so a new analysis takes
the place, and the name, of an older one. The file records its question.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

OF_OBJECT = 8  # analyses of one object and mode that are kept
_QUESTION = b"question"
_PLACES = "asked"

Question = tuple[str, int, float, float]  # mode, catalogue number, hours, threshold in km


class Bounds(NamedTuple):
    """Limits on stored analyses on demand."""

    analyses: int  # per mode
    events: int  # in all


def with_question(rows: pa.Table, question: Question) -> pa.Table:
    """Return rows with the question in their metadata."""
    return rows.replace_schema_metadata({_QUESTION: json.dumps(question).encode()})


def place_of(folder: Path, question: Question, most: int) -> Path:
    """Return the file for an answer: that of the same question, else a free one, else the oldest.

    The same question is one of the same mode, object, length and threshold, whenever it is asked: also of
    another run, and with a window that has moved. Of an object OF_OBJECT are kept, of a mode `most`.
    """
    mode, number, *_ = question
    taken = [(path, asked) for path, asked, _ in _oldest_first(folder) if path.name.startswith(f"{mode}-")]
    same = [path for path, asked in taken if asked == question]
    of_object = [path for path, asked in taken if asked is not None and asked[1] == number]
    free = [path for path, asked in taken if asked is None]
    if same:
        return same[0]
    if len(of_object) >= OF_OBJECT:
        return of_object[0]
    if free:
        return free[0]
    if len(taken) >= most:
        return taken[0][0]
    names = {path.name for path, _ in taken}
    return folder / next(
        name for name in (f"{mode}-{_PLACES}-{i}.parquet" for i in range(most)) if name not in names
    )


def beyond(folder: Path, newest: Path, events: int) -> Iterator[Path]:
    """Yield the files, oldest first, that must be emptied to keep at most so many events."""
    files = [(path, rows) for path, _, rows in _oldest_first(folder)]
    excess = sum(rows for _, rows in files) - events
    for path, rows in files:
        if excess > 0 and rows and path != newest:
            excess -= rows
            yield path


def _oldest_first(folder: Path) -> list[tuple[Path, Question | None, int]]:
    written = sorted((path.stat().st_mtime_ns, path) for path in folder.glob(f"*-{_PLACES}-*.parquet"))
    return [(path, *_content(path, written_ns)) for written_ns, path in written]


@lru_cache(maxsize=4096)
def _content(path: Path, _written_ns: int) -> tuple[Question | None, int]:
    """Return the question of a file, None if the file is free, and its number of rows."""
    file = pq.read_metadata(path)
    text = (file.metadata or {}).get(_QUESTION)
    if text is None:
        return None, file.num_rows
    mode, number, hours, threshold_km = json.loads(text)
    return (mode, number, hours, threshold_km), file.num_rows
