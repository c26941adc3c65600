"""Find the manoeuvres in the whole history of element sets: of imported sets, which no run has looked at.

Objects are read some hundred thousand sets at a time, and what is found in these is stored before the next
are read: a search that was killed loses little, and one that is repeated stores nothing twice.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import numpy.typing as npt

from screening.histories.burns import FEWEST_SETS, ManoeuvreArray
from screening.histories.suspects import manoeuvres_of_many
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import instants
from storage.analyst_file.tables_and_views import element_history
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ELEMENT_FILES,
    IMPORTED_ELEMENT_FILES,
    MANOEUVRES,
    STAGED_SUFFIX,
    manoeuvre_file,
    replace_parquet,
)
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.manoeuvres.kept import Instants, manoeuvre_table, not_yet_stored
from storage.rows.elements import HISTORY_DTYPE
from storage.upkeep.upgrade import opened_for_writing, settle

IntArray = npt.NDArray[np.int64]

LOCK_TIMEOUT_S = 60.0  # a publisher holds the lock for a second or two
SETS_AT_ONCE = 200_000  # 25 MB
_OF_NO_RUN = "run_id IS NULL"  # what runs found expires, what is found here does not
_NUMBERS = HISTORY_DTYPE.names or ()
_ONE_KIND = "coalesce(trajectory, 'gp') = 'gp'"


class Found(NamedTuple):
    """What a search through the history has found."""

    objects: int  # with enough sets
    sets: int
    new: int  # manoeuvres that the store had not


def find_in_history(
    store: Path, now: datetime, *, on_sets: Callable[[int, int], None] = lambda _done, _of: None
) -> Found:
    """Detect the manoeuvres in all element sets of a store, and store those that it has not; `now` is UTC.

    `on_sets` is called with how many of how many sets are done.

    Raises:
        StoreError: the store cannot be read or written, a file of it is damaged, or another process holds it
            for long; what was found stays.
    """
    store = store.resolve()
    with store_faults(store):
        with opened_for_writing(store, LOCK_TIMEOUT_S):
            for left_behind in (store / MANOEUVRES).glob(f"*{STAGED_SUFFIX}"):
                left_behind.unlink()
        settle(store)
        if not any(store.glob(IMPORTED_ELEMENT_FILES)):
            return Found(0, 0, 0)
        verify_all(store.glob(ELEMENT_FILES))
        history = f"({element_history(store, expiry_of(read_current(store)))})"
        with file_reader() as connection:
            numbers, sizes = _objects(connection, history)
            done, new = 0, 0
            for first, last, count in _parts(numbers, sizes):
                sets, known_at = _sets(connection, history, first, last)
                new += _store(store, manoeuvres_of_many(sets), sets, known_at, now)
                done += count
                on_sets(done, int(sizes.sum()))
    return Found(len(numbers), int(sizes.sum()), new)


def _objects(connection: duckdb.DuckDBPyConnection, history: str) -> tuple[IntArray, IntArray]:
    """Return the objects that have enough sets, ascending, and how many each has."""
    found = connection.execute(
        f"SELECT norad_id, count(*) AS sets FROM {history} WHERE {_ONE_KIND} "  # noqa: S608
        f"GROUP BY norad_id HAVING count(*) >= {FEWEST_SETS} ORDER BY norad_id"
    ).fetchnumpy()
    return np.asarray(found["norad_id"], np.int64), np.asarray(found["sets"], np.int64)


def _parts(numbers: IntArray, sizes: IntArray) -> Iterator[tuple[int, int, int]]:
    """Yield the first and last of objects that have together some SETS_AT_ONCE sets, and how many."""
    part = (np.cumsum(sizes) - sizes) // SETS_AT_ONCE
    for one in np.unique(part):
        here = np.flatnonzero(part == one)
        yield int(numbers[here[0]]), int(numbers[here[-1]]), int(sizes[here].sum())


def _sets(
    connection: duckdb.DuckDBPyConnection, history: str, first: int, last: int
) -> tuple[ElementArray, Instants]:
    """Return the sets (n,) of some objects by object and epoch, HISTORY_DTYPE, and when each became known."""
    found = connection.execute(
        f"SELECT {', '.join(_NUMBERS)}, first_seen FROM {history} "  # noqa: S608
        f"WHERE {_ONE_KIND} AND norad_id BETWEEN {first} AND {last} "
        "ORDER BY norad_id, epoch_jd, epoch_day_fraction, first_seen"
    ).fetchnumpy()
    sets = np.zeros(len(found["norad_id"]), HISTORY_DTYPE)
    for name in _NUMBERS:
        sets[name] = found[name]
    return sets, np.ma.getdata(found["first_seen"]).astype("M8[us]")


def _store(store: Path, found: ManoeuvreArray, sets: ElementArray, known_at: Instants, now: datetime) -> int:
    """Store those manoeuvres that the store has not in a file of their own, and return how many."""
    if not len(found):
        return 0
    with opened_for_writing(store, LOCK_TIMEOUT_S):
        news = not_yet_stored(store, found, expiry_of(read_current(store)), _OF_NO_RUN)
        if len(news):
            path = _free_name(store, now)
            replace_parquet(manoeuvre_table(news, _shown_at(news, sets, known_at), None), path)
            sync_folder(path.parent)
    return len(news)


def _shown_at(found: ManoeuvreArray, sets: ElementArray, known_at: Instants) -> Instants:
    """Return when the first set after each manoeuvre became known."""
    epochs = instants(sets["epoch_jd"], sets["epoch_day_fraction"])
    begin = np.searchsorted(sets["norad_id"], found["norad_id"])
    end = np.searchsorted(sets["norad_id"], found["norad_id"], side="right")
    places = [
        first + int(np.searchsorted(epochs[first:last], to))
        for first, last, to in zip(begin, end, found["to"], strict=True)
    ]
    shown: Instants = known_at[places]
    return shown


def _free_name(store: Path, now: datetime) -> Path:
    number = 1
    while (path := manoeuvre_file(store, f"searched-{stamp(now)}-{number:04d}")).exists():
        number += 1
    return path
