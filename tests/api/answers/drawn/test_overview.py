"""`GET /runs/current/overview` against plain counting over all events of both runs."""

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import erfa
import numpy as np
import pytest
from pydantic import TypeAdapter

from api.costly.fair_queue import FairQueue
from api.errors import Busy
from api.models.overview import Overview
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.tiers import probability_levels
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS
from storage.disk.layout import RUN_FILES, run_folder
from storage.rows.over_runs.changes import OF_BEFORE, OF_NEWEST
from storage.times import datetime64_us
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.api.waiting import wait_until
from tests.made_up_run import MadeUpRun, make_run, publish
from tests.naive_order import naive_key, naive_probability
from tests.told_events import BARE, FULL, RESTRICTED, SUMMARISED, tell

Record = dict[str, Any]
WGS84 = 1  # erfa's number
REMOVED, RAISED, EASED, ADDED = 40, 25, 15, 30


def overview(client: Client) -> Record:
    answer = client.get("/runs/current/overview")
    assert answer.status_code == 200, answer.text
    TypeAdapter(Overview).validate_json(answer.content)  # strict: no other field, no other type
    found: Record = answer.json()
    return found


def listed(client: Client) -> list[Record]:
    found: list[Record] = client.get("/conjunctions", params={"limit": 10_000}).json()["conjunctions"]
    return found


def spread(made_up: MadeUpRun) -> MadeUpRun:
    """Spread probabilities over all levels."""
    chance = 10 ** np.random.default_rng(5).uniform(-9, -3, len(made_up.conjunctions))
    known = ~np.isnan(made_up.conjunctions["probability_best"])
    rate(made_up.conjunctions, np.where(known, chance, np.nan))
    return made_up


def rate(events: ConjunctionArray, probability: Any, places: Any = slice(None)) -> None:
    """Give events another probability; of some none is known, by any method."""
    rows = events[places]
    rows["probability_best"] = probability
    for name in ("probability", "probability_2d", "probability_mc"):
        rows[name] = np.where(np.isnan(rows["probability_best"]), np.nan, rows[name])
    rows["probability_level"] = probability_levels(rows["probability_best"])
    events[places] = rows


def first_run() -> MadeUpRun:
    return spread(plausible(make_run(conjunctions=900, objects=200)))


def second_run(first: MadeUpRun) -> MadeUpRun:
    """Return a later run without the first events, with others raised, eased, nearer, and some more."""
    later = spread(plausible(make_run(conjunctions=900, objects=200, hours_later=6)))
    kept = later.conjunctions[REMOVED:].copy()
    low, high, unknown = (
        np.flatnonzero(kept["probability_level"] == PROBABILITY_LEVELS.index(level))
        for level in ("low", "high", "unknown")
    )
    rate(kept, 2e-4, low[:RAISED])
    rate(kept, 1e-7, [*high[:EASED], *unknown[:5]])
    rate(kept, np.nan, [*high[-5:], *low[-5:]])  # neither eased; the low ones are raised
    kept["risk_level"][low[30:60]] = 0  # by distance alone: no change of the level by probability
    more = kept[-ADDED:].copy()
    more["tca"] += np.timedelta64(2, "h")
    more["encounter"] = 0
    more["inside_from"] = more["inside_to"] = np.datetime64("NaT")
    return later._replace(conjunctions=np.concatenate([kept, more]))


@pytest.fixture(scope="module")
def both_runs(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Client, list[Record], list[Record]]]:
    """Serve the second of two runs; also the events of both as lists tell them."""
    store = tmp_path_factory.mktemp("both") / "store"
    first = first_run()
    publish(store, first)
    with serving(store) as client:
        before = listed(client)
        run_id = publish(store, second_run(first))
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == run_id)
        yield client, before, listed(client)


def ranks(events: list[Record]) -> list[Record]:
    """Sort as lists do."""
    return sorted(events, key=naive_key)


def check(part: Record, expected: list[Record]) -> None:
    assert part["total"] == len(expected)
    levels = [event["probability_level"] for event in expected]
    assert part["by_level"] == {level: levels.count(level) for level in PROBABILITY_LEVELS}
    worst = ranks(expected)[:20]
    assert [event["id"] for event in part["worst"]] == [event["id"] for event in worst]
    for shown, event in zip(part["worst"], worst, strict=True):
        assert shown["probability"] == naive_probability(event)
        same = set(shown) - {"probability", "level_before", "new_path"}
        assert {name: shown[name] for name in same} == {name: event[name] for name in same}


def test_what_changed_is_what_differs_between_the_lists(
    both_runs: tuple[Client, list[Record], list[Record]],
) -> None:
    client, before, after = both_runs
    found = overview(client)
    assert (found["run_id"], found["before"]) == (after[0]["run_id"], before[0]["run_id"])
    had, has = ({event["id"]: event for event in events} for events in (before, after))
    run = client.get("/runs/current").json()
    new = [event for number, event in has.items() if number not in had]
    assert len(new) >= ADDED - 2  # a pair may meet twice in these two hours
    in_time = [event for event in new if event["tca"] < run["window_end"]]  # both windows are the same here
    check(found["new"], in_time)
    check(found["first_looked_for"], [event for event in new if event not in in_time])
    was = {number: had[number]["probability_level"] for number in had.keys() & has.keys()}
    rank = PROBABILITY_LEVELS.index
    raised = [has[n] for n in was if rank(has[n]["probability_level"]) < rank(was[n])]
    assert len(raised) >= RAISED + 3
    eased = [has[n] for n in was if rank(has[n]["probability_level"]) > rank(was[n])]
    eased = [event for event in eased if event["probability_level"] != "unknown"]
    assert len(eased) >= EASED + 3
    check(found["raised"], raised)
    check(found["eased"], eased)
    for kind in ("raised", "eased"):
        assert all(event["level_before"] == was[event["id"]] for event in found[kind]["worst"])
    gone = [event for number, event in had.items() if number not in has]
    assert len(gone) >= REMOVED - 2
    check(found["gone"], [e for e in gone if (e["inside_to"] or e["tca"]) > run["started"]])
    check(found["not_looked_for"], [])


@pytest.mark.slow
def test_what_the_newest_run_could_not_find_is_told_apart(store: Path) -> None:
    """An event whose object had dropped out of the catalogue was told as gone."""
    first, second = first_run(), plausible(make_run(conjunctions=900, objects=200, hours_later=6))
    narrow_km = float(np.median(first.conjunctions["miss_distance_m"])) / 1000
    left_out = set(second.elements["norad_id"][:20].tolist())
    publish(store, first)
    with serving(store) as client:
        before = listed(client)
        elements = second.elements[20:]
        run = replace(second.run, threshold_km=narrow_km)
        run_id = publish(
            store, second._replace(run=run, elements=elements, conjunctions=first.conjunctions[:0])
        )
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == run_id)
        found = overview(client)
    started = (second.run.started).isoformat()
    still = [event for event in before if (event["inside_to"] or event["tca"]) > started]
    could = [
        event
        for event in still
        if event["miss_distance_m"] < 1000 * narrow_km
        and not left_out & {event["primary_norad_id"], event["secondary_norad_id"]}
    ]
    assert 0 < len(could) < len(still) < len(before)
    check(found["gone"], could)
    check(found["not_looked_for"], [event for event in still if event not in could])


@pytest.mark.slow
def test_runs_of_another_kind_are_not_compared(store: Path) -> None:
    publish(store, first_run())
    real = publish(store, plausible(make_run(hours_later=3, synthetic=False)))
    with serving(store) as client:
        assert overview(client)["before"] is None
        next_one = publish(store, plausible(make_run(hours_later=6, synthetic=False)))
        wait_until(lambda: overview(client)["run_id"] == next_one)
        found = overview(client)
    assert (found["before"], found["new"]["total"]) == (real, 0)


def test_the_counts_are_those_of_plain_counting(both_runs: tuple[Client, list[Record], list[Record]]) -> None:
    client, _, events = both_runs
    found = overview(client)
    assert found["events"] == len(events)
    levels, near = ([event[name] for event in events] for name in ("probability_level", "near_level"))
    assert found["by_level"] == {level: levels.count(level) for level in PROBABILITY_LEVELS}
    assert found["near"] == {level: near.count(level) for level in NEAR_LEVELS}
    assert found["limits"] == {"critical": 1e-4, "high": 1e-5, "medium": 1e-6}  # as the README states
    check_hours(client, found["per_hour"], events)
    check_places(found["altitude_inclination"], events)
    check_chances(found["miss_probability"], events)


def place(value: float, edges: list[float]) -> int:
    """Return in which interval a value is; beyond the ends, the outermost."""
    inside = [i for i in range(len(edges) - 1) if edges[i] <= value < edges[i + 1]]
    return inside[0] if inside else (0 if value < edges[0] else len(edges) - 2)


def check_hours(client: Client, hours: Record, events: list[Record]) -> None:
    run = client.get("/runs/current").json()
    first, end = (datetime.fromisoformat(run[name]) for name in ("window_start", "window_end"))
    starts = [datetime.fromisoformat(one) for one in hours["starts"]]
    assert starts == [first + timedelta(hours=hour) for hour in range(24)]
    assert datetime.fromisoformat(hours["end"]) == end == starts[-1] + timedelta(hours=1)
    counted = sum(sum(counts) for counts in hours["counts"].values())
    assert counted + hours["outside_window"] == len(events)
    for level in PROBABILITY_LEVELS:
        times = [datetime.fromisoformat(one["tca"]) for one in events if one["probability_level"] == level]
        expected = [len([t for t in times if start <= t < start + timedelta(hours=1)]) for start in starts]
        assert hours["counts"][level] == expected


def check_places(places: Record, events: list[Record]) -> None:
    shape = len(places["altitude_edges_km"]) - 1, len(places["inclination_edges_deg"]) - 1
    expected = np.zeros(shape, int)
    for event in events:
        r_km, v_km_s = (
            np.array([event[f"primary_{name}"] for name in names])
            for names in (("x_km", "y_km", "z_km"), ("vx_km_s", "vy_km_s", "vz_km_s"))
        )
        _, _, height_m = erfa.gc2gd(WGS84, r_km * 1e3)
        normal = np.cross(r_km, v_km_s)
        inclination = math.degrees(math.acos(normal[2] / math.sqrt(normal @ normal)))
        expected[
            place(height_m / 1e3, places["altitude_edges_km"]),
            place(inclination, places["inclination_edges_deg"]),
        ] += 1
    assert places["counts"] == expected.tolist()
    assert places["without_state"] == 0
    assert len([row for row in places["counts"] if any(row)]) > 5


def check_chances(chances: Record, events: list[Record]) -> None:
    shape = len(chances["log10_miss_edges"]) - 1, len(chances["log10_probability_edges"]) - 1
    expected, below, without = np.zeros(shape, int), np.zeros(shape[0], int), 0
    for event in events:
        chance = naive_probability(event)
        if chance is None:
            without += 1
            continue
        logarithm = math.log10(chance) if chance > 0 else -math.inf
        miss = place(math.log10(event["miss_distance_m"]), chances["log10_miss_edges"])
        if chance < 1e-20:
            below[miss] += 1
        else:
            expected[miss, place(logarithm, chances["log10_probability_edges"])] += 1
    assert chances["counts"] == expected.tolist()
    assert chances["below"] == below.tolist()
    assert chances["without_probability"] == without > 0


@pytest.mark.slow
def test_the_first_run_has_nothing_to_compare_with(client: Client) -> None:
    found = overview(client)
    assert [found[name] for name in ("before", *OF_NEWEST, *OF_BEFORE)] == [None] * 7
    assert found["events"] == client.get("/conjunctions", params={"limit": 1}).json()["total"]


def test_real_orbits(dangerous_store: Path) -> None:
    with serving(dangerous_store) as client:
        found, events = overview(client), listed(client)
    check_places(found["altitude_inclination"], events)
    check_chances(found["miss_probability"], events)


@pytest.mark.slow
def test_a_visit_that_goes_on_at_the_end_of_the_window_is_in_its_last_hour(store: Path) -> None:
    """Its TCA is the end itself: it was counted nowhere, and said to be told by messages."""
    made_up = first_run()
    end = datetime64_us(made_up.run.window_end)
    event = made_up.conjunctions[:1]
    event["encounter"], event["tca"] = 1, end
    event["inside_from"], event["inside_to"] = end - np.timedelta64(1, "h"), end
    publish(store, made_up)
    with serving(store) as client:
        found = overview(client)
    assert found["per_hour"]["outside_window"] == 0
    assert sum(map(sum, found["per_hour"]["counts"].values())) == found["events"] == 900


@pytest.mark.slow
def test_messages_count_without_restricted_ones_and_without_a_place(store: Path) -> None:
    made_up = first_run()
    run_id = publish(store, made_up)
    finished = made_up.run.finished
    tell(store, run_id, finished + timedelta(minutes=1), finished + timedelta(hours=5))
    with serving(store) as client:
        found, events = overview(client), listed(client)
    told = {event["id"] for event in events if event["origin"] == "message"}
    assert told == {FULL, SUMMARISED, BARE}
    assert RESTRICTED not in {event["id"] for event in events}
    assert found["events"] == len(events)
    assert found["altitude_inclination"]["without_state"] == 1  # the summary
    assert sum(map(sum, found["altitude_inclination"]["counts"])) == len(events) - 1
    in_window = sum(sum(counts) for counts in found["per_hour"]["counts"].values())
    assert in_window + found["per_hour"]["outside_window"] == len(events)


@pytest.mark.slow
def test_it_is_made_once_and_again_for_the_next_run(store: Path) -> None:
    publish(store, first_run())
    with serving(store) as client:
        first = client.get("/runs/current/overview").content
        again = client.get("/runs/current/overview")
        assert again.content == first
        known = client.headers | {"If-None-Match": again.headers["etag"]}
        same = client.get("/runs/current/overview", headers=known)
        assert (same.status_code, same.content) == (304, b"")
        second = publish(store, second_run(first_run()))
        wait_until(lambda: overview(client)["run_id"] == second)
        assert client.get("/runs/current/overview", headers=known).status_code == 200


@pytest.mark.slow
def test_once_made_it_waits_for_no_turn(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It got 503 behind other answers, though its bytes were there."""

    async def full(*asked: Any) -> None:
        asked[-1].close()  # the coroutine that would tell that the client has gone
        raise Busy("Full.", retry_after_s=1)

    publish(store, first_run())
    with serving(store) as client:
        first = overview(client)
        monkeypatch.setattr(FairQueue, "run", full)
        assert client.get("/objects").status_code == 503
        assert overview(client) == first


@pytest.mark.slow
def test_a_damaged_run_before_is_said(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = publish(store, first_run())
    publish(store, second_run(first_run()))
    file = run_folder(store, before) / RUN_FILES["conjunctions"]
    with serving(store) as client:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2] + b"x" * (len(whole) - len(whole) // 2))
        answer = client.get("/runs/current/overview")
        assert answer.status_code == 503
        assert str(file) in caplog.text
        file.unlink()  # it has expired
        assert overview(client)["before"] is None


def test_what_is_refused(client: Client) -> None:
    assert client.get("/runs/current/overview", params={"level": "low"}).status_code == 422
    assert client.without_credential().get("/runs/current/overview").status_code == 401
