"""Print how often levels fell as foretold: with the next element sets, over a week of published sets.

    .venv/bin/python tests/benchmarks/decide_or_wait.py

Runs every six hours; of each up to 150 events above low, the most dangerous first, that have ten hours left.
What it became: by the first run that has newer sets of the objects of which a set was expected, or no longer
finds the encounter. Takes ten minutes.
"""

import sys
import tempfile
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from api.answers.drawn.better_data import better_data  # noqa: E402
from api.answers.rows import EVENT_FIELDS, records  # noqa: E402
from api.answers.stored_events import StoredEvent, typed  # noqa: E402
from flows.runs.run import Request, Stages, run_catalogue  # noqa: E402
from flows.settings import FlowSettings  # noqa: E402
from flows.sources.history import read_history  # noqa: E402
from screening.vocabulary import PROBABILITY_LEVELS  # noqa: E402
from storage.histories.incoming import import_histories  # noqa: E402
from storage.in_memory.event_table import EventQuery  # noqa: E402
from storage.in_memory.snapshot import Snapshot, newest_snapshot  # noqa: E402
from tests.runs import SILENT  # noqa: E402

SHARED = REPOSITORY.parent / "shared" / "data"
FIRST, STEP, RUNS = datetime(2026, 5, 25, tzinfo=UTC), timedelta(hours=6), 25
HOURS, THRESHOLD_KM = 48.0, 10.0
LEFT, OF_A_RUN = timedelta(hours=10), 150
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)
COLUMNS = "{:<12}{:>12}{:>10}{:>10}{:>10}{:>12}{:>10}"
LOWEST = PROBABILITY_LEVELS.index("low")


class Foretold(NamedTuple):
    """What one run foretells of an event."""

    event: StoredEvent
    run: datetime
    expected: set[int]  # catalogue numbers of objects of which a set is expected
    falls: float
    rises: float


def main() -> None:
    """Print the table."""
    foretold: list[Foretold] = []
    found: dict[datetime, dict[int, StoredEvent]] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        import_histories(store, sorted((SHARED / "history" / "published").iterdir()), datetime.now(UTC))
        for place in range(RUNS):
            as_of = FIRST + place * STEP
            run_catalogue(
                read_history(store, as_of),
                Request(None, HOURS, THRESHOLD_KM, as_of=as_of),
                FlowSettings(store=store),
                Stages(SILENT.stage),
                SILENT,
            )
            snapshot = newest_snapshot(store)
            events = _events(snapshot)
            found[as_of] = {event.id: event for event in events}
            chosen = [one for one in events if _counts(one) and one.tca > as_of + LEFT][:OF_A_RUN]
            foretold += [one for event in chosen if (one := _foretold(snapshot, event, as_of))]
    _print([(one, then) for one in foretold if (then := _became(one, found)) is not None])


def _events(snapshot: Snapshot) -> list[StoredEvent]:
    parts = snapshot.events(EventQuery(limit=None)).rows
    return [typed(one) for one in records(EVENT_FIELDS, parts)]


def _level(event: StoredEvent) -> int:
    return PROBABILITY_LEVELS.index(event.probability_level or "unknown")


def _counts(event: StoredEvent) -> bool:
    return event.probability_level in ("critical", "high", "medium")


def _foretold(snapshot: Snapshot, event: StoredEvent, run: datetime) -> Foretold | None:
    found = better_data(snapshot, event, [])
    if found.rating is None:
        return None
    expected = {one.norad_id for one in found.expected if one.norad_id}
    return Foretold(event, run, expected, found.rating.falls, found.rating.rises)


def _became(one: Foretold, found: dict[datetime, dict[int, StoredEvent]]) -> int | None:
    """Return the level once the sets are there; None: they were not before TCA."""
    for run in (run for run in sorted(found) if one.run < run < one.event.tca):
        then = found[run].get(one.event.id)
        if then is None:
            return LOWEST
        pairs = zip(one.event.sides, then.sides, strict=True)
        if all(now.epoch != was.epoch for was, now in pairs if was.norad_id in one.expected):
            return _level(then)
    return None


def _print(became: list[tuple[Foretold, int]]) -> None:
    rows = [
        (now, one.falls, one.rises, then > now, then < now)
        for one, then in became
        for now in [_level(one.event)]
    ]
    table = np.array(rows, float)
    print(COLUMNS.format("level", "falls, said", "events", "said", "fell", "said rises", "rose"))
    for level, word in enumerate(PROBABILITY_LEVELS[:3]):
        for low, high in pairwise(BINS):
            here = table[(table[:, 0] == level) & (table[:, 1] >= low) & (table[:, 1] < high)]
            if len(here):
                shares = [f"{value:.2f}" for value in here[:, [1, 3, 2, 4]].mean(axis=0)]
                print(COLUMNS.format(word, f"{low:.1f}-{min(high, 1):.1f}", len(here), *shares))


if __name__ == "__main__":
    main()
