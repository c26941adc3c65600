"""The service writes an event's words once: its answer, report, calendar and feed have the same sentences."""

from dataclasses import asdict
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import icalendar
import pytest

from api.report.contents import report_on
from api.report.summary import sentences, words
from api.settings import ApiSettings
from storage.in_memory.snapshot import Snapshot
from storage.settings import load_settings
from tests.api.client import Client


@pytest.mark.slow
def test_the_answers_have_the_words_of_the_report(client: Client, served_store: Path) -> None:
    snapshot = Snapshot.load(served_store)
    assert snapshot is not None
    settings = load_settings(ApiSettings, store=served_store)
    listed = client.get("/conjunctions", params={"limit": 15}).json()["conjunctions"]
    for one in listed:
        path = f"/conjunctions/{one['id']}"
        said = client.get(path).json()["words"]
        of_geometry = client.get(f"{path}/geometry").json()["words"]
        report = report_on(snapshot, one["id"], settings, datetime.now(UTC))
        written = words(report)
        assert said == asdict(written.event)
        assert of_geometry == asdict(written.geometry)
        html = unescape(client.get(f"{path}/report", params={"format": "html"}).text)
        assert all(sentence in html for sentence in sentences(report))
        entry = icalendar.Calendar.from_ical(client.get(f"{path}/calendar.ics").content).walk("VEVENT")[0]
        assert entry["SUMMARY"] == said["headline"]
        assert said["advice"] in entry["DESCRIPTION"]
        assert f"the level is {one['probability_level']}" in said["probability"]
