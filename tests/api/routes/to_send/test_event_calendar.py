"""One event for a calendar: read back by two libraries, stable, cancelled when a run has it no longer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import numpy as np
import pytest
import vobject

from storage.rows.graded import graded
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.api.waiting import wait_until
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.storage.messages.received import RECEIVED, taken, text
from tests.told_events import RESTRICTED, SUMMARISED, tell

Record = dict[str, Any]
STILL_AHEAD = {
    "limit": 1,
    "tca_from": f"{WINDOW_START + timedelta(hours=7):%Y-%m-%dT%H:%M:%SZ}",
}  # of a run 6 h later


@pytest.fixture(scope="module")
def events(client: Client) -> list[Record]:
    found: list[Record] = client.get("/conjunctions", params={"limit": 1000}).json()["conjunctions"]
    return found


def entry(client: Client, event_id: int, **parameters: object) -> icalendar.Event:
    answer = client.get(f"/conjunctions/{event_id}/calendar.ics", params=parameters)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="event-{event_id}.ics"'
    vobject.readOne(answer.text).validate()
    calendar = icalendar.Calendar.from_ical(answer.content)
    (found,) = calendar.walk("VEVENT")
    return found


def time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(microsecond=0)


def test_an_entry_tells_the_event(client: Client, events: list[Record]) -> None:
    for event in events[:20]:
        found = entry(client, event["id"])
        assert found["UID"] == f"event-{event['id']}@skysieve"
        assert found["STATUS"] == "CONFIRMED"
        assert found.decoded("DTSTART") == time(event["tca"])
        if event["inside_to"] is None:
            assert found.decoded("DTEND") - found.decoded("DTSTART") == timedelta(minutes=5)
        for who in ("primary", "secondary"):
            assert str(event[f"{who}_norad_id"]) in found["DESCRIPTION"]
            assert event[f"{who}_name"] in found["SUMMARY"]
        danger = graded(event)
        assert found["SUMMARY"].startswith(f"{danger.level.capitalize()}: ")
        assert f"Level: {danger.words}" in found["DESCRIPTION"]
        assert "VALARM" not in found.to_ical().decode()


@pytest.mark.slow
def test_a_slow_encounter_lasts_as_long_as_it_is_inside(store: Path) -> None:
    made_up = plausible(make_run())
    first = made_up.conjunctions[:1]
    first["encounter"], first["inside_from"] = 1, first["tca"] - np.timedelta64(1, "h")
    first["inside_to"] = first["tca"] + np.timedelta64(3, "h")
    publish(store, made_up)
    with serving(store) as client:
        listed = client.get("/conjunctions", params={"limit": 1000}).json()["conjunctions"]
        slow = next(e for e in listed if e["inside_to"] and hours(e) == 3)
        found = entry(client, slow["id"])
    assert found.decoded("DTEND") - found.decoded("DTSTART") == timedelta(hours=3)


def hours(event: Record) -> float:
    return (datetime.fromisoformat(event["inside_to"]) - datetime.fromisoformat(event["tca"])) / timedelta(
        hours=1
    )


def test_an_alarm_only_if_asked_for(client: Client, events: list[Record]) -> None:
    found = entry(client, events[0]["id"], alarm_minutes=90)
    (alarm,) = found.walk("VALARM")
    assert alarm.decoded("TRIGGER") == -timedelta(minutes=90)


def test_the_same_event_gives_the_same_and_keeps_its_tag(client: Client, events: list[Record]) -> None:
    path = f"/conjunctions/{events[0]['id']}/calendar.ics"
    first = client.get(path)
    assert client.get(path).content == first.content
    known = client.get(path, headers={**client.headers, "If-None-Match": first.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.slow
def test_what_a_newer_run_lacks_is_cancelled_and_grows(store: Path) -> None:
    first = plausible(make_run())
    publish(store, first)
    with serving(store) as client:
        event = client.get("/conjunctions", params=STILL_AHEAD).json()["conjunctions"][0]
        before = entry(client, event["id"])
        later = plausible(make_run(hours_later=6))
        newest = publish(store, later._replace(conjunctions=first.conjunctions[:0]))
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        after = entry(client, event["id"], alarm_minutes=5)
    assert (before["UID"], before["STATUS"], after["STATUS"]) == (after["UID"], "CONFIRMED", "CANCELLED")
    assert 0 < before["SEQUENCE"] < after["SEQUENCE"] < 2**31
    assert after["SUMMARY"].startswith("Cancelled: ")
    assert f"run {newest} no longer has it" in after["DESCRIPTION"]
    assert after.walk("VALARM") == []


@pytest.mark.slow
def test_what_a_newer_run_could_not_find_is_not_cancelled(store: Path) -> None:
    """An object that had dropped out of the catalogue cancelled the entry, and its alarm."""
    first = plausible(make_run(seed=1))
    publish(store, first)
    second = plausible(make_run(seed=1, hours_later=6))
    with serving(store) as client:
        event = client.get("/conjunctions", params=STILL_AHEAD).json()["conjunctions"][0]
        left = second.elements[second.elements["norad_id"] != event["primary_norad_id"]]
        newest = publish(store, second._replace(elements=left, conjunctions=first.conjunctions[:0]))
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        found = entry(client, event["id"], alarm_minutes=5)
    assert found["STATUS"] == "CONFIRMED"
    why = f"Run {newest} did not search for it: it did not screen {event['primary_norad_id']}"
    assert why in found["DESCRIPTION"]
    assert len(found.walk("VALARM")) == 1
    assert "No number here justifies a manoeuvre on its own" in found["DESCRIPTION"]


@pytest.mark.slow
def test_only_what_the_newest_run_would_have_found_is_cancelled(store: Path) -> None:
    """Each event of the run before, by plain comparison of times, distances and catalogue numbers."""
    first, second = plausible(make_run()), plausible(make_run(hours_later=6))
    publish(store, first)
    numbers = second.elements["norad_id"].tolist()
    run = replace(second.run, threshold_km=6.0)
    left = second._replace(run=run, elements=second.elements[3:], conjunctions=first.conjunctions[:0])
    unseen = {*numbers[:3], numbers[5]}
    with serving(store) as client:
        events = client.get("/conjunctions", params={"limit": 1000}).json()["conjunctions"]
        newest = publish(store, left, failed=[2])  # the sixth of all
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        entries = [entry(client, event["id"]) for event in events]
    told = set()
    for event, found in zip(events, entries, strict=True):
        ahead = (event["inside_to"] or event["tca"]) > f"{run.started:%Y-%m-%dT%H:%M:%S}"
        seen = not unseen & {event["primary_norad_id"], event["secondary_norad_id"]}
        gone = ahead and seen and event["miss_distance_m"] < 6000
        assert found["STATUS"] == ("CANCELLED" if gone else "CONFIRMED")
        assert ("did not search for it" in found["DESCRIPTION"]) == (ahead and not gone)
        if ahead and not gone:
            why = "it keeps only encounters within 6 km" if seen else "it did not screen"
            assert why in found["DESCRIPTION"]
        told.add((ahead, seen, gone))
    assert {(True, True, True), (True, False, False), (True, True, False), (False, True, False)} <= told


@pytest.mark.slow
def test_a_run_of_another_kind_cancels_nothing(store: Path) -> None:
    first = plausible(make_run())
    publish(store, first)
    other = plausible(make_run(hours_later=6, synthetic=False))
    with serving(store) as client:
        event = client.get("/conjunctions", params=STILL_AHEAD).json()["conjunctions"][0]
        newest = publish(store, other._replace(conjunctions=first.conjunctions[:0]))
        wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)
        found = entry(client, event["id"])
    assert found["STATUS"] == "CONFIRMED"
    assert f"run {event['run_id']}, which found it, was of another kind" in found["DESCRIPTION"]


@pytest.mark.slow
def test_a_received_message_is_named_as_what_tells_it(store: Path) -> None:
    """It said "By run", of an event that no run has."""
    made_up = plausible(make_run())
    publish(store, made_up)
    tca = WINDOW_START + timedelta(hours=9)
    with serving(store) as client:
        taken(store, text(tca=tca, pair=("800000001", "800000002")))

        def told() -> list[Record]:
            asked = {"norad_id": "800000001"}
            found: list[Record] = client.get("/conjunctions", params=asked).json()["conjunctions"]
            return found

        wait_until(lambda: len(told()) == 1)
        said = str(entry(client, told()[0]["id"])["DESCRIPTION"])
    assert f"From a message by MADE UP, received {RECEIVED:%Y-%m-%dT%H:%M:%SZ}" in said
    assert "By run" not in said


@pytest.mark.slow
def test_events_that_only_messages_tell(store: Path) -> None:
    made_up = plausible(make_run())
    finished = made_up.run.finished
    tell(store, publish(store, made_up), finished + timedelta(minutes=1), finished + timedelta(hours=5))
    with serving(store, public_url="https://sky.example.org/") as client:
        told = entry(client, SUMMARISED)
        assert told["URL"] == f"https://sky.example.org/#/event/{SUMMARISED}"
        assert "Relative speed" not in told["DESCRIPTION"]
        assert "radial" not in told["DESCRIPTION"]
        assert "From a message, received" in told["DESCRIPTION"]
        assert client.get(f"/conjunctions/{RESTRICTED}/calendar.ics").status_code == 404
        assert "does not allow sharing this" in entry(client, RESTRICTED, restricted="true")["DESCRIPTION"]
        assert told.decoded("DTSTART") == (finished + timedelta(hours=5)).replace(microsecond=0, tzinfo=UTC)


def test_what_is_refused(client: Client) -> None:
    assert client.get("/conjunctions/1/calendar.ics").status_code == 404
    assert client.get("/conjunctions/1/calendar.ics", params={"alarm_minutes": -1}).status_code == 422
    assert client.get("/conjunctions/1/calendar.ics", params={"key": "x"}).status_code == 422
    assert client.without_credential().get("/conjunctions/1/calendar.ics").status_code == 401
