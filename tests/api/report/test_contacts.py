"""The contact of a fleet, in reports on the events of its objects."""

import itertools
import shutil
from datetime import UTC
from pathlib import Path

import pytest

from api.report.contents import Report, report_on
from api.report.numbers import Row, sections
from api.report.write import write_event_report
from api.settings import ApiSettings
from storage.in_memory.snapshot import Snapshot
from storage.state.fleets import FleetObject, NewFleet, create_fleet
from tests.api.report.conftest import SOON

CONTACT = "Example Space & Flight Dynamics, flight@example.org, +49 30 123456"


@pytest.fixture(scope="module")
def asked(
    worst: Report, dangerous_store: Path, settings: ApiSettings, tmp_path_factory: pytest.TempPathFactory
) -> Report:
    """Give the report on an event whose primary is in a fleet with a contact."""
    store = tmp_path_factory.mktemp("contacts") / "store"
    shutil.copytree(dangerous_store, store)
    number, now = worst.event.primary.norad_id, worst.made_at
    create_fleet(store, NewFleet("mine", (FleetObject(number),), contact=CONTACT), now)
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    now = snapshot.run.finished.replace(tzinfo=UTC) + SOON
    return report_on(snapshot, worst.event.id, settings.model_copy(update={"store": store}), now)


def test_the_table_has_it_whole_on_its_side(asked: Report, worst: Report) -> None:
    assert asked.whom.primary.contact == CONTACT
    (objects,) = [section for section in sections(asked) if section.title == "Objects"]
    lines, others = _about_whom(objects.rows)
    assert " ".join(row.values[0] for row in lines).strip() == CONTACT
    assert " ".join(row.values[1] for row in lines).split() == [
        *("owner", asked.whom.secondary.operator + ",", "no", "contact")
    ]
    (before,) = [section for section in sections(worst) if section.title == "Objects"]
    assert others == _about_whom(before.rows)[1]


def _about_whom(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return the lines that say whom to ask, and the others."""
    first = [row.label for row in rows].index("Whom to ask")
    lines = [rows[first], *itertools.takewhile(lambda row: not row.label, rows[first + 1 :])]
    return lines, [row for row in rows if row not in lines]


@pytest.mark.slow
def test_every_form_of_the_report_has_it(asked: Report, tmp_path: Path) -> None:
    for suffix in ("html", "pdf", "png"):
        write_event_report(asked, tmp_path / f"report.{suffix}")
    page = (tmp_path / "report.html").read_text()
    assert "Example Space &amp; Flight" in page
    assert all("OPERATOR_EMAIL" in message.text for message in asked.messages)
