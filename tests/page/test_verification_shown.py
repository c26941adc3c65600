"""How forecasts did, in the overview: asked for when opened, the service's sentences and numbers."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from flows.sources.files import read_file
from storage.state.credentials import create_credential
from tests.page.browsing import Served, visit
from tests.page.serving import service
from tests.page.test_every_view import AXE, PHONE
from tests.runs import START, make_run


@pytest.fixture(scope="module")
def judged(small_catalogue: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a store whose last run has judged the first ones."""
    store = tmp_path_factory.mktemp("judged") / "store"
    for step in range(6):
        make_run(read_file(small_catalogue), store, START + np.timedelta64(6 * step, "h"), 18.0)
    made = create_credential(store, "bearer", "desk", datetime.now(UTC), per_minute=100_000)
    with service(store) as url:
        yield Served(url, made.secret)


def test_the_overview_says_how_forecasts_did(browser: Browser, judged: Served) -> None:
    token = {"Authorization": f"Bearer {judged.token}"}
    told = httpx.get(f"{judged.url}/verification", headers=token).json()
    assert told["warnings"]
    with visit(browser, judged) as visited:
        asked: list[str] = []
        visited.page.on("request", lambda request: asked.append(request.url))
        page = visited.open("overview", "[data-part=verification]")
        assert not [url for url in asked if url.endswith("/verification")], "only when it is opened"
        part = page.locator("[data-part=verification]").first
        part.get_by_text("How our forecasts did").click()
        expect(part.locator("table")).to_have_count(2)
        sentences = part.locator("[data-part=words] li").all_text_contents()
        assert sentences == told["words"]
        first = part.locator("tbody tr").first.locator("td").all_text_contents()
        assert first[:3] == [
            str(told["warnings"][0]["days_ahead"]),
            told["warnings"][0]["level"],
            f"{told['warnings'][0]['encounters']:,.0f}",
        ]
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
        visited.screenshot("verification")


def test_on_a_phone_it_fits(browser: Browser, judged: Served) -> None:
    with visit(browser, judged, **PHONE) as visited:
        page = visited.open("overview", "[data-part=verification]")
        part = page.locator("[data-part=verification]").first
        part.get_by_text("How our forecasts did").click()
        expect(part.locator("table")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
