"""The page states the probability, its method and its level as everything else does.

All else: tests/test_one_probability.py.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from api.answers.stored_events import stored_event
from storage.in_memory.snapshot import Snapshot
from storage.reading.newest_run import connect
from storage.state.credentials import create_credential
from tests.flagged_events import METHODS, flagged_events
from tests.page.browsing import Served, Visit, visit
from tests.page.serving import service
from tests.page.test_event_told import as_the_page_writes

Pair = tuple[int, int]


@pytest.fixture(scope="module")
def store(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return flagged_events(shared_file, tmp_path_factory.mktemp("flagged")).store


@pytest.fixture(scope="module")
def snapshot(store: Path) -> Snapshot:
    found = Snapshot.load(store)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def flagged(browser: Browser, store: Path) -> Iterator[Visit]:
    made = create_credential(store, "bearer", "test", datetime.now(UTC), per_minute=100_000)
    with service(store) as url, visit(browser, Served(url, made.secret)) as visited:
        yield visited


def flat(page: Page, place: str) -> str:
    return " ".join(page.locator(place).first.inner_text().split())


def number_of(snapshot: Snapshot, pair: Pair) -> int:
    with connect(snapshot.store) as connection:
        rows = connection.execute(
            "SELECT event_id FROM events WHERE primary_norad_id = ? AND secondary_norad_id = ? "
            "ORDER BY probability_best DESC NULLS LAST LIMIT 1",
            list(pair),
        ).fetchall()
    return int(rows[0][0])


@pytest.mark.parametrize("pair", METHODS)
def test_an_event(flagged: Visit, snapshot: Snapshot, pair: Pair) -> None:
    number = number_of(snapshot, pair)
    event = stored_event(snapshot, number, restricted=True)
    counts = event.graded
    assert event.probability_method == METHODS[pair]
    page = flagged.open(f"event/{number}?restricted=true", f'[data-event="{number}"] .strip')
    assert flat(page, ".event-head .badge") == counts.level
    assert as_the_page_writes_two(counts.probability_words) in flat(page, ".strip")
    told = page.locator(".event-view, main").first.inner_text()
    assert "Monte Carlo" not in told
    if event.probability_method != "2d":
        assert "as it is" not in told


def as_the_page_writes_two(text: str) -> str:
    """Return words with a number of two digits as lists of the page write it."""
    number = next(part for part in text.split() if "e-" in part)
    three = as_the_page_writes(f"{float(number):.2e}")
    return text.replace(number, three.replace("0 ×", " ×", 1) if " ×" in three else f"{float(number):#.2g}")


def test_the_list(flagged: Visit, snapshot: Snapshot) -> None:
    page = flagged.open("events", ".scroller [data-id]")
    for pair in METHODS:
        number = number_of(snapshot, pair)
        event = stored_event(snapshot, number, restricted=True)
        if event.origin == "restricted_message":  # never in the list
            continue
        counts = event.graded
        said = flat(page, f'[data-id="{number}"]')
        assert counts.level in said
        assert as_the_page_writes_two(counts.probability_words) in said
