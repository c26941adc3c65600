"""Messages of one encounter share an id, whatever their senders call it, and join the event of a run."""

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from screening.risk.conjunctions import ConjunctionArray
from storage.messages.kept import message, received
from storage.reading.newest_run import connect
from storage.times import utc_datetime
from tests.earlier_stores import as_if_made_at, unpacked
from tests.made_up_run import MadeUpRun, make_run, publish
from tests.storage.messages.received import TCA, taken, text


def encounters(store: Path) -> list[int]:
    shown = received(store)["encounter_id"].to_pylist()
    assert all(0 < one < 2**53 for one in shown)
    return shown


def about(conjunctions: ConjunctionArray, place: int, seconds: float, **options: str) -> str:
    """A message about a conjunction of a run, its objects in the other order."""
    row = conjunctions[place]
    pair = str(row["secondary_norad_id"]), str(row["primary_norad_id"])
    return text(pair=pair, tca=utc_datetime(row["tca"]) + timedelta(seconds=seconds), **options)


def events(store: Path) -> dict[tuple[int, int], int]:
    with connect(store) as connection:
        found = connection.execute("SELECT primary_norad_id, secondary_norad_id, event_id FROM events")
        return {(first, second): one for first, second, one in found.fetchall()}


def single(place: int = 0, **options: float) -> MadeUpRun:
    """A run of one conjunction."""
    made_up = make_run(**options)
    return made_up._replace(conjunctions=made_up.conjunctions[place : place + 1])


@pytest.mark.slow
def test_a_series_is_one_encounter_even_if_the_ids_are_all_alike(store: Path) -> None:
    random = np.random.default_rng(1)
    for day in range(6):
        moved = timedelta(seconds=float(random.normal(0.0, 20.0)))
        pair = ("12345", "67890") if day % 2 else ("67890", "000012345")
        done = taken(store, text(tca=TCA + moved, pair=pair), hours_later=24 * day)
        assert done.new == 1
    assert len(set(encounters(store))) == 1
    assert len(encounters(store)) == 6


def test_other_pairs_and_other_times_are_other_encounters(store: Path) -> None:
    taken(
        store,
        text(),
        text(pair=("12345", "67891")),
        text(tca=TCA + timedelta(minutes=11)),
        text(tca=TCA + timedelta(minutes=100)),
    )
    assert len(set(encounters(store))) == 4


@pytest.mark.slow
def test_objects_without_numbers_are_told_apart_by_their_designators(store: Path) -> None:
    taken(store, text(pair=("OWN-1", "67890")), text(pair=("OWN-2", "67890")), text(pair=("67890", "own-1")))
    of_pair = {frozenset(("OWN-1", "67890")): set(), frozenset(("OWN-2", "67890")): set()}
    for row in received(store).to_pylist():
        pair = {row["primary_designator"].upper(), row["secondary_designator"].upper()}
        of_pair[frozenset(pair)].add(row["encounter_id"])
    (first,), (second,) = of_pair.values()
    assert first != second
    assert received(store)["primary_norad_id"].null_count == 2


@pytest.mark.slow
def test_messages_join_the_event_of_a_run_by_pair_and_time(store: Path) -> None:
    made_up = make_run()
    publish(store, made_up)
    row = made_up.conjunctions[0]
    done = taken(
        store,
        about(made_up.conjunctions, 0, 599.0),
        about(made_up.conjunctions, 0, -601.0, probability="2e-5"),
        about(made_up.conjunctions, 1, 0.0),
    )
    assert (done.new, done.joined) == (3, 2)
    event = events(store)[int(row["primary_norad_id"]), int(row["secondary_norad_id"])]
    shown = [message(store, each) for each in done.ids]
    assert [each["event_id"] == event for each in shown] == [True, False, False]
    assert shown[1]["event_id"] is None


@pytest.mark.slow
def test_a_message_joins_the_nearest_of_two_events(store: Path) -> None:
    made_up = make_run()
    two = made_up.conjunctions[[0, 0]]
    two["tca"][1] += np.timedelta64(15, "m")
    publish(store, made_up._replace(conjunctions=two))
    done = taken(store, about(two, 0, 400.0), about(two, 1, -400.0))
    with connect(store) as connection:
        ids = [one for (one,) in connection.execute("SELECT event_id FROM events ORDER BY tca").fetchall()]
    assert [message(store, each)["event_id"] for each in done.ids] == ids


@pytest.mark.slow
def test_a_run_that_finds_the_encounter_later_has_its_messages(store: Path) -> None:
    made_up = single()
    done = taken(store, about(made_up.conjunctions, 0, 3.0), about(made_up.conjunctions, 0, 9.0))
    assert done.joined == 0
    (own,) = set(encounters(store))
    publish(store, made_up)
    (event,) = events(store).values()
    assert set(encounters(store)) == {event}
    assert set(received(store)["own_encounter_id"].to_pylist()) == {own}


@pytest.mark.slow
def test_an_event_that_only_an_earlier_run_had_keeps_its_messages(store: Path) -> None:
    made_up = single()
    publish(store, made_up)
    (event,) = events(store).values()
    taken(store, about(made_up.conjunctions, 0, 3.0))
    publish(store, single(1, hours_later=6.0))
    with connect(store) as connection:
        shown = connection.execute("SELECT origin FROM events WHERE event_id = ?", [event]).fetchall()
    assert shown == [("message",)]
    assert received(store)["event_id"].to_pylist() == [event]


@pytest.mark.slow
def test_a_radius_that_the_message_lacks_is_that_of_the_objects_of_the_run(store: Path) -> None:
    from screening.risk.conjunctions import HARD_BODY_SOURCES
    from storage.writing.objects_table import objects_of

    made_up = make_run()
    objects = objects_of(made_up.elements)
    objects["hard_body_radius_m"] = 1.0 + np.arange(len(objects))
    objects["hard_body_source"] = HARD_BODY_SOURCES.index("table")
    row = made_up.conjunctions[0]
    first, second = (
        int(np.flatnonzero(made_up.elements["norad_id"] == row[name])[0])
        for name in ("primary_norad_id", "secondary_norad_id")
    )
    objects["hard_body_source"][second] = HARD_BODY_SOURCES.index("type")
    publish(store, made_up, objects=objects)
    (each,) = taken(store, about(made_up.conjunctions, 0, 0.0, radius="")).ids
    shown = message(store, each)
    assert shown["hard_body_radius_m"] == 2.0 + first + second
    assert shown["hard_body_source"] == "type"
    assert shown["probability_2d"] is not None


@pytest.mark.slow
def test_the_view_for_analysts_shows_what_the_list_shows(store: Path) -> None:
    made_up = make_run()
    publish(store, made_up)
    taken(store, *(about(made_up.conjunctions, place, 1.0) for place in range(5)), text())
    names = ("id", "event_id", "encounter_id", "tca", "probability_2d")
    with connect(store) as connection:
        found = connection.execute(f"SELECT {', '.join(names)} FROM messages ORDER BY id").fetchall()
        described = connection.execute(
            "SELECT comment FROM duckdb_columns() WHERE table_name = 'messages'"
        ).fetchall()
    shown = sorted(tuple(row[name] for name in names) for row in received(store).to_pylist())
    assert found == shown
    assert all(comment for (comment,) in described)


@pytest.mark.slow
def test_a_store_of_an_earlier_release_gets_its_view_with_the_first_message(store: Path) -> None:
    store = as_if_made_at(unpacked("0.1.0", store.parent))
    (each,) = taken(store, text()).ids
    with connect(store) as connection:
        assert connection.execute("SELECT id FROM messages").fetchall() == [(each,)]
