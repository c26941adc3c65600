"""The report on a fleet over HTTP: the fleet's own events, its quiet satellites, and whom to ask."""

import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pypdf
import pytest

from storage.state.fleets import FleetObject, NewFleet, create_fleet
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, plausible, serving
from tests.made_up_run import make_run, publish
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet

CONTACT = "Example Operations, ops@example.org"
QUIET = 999_001


class Desk(NamedTuple):
    client: Client
    events: list[dict[str, Any]]  # inside the volumes of fleet 1, most dangerous first
    store: Path


@pytest.fixture(scope="module")
def desk(module_store: Path) -> Iterator[Desk]:
    run_id = publish(module_store, plausible(make_run(conjunctions=60)))
    planted: list[dict[str, Any]] = events_of(module_store, run_id)[::6]
    numbers = sorted({int(event["primary_norad_id"]) for event in planted} | {QUIET})
    objects = tuple(map(FleetObject, numbers))
    fleet = create_fleet(module_store, NewFleet("mine & yours", objects, contact=CONTACT), NOW)
    plant_events(module_store, run_id, fleet, planted)
    plant_fleet(module_store, NOW, "not looked at")
    with serving(module_store) as client:
        events = client.get(f"/fleets/{fleet.id}/conjunctions?limit=1000").json()["conjunctions"]
        yield Desk(client, events, module_store)


def text_of(pdf: bytes) -> str:
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]
    return " ".join(pages).replace("\n", " ")


@pytest.mark.slow
def test_the_report_tells_what_the_list_of_the_fleet_tells(desk: Desk) -> None:
    answer = desk.client.get("/fleets/1/report?limit=3")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"].endswith('.pdf"')
    text = text_of(answer.content)
    assert f"Contact: {CONTACT}" in text
    assert f"No coming events for {QUIET}" in text
    ahead = [event for event in desk.events if event["tca"] > f"{NOW:%Y-%m-%dT%H:%M:%S}"]
    assert f"the first 3 of {len(ahead)}," in text
    for place, event in enumerate(desk.events[:3], start=1):
        assert f"{place}.  {event['primary_name']} and {event['secondary_name']}" in text
        assert f"event {event['id']}" in text
    assert f"event {desk.events[3]['id']}" not in text
    # As planted, km: radial 0.1, in-track -0.2, cross-track 0.3.
    assert all(value in text for value in ("100.0", "−200.0", "300.0"))


@pytest.mark.slow
def test_it_is_html_where_that_is_asked_for(desk: Desk) -> None:
    asked = desk.client.get("/fleets/1/report?format=html&limit=2")
    assert asked.headers["content-type"] == "text/html; charset=utf-8"
    assert "Fleet mine &amp; yours" in asked.text
    assert asked.text.count("<article") == 2
    accepted = desk.client.get(
        "/fleets/1/report?limit=2", headers={**desk.client.headers, "Accept": "text/html"}
    )
    assert accepted.headers["etag"] == asked.headers["etag"]
    assert accepted.headers["content-disposition"].endswith('.html"')


@pytest.mark.slow
def test_a_client_that_has_it_does_not_get_it_again(desk: Desk) -> None:
    tag = desk.client.get("/fleets/1/report?limit=1").headers["etag"]
    headers = {**desk.client.headers, "If-None-Match": tag}
    assert desk.client.get("/fleets/1/report?limit=1", headers=headers).status_code == 304
    assert desk.client.get("/fleets/1/report?limit=2", headers=headers).status_code == 200
    assert desk.client.get("/fleets/1/report?limit=1&format=html", headers=headers).status_code == 200


@pytest.mark.slow
def test_the_tag_changes_with_whom_to_ask_about_the_other_object(desk: Desk) -> None:
    """The other object is none of the fleet's own: of those its own contact is told."""
    ahead = [event for event in desk.events if event["tca"] > f"{NOW:%Y-%m-%dT%H:%M:%S}"]
    own = {event["primary_norad_id"] for event in desk.events}
    others = [event["secondary_norad_id"] for event in ahead]
    place, other = next((at, number) for at, number in enumerate(others, start=1) if number not in own)
    address = f"/fleets/1/report?limit={place}&format=html"
    before = desk.client.get(address).headers["etag"]
    contact = "Somebody Else, somebody@example.org"
    create_fleet(desk.store, NewFleet("theirs", (FleetObject(other),), contact=contact), NOW)
    after = desk.client.get(address, headers={**desk.client.headers, "If-None-Match": before})
    assert after.status_code == 200
    assert "somebody@example.org" in after.text  # of lines as narrow as their column


@pytest.mark.slow
def test_it_says_who_has_an_event(desk: Desk) -> None:
    number = desk.events[0]["id"]
    address = "/fleets/1/report?format=html&limit=1"
    before = desk.client.get(address)
    asked = {"name": "Ana", "note": "Burn planned"}
    taken = desk.client.request("POST", f"/conjunctions/{number}/acknowledgements", json=asked).json()
    again = desk.client.get(address, headers={**desk.client.headers, "If-None-Match": before.headers["etag"]})
    assert again.status_code == 200
    assert f"<p>No. 1: {taken['words']}</p>" in again.text
    assert again.text.count(taken["words"]) == 2  # in the list, and with the event
    assert taken["words"] not in before.text
    desk.client.request(
        "POST",
        f"/conjunctions/{number}/acknowledgements",
        json={"name": "Ana", "replaces": taken["id"], "withdrawn": True},
    )


def test_a_fleet_that_no_run_has_looked_at_says_so(desk: Desk) -> None:
    text = text_of(desk.client.get("/fleets/2/report").content)
    assert "There are none." in text
    assert "Not searched yet" in text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/fleets/77/report", 404),
        ("/fleets/1/report?format=png", 422),
        ("/fleets/1/report?limit=0", 422),
        ("/fleets/1/report?limit=21", 422),
        ("/fleets/1/report?risk=high", 422),
        ("/fleets/1/report?limit=1&limit=2", 422),
    ],
)
def test_what_cannot_be_is_refused(desk: Desk, address: str, status: int) -> None:
    answer = desk.client.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_encounters_that_have_passed_are_left_out(desk: Desk) -> None:
    with serving(desk.store, Clock(NOW + timedelta(days=365))) as client:
        text = text_of(client.get("/fleets/1/report").content)
    assert "There are none." in text
    assert str(desk.events[0]["primary_norad_id"]) in text  # among those with nothing coming
