"""Stores of made-up runs, as `skysieve.open_store` opens them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import skysieve
from flows.sources.catalogues import read_file
from tests import runs
from tests.api.conftest import DANGEROUS
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


@pytest.fixture(scope="session")
def developing(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three runs of some real objects, each next with other orbits."""
    folder = tmp_path_factory.mktemp("developing")
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    names = header.split(",")
    number, anomaly = names.index("NORAD_CAT_ID"), names.index("MEAN_ANOMALY")
    chosen = [fields for line in records if int((fields := line.split(","))[number]) in DANGEROUS]
    rng = np.random.default_rng(1)
    for hours_before in (12, 6, 0):
        lines = [header]
        for fields in chosen:
            moved_deg = (float(fields[anomaly]) + 2e-4 * hours_before * rng.normal()) % 360
            lines.append(",".join([*fields[:anomaly], f"{moved_deg:.4f}", *fields[anomaly + 1 :]]))
        path = folder / f"{hours_before}.csv"
        path.write_text("\n".join(lines))
        start = runs.START - np.timedelta64(hours_before, "h")
        runs.make_run(read_file(path), folder / "store", start, hours=36.0)
    return folder / "store"


@pytest.fixture(scope="session")
def watched(developing: Path) -> skysieve.Store:
    """That store, opened."""
    return skysieve.open_store(developing)
