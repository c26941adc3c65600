"""Reports on real events of all kinds, and on made-up changes of one."""

from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from api.report.contents import Report, report_on
from api.settings import ApiSettings
from storage.in_memory.event_table import EventQuery
from storage.in_memory.single_objects import ObjectDetails
from storage.in_memory.snapshot import Snapshot
from storage.settings import load_settings

SOON = timedelta(hours=1)


@pytest.fixture(scope="session")
def settings(dangerous_store: Path) -> ApiSettings:
    return load_settings(ApiSettings, store=dangerous_store)


@pytest.fixture(scope="session")
def snapshot(dangerous_store: Path) -> Snapshot:
    found = Snapshot.load(dangerous_store)
    assert found is not None
    return found


@pytest.fixture(scope="session")
def reports(snapshot: Snapshot, settings: ApiSettings) -> list[Report]:
    """Return reports on all events: fast and slow ones, flagged, diluted and not, the worst first."""
    now = snapshot.run.finished.replace(tzinfo=UTC) + SOON
    numbers = [int(str(row[0])) for row in snapshot.events(EventQuery()).rows]
    return [report_on(snapshot, number, settings, now) for number in numbers]


@pytest.fixture(scope="session")
def worst(reports: list[Report]) -> Report:
    return reports[0]


@pytest.fixture(scope="session")
def bare(worst: Report) -> Report:
    """Return a report that lacks all that an event may lack."""
    unrated = dict.fromkeys(["sigma_r_m", "sigma_t_m", "sigma_n_m", "covariance_source", "manoeuvring"])
    scored = ("probability", "mc_", "hard_body", "diluted")
    event = worst.event._replace(
        **{name: None for name in worst.event._fields if name.startswith(scored)},
        primary=worst.event.primary._replace(**unrated),
        secondary=worst.event.secondary._replace(**unrated),
        origin="quick",
    )
    missing = {
        "encounter_plane": "At rest.",
        "probability_against_scale": "Not rated.",
        "probability_against_radius": "Not rated.",
        "range": "No sets.",
    }
    drawn = dict.fromkeys(["plane", "dilution", "radius", "near", "wide", "primary", "secondary"])
    geometry = worst.geometry._replace(**drawn, missing=missing)
    nothing = ObjectDetails()
    trend = replace(worst.trend, points=[])
    return worst._replace(event=event, geometry=geometry, objects=(nothing, nothing), history=[], trend=trend)
