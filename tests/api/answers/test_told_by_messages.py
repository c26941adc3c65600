"""Events that no run has, only messages: listed and drawn as far as they go; restricted ones if asked for."""

import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.models.geometry import Geometry
from api.models.messages import ConjunctionWithHistory
from storage.in_memory.arrays import rated_events
from storage.in_memory.snapshot import newest_snapshot
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.made_up_run import make_run, publish
from tests.told_events import BARE, FULL, RESTRICTED, SUMMARISED, tell

FROM_STATES = ("relative_speed_m_s", "miss_radial_m", "primary_x_km", "secondary_vz_km_s")
EPOCHS = ("primary_epoch", "secondary_epoch")


@pytest.fixture(scope="module")
def told_store(module_store: Path) -> Path:
    made_up = plausible(make_run())
    run_id = publish(module_store, made_up)
    finished = made_up.run.finished
    tell(module_store, run_id, finished + timedelta(minutes=1), finished + timedelta(hours=5))
    return module_store


@pytest.fixture(scope="module")
def told(told_store: Path) -> Iterator[Client]:
    with serving(told_store) as client:
        yield client


def listed(client: Client, **wanted: object) -> dict[int, dict[str, object]]:
    answer = client.get("/conjunctions", params={"limit": 10_000, **wanted})
    assert answer.status_code == 200, answer.text
    return {event["id"]: event for event in answer.json()["conjunctions"]}


def test_they_stand_in_the_list_with_their_origin(told: Client) -> None:
    found = listed(told)
    assert {number: found[number]["origin"] for number in (FULL, SUMMARISED, BARE)} == dict.fromkeys(
        (FULL, SUMMARISED, BARE), "message"
    )
    assert RESTRICTED not in found
    for event_id in (FULL, SUMMARISED, BARE):
        ConjunctionWithHistory.model_validate_json(told.get(f"/conjunctions/{event_id}").content)
    assert [found[SUMMARISED][name] for name in (*FROM_STATES, *EPOCHS)] == [None] * 6
    assert found[SUMMARISED]["risk_basis"] == "claimed"
    assert found[FULL]["relative_speed_m_s"] == pytest.approx(10606.6, abs=0.05)  # as the message says
    assert found[FULL]["primary_epoch"] is None


def test_restricted_ones_are_there_only_if_asked_for(told: Client) -> None:
    run_and_open, everything = listed(told, restricted="false"), listed(told, restricted="true")
    assert everything.keys() - run_and_open.keys() == {RESTRICTED}
    assert everything[RESTRICTED]["origin"] == "restricted_message"
    assert told.get("/conjunctions", params={"limit": 1}).json()["total"] == len(run_and_open)
    as_csv = told.get("/conjunctions", headers={**told.headers, "Accept": "text/csv"}).text
    assert {int(row["id"]) for row in csv.DictReader(io.StringIO(as_csv))} == run_and_open.keys()
    for path in (f"/conjunctions/{RESTRICTED}", f"/conjunctions/{RESTRICTED}/geometry"):
        assert told.get(path).status_code == 404
        assert told.get(path, params={"restricted": "true"}).status_code == 200
        assert told.get(path, params={"restricted": "perhaps"}).status_code == 422
        assert told.get(path, params={"forbidden": "true"}).status_code == 422


def test_no_message_of_ours_is_handed_on_about_them(told: Client) -> None:
    for event_id in (FULL, SUMMARISED, BARE):
        answer = told.get(f"/conjunctions/{event_id}/cdm")
        assert answer.status_code == 404
        assert "known only from received messages" in answer.json()["detail"]
    assert told.get(f"/conjunctions/{RESTRICTED}/cdm").status_code == 404
    archive = told.get("/conjunctions/cdm", params={"limit": 10_000}).content
    handed_on = {int(Path(name).stem) for name in zipfile.ZipFile(io.BytesIO(archive)).namelist()}
    told_by_us = {number for number, event in listed(told).items() if event["origin"] == "run"}
    assert handed_on == told_by_us


def test_a_list_of_restricted_ones_goes_on_page_by_page(told: Client) -> None:
    wanted: dict[str, object] = {"restricted": "true", "limit": 7}
    seen: list[int] = []
    while True:
        page = told.get("/conjunctions", params=wanted).json()
        seen += [event["id"] for event in page["conjunctions"]]
        if page["next"] is None:
            break
        wanted = {"cursor": page["next"], "limit": 7}
    assert sorted(seen) == sorted(listed(told, restricted="true"))
    first = told.get("/conjunctions", params={"limit": 7}).json()["next"]
    assert told.get("/conjunctions", params={"cursor": first, "restricted": "true"}).status_code == 422


@pytest.mark.parametrize("event_id", [FULL, SUMMARISED, BARE])
def test_their_geometry_goes_as_far_as_the_message(told: Client, event_id: int) -> None:
    answer = told.get(f"/conjunctions/{event_id}/geometry")
    TypeAdapter(Geometry).validate_json(answer.content)
    found = answer.json()
    parts = ("encounter_plane", "range", "approach_angle_deg", "place")
    if event_id == SUMMARISED:
        assert [found[part] for part in parts] == [None] * 4
        assert set(parts) <= found["missing"].keys()
        return
    assert None not in [found[part] for part in parts]
    assert found["encounter_plane"]["miss_y_m"] == pytest.approx(1000.0, abs=1e-3)  # radially, as it says
    assert (found["probability_against_scale"] is None) == (event_id == BARE)
    assert found["objects"]["primary"]["age_hours"] is None


def test_what_is_restricted_is_not_counted_or_coloured(told: Client, told_store: Path) -> None:
    numbers = rated_events(newest_snapshot(told_store))["primary_norad_id"]
    events = listed(told, restricted="true")
    assert events[RESTRICTED]["primary_norad_id"] not in numbers
    assert events[FULL]["primary_norad_id"] in numbers
    assert len(numbers) == len(listed(told))
