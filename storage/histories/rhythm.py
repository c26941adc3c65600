"""How often new element sets of an object become known."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from storage.analyst_file.tables_and_views import element_history
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import ELEMENT_FILES
from storage.times import datetime64_us, fetched_utc

LAST_DAYS = timedelta(days=14)
FEWEST = 3  # times at which sets became known


class Rhythm(NamedTuple):
    """When the sets of an object become known."""

    last: datetime  # UTC, when the newest did
    every: timedelta  # median from one to the next
    delay: timedelta  # median from the epoch


def rhythms(store: Path, norad_ids: Sequence[int], until: datetime) -> dict[int, Rhythm]:
    """Return the rhythm of objects in the 14 days before a time (UTC); those with too few sets are left out.

    Raises:
        StoreError: the store cannot be read.
    """
    with store_faults(store):
        if not any(store.glob(ELEMENT_FILES)):
            return {}
        verify_all(store.glob(ELEMENT_FILES), ("norad_id", "epoch", "first_seen", "content_hash", "run_id"))
        sets = element_history(store, expiry_of(read_current(store)))
        with file_reader() as connection:
            found = connection.execute(
                f"SELECT norad_id, first_seen, max(epoch) FROM ({sets}) "  # noqa: S608
                "WHERE norad_id IN (SELECT unnest(?)) AND first_seen BETWEEN ? AND ? "
                "AND coalesce(trajectory, 'gp') <> 'ephemeris' GROUP BY ALL ORDER BY ALL",
                [list(norad_ids), datetime64_us(until - LAST_DAYS), datetime64_us(until)],
            )
            rows = fetched_utc(found)
    known = {one: [(seen, epoch) for number, seen, epoch in rows if number == one] for one in norad_ids}
    return {one: _rhythm(times) for one, times in known.items() if len(times) >= FEWEST}


def _rhythm(times: Sequence[tuple[datetime, datetime]]) -> Rhythm:
    seen = [one for one, _ in times]
    return Rhythm(
        seen[-1],
        _median([after - before for before, after in pairwise(seen)]),
        _median([one - epoch for one, epoch in times]),
    )


def _median(spans: Sequence[timedelta]) -> timedelta:
    return timedelta(seconds=median(span.total_seconds() for span in spans))
