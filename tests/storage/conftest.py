"""Synthetic runs for the tests of the store."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from tests.made_up_run import MadeUpRun, make_conjunctions, make_elements, make_run, publish


class Factories(NamedTuple):
    """The functions of tests/made_up_run.py."""

    run: Callable[..., MadeUpRun]
    elements: Callable[..., ElementArray]
    conjunctions: Callable[..., ConjunctionArray]
    publish: Callable[..., str]


@pytest.fixture(scope="session")
def make() -> Factories:
    """Give the factories of synthetic runs."""
    return Factories(make_run, make_elements, make_conjunctions, publish)


@pytest.fixture
def published(store: Path) -> Path:
    """Give a store that holds one run."""
    publish(store, make_run())
    return store


@pytest.fixture(scope="session")
def publisher(repository: Path) -> Callable[..., subprocess.Popen[str]]:
    """Give a function that starts a publisher in a process of its own, see publisher_process.py."""

    def start(store: Path, **order: object) -> subprocess.Popen[str]:
        script = repository / "tests" / "storage" / "publisher_process.py"
        return subprocess.Popen(
            [sys.executable, str(script), json.dumps({"store": str(store), **order})],
            env={**os.environ, "PYTHONPATH": str(repository)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    return start
