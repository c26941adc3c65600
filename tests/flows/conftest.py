"""A server that stands in for CelesTrak, and a small screening in one thread to compare clusters with."""

import platform
from collections.abc import Iterator
from pathlib import Path

import certifi
import pytest

from flows.settings import FlowSettings
from flows.sources import names, spacetrack
from flows.sources.messages import tracss_login
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, window
from tests.flows.misbehaving_server import MisbehavingServer
from tests.flows.small_screening import HOURS, Rated, screened_in_one_thread
from tests.runs import START

# distributed asks for it, and a program of the system answers: here, where none of the tests is blamed.
platform.processor()

ADDRESSES = {
    "CARA_LISTING_URL": "/listing",
    "CARA_FILES_URL": "/files",
    "GCAT_URL": "/gcat.tsv",
    "STARLINK_URL": "/e",
    "ISS_URL": "/iss",
}


@pytest.fixture(scope="session", autouse=True)
def few_authorities(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let clients trust one authority; to read all 140 takes each of hundreds of clients 25 CPU-ms."""
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    path = tmp_path_factory.mktemp("authorities") / "one.pem"
    path.write_text(first + end, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SSL_CERT_FILE", str(path))
        yield


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MisbehavingServer]:
    """Stand in for every service whose address is no setting, too."""
    with MisbehavingServer() as running:
        monkeypatch.setattr(spacetrack, "SPACETRACK_URL", running.url)
        monkeypatch.setattr(tracss_login, "TRACSS_URL", running.url)
        monkeypatch.setattr(tracss_login, "LOGIN_URL", f"{running.url}/oauth2/v1/token")
        for name, path in ADDRESSES.items():
            monkeypatch.setattr(names, name, f"{running.url}{path}")
        yield running


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(store=store, celestrak_url=server.url)


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
