"""Trajectories beside the element sets of their objects: what is not an object's path removes no alarm."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.alerts.other_paths import paths_of_run
from flows.sources.catalogues import Source
from storage.times import time_text
from tests import runs
from tests.api.client import Client
from tests.api.conftest import DANGEROUS, serving
from tests.api.routes.test_trajectories import TEXT, post

SharedFile = Callable[[str], Path]


@pytest.fixture(scope="module")
def source(shared_file: SharedFile, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Give the objects of dangerous events of a real day."""
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    chosen = [line for line in records if int(line.split(",")[number]) in DANGEROUS[:8]]
    return runs.source_of([header, *chosen], tmp_path_factory.mktemp("catalogue"))


@pytest.fixture(scope="module")
def folder(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with a run of them, whose trajectories each test removes again."""
    store = tmp_path_factory.mktemp("checked") / "store"
    runs.make_run(source, store, hours=24.0)
    return store


@pytest.fixture(scope="module")
def real(folder: Path) -> Iterator[Client]:
    """Give a client of that store."""
    with serving(folder) as client:
        yield client


def shifted(oem: bytes, seconds: float) -> bytes:
    """Return a file of states (CCSDS OEM, KVN) with later times."""

    def later(found: re.Match[str]) -> str:
        at = datetime.fromisoformat(found[0]) + timedelta(seconds=seconds)
        return at.isoformat(timespec="microseconds")

    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}", later, oem.decode()).encode()


@pytest.mark.slow
def test_a_path_with_other_times_removes_no_alarm(real: Client) -> None:
    """Ten minutes late it was kept in silence, and the day's most dangerous event was gone for everybody."""
    event = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
    number = event["primary_norad_id"]
    query = {"start": "2024-11-01T06:00:00Z", "hours": 12}
    path = real.get(f"/objects/{number}/ephemeris", params=query).content
    refused = post(real, shifted(path, 600.0), TEXT, norad_id=number)
    assert refused.status_code == 409, refused.text
    told = refused.json()
    assert told["type"] == "urn:skysieve:problem:not-its-path"
    assert "km from the element set" in told["detail"]
    assert "`force=true` keeps it" in told["detail"]
    (far,) = [one for one in told["report"]["findings"] if one["severity"] == "error"]
    assert (far["rule"], far["unit"], far["limit"]) == ("departure", "km", 100.0)
    assert far["value"] > 1000.0
    assert real.get("/trajectories").json()["total"] == 0

    kept = post(real, shifted(path, 600.0), TEXT, norad_id=number, force="true")
    assert kept.status_code == 201, kept.text
    forced = kept.json()
    assert forced["check"]["departs_at"] == forced["usable_from"]
    assert forced["check"]["distances"][0]["km"] > 1000.0
    assert forced["report"] == told["report"]
    assert real.get(f"/trajectories/{forced['id']}").json() == forced
    assert any(note.startswith("kept by force") for note in forced["notes"])
    real.request("DELETE", f"/trajectories/{forced['id']}")

    taken = post(real, path, TEXT, norad_id=number)
    assert taken.status_code == 201, taken.text
    own = taken.json()
    assert own["added_by"] == "default"
    assert own["check"]["departs_at"] is None
    assert own["check"]["largest"]["km"] < 1e-3
    assert [one["at"] for one in own["check"]["distances"]] == [
        f"2024-11-01T{hour}:00:00Z" for hour in ("06", "12", "18")
    ]
    real.request("DELETE", f"/trajectories/{own['id']}")


def test_a_hypothetical_path_may_lead_anywhere(real: Client) -> None:
    number = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]["primary_norad_id"]
    path = real.get(f"/objects/{number}/ephemeris", params={"start": "2024-11-01T06:00:00Z"}).content
    taken = post(real, shifted(path, 600.0), TEXT, norad_id=number, kind="hypothetical")
    assert taken.status_code == 201
    assert taken.json()["check"]["distances"][0]["km"] > 1000.0
    assert taken.json()["report"]["errors"] == 1
    real.request("DELETE", f"/trajectories/{taken.json()['id']}")


def test_ten_minutes_right_and_then_a_jump(real: Client) -> None:
    """By 281 m it put the ISS out of its own modules, and made six alarms."""
    number = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]["primary_norad_id"]
    query = {"start": "2024-11-01T06:00:00Z", "hours": 6, "step": 30}
    lines = real.get(f"/objects/{number}/ephemeris", params=query).content.splitlines(keepends=True)
    states = [i for i, line in enumerate(lines) if re.match(rb"2024-11-01T\d\d:\d\d:\d\d[\d.]* ", line)]
    behind = states[21]
    covariances = next(i for i, line in enumerate(lines) if line.startswith(b"COVARIANCE_START"))
    path = b"".join([*lines[:behind], *(shifted(line, -0.037) for line in lines[behind:covariances])])
    refused = post(real, path, TEXT, norad_id=number)
    assert refused.status_code == 409, refused.text
    (jump,) = [one for one in refused.json()["report"]["findings"] if one["severity"] == "error"]
    assert (jump["rule"], jump["line"]) == ("jump", behind + 1)
    assert jump["value"] == pytest.approx(281.0, rel=0.1)
    assert real.get("/trajectories").json()["total"] == 0


def test_a_file_is_checked_and_not_kept(real: Client) -> None:
    number = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]["primary_norad_id"]
    query = {"start": "2024-11-01T06:00:00Z", "hours": 12}
    path = real.get(f"/objects/{number}/ephemeris", params=query).content

    def ask(body: bytes, **query: object) -> dict[str, Any]:
        headers = {**real.headers, **TEXT}
        answer = real.request("POST", "/trajectories/check", content=body, params=query, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    good = ask(path)
    assert (good["report"]["errors"], good["report"]["warnings"], good["refused"]) == (0, 0, None)
    assert good["check"]["largest"]["km"] < 1e-3
    assert good["report"]["measured"]["span_days"] == 0.5
    by_nasa = ask(path, rules="nasa")
    assert [one["rule"] for one in by_nasa["report"]["findings"] if one["severity"] == "error"] == ["span"]
    late = ask(shifted(path, 600.0))
    assert "km from the element set" in late["refused"]
    torn = ask(path.replace(b"REF_FRAME", b"REF_FROME"))
    assert (torn["report"]["errors"], torn["report"]["measured"], torn["check"]) == (1, None, None)
    assert torn["report"]["findings"][0]["rule"] == "readable"
    assert real.get("/trajectories").json()["total"] == 0


def test_a_file_that_is_dropped_on_the_page_says_what_its_check_found(real: Client) -> None:
    number = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]["primary_norad_id"]
    query = {"start": "2024-11-01T06:00:00Z", "hours": 6}
    lines = real.get(f"/objects/{number}/ephemeris", params=query).content.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith(b"2024-11-01T08:00:00"))
    *words, last = lines[at].split()
    lines[at] = b" ".join([*words, b"%.9f" % (float(last) + 0.05)]) + b"\n"
    headers = {**real.headers, "Content-Type": "application/octet-stream"}
    answer = real.request(
        "POST", "/inbox", content=b"".join(lines), params={"source": "path.oem"}, headers=headers
    )
    assert answer.status_code == 201, answer.text
    told = answer.json()
    expected = f"Warning (velocity): line {at + 1}, 2024-11-01T08:00:00Z: its velocity is 50 m/s off."
    assert expected in told["words"]
    assert told["may_count"]


def test_the_number_of_a_designator_is_that_of_the_newest_run(real: Client) -> None:
    one = real.get("/objects").json()["objects"][0]
    path = real.get(f"/objects/{one['norad_id']}/ephemeris", params={"start": "2024-11-01T06:00:00Z"}).content
    assert f"OBJECT_ID = {one['object_id']}".encode() in re.sub(rb" +", b" ", path)
    taken = post(real, path, TEXT)
    assert (taken.status_code, taken.json()["norad_id"]) == (201, one["norad_id"])
    real.request("DELETE", f"/trajectories/{taken.json()['id']}")


@pytest.mark.slow
def test_gone_says_that_a_new_path_is_why(real: Client, source: Source, folder: Path) -> None:
    """It was listed as gone, without a word."""
    event = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
    number = event["primary_norad_id"]
    query = {"start": "2024-11-01T00:00:00Z", "hours": 24}
    path = shifted(real.get(f"/objects/{number}/ephemeris", params=query).content, 600.0)
    kept = post(real, path, TEXT, norad_id=number, force="true").json()
    runs.make_run(source, folder, hours=24.0)
    real.app.state.service.events.refresh()
    overview = real.get("/runs/current/overview").json()
    (gone,) = [one for one in overview["gone"]["worst"] if one["id"] == event["id"]]
    assert gone["new_path"] == {
        "norad_id": number,
        "trajectory_id": kept["id"],
        "added": kept["added"],
        "added_by": "default",
        "departs_at": kept["check"]["departs_at"],
    }
    others = [one for one in overview["gone"]["worst"] if number not in _both(one)]
    assert all(one["new_path"] is None for one in others)
    (path,) = paths_of_run(folder, overview["run_id"])[number]
    assert (path.added_by, time_text(path.departs_at)) == ("default", kept["check"]["departs_at"])
    real.request("DELETE", f"/trajectories/{kept['id']}")


@pytest.mark.slow
def test_events_of_an_object_on_another_path_say_so(real: Client, source: Source, folder: Path) -> None:
    """It begins ten minutes late, and is where its element set has it later on."""
    runs.make_run(source, folder, hours=24.0)
    real.app.state.service.events.refresh()
    event = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
    number = event["primary_norad_id"]
    query = {"start": "2024-11-01T00:00:00Z", "hours": 24}
    lines = real.get(f"/objects/{number}/ephemeris", params=query).content.splitlines(keepends=True)
    states = [i for i, line in enumerate(lines) if re.match(rb"2024-11-0\d\S* ", line)]
    head, ends = lines[: states[0]], states[-1] + 1
    early = [shifted(lines[i], 600.0) for i in states[:50]]
    about = head[next(i for i, line in enumerate(head) if line.startswith(b"META_START")) :]
    path = b"".join([*head, *early, *about, *lines[states[70] : ends]])
    kept = post(real, path, TEXT, norad_id=number, force="true")
    assert kept.status_code == 201, kept.text
    since = kept.json()["check"]["departs_at"]
    assert since == kept.json()["usable_from"]
    runs.make_run(source, folder, hours=24.0)
    real.app.state.service.events.refresh()
    for one in real.get("/conjunctions", params={"limit": 10_000}).json()["conjunctions"]:
        for who in ("primary", "secondary"):
            assert one[f"{who}_departs_at"] == (since if one[f"{who}_norad_id"] == number else None)
    now = real.get(f"/conjunctions/{event['id']}").json()
    assert now["primary_departs_at"] == since
    words = f"{now['primary_name']} flies another path than its element set since"
    assert words in now["words"]["caution"]
    report = real.get(f"/conjunctions/{event['id']}/report", params={"format": "html"})
    assert words in report.text
    real.request("DELETE", f"/trajectories/{kept.json()['id']}")


@pytest.mark.slow
def test_an_event_says_who_added_the_path_that_it_rests_on(
    real: Client, source: Source, folder: Path
) -> None:
    runs.make_run(source, folder, hours=24.0)
    real.app.state.service.events.refresh()
    event = real.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
    number = event["primary_norad_id"]
    query = {"start": "2024-11-01T00:00:00Z", "hours": 24}
    own = post(real, real.get(f"/objects/{number}/ephemeris", params=query).content, TEXT).json()
    runs.make_run(source, folder, hours=24.0)
    real.app.state.service.events.refresh()
    flown = real.get(f"/conjunctions/{event['id']}/geometry").json()["objects"]["primary"]
    assert (flown["trajectory_id"], flown["trajectory_added_by"]) == (own["id"], "default")
    assert flown["trajectory_departs_at"] is None


def _both(event: dict[str, int]) -> tuple[int, int]:
    return event["primary_norad_id"], event["secondary_norad_id"]
