"""A store with one run of a small catalogue, in whose objects fleets are searched."""

from pathlib import Path

import pytest

from flows.runs.run import Outcome
from flows.settings import FlowSettings
from flows.sources.files import read_file
from tests.runs import make_run

HOURS = 2.0


@pytest.fixture
def settings(store: Path) -> FlowSettings:
    return FlowSettings(store=store, workers=1)


@pytest.fixture
def outcome(settings: FlowSettings, small_catalogue: Path) -> Outcome:
    return make_run(read_file(small_catalogue), settings.store, hours=HOURS)
