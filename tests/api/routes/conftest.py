"""Stores to which tests post something, or try to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, publish


@pytest.fixture
def empty(store: Path) -> Iterator[Client]:
    """Give a client of a store that holds a run, and nothing that was posted."""
    publish(store, make_run())
    with serving(store) as client:
        yield client


@pytest.fixture(scope="module")
def refusing(module_store: Path) -> Iterator[Client]:
    """Give a client of a store for all tests that add nothing to it."""
    publish(module_store, make_run())
    with serving(module_store) as client:
        yield client
