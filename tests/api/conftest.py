"""A service over a made-up store, in this process, and clients with the right credential."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.app import create_app
from api.live.service import Service
from api.settings import ApiSettings
from storage.state.credentials import create_credential
from storage.vocabulary import CredentialKind
from tests import runs
from tests.api.client import Client
from tests.api.routes_built_once import share_built_routes
from tests.made_up_run import WINDOW_START, MadeUpRun, make_run, publish
from tests.reused_store import free_store

share_built_routes()

NOW = WINDOW_START.replace(hour=7)  # an hour after the made-up run began


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    time: datetime = field(default=NOW)

    def __call__(self) -> datetime:
        return self.time


def header(kind: CredentialKind, secret: str) -> dict[str, str]:
    """Return the header that carries a secret."""
    return {"X-API-Key": secret} if kind == "api-key" else {"Authorization": f"Bearer {secret}"}


def plausible(made_up: MadeUpRun) -> MadeUpRun:
    """Return a run whose probabilities, where known, lie between 0 and 1."""
    made_up.conjunctions["probability"] /= 1e4
    return made_up


@contextmanager
def serving(store: Path, clock: Clock | None = None, **settings: object) -> Iterator[Client]:
    """Serve a store; the client brings a bearer token unless it is told otherwise.

    As the clock stands still, more requests than usual are allowed a minute, unless a setting says less.
    """
    settings.setdefault("rate_limit_per_minute", 1_000_000)
    token = create_credential(store, "bearer", "test", datetime.now(UTC)).secret
    with serving_with(store, token, clock, **settings) as client:
        yield client


@contextmanager
def serving_with(store: Path, token: str, clock: Clock | None = None, **settings: object) -> Iterator[Client]:
    """Serve a store to a client with a bearer token that the store has already."""
    demo = bool(settings.pop("demo", False))
    app = create_app(ApiSettings(store=store, **settings), clock or Clock(), demo=demo)  # type: ignore[arg-type]
    service: Service = app.state.service
    service.start()
    try:
        yield Client(app, header("bearer", token))
    finally:
        service.stop()


@pytest.fixture(scope="module")
def served_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with one run of 3,000 events among 200 objects, which a module's tests only read."""
    store = free_store(tmp_path_factory.getbasetemp(), "served_")
    publish(store, plausible(make_run(conjunctions=3000, objects=200)))
    return store


@pytest.fixture(scope="module")
def client(served_store: Path) -> Iterator[Client]:
    """Give a client of that store."""
    with serving(served_store) as client:
        yield client


# Objects of the most dangerous events of 2024-11-01, and of odd ones: slow in low orbit and in GEO, fast but
# flagged, near the perigee of an eccentric orbit, covariance past the peak of the dilution curve and not.
DANGEROUS = (
    17842, 270293, 2874, 42268, 1292, 7490, 52649, 53826, 45360, 57172, 56193, 60508, 60946, 61617, 36581,
    39617, 60632, 60897, 22725, 39911,
)  # fmt: skip


@pytest.fixture(scope="session")
def dangerous_store(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with a day's run of the real objects above."""
    folder = tmp_path_factory.mktemp("dangerous")
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    chosen = [line for line in records if int(line.split(",")[number]) in DANGEROUS]
    runs.make_run(runs.source_of([header, *chosen], folder), folder / "store", hours=24.0)
    return folder / "store"
