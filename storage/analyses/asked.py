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

from storage.disk.layout import ANALYSES, analyses_written

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


def place_of(store: Path, question: Question, most: int) -> Path:
    """Return the file for an answer: that of the same question, else a free one, else the oldest.

    The same question is one of the same mode, object, length and threshold, whenever it is asked: also of
    another run, and with a window that has moved. Of an object OF_OBJECT are kept, of a mode `most`.
    """
    mode, number, *_ = question
    files = _oldest_first(store)
    taken = [(name, asked) for name, asked, _ in files if name.startswith(f"{mode}-")]
    same = [name for name, asked in taken if asked == question]
    of_object = [name for name, asked in taken if asked is not None and asked[1] == number]
    free = [name for name, asked in taken if asked is None]
    if same:
        place = same[0]
    elif len(of_object) >= OF_OBJECT:
        place = of_object[0]
    elif free:
        place = free[0]
    elif len(taken) >= most:
        place = taken[0][0]
    else:
        names = {name for name, _ in taken}
        places = (f"{mode}-{_PLACES}-{i}.parquet" for i in range(most))
        place = next(name for name in places if name not in names)
    return store / ANALYSES / place


def beyond(store: Path, newest: Path, events: int) -> Iterator[Path]:
    """Yield the files, oldest first, that must be emptied to keep at most this many events."""
    files = [(name, rows) for name, _, rows in _oldest_first(store)]
    excess = sum(rows for _, rows in files) - events
    for name, rows in files:
        if excess > 0 and rows and name != newest.name:
            excess -= rows
            yield store / ANALYSES / name


def _oldest_first(store: Path) -> list[tuple[str, Question | None, int]]:
    written = analyses_written(store)
    mine = sorted(
        (name for name in written if f"-{_PLACES}-" in name), key=lambda name: (written[name], name)
    )
    return [(name, *_content(store, name, written[name])) for name in mine]


@lru_cache(maxsize=4096)
def _content(store: Path, name: str, _written_ns: int) -> tuple[Question | None, int]:
    """Return the question of a file, None if the file is free, and its number of rows."""
    file = pq.read_metadata(store / ANALYSES / name)
    text = (file.metadata or {}).get(_QUESTION)
    if text is None:
        return None, file.num_rows
    mode, number, hours, threshold_km = json.loads(text)
    return (mode, number, hours, threshold_km), file.num_rows
