"""A small catalogue and a store with one run of it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flows.run import Reporter, Request, Source, run_catalogue
from flows.settings import FlowSettings

START = np.datetime64("2024-11-01T00:00:00", "us")
SILENT = Reporter(stage=lambda _name: None, planned=lambda _plan: None, progress=lambda _done, _of: None)


@pytest.fixture(scope="session")
def catalogue_lines(shared_file: Callable[[str], Path]) -> list[str]:
    """The header and 600 records of the real catalogue, one object in forty."""
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    return lines[:1] + lines[1::40][:600]


@pytest.fixture(scope="session")
def small_catalogue(catalogue_lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those records as a file."""
    path = tmp_path_factory.mktemp("catalogue") / "gp.csv"
    path.write_text("\n".join(catalogue_lines) + "\n")
    return path


@pytest.fixture(scope="session")
def store_with_run(small_catalogue: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run of the small catalogue over two hours."""
    store = tmp_path_factory.mktemp("store")
    source = Source(str(small_catalogue), small_catalogue.read_bytes())
    run_catalogue(source, Request(START, 2.0, 10.0), FlowSettings(store=store, workers=1), SILENT)
    return store
