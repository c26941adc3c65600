"""A service with two runs of a synthetic catalogue, and a browser to look at it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from flows.files.synthetic_catalogue import write_synthetic_file
from flows.sources.catalogues import read_file
from storage.state.credentials import create_credential
from tests.page.browsing import Served, Visit, chromium, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.serving import service
from tests.page.what_if import GOAL, answered, at_what_if
from tests.runs import make_run

OBJECTS = 3000
SEED = 5
HOURS = 24.0


@pytest.fixture(scope="session")
def synthetic_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with two runs over the same day from now, and so a history of each event."""
    folder = tmp_path_factory.mktemp("page")
    now = np.datetime64(datetime.now(UTC).replace(tzinfo=None), "s").astype("M8[us]")
    write_synthetic_file(folder / "catalogue.csv", OBJECTS, SEED, now)
    for _ in range(2):
        make_run(read_file(folder / "catalogue.csv"), folder / "store", start=now, hours=HOURS)
    return folder / "store"


@pytest.fixture(scope="session")
def served(synthetic_store: Path) -> Iterator[Served]:
    """Serve it, with a token that may ask as often as it likes."""
    made = create_credential(
        synthetic_store, "bearer", "operations desk", datetime.now(UTC), per_minute=100_000
    )
    with service(synthetic_store) as url:
        yield Served(url, made.secret)


@pytest.fixture(scope="session")
def ask(served: Served) -> Iterator[httpx.Client]:
    """Ask the service directly."""
    headers = {"Authorization": f"Bearer {served.token}"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=60) as client:
        yield client


# No longer than a module: while it runs, nothing else may run an event loop in this thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser."""
    with chromium() as started:
        yield started


@pytest.fixture
def desk(browser: Browser, served: Served) -> Iterator[Visit]:
    """Sit at a desk, signed in."""
    with visit(browser, served) as visited:
        yield visited


@pytest.fixture
def answers(ask: httpx.Client, desk: Visit) -> FleetAnswers:
    """Let the page see a made-up fleet."""
    made = FleetAnswers(ask)
    made.install(desk.page)
    return made


@pytest.fixture(scope="module")
def planted(ask: httpx.Client) -> dict[str, Any]:
    """Return an event of a payload with planted debris, hours ahead, that a burn must avoid."""
    events = (
        ask.get("/conjunctions?limit=1000&min_probability=1e-5").raise_for_status().json()["conjunctions"]
    )
    event: dict[str, Any] = next(one for one in events if "PLANTED 0001 DEB" in one["secondary_name"])
    return event


@pytest.fixture(scope="module")
def searched(ask: httpx.Client, planted: dict[str, Any]) -> dict[str, Any]:
    """Return the search for the cheapest burn, as the service answers it."""
    question = {"search": True, "goal": GOAL}
    made: dict[str, Any] = (
        ask.post(f"/conjunctions/{planted['id']}/manoeuvres", json=question).raise_for_status().json()
    )
    return made


@pytest.fixture
def panel(desk: Visit, planted: dict[str, Any]) -> Locator:
    """Open the event, and return its panel."""
    page = at_what_if(desk, planted)
    region = page.get_by_role("region", name="What if")
    region.get_by_label("Who burns").select_option("primary")
    region.get_by_text("More: ").click()
    return region


@pytest.fixture
def explored(desk: Visit, planted: dict[str, Any], searched: dict[str, Any]) -> Iterator[Locator]:
    """Let the page search, whose answer is that of `searched`, and return the panel."""
    address = f"**/conjunctions/{planted['id']}/manoeuvres"
    desk.page.route(address, answered(searched), times=1)
    page = at_what_if(desk, planted)
    panel = page.get_by_role("region", name="What if")
    panel.get_by_label("Who burns").select_option("primary")
    panel.get_by_text("More: ").click()
    panel.get_by_role("button", name="Find burns").click()
    expect(panel.locator(".space-plot")).to_be_visible()
    yield panel
