"""A service whose events have states and errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.made_up_run import make_run, publish

STATES = {
    "primary": (7000.0, 10.0, -20.0, 0.1, 7.5, 0.3),
    "secondary": (7000.2, 10.1, -19.9, -0.2, 0.4, 7.5),
}


@pytest.fixture
def served(store: Path) -> Iterator[Client]:
    run = plausible(make_run())
    for who, state in STATES.items():
        for name, number in zip(
            ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s"), state, strict=True
        ):
            run.conjunctions[f"{who}_{name}"] = number
        for axis, sigma_m in zip("rtn", (80.0, 900.0, 60.0), strict=True):
            run.conjunctions[f"{who}_sigma_{axis}_m"] = sigma_m
    publish(store, run)
    with serving(store) as client:
        yield client
