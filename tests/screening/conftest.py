"""The real catalogue, and its screening over one day, made once."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.results import Screening

DAY_HOURS = 24.0
THRESHOLD_KM = 10.0


@pytest.fixture(scope="session")
def real_elements(shared_file: Callable[[str], Path]) -> ElementArray:
    """Return the whole on-orbit catalogue of 2024-11-01: 26,834 element sets."""
    return parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements


@pytest.fixture(scope="session")
def real_day() -> TimeWindow:
    """Return the 24 hours for which the benchmark counts hold."""
    return window(np.datetime64("2024-11-01T00:00:00", "us"), DAY_HOURS)


@pytest.fixture(scope="session")
def real_screening(real_elements: ElementArray, real_day: TimeWindow) -> Screening:
    """Return the real catalogue screened all against all, 24 h, 10 km; about ten seconds."""
    return screen_catalogue(real_elements, real_day, THRESHOLD_KM)
