"""Which row of an event counts: the same in the view of analysts and in memory, whatever the rows say."""

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from storage import schema
from storage.disk.layout import write_parquet
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.rows.over_runs.winning import DECIDED_BY, wins

# Origin, whether it has a covariance, age in hours: the worst first, written out by hand.
BY_RANK = [
    *(("full", False, 2), ("full", False, 1), ("full", True, 2), ("full", True, 1)),
    *(("second_look", False, 2), ("second_look", False, 1), ("second_look", True, 2)),
    ("second_look", True, 1),
]


def as_rows(rows: list[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema.CONJUNCTIONS.arrow)


def columns(kinds: list[tuple[str, bool, int]], event_ids: list[int] | None = None) -> pa.Table:
    """Return rows of some kinds with the columns that decide; of one event, unless ids are given."""
    times = [datetime(2026, 11, 21, tzinfo=UTC) - timedelta(hours=age) for _, _, age in kinds]
    found = (
        pa.array(event_ids or [1] * len(kinds)),
        pa.array([origin for origin, _, _ in kinds]),
        pa.nulls(len(kinds), pa.string()),
        pa.array(["cdm" if scored else None for _, scored, _ in kinds], pa.string()),
        pa.array(times, pa.timestamp("us", "UTC")).cast(pa.timestamp("us")),
    )
    return pa.table(dict(zip(DECIDED_BY, found, strict=True)))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, make) -> Path:
    """A run whose events were found again by every two kinds of rows, in either order."""
    made_up = make.run(conjunctions=60)
    made_up.conjunctions["primary_covariance_source"][:30] = 0
    store = tmp_path_factory.mktemp("winning") / "store"
    make.publish(store, made_up)
    finished = made_up.run.finished.replace(tzinfo=None)
    with connect(store) as connection:
        rows = connection.sql("FROM conjunctions ORDER BY event_id").to_arrow_table().to_pylist()
    again = []
    for row, kinds in zip(rows, itertools.permutations(BY_RANK, 2), strict=False):
        for origin, scored, age in kinds:
            source = "default" if scored else None
            found = {
                "origin": origin,
                "computed_at": finished + timedelta(hours=3 - age),
                "miss_distance_m": float(BY_RANK.index((origin, scored, age))),
                "primary_covariance_source": source,
                "secondary_covariance_source": source,
            }
            again.append(row | found)
    write_parquet(as_rows(again), store / "analyses" / "again.parquet")
    return store


def test_the_view_and_the_memory_show_the_same_row(store: Path) -> None:
    with connect(store) as connection:
        in_view = dict(connection.execute("SELECT event_id, miss_distance_m FROM events").fetchall())
        kinds = connection.execute("SELECT DISTINCT origin FROM events").fetchall()
    page = newest_snapshot(store).events(EventQuery(limit=None))
    place = {name: EVENT_COLUMNS.index(name) for name in ("event_id", "miss_distance_m")}
    in_memory = {row[place["event_id"]]: row[place["miss_distance_m"]] for row in page.rows}
    assert in_memory == in_view
    assert set(kinds) == {("run",), ("second_look",), ("full",)}


def test_of_two_rows_of_one_event_the_better_wins_in_either_order() -> None:
    for (rank, one), (other_rank, other) in itertools.permutations(enumerate(BY_RANK), 2):
        rows = columns([one, other])
        assert wins(rows).tolist() == [rank > other_rank, other_rank > rank], (one, other)


def test_of_equal_rows_the_first_wins_and_each_event_has_one() -> None:
    rows = columns([BY_RANK[0]] * 3, event_ids=[7, 5, 7])
    assert wins(rows).tolist() == [True, True, False]
    assert wins(rows.slice(0, 0)).tolist() == []
