"""Decide over what time two objects that stay beside each other are followed."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.two_body import orbital_period_s, propagate_two_body

SIGMAS_EACH_SIDE = 8.0
# Slower objects drift beside each other for hours, and stay within the errors: their encounter has no end.
SLOWEST_THAT_PART_M_S = 1.0
_REVOLUTIONS = 1.1  # searched for the greatest distance, each side
_TIMES = 441


def encounter_window_s(states: FloatArray, axes: FloatArray, root_rtn: FloatArray) -> tuple[float, float]:
    """Return from when to when after TCA an encounter is followed, s.

    states (2, 6), m and m/s, axes (2, 3, 3), rows RTN, and root_rtn (12, m) as in `probability_3d`. From the
    greatest distance before to the greatest after, on the orbits as given; half a revolution where there is
    none. That is the segment for which NASA CARA counts (`Pc3D_Hall`, `PcMultiStepWithSDMC` of its Analysis
    Tools). Objects slower than 1 m/s: as Alfano (2009) did for his cases, while 8 sigmas along the relative
    velocity pass, at most a quarter of the shorter revolution each side; their probability grows with the
    window, and holds only for it.
    """
    periods = [orbital_period_s(state) for state in states]
    velocity = (states[1] - states[0])[3:]
    speed = float(np.linalg.norm(velocity))
    if speed >= SLOWEST_THAT_PART_M_S:
        return _between_greatest_distances(states, periods)
    quarter = 0.25 * min(periods)
    along = velocity @ (axes[1].T @ root_rtn[6:9] - axes[0].T @ root_rtn[:3])
    passed = SIGMAS_EACH_SIDE * float(np.linalg.norm(along)) / speed**2 if speed > 0.0 else quarter
    half = min(quarter, passed) if passed > 0.0 else quarter
    return -half, half


def _between_greatest_distances(states: FloatArray, periods: list[float]) -> tuple[float, float]:
    reach = _REVOLUTIONS * max(periods)
    seconds = np.linspace(-reach, reach, _TIMES)
    paths = [propagate_two_body(state, seconds)[:, :3] for state in states]
    distance = np.linalg.norm(paths[1] - paths[0], axis=1)
    peaks = np.flatnonzero((distance[1:-1] >= distance[:-2]) & (distance[1:-1] > distance[2:])) + 1
    before, after = seconds[peaks[seconds[peaks] < 0.0]], seconds[peaks[seconds[peaks] > 0.0]]
    half = 0.5 * min(periods)
    return (
        float(before[-1]) if len(before) else -half,
        float(after[0]) if len(after) else half,
    )
