"""The messages about an event: told beside its history, with what differs; restricted ones if asked for."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from api.models.messages import ConjunctionWithHistory
from storage.times import utc_datetime
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.api.waiting import wait_until
from tests.made_up_run import WINDOW_START, MadeUpRun, make_run, publish
from tests.storage.messages.received import taken, text
from tests.told_events import summary

MADE = WINDOW_START - timedelta(hours=3)
RADIUS_M = 6.25


@pytest.fixture
def made_up() -> MadeUpRun:
    """A run whose first event is like the message of the tests, as far as that can be compared."""
    run = plausible(make_run())
    first = run.conjunctions[:1]
    first["hard_body_radius_m"], first["miss_distance_m"] = RADIUS_M, 1000.0
    for who in ("primary", "secondary"):
        for axis, sigma_m in zip("rtn", (10.0, 100.0, 20.0), strict=True):
            first[f"{who}_sigma_{axis}_m"] = sigma_m
    return run


@pytest.fixture
def served(store: Path, made_up: MadeUpRun) -> Iterator[Client]:
    publish(store, made_up)
    with serving(store) as client:
        yield client


def pair(made_up: MadeUpRun) -> tuple[str, str]:
    row = made_up.conjunctions[0]
    return str(row["primary_norad_id"]), str(row["secondary_norad_id"])


def about(made_up: MadeUpRun, seconds: float = 0.0, hours: float = 0.0, **changed: str) -> str:
    """A message about the first event, by default with nothing that differs."""
    tca = utc_datetime(made_up.conjunctions["tca"][0]) + timedelta(seconds=seconds)
    changed.setdefault("radius", f"{RADIUS_M} [m]")
    return text(tca=tca, made=MADE + timedelta(hours=hours), pair=pair(made_up), **changed)


def told(client: Client, made_up: MadeUpRun, **parameters: str) -> dict[str, Any]:
    listed = client.get("/conjunctions", params={"norad_id": pair(made_up)[0], "limit": 1000}).json()
    ids = [e["id"] for e in listed["conjunctions"] if e["secondary_norad_id"] == int(pair(made_up)[1])]
    answer = client.get(f"/conjunctions/{ids[0]}", params=parameters)
    ConjunctionWithHistory.model_validate_json(answer.content)
    found: dict[str, Any] = answer.json()
    return found


def test_without_messages_there_are_none(served: Client, made_up: MadeUpRun) -> None:
    found = told(served, made_up)
    assert (found["messages"], found["restricted_messages"]) == ([], 0)


@pytest.mark.slow
def test_messages_come_oldest_first_and_at_once(served: Client, store: Path, made_up: MadeUpRun) -> None:
    assert told(served, made_up)["messages"] == []
    taken(store, about(made_up, hours=2), about(made_up, hours=0))
    taken(store, about(made_up, hours=1), hours_later=1)
    wait_until(lambda: len(told(served, made_up)["messages"]) == 3)
    messages = told(served, made_up)["messages"]
    made = [message["creation_date"] for message in messages]
    assert made == sorted(made)
    assert {message["claimed_probability"] for message in messages} == {1.5e-5}
    assert {message["originator"] for message in messages} == {"MADE UP"}
    assert len(told(served, made_up)["history"]) == 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"seconds": 2.5}, ["TCA 2.50 s later"]),
        ({"seconds": -0.5}, ["TCA 0.50 s earlier"]),
        ({"radius": "12.5 [m]"}, ["radius 12.5 m (combined), ours 6.25 m"]),
    ],
)
def test_what_differs_is_said(
    served: Client, store: Path, made_up: MadeUpRun, changed: dict[str, Any], said: list[str]
) -> None:
    taken(store, about(made_up, **changed))
    wait_until(lambda: told(served, made_up)["messages"] != [])
    assert told(served, made_up)["messages"][0]["differs"] == said


@pytest.mark.slow
def test_sigmas_are_compared_object_by_object_whatever_the_order(
    served: Client, store: Path, made_up: MadeUpRun
) -> None:
    first, second = pair(made_up)
    changed = about(made_up).replace(first, "@").replace(second, first).replace("@", second)
    assert changed.count(f"= {second}\n") == 1
    other = changed.replace("100.0 [m**2]", "6400.0 [m**2]", 1)  # radially, of OBJECT1, our secondary
    taken(store, other)
    wait_until(lambda: told(served, made_up)["messages"] != [])
    (differs,) = told(served, made_up)["messages"][0]["differs"]
    assert differs == f"sigmas of {second} times ours: radial 8, in-track 1, cross-track 1"


@pytest.mark.slow
def test_restricted_ones_are_counted_and_told_only_if_asked_for(
    served: Client, store: Path, made_up: MadeUpRun
) -> None:
    first, second = pair(made_up)
    tca = utc_datetime(made_up.conjunctions["tca"][0])
    taken(store, about(made_up))
    taken(store, summary(MADE, tca, 0, SAT_1_ID=first, SAT_2_ID=second))
    wait_until(lambda: told(served, made_up)["messages"] != [])
    found = told(served, made_up)
    assert [len(found["messages"]), found["restricted_messages"]] == [1, 1]
    found = told(served, made_up, restricted="true")
    assert sorted(message["restricted"] for message in found["messages"]) == [False, True]
    assert found["restricted_messages"] == 0
    (differs,) = [message["differs"] for message in found["messages"] if message["restricted"]]
    assert "miss 886 m, ours 1,000 m" in differs
    assert f"no sigmas of {first}" in differs
