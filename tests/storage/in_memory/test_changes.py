"""What changed between two runs, against brute force over the rows of both, one by one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from screening.risk.conjunctions import ConjunctionArray
from screening.vocabulary import PROBABILITY_LEVELS
from storage.in_memory.changes import Changes, Part, changes
from storage.in_memory.snapshot import newest_snapshot
from storage.rows.over_runs.changes import OF_BEFORE, OF_NEWEST
from tests.made_up_run import MadeUpRun, make_run, possible, publish

Event = dict[str, Any]
EVENTS, OBJECTS = 1500, 120
WINDOW = timedelta(hours=18)  # the events lie in 24


class Looked:
    """What a run looked at, and what it found, as plain Python."""

    def __init__(self, store: Path, run_id: str, made_up: MadeUpRun, failed: Sequence[int]) -> None:
        """Read a run's rows back."""
        run = made_up.run
        start, end = (one.replace(tzinfo=None) for one in (run.window_start, run.window_end))
        self.since, self.until = max(start, run.started.replace(tzinfo=None)), end
        self.threshold_m = run.threshold_km * 1000
        numbers = made_up.elements["norad_id"].tolist()
        self.screened = {number for place, number in enumerate(numbers) if place not in failed}
        file = store / "runs" / f"run_id={run_id}" / "conjunctions.parquet"
        self.events: dict[int, Event] = {row["event_id"]: row for row in pq.read_table(file).to_pylist()}

    def would_find(self, event: Event, finder: "Looked") -> bool:
        """Tell whether this run would have found an event of another."""
        begins, ends = event["inside_from"] or event["tca"], event["inside_to"] or event["tca"]
        if not (begins < self.until and ends > self.since):
            return False
        if self.since < event["tca"] < self.until:
            near = event["miss_distance_m"] < self.threshold_m
        else:  # only a visit reaches into the window: all of it was inside the other's threshold
            near = finder.threshold_m <= self.threshold_m
        return near and {event["primary_norad_id"], event["secondary_norad_id"]} <= self.screened


def made(seed: int, hours_later: float, **changed: Any) -> MadeUpRun:
    """Make a run whose window begins with it; a fifth of its events are visits of hours."""
    found = possible(make_run(conjunctions=EVENTS, objects=OBJECTS, seed=1))
    rng = np.random.default_rng(seed)
    run = found.run
    later = timedelta(hours=hours_later)
    run = replace(
        run,
        started=run.started + later,
        finished=run.finished + later,
        window_start=run.window_start + later,
        window_end=run.window_start + later + WINDOW,
        **changed,
    )
    events = found.conjunctions
    visits = np.arange(0, EVENTS, 5)
    events["encounter"][:] = 0
    events["inside_from"], events["inside_to"] = np.datetime64("NaT"), np.datetime64("NaT")
    events["encounter"][visits] = 1
    events["inside_from"][visits] = events["tca"][visits] - np.timedelta64(150, "m")
    events["inside_to"][visits] = events["tca"][visits] + np.timedelta64(200, "m")
    kept = rng.random(EVENTS) < 0.7
    kept &= events["miss_distance_m"] < run.threshold_km * 1000
    start, end = (np.datetime64(one.replace(tzinfo=None), "us") for one in (run.window_start, run.window_end))
    ends = np.where(np.isnat(events["inside_to"]), events["tca"], events["inside_to"])
    begins = np.where(np.isnat(events["inside_from"]), events["tca"], events["inside_from"])
    kept &= (ends > start) & (begins < end)
    events = events[kept]
    low = rng.random(len(events)) < 0.1
    events["probability_level"][low] = rng.integers(0, 5, int(low.sum()))
    return found._replace(run=run, conjunctions=events)


def without(made_up: MadeUpRun, places: Sequence[int], failed: Sequence[int]) -> MadeUpRun:
    """Leave objects out of the catalogue, and the events of these and of those that failed."""
    numbers = made_up.elements["norad_id"][[*places, *failed]]
    events: ConjunctionArray = made_up.conjunctions
    lost = np.isin(events["primary_norad_id"], numbers) | np.isin(events["secondary_norad_id"], numbers)
    left = np.delete(made_up.elements, places)
    return made_up._replace(elements=left, conjunctions=events[~lost])


def store_of(store: Path, made_up: MadeUpRun, lost: Sequence[int], failed: Sequence[int]) -> Looked:
    """Publish a run without some objects, of which others failed."""
    run = without(made_up, lost, failed)
    numbers = run.elements["norad_id"].tolist()
    places = [numbers.index(number) for number in made_up.elements["norad_id"][list(failed)].tolist()]
    return Looked(store, publish(store, run, failed=places), run, places)


def same(part: Part, expected: list[Event]) -> None:
    counted = [PROBABILITY_LEVELS[level] for level in part.levels.tolist()]
    assert sorted(counted) == sorted(str(event["probability_level"]) for event in expected)
    assert set(part.worst.tolist()) <= {event["event_id"] for event in expected}


def compare(found: Changes, now: Looked, then: Looked) -> None:
    new = [event for number, event in now.events.items() if number not in then.events]
    lost = [event for number, event in then.events.items() if number not in now.events]
    lost = [event for event in lost if (event["inside_to"] or event["tca"]) > now.since]
    same(found.new, [event for event in new if then.would_find(event, now)])
    same(found.first_looked_for, [event for event in new if not then.would_find(event, now)])
    same(found.gone, [event for event in lost if now.would_find(event, then)])
    same(found.not_looked_for, [event for event in lost if not now.would_find(event, then)])
    both = now.events.keys() & then.events.keys()
    rank, unknown = PROBABILITY_LEVELS.index, PROBABILITY_LEVELS.index("unknown")
    level = {n: [rank(one.events[n]["probability_level"]) for one in (now, then)] for n in both}
    same(found.raised, [now.events[n] for n, (new_one, old) in level.items() if new_one < old])
    same(found.eased, [now.events[n] for n, (new_one, old) in level.items() if old < new_one != unknown])


def test_only_what_the_other_run_would_have_found_is_gone_or_new(store: Path) -> None:
    """A catalogue without 200 objects, and a smaller threshold, made 1,109 events "gone"; none was."""
    first = store_of(store, made(1, 0), (), (5,))
    second = store_of(store, made(2, 6, threshold_km=6.0), (1, 2, 3), (4, 7))
    found = changes(newest_snapshot(store))
    assert found is not None
    compare(found, second, first)
    for kind in (*OF_NEWEST, *OF_BEFORE):
        part = getattr(found, kind)
        assert len(part.levels) > 5
    third = store_of(store, made(3, 8), (), ())
    found = changes(newest_snapshot(store))
    assert found is not None
    compare(found, third, second)
    assert min(len(part.levels) for part in (found.new, found.first_looked_for, found.gone)) > 5


@pytest.mark.slow
def test_objects_alone_decide(store: Path) -> None:
    """With the same time and threshold, what is missing is told apart by its objects alone."""
    whole = make_run(conjunctions=600, objects=60)
    publish(store, whole)
    lost = whole.elements["norad_id"][:6]
    sides = [np.isin(whole.conjunctions[f"{who}_norad_id"], lost) for who in ("primary", "secondary")]
    of_lost = int((sides[0] | sides[1]).sum())
    less = make_run(conjunctions=600, objects=60)
    publish(store, less._replace(elements=less.elements[6:], conjunctions=less.conjunctions[:0]))
    found = changes(newest_snapshot(store))
    assert found is not None
    assert (len(found.gone.levels), len(found.not_looked_for.levels)) == (600 - of_lost, of_lost)
    again = make_run(conjunctions=600, objects=60)
    publish(store, again)
    found = changes(newest_snapshot(store))
    assert found is not None
    assert (len(found.new.levels), len(found.first_looked_for.levels)) == (600 - of_lost, of_lost)


@pytest.mark.slow
def test_a_run_of_an_earlier_release_left_no_list_of_objects(store: Path) -> None:
    whole = make_run(conjunctions=100, objects=40)
    publish(store, whole._replace(conjunctions=whole.conjunctions[:50]))
    publish(store, make_run(conjunctions=100, objects=40))
    for path in store.glob("runs/*/screened.parquet"):
        path.unlink()
    found = changes(newest_snapshot(store))
    assert found is not None
    assert (len(found.new.levels), len(found.first_looked_for.levels)) == (50, 0)


@pytest.mark.slow
def test_one_encounter_with_a_complex_is_told_once_among_the_worst(store: Path) -> None:
    before, now = (make_run(conjunctions=200, objects=60, hours_later=hours) for hours in (0, 0))
    for one in (before, now):
        for who in ("primary", "secondary"):
            one.conjunctions[f"{who}_complex_id"] = -1
    publish(store, before._replace(conjunctions=before.conjunctions[:0]))
    together = now.conjunctions[:5]  # the second object meets five that are docked, 10 s after each other
    together["primary_norad_id"] = now.elements["norad_id"][:5]
    together["secondary_norad_id"] = now.elements["norad_id"][30]
    together["primary_complex_id"] = now.elements["norad_id"][0]
    together["tca"] = together["tca"][0] + np.arange(5) * np.timedelta64(10, "s")
    together["encounter"], together["probability_level"] = 0, 0
    together["inside_from"] = together["inside_to"] = np.datetime64("NaT")
    publish(store, now)
    found = changes(newest_snapshot(store))
    assert found is not None
    assert (len(found.new.levels), len(found.new.worst)) == (200, 196)
    assert np.count_nonzero(found.new.levels == 0) >= 5


@pytest.mark.slow
@pytest.mark.parametrize(("historic", "synthetic"), [(True, True), (False, False)])
def test_only_runs_of_the_same_kind_are_compared(store: Path, *, historic: bool, synthetic: bool) -> None:
    publish(store, make_run())
    other = make_run(hours_later=1)
    publish(store, other._replace(run=replace(other.run, historic=historic, synthetic=synthetic)))
    assert changes(newest_snapshot(store)) is None
    later = make_run(hours_later=2)
    publish(store, later._replace(run=replace(later.run, historic=historic, synthetic=synthetic)))
    found = changes(newest_snapshot(store))
    assert found is not None
    assert datetime.strptime(found.before, "%Y%m%dT%H%M%SZ") == other.run.started.replace(tzinfo=None)  # noqa: DTZ007
    assert len(found.new.levels) == 0
