"""The order of the most dangerous events: the same in SQL and in memory, with ties and unknown values."""

import random
from math import inf
from pathlib import Path

import numpy as np
import pytest

from screening.risk.tiers import probability_levels
from screening.vocabulary import PROBABILITY_LEVELS
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect, events, most_dangerous
from storage.rows.danger import (
    PROBABILITIES,
    decisive_probability,
    decisive_probability_of,
    levels_for_a_reader,
)
from tests.naive_order import naive_key

UNKNOWN = float("nan")
SOME = (UNKNOWN, 0.0, 1e-12, 3e-6, 3.0000000001e-6, 2e-4, 1.0)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, make) -> Path:
    """A run with few different values, so that many rows are alike in all but their id."""
    made_up, rng = make.run(conjunctions=700), np.random.default_rng(5)
    for name in PROBABILITIES:
        made_up.conjunctions[name] = rng.choice(SOME, 700, p=[0.5, *[0.5 / 6] * 6])
    made_up.conjunctions["miss_distance_m"] = rng.choice([50.0, 50.5, 900.0], 700)
    probabilities = (made_up.conjunctions[name] for name in PROBABILITIES)
    levels = probability_levels(decisive_probability(*probabilities))
    made_up.conjunctions["probability_level"] = levels
    store = tmp_path_factory.mktemp("alike") / "store"
    make.publish(store, made_up)
    return store


@pytest.fixture(scope="module")
def in_order(store: Path) -> list[dict[str, object]]:
    with connect(store) as connection:
        table = connection.sql("FROM events").to_arrow_table()
    return sorted(table.to_pylist(), key=naive_key)


def test_the_rows_put_the_order_to_the_test(in_order: list[dict[str, object]]) -> None:
    keys = [naive_key(event) for event in in_order]
    assert {level for level, *_ in keys} == {0, 2, 3, 4}
    assert sum(key[1] == inf for key in keys) > 1
    assert len({key[:3] for key in keys}) < 100, "hundreds of rows differ in their id alone"


def test_a_list_from_the_file_is_the_naive_one(store: Path, in_order: list[dict[str, object]]) -> None:
    found = events(store, limit=1000)
    assert [row[0] for row in found.rows] == [event["event_id"] for event in in_order]
    assert [row[0] for row in events(store, limit=9).rows] == [row[0] for row in found.rows[:9]]


def test_the_rows_lie_in_the_file_in_that_order(store: Path, in_order: list[dict[str, object]]) -> None:
    with connect(store) as connection:
        found = connection.sql("FROM conjunctions").to_arrow_table().to_pylist()
    assert [naive_key(row)[:3] for row in found] == [naive_key(event)[:3] for event in in_order]


def test_a_list_of_new_rows_is_the_naive_one(store: Path, in_order: list[dict[str, object]]) -> None:
    with connect(store) as connection:
        rows = connection.sql("FROM conjunctions ORDER BY hash(event_id)").to_arrow_table()
    found = most_dangerous(rows, 30)
    assert [row[0] for row in found.rows] == [event["event_id"] for event in in_order[:30]]


@pytest.mark.parametrize("limit", [1, 7, 64, 1000])
def test_small_pages_in_memory_make_the_naive_list(
    store: Path, in_order: list[dict[str, object]], limit: int
) -> None:
    snapshot, found, query = newest_snapshot(store), [], EventQuery(limit=limit)
    while True:
        page = snapshot.events(query)
        found += [row[0] for row in page.rows]
        if page.last is None:
            break
        query = query._replace(after=page.last)
    assert found == [event["event_id"] for event in in_order]


def test_rows_that_an_analysis_adds_take_their_places(store: Path, in_order: list[dict[str, object]]) -> None:
    table = newest_snapshot(store).table(str(in_order[0]["run_id"]))
    with connect(store) as connection:
        rows = connection.sql("FROM conjunctions ORDER BY hash(event_id) LIMIT 80").to_arrow_table()
    changed = rows.to_pylist()
    rng = random.Random(3)
    for row in changed:
        row["event_id"] += 1  # another encounter
        row["probability_best"], row["probability"] = rng.choice([None, 3e-6, 2e-4]), None
        row["probability_level"] = None
    joined = table.with_parts({1: type(rows).from_pylist(changed, rows.schema)})
    expected = sorted(in_order + changed, key=naive_key)
    page = joined.page(EventQuery(limit=None))
    assert [row[EVENT_COLUMNS.index("event_id")] for row in page.rows] == [e["event_id"] for e in expected]


def test_the_probability_that_a_reader_sees_is_the_one_that_sorts(
    in_order: list[dict[str, object]],
) -> None:
    for event in in_order:
        shown = decisive_probability_of(event)
        assert naive_key(event)[1] == (inf if shown is None else -shown)


@pytest.mark.parametrize(
    ("given", "miss_m", "shown"),
    [
        ({"probability_level": "low", "probability_best": 1e-9}, 5000.0, ("low", "")),
        ({"probability_level": "low", "probability_best": 0.0}, 50.0, ("low", "critical")),
        ({"probability_level": "unknown"}, 5000.0, ("unknown", "")),
        ({"probability_level": "unknown"}, 600.0, ("unknown", "medium")),
        ({"probability": 1e-9}, 5000.0, ("low", "")),  # rows of earlier releases, from here
        ({"probability": 1e-9, "probability_2d": 2e-5}, 400.0, ("high", "high")),
        ({}, 5000.0, ("unknown", "")),
    ],
)
def test_what_has_no_probability_is_unknown_and_never_low(
    given: dict[str, object], miss_m: float, shown: tuple[str, str]
) -> None:
    assert levels_for_a_reader(given | {"miss_distance_m": miss_m}) == shown


@pytest.mark.slow
def test_the_level_by_probability_is_stored_and_filters(
    store: Path, in_order: list[dict[str, object]]
) -> None:
    for level in PROBABILITY_LEVELS:
        wanted = [event["event_id"] for event in in_order if naive_level(event) == level]
        assert [row[0] for row in events(store, probability_levels=[level], limit=1000).rows] == wanted
        page = newest_snapshot(store).events(EventQuery(probability_levels=[level], limit=None))
        assert [row[0] for row in page.rows] == wanted
    assert {event["probability_level"] for event in in_order} == {"critical", "medium", "low", "unknown"}


def naive_level(event: dict[str, object]) -> str:
    return ("critical", "high", "medium", "unknown", "low")[naive_key(event)[0]]  # type: ignore[index]
