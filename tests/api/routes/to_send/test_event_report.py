"""The report on one event over HTTP: every form of it, kept by its tag, restricted ones only if asked for."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.api.client import Client
from tests.api.conftest import Clock, plausible, serving
from tests.made_up_run import make_run, publish
from tests.told_events import RESTRICTED, SUMMARISED, tell

TYPES = {"pdf": "application/pdf", "html": "text/html", "png": "image/png"}
STARTS = {"pdf": b"%PDF-", "html": b"<!DOCTYPE html>", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def dangerous(dangerous_store: Path) -> Iterator[Client]:
    with serving(dangerous_store) as client:
        yield client


@pytest.fixture(scope="module")
def worst(dangerous: Client) -> dict[str, Any]:
    found: dict[str, Any] = dangerous.get("/conjunctions").json()["conjunctions"][0]
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", ["html", "png", "pdf"])
def test_every_form_by_parameter_and_by_accept(dangerous: Client, worst: dict[str, Any], form: str) -> None:
    path = f"/conjunctions/{worst['id']}/report"
    asked = dangerous.get(path, params={"format": form})
    assert asked.status_code == 200
    assert asked.headers["content-type"].split(";")[0] == TYPES[form]
    assert asked.content.lower().startswith(STARTS[form].lower())
    name = f"event-{worst['id']}-{worst['run_id']}.{form}"
    assert asked.headers["content-disposition"] == f'attachment; filename="{name}"'
    accepted = dangerous.get(path, headers={**dangerous.headers, "Accept": TYPES[form]})
    assert accepted.headers["content-type"] == asked.headers["content-type"]
    assert accepted.headers["etag"] == asked.headers["etag"]
    assert accepted.headers["vary"].startswith("Accept")


@pytest.mark.slow
def test_a_pdf_is_what_comes_by_default_and_it_names_both(dangerous: Client, worst: dict[str, Any]) -> None:
    answer = dangerous.get(f"/conjunctions/{worst['id']}/report")
    assert answer.headers["content-type"] == "application/pdf"
    assert len(re.findall(rb"/Type /Page\b", answer.content)) == 2
    title = f"{worst['primary_name']} and {worst['secondary_name']}"
    assert title.encode() in answer.content


@pytest.mark.slow
def test_the_html_tells_the_event(dangerous: Client, worst: dict[str, Any]) -> None:
    text = dangerous.get(f"/conjunctions/{worst['id']}/report", params={"format": "html"}).text
    for said in (worst["primary_name"], str(worst["primary_norad_id"]), str(worst["secondary_norad_id"])):
        assert said in text
    assert worst["tca"][:19] in text.replace(" ", "T")


@pytest.mark.slow
def test_a_known_tag_needs_no_drawing_however_late(dangerous_store: Path, worst: dict[str, Any]) -> None:
    path, clock = f"/conjunctions/{worst['id']}/report", Clock()
    with serving(dangerous_store, clock) as client:
        tag = client.get(path, params={"format": "html"}).headers["etag"]
        clock.time += timedelta(minutes=3)
        known = {**client.headers, "If-None-Match": tag}
        answer = client.get(path, params={"format": "html"}, headers=known)
        assert (answer.status_code, answer.content) == (304, b"")
        assert client.get(path, params={"format": "pdf"}, headers=known).status_code == 200


def test_events_that_only_messages_tell(store: Path) -> None:
    made_up = plausible(make_run())
    finished = made_up.run.finished
    tell(store, publish(store, made_up), finished + timedelta(minutes=1), finished + timedelta(hours=5))
    asked = {"format": "html"}
    with serving(store) as client:
        assert client.get(f"/conjunctions/{SUMMARISED}/report", params=asked).status_code == 200
        assert client.get(f"/conjunctions/{RESTRICTED}/report", params=asked).status_code == 404
        shown = client.get(f"/conjunctions/{RESTRICTED}/report", params={**asked, "restricted": "true"})
        assert shown.status_code == 200
        assert "does not allow sharing this" in shown.text


@pytest.mark.slow
def test_what_is_refused(client: Client) -> None:
    assert client.get("/conjunctions/1/report").status_code == 404
    assert client.get("/conjunctions/1/report", params={"format": "docx"}).status_code == 422
    assert client.get("/conjunctions/1/report", params={"limit": "3"}).status_code == 422
    assert client.without_credential().get("/conjunctions/1/report").status_code == 401
