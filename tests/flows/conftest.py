"""A server that stands in for CelesTrak, and a small screening in one thread to compare clusters with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, window
from tests.flows.misbehaving_server import MisbehavingServer
from tests.flows.small_screening import HOURS, Rated, screened_in_one_thread
from tests.runs import START


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with MisbehavingServer() as running:
        yield running


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(
        store=store,
        celestrak_url=server.url,
        cara_listing_url=f"{server.url}/listing",
        gcat_url=f"{server.url}/gcat.tsv",
        cara_files_url=f"{server.url}/files",
    )


@pytest.fixture(scope="session")
def elements(small_catalogue: Path) -> ElementArray:
    return parse_catalogue(small_catalogue.read_bytes()).elements


@pytest.fixture(scope="session")
def span() -> TimeWindow:
    return window(START, HOURS)


@pytest.fixture(scope="session")
def in_one_thread(elements: ElementArray, span: TimeWindow) -> Rated:
    found = screened_in_one_thread(elements, span)
    assert len(found.conjunctions) > 100, "too few events for the comparison to mean anything"
    return found
