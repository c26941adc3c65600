"""The range of an object's radius is that of the whole window, however many states are computed at a time."""

import numpy as np
import pytest

from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search import radial_range
from screening.synthetic.catalogue import synthetic_catalogue

START = np.datetime64("2026-11-22T03:07:11", "us")


def test_own_ranges_do_not_depend_on_how_many_states_are_computed_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elements = synthetic_catalogue(200, 1, START).elements
    propagator = Propagator(elements, window(START, 3.0))
    whole = radial_range.own_range(propagator)
    monkeypatch.setattr(radial_range, "_STATES_AT_A_TIME", 50 * len(elements))
    for one, other in zip(whole, radial_range.own_range(propagator), strict=True):
        np.testing.assert_array_equal(one, other)
