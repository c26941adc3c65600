"""Paging: no gap and no repeat, also while new runs are published; what becomes of old cursors."""

import base64
import json
import shutil
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from storage.disk.layout import run_folder
from storage.reading import newest_run
from storage.writing.retention import Retention, compact
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.api.waiting import wait_until
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.naive_order import naive_key


def pages(client: Client, **parameters: object) -> list[dict[str, object]]:
    """Return all pages of a list."""
    found = [client.get("/conjunctions", params=parameters).json()]  # type: ignore[arg-type]
    while found[-1]["next"] is not None:
        limit = {"limit": parameters["limit"]}
        found.append(client.get("/conjunctions", params={**limit, "cursor": found[-1]["next"]}).json())  # type: ignore[arg-type]
    return found


def ids(pages: list[dict[str, object]]) -> list[int]:
    return [event["id"] for page in pages for event in page["conjunctions"]]  # type: ignore[attr-defined]


def forged(**changes: object) -> str:
    content = {"run": "20261121T060000Z", "wanted": {}, "key": [-1e-4, 2.0], "id": 3, **changes}
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("order", ["risk", "tca", "miss_distance", "probability", "fragments"])
@pytest.mark.parametrize("limit", [7, 100, 1000, 3000])
def test_pages_together_are_the_list(client: Client, order: str, limit: int) -> None:
    whole = pages(client, order=order, limit=10_000)
    read = pages(client, order=order, limit=limit) if limit > 7 else pages(client, limit=7, max_miss_m=400)
    if limit == 7:
        whole = pages(client, max_miss_m=400, limit=10_000)
    assert ids(read) == ids(whole)
    assert len(read) == -(-len(ids(whole)) // limit)
    assert {page["total"] for page in read} == {len(ids(whole))}


@pytest.mark.slow
def test_small_pages_are_the_naive_list_of_the_most_dangerous(store: Path) -> None:
    run = plausible(make_run(conjunctions=400))
    for name in ("probability", "probability_2d", "probability_mc"):
        run.conjunctions[name] = np.round(run.conjunctions[name], 0)  # many alike, or unknown
    run.conjunctions["miss_distance_m"] = np.round(run.conjunctions["miss_distance_m"], -3)
    publish(store, run)
    with serving(store) as client:
        for limit in (3, 41):
            read = [event for page in pages(client, limit=limit) for event in page["conjunctions"]]  # type: ignore[attr-defined]
            assert len(read) == 400
            assert read == sorted(read, key=naive_key)


def test_an_offset_counts_from_the_beginning_or_from_the_cursor(client: Client) -> None:
    whole = ids(pages(client, limit=10_000))
    first = client.get("/conjunctions?limit=100&offset=50").json()
    assert ids([first]) == whole[50:150]
    behind = client.get(f"/conjunctions?limit=10&offset=2500&cursor={first['next']}").json()
    assert ids([behind]) == whole[2650:2660]
    assert behind["total"] == len(whole)
    beyond = client.get("/conjunctions?offset=100000000").json()
    assert beyond == {"conjunctions": [], "total": len(whole), "next": None}


@pytest.mark.slow
def test_rows_that_sort_alike_are_told_apart_by_their_id(store: Path) -> None:
    run = make_run(conjunctions=500)
    run.conjunctions["miss_distance_m"] = 50.0
    run.conjunctions["probability"] = float("nan")
    publish(store, run)
    with serving(store) as client:
        for order in ("risk", "miss_distance", "probability", "fragments"):
            read = ids(pages(client, order=order, limit=33))
            assert len(set(read)) == len(read) == 500


@pytest.mark.slow
def test_a_list_stays_one_of_its_run_while_new_runs_are_published(store: Path) -> None:
    first_run = publish(store, plausible(make_run(conjunctions=1000, objects=60)))
    with serving(store) as client:
        whole = ids(pages(client, limit=10_000, order="probability"))
        page = client.get("/conjunctions", params={"limit": 90, "order": "probability"}).json()
        read = [page]
        newest = first_run
        while page["next"] is not None:
            if len(read) in (2, 5):
                newest = publish(
                    store,
                    plausible(make_run(conjunctions=1000, objects=60, seed=7, hours_later=len(read))),
                )
                wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)  # noqa: B023
            page = client.get("/conjunctions", params={"limit": 90, "cursor": page["next"]}).json()
            read.append(page)
        assert newest != first_run
        assert ids(read) == whole
        assert {page["total"] for page in read} == {1000}
        assert {event["run_id"] for page in read for event in page["conjunctions"]} == {first_run}
        assert set(ids(pages(client, limit=1000))) != set(whole)


@pytest.mark.slow
def test_a_cursor_of_a_run_that_is_gone(store: Path) -> None:
    first_run = publish(store, make_run())
    with serving(store) as client:
        cursor = client.get("/conjunctions", params={"limit": 5}).json()["next"]
        newest = publish(store, make_run(hours_later=6))
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        shutil.rmtree(run_folder(store, first_run))
        answer = client.get("/conjunctions", params={"cursor": cursor})
        assert answer.status_code == 410
        assert first_run in answer.json()["detail"]


@pytest.mark.slow
def test_a_cursor_of_a_run_that_has_expired(store: Path) -> None:
    """Only critical and high rows of such a run are left: going on would leave out the rest in silence."""
    first_run = publish(store, make_run())
    with serving(store) as client:
        cursor = client.get("/conjunctions", params={"limit": 5}).json()["next"]
        newest = publish(store, make_run(hours_later=6))
        day = Retention(timedelta(days=1), timedelta(days=1))
        compact(store, WINDOW_START + timedelta(days=2), day)
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        wait_until(lambda: client.get("/conjunctions", params={"cursor": cursor}).status_code == 410)
        assert first_run in client.get("/conjunctions", params={"cursor": cursor}).json()["detail"]
        event = newest_run.events(store, risk_levels=["critical"], limit=1).rows[0][0]
        history = client.get(f"/conjunctions/{event}").json()["history"]
        assert [row["run_id"] for row in history] == [first_run, newest]


def test_a_cursor_carries_its_conditions(client: Client) -> None:
    begun = {"risk_level": "high", "tca_from": "2026-11-21T07:00:00Z", "order": "tca", "limit": 10}
    first = client.get("/conjunctions", params=begun).json()
    alone = client.get("/conjunctions", params={"cursor": first["next"], "limit": 10}).json()
    again = client.get("/conjunctions", params={**begun, "cursor": first["next"]}).json()
    assert alone == again
    assert {event["risk_level"] for event in alone["conjunctions"]} == {"high"}
    assert alone["conjunctions"][0]["tca"] > first["conjunctions"][-1]["tca"]


@pytest.mark.parametrize(("name", "value"), [("risk_level", "low"), ("order", "risk"), ("max_miss_m", 10)])
def test_other_conditions_than_the_cursors_are_refused(client: Client, name: str, value: object) -> None:
    begun = {"risk_level": "high", "order": "tca", "limit": 10}
    cursor = client.get("/conjunctions", params=begun).json()["next"]  # type: ignore[arg-type]
    answer = client.get("/conjunctions", params={"cursor": cursor, name: value})  # type: ignore[dict-item]
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == name


def test_the_default_order_may_be_named_later(client: Client) -> None:
    cursor = client.get("/conjunctions").json()["next"]
    assert client.get("/conjunctions", params={"cursor": cursor, "order": "risk"}).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"run": "../../elsewhere"},
        {"run": "20261121T060000Z/../x"},
        {"key": [1]},
        {"key": [1, "x", 2.0]},
        {"key": [1, None, 2.0]},
        {"id": -1},
        {"id": 2**60},
        {"wanted": {"limit": 0}},
        {"wanted": {"other": 1}},
        {"more": 1},
    ],
)
def test_a_cursor_that_was_not_made_here(client: Client, changes: dict[str, object]) -> None:
    answer = client.get("/conjunctions", params={"cursor": forged(**changes)})
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == ["cursor"]


def test_a_cursor_of_the_release_that_sorted_without_probability_is_refused_with_the_remedy(
    client: Client,
) -> None:
    """Its key, level and miss distance, is no place in the list of today."""
    answer = client.get("/conjunctions", params={"cursor": forged(key=[1, 62.157])})
    assert answer.status_code == 422
    assert "this release" in answer.text
    assert "start the list again" in answer.text


def test_a_cursor_of_an_order_that_stayed_goes_on(client: Client) -> None:
    first = client.get("/conjunctions", params={"limit": 5, "order": "miss_distance"}).json()
    last = first["conjunctions"][-1]
    wanted = {"order": "miss_distance"}
    old = forged(run=last["run_id"], wanted=wanted, key=[last["miss_distance_m"]], id=last["id"])
    again = client.get("/conjunctions", params={"limit": 5, "cursor": old}).json()
    assert (
        again["conjunctions"]
        == client.get("/conjunctions", params={"limit": 5, "cursor": first["next"]}).json()["conjunctions"]
    )


def test_a_cursor_of_a_run_that_never_was(client: Client) -> None:
    assert client.get("/conjunctions", params={"cursor": forged(run="19990101T000000Z")}).status_code == 410
