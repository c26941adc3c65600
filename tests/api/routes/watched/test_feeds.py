"""Feeds over HTTP: their addresses are made, read without a credential, and end; the key stays secret."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import feedparser
import numpy as np
import pytest
import vobject

from api.access.page_session import COOKIE
from api.live import known_credentials
from screening.risk.tiers import near_levels, probability_levels
from storage.state.credentials import list_credentials, revoke_credential
from storage.state.feeds import MOST_OF_A_FLEET, create_feed
from storage.state.fleets import Fleet, remove_fleet
from tests.api.client import Client
from tests.api.conftest import NOW, plausible, serving
from tests.made_up_run import MadeUpRun, make_run, publish
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet

LIMIT = 40


def rated_run() -> MadeUpRun:
    """Return a run whose events have their levels by probability and by distance, in turn."""
    made_up = make_run(conjunctions=400)
    rows = made_up.conjunctions
    likely = np.random.default_rng(1).random(len(rows)) < 0.5
    by_level = {
        "probability_best": np.where(likely, np.array([2e-4, 2e-5, 2e-6, 1e-9])[rows["risk_level"]], 1e-9),
        "miss_distance_m": np.where(likely, 3e3, np.array([50.0, 300.0, 800.0, 3e3])[rows["risk_level"]]),
    }
    for name, values in by_level.items():
        rows[name] = values
    rows["probability"] = rows["probability_best"]
    rows["probability_2d"] = rows["probability_mc"] = np.nan
    rows["probability_method"], rows["encounter"] = 0, 0
    rows["probability_level"] = probability_levels(rows["probability_best"])
    rows["near_level"] = near_levels(rows["miss_distance_m"])
    return made_up


@pytest.fixture
def mine(store: Path) -> Fleet:
    """Give a fleet with ten events at each level of a run."""
    run_id = publish(store, rated_run())
    fleet = plant_fleet(store, NOW)
    by_level: dict[Any, list[dict[str, object]]] = {}
    for event in events_of(store, run_id):
        by_level.setdefault(event["risk_level"], []).append(event)
    # In the order of danger: five by their probability, five by their distance.
    chosen = [event for events in by_level.values() for event in (*events[:5], *events[-5:])]
    plant_events(store, run_id, fleet, chosen)
    return fleet


@pytest.fixture
def desk(store: Path, mine: Fleet, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(known_credentials, "MAX_AGE_S", -1.0)
    with serving(store, rate_limit_per_minute=LIMIT) as client:
        yield client


def made(desk: Client, fleet: Fleet) -> dict[str, Any]:
    answer = desk.request("POST", f"/fleets/{fleet.id}/feeds")
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


@pytest.mark.slow
def test_both_addresses_answer_without_a_credential(desk: Client, mine: Fleet) -> None:
    feed = made(desk, mine)
    anyone = desk.without_credential()
    calendar = anyone.get(path_of(feed["calendar"]))
    assert (calendar.status_code, calendar.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    events = vobject.readOne(calendar.text).vevent_list
    atom = anyone.get(path_of(feed["atom"]))
    assert atom.headers["content-type"] == "application/atom+xml; charset=utf-8"
    entries = feedparser.parse(atom.content).entries
    assert len(events) == len(entries) == 20  # critical and high
    assert {event.summary.value for event in events} == {entry.title for entry in entries}
    assert "Synthetic catalogue" in calendar.text
    for answer in (calendar, atom):
        assert answer.headers["cache-control"].startswith("private")
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.slow
def test_the_address_says_which_levels_and_whether_to_remind(desk: Client, mine: Fleet) -> None:
    path = path_of(made(desk, mine)["calendar"])
    counts = {
        risk: len(vobject.readOne(desk.get(f"{path}&risk={risk}").text).vevent_list)
        for risk in ("critical", "medium", "low")
    }
    assert counts == {"critical": 10, "medium": 30, "low": 40}
    assert "VALARM" not in desk.get(path).text
    assert desk.get(f"{path}&alarm_minutes=60").text.count("BEGIN:VALARM") == 20
    wrong_ones = ["risk=none", "alarm_minutes=-1", "alarm_minutes=10081", "level=none", "near_m=0"]
    wrong_ones += ["near_m=nan", "near_m=-1", "near_m=", "risk=high&level=high", "risk=high&near_m=none"]
    for wrong in wrong_ones:
        assert desk.get(f"{path}&{wrong}").status_code == 422


@pytest.mark.slow
def test_level_and_distance_are_chosen_apart(desk: Client, mine: Fleet) -> None:
    path = path_of(made(desk, mine)["atom"])

    def titles(which: str) -> list[str]:
        entries = feedparser.parse(desk.get(f"{path}&{which}").content).entries
        return sorted(entry.title for entry in entries)

    assert {title.partition(":")[0] for title in titles("level=high&near_m=none")} == {"Critical", "High"}
    likely, near = titles("level=critical&near_m=none"), titles("level=critical&near_m=100")
    assert set(likely) < set(near)
    assert len(near) == 10
    assert all(title.startswith("Low: ") and "near: 50 m" in title for title in set(near) - set(likely))
    assert titles("level=high&near_m=500") == titles("risk=high") == titles("level=high")
    assert len(titles("level=low")) == 40


@pytest.mark.slow
def test_what_is_known_is_not_sent_again(desk: Client, mine: Fleet) -> None:
    path = path_of(made(desk, mine)["calendar"])
    first = desk.get(path)
    again = desk.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"].startswith("private")
    other = desk.get(f"{path}&risk=low", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


def test_everything_wrong_is_the_same_404(desk: Client, mine: Fleet, store: Path) -> None:
    feed = made(desk, mine)
    path = path_of(feed["calendar"])
    other = plant_fleet(store, NOW, "other")
    key = path.partition("?")[2]
    wrong = [
        f"/fleets/{mine.id}/calendar.ics",
        f"/fleets/{mine.id}/calendar.ics?key=",
        f"/fleets/{mine.id}/calendar.ics?{key}A",
        f"/fleets/{other.id}/calendar.ics?{key}",
        f"/fleets/999/calendar.ics?{key}",
        f"/fleets/999/calendar.ics?key=skysieve_feed_999_{'A' * 43}",
        f"/fleets/{mine.id}/feed.atom?key=%ff%00",
    ]
    told = set()
    for one in wrong:
        answer = desk.without_credential().get(one)
        assert answer.status_code == 404, one
        told.add(tuple(sorted((name, answer.json()[name]) for name in ("type", "title", "detail"))))
    assert len(told) == 1
    token_instead = desk.get(f"/fleets/{mine.id}/calendar.ics")
    assert token_instead.status_code == 404


def test_a_feed_has_a_limit_of_its_own(store: Path, mine: Fleet) -> None:
    with serving(store, rate_limit_per_minute=3) as desk:
        path = path_of(made(desk, mine)["calendar"])
        assert [desk.get(path).status_code for _ in range(4)] == [200] * 3 + [429]


@pytest.mark.slow
def test_wrong_keys_and_reading_too_often_are_slowed_down(desk: Client, mine: Fleet) -> None:
    path = path_of(made(desk, mine)["calendar"])
    right = [desk.get(path).status_code for _ in range(LIMIT + 1)]
    assert right == [200] * LIMIT + [429]
    wrong = [desk.get(f"{path}A").status_code for _ in range(LIMIT + 1)]
    assert wrong == [404] * LIMIT + [429]
    assert int(desk.get(path).headers["retry-after"]) > 0
    other = made(desk, mine)
    assert desk.get(path_of(other["atom"])).status_code == 200


def test_it_ends_with_revoking_with_its_credential_and_with_its_fleet(
    desk: Client, mine: Fleet, store: Path
) -> None:
    first, second = made(desk, mine), made(desk, mine)
    listed = desk.get(f"/fleets/{mine.id}/feeds").json()
    assert [(one["id"], one["ended"], one["made_by"]) for one in listed["feeds"]] == [
        (first["id"], False, "test"),
        (second["id"], False, "test"),
    ]
    gone = desk.request("DELETE", f"/fleets/{mine.id}/feeds/{first['id']}")
    assert (gone.status_code, gone.content) == (204, b"")
    assert desk.get(path_of(first["atom"])).status_code == 404
    assert desk.get(path_of(second["atom"])).status_code == 200
    assert [one["ended"] for one in desk.get(f"/fleets/{mine.id}/feeds").json()["feeds"]] == [True, False]
    (token,) = list_credentials(store)
    revoke_credential(store, token.id, datetime.now(UTC))
    assert desk.get(path_of(second["atom"])).status_code == 404


def test_a_removed_fleet_takes_its_feeds_with_it(desk: Client, mine: Fleet, store: Path) -> None:
    path = path_of(made(desk, mine)["atom"])
    remove_fleet(store, mine.id, NOW)
    assert desk.get(path).status_code == 404
    assert desk.get(f"/fleets/{mine.id}/feeds").status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/fleets/99/feeds"),
        ("GET", "/fleets/99/feeds"),
        ("DELETE", "/fleets/1/feeds/99"),
        ("DELETE", "/fleets/99/feeds/1"),
    ],
)
def test_what_is_not_there_is_404_without_paths(desk: Client, store: Path, method: str, path: str) -> None:
    answer = desk.request(method, path)
    assert answer.status_code == 404
    assert str(store) not in answer.text


@pytest.mark.slow
def test_one_more_than_allowed_is_refused_as_alerts_are(desk: Client, mine: Fleet, store: Path) -> None:
    """It was 422, as if the id in the path were wrong."""
    for _ in range(MOST_OF_A_FLEET):
        create_feed(store, mine.id, "test", None, NOW)
    answer = desk.request("POST", f"/fleets/{mine.id}/feeds")
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:skysieve:problem:limit-reached")


def test_feeds_are_made_by_the_page_only_with_its_header(desk: Client, mine: Fleet) -> None:
    cookie = SimpleCookie(desk.request("POST", "/session").headers["Set-Cookie"])[COOKIE].value
    page = Client(desk.app, {"Cookie": f"{COOKIE}={cookie}"})
    path = f"/fleets/{mine.id}/feeds"
    header = {**page.headers, "X-Requested-With": "skysieve"}
    assert page.request("POST", path).status_code == 401
    number = page.request("POST", path, headers=header).json()["id"]
    foreign = {**header, "Sec-Fetch-Site": "same-site"}
    assert page.request("DELETE", f"{path}/{number}", headers=foreign).status_code == 401
    assert page.request("DELETE", f"{path}/{number}").status_code == 401
    assert page.request("DELETE", f"{path}/{number}", headers=header).status_code == 204


def test_the_key_is_in_no_log_and_no_list(
    desk: Client, mine: Fleet, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        feed = made(desk, mine)
        key = feed["atom"].partition("key=")[2]
        desk.get(path_of(feed["atom"]))
        desk.get(path_of(feed["calendar"]) + "x")
        desk.get(path_of(feed["calendar"]) + "&nonsense=1")
        for path in (store / "fleets").glob("*"):
            path.write_bytes(b"damaged")
        assert desk.get(path_of(feed["calendar"]) + "&risk=low").status_code in (200, 503)
    ours = [record for record in caplog.records if record.name.startswith(("skysieve", "uvicorn"))]
    assert ours
    assert not [record for record in ours if key in f"{record.getMessage()}{vars(record)}"]
    assert key not in desk.get(f"/fleets/{mine.id}/feeds").text
    assert key not in desk.get("/metrics").text


def test_addresses_begin_as_the_users_reach_the_page(store: Path, mine: Fleet) -> None:
    with serving(store, public_url="https://sky.example.org/x") as desk:
        feed = made(desk, mine)
        assert feed["calendar"].startswith(f"https://sky.example.org/x/fleets/{mine.id}/calendar.ics?key=")
        path = feed["calendar"].removeprefix("https://sky.example.org/x")
        event = vobject.readOne(desk.get(path).text).vevent
        assert event.url.value.startswith("https://sky.example.org/x/#/event/")


@pytest.mark.slow
def test_before_the_first_run_it_is_told_that_there_is_none(store: Path) -> None:
    fleet = plant_fleet(store, NOW)
    with serving(store) as desk:
        path = path_of(made(desk, fleet)["atom"])
        assert desk.get(path).status_code == 503
        assert desk.get(f"{path}A").status_code == 404
    run_id = publish(store, plausible(make_run()))
    with serving(store) as desk:
        assert feedparser.parse(desk.get(path).content).entries == []  # not looked at yet
        plant_events(store, run_id, fleet, [])
        assert f"from run {run_id}" in desk.get(path).text


@pytest.mark.slow
def test_what_changed_since_the_run_before_is_told(store: Path, mine: Fleet) -> None:
    first = make_run(conjunctions=400)
    run_id = publish(store, plausible(make_run(conjunctions=400, hours_later=1)))
    with serving(store) as desk:
        assert desk.get(f"/fleets/{mine.id}/changes").json()["before_run_id"] is None
        events = sorted(events_of(store, run_id), key=lambda event: str(event["tca"]))
        assert desk.get("/fleet-standings").json()["fleets"][0]["coming"] is None
        plant_events(store, run_id, mine, events[-3:])
        found = desk.get(f"/fleets/{mine.id}/changes").json()
        coming = desk.get("/fleet-standings").json()["fleets"][0]["coming"]
        assert (coming["events"], coming["new"]) == (3, len(found["new"]))
        assert (found["run_id"], found["before_run_id"]) == (
            run_id,
            first.run.started.strftime("%Y%m%dT%H%M%SZ"),
        )
        (gone, *_) = found["gone"]
        assert desk.get(f"/conjunctions/{gone['id']}").json()["tca"] == gone["tca"]
        assert {one["id"] for one in found["gone"]}.isdisjoint(found["new"])
        assert desk.get("/fleets/99/changes").status_code == 404
        assert desk.without_credential().get(f"/fleets/{mine.id}/changes").status_code == 401
