"""Stores of made-up runs, as `skysieve.open_store` opens them."""

from pathlib import Path

import pytest

import skysieve
from tests.made_up_run import make_run, publish

FIRST, SECOND = "20261121T060000Z", "20261121T120000Z"


@pytest.fixture(scope="module")
def two_runs(module_store: Path) -> Path:
    """A store with two runs, of which the second found the same events again and others."""
    publish(module_store, make_run(conjunctions=300))
    publish(module_store, make_run(conjunctions=400, hours_later=6))
    return module_store


@pytest.fixture
def store(two_runs: Path) -> skysieve.Store:
    """That store, opened."""
    return skysieve.open_store(two_runs)
