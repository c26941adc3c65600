"""The instant at which orbits pass through one point, also where objects have no state."""

from typing import Any

import numpy as np
import pytest

from screening.fragmentation.pinch import pinch
from screening.orbits.timegrid import FloatArray

POINT_KM = np.array([7000.0, 0.0, 0.0])
SPEED_KM_S = 7.546  # of a circular orbit there


class Paths:
    """Orbits of different planes that all pass through one point, as they are at some times."""

    def __init__(self, known: list[bool]) -> None:
        self.known = known

    def on_grid(self, times_s: FloatArray) -> tuple[Any, FloatArray, FloatArray]:
        tilt = np.radians([10.0, 40.0, 70.0])
        v_km_s = SPEED_KM_S * np.array([np.zeros(3), np.cos(tilt), np.sin(tilt)])
        r_km = np.tile(POINT_KM[:, None], (len(times_s), 1, 3))
        every_v_km_s = np.tile(v_km_s, (len(times_s), 1, 1))
        for at, known in enumerate(self.known):
            if not known:
                r_km[at], every_v_km_s[at] = np.nan, np.nan
        return None, r_km, every_v_km_s


@pytest.mark.parametrize("known", [[True, True], [False, True], [True, False]])
def test_a_time_without_states_is_passed_over(known: list[bool]) -> None:
    """Regression: it ended the comparison of a catalogue with a warning of numpy."""
    found = pinch(Paths(known), np.array([0.0, 60.0]), np.full(3, 10.0))  # type: ignore[arg-type]
    assert known[int(found.time_s // 60.0)]
    assert found.point_km == pytest.approx(POINT_KM, abs=1e-6)
