"""How far two predictions are apart: against cases worked out by hand, and counted over drawn errors."""

import numpy as np
import pytest

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.apart import RARE_SIGMAS, USUAL_SIGMAS, Prediction, sigmas_apart

# Crossing at a right angle above the equator, 100 m apart radially: R, T, N of the first are x, y, z.
STATES = np.array([[7.0e6, 0.0, 0.0, 0.0, 7546.05, 0.0], [7.0001e6, 0.0, 0.0, 0.0, 0.0, 7545.99]])
COVARIANCES = np.stack([np.diag([9.0, 1600.0, 4.0])] * 2)


def moved(by_m: tuple[float, float, float]) -> FloatArray:
    """The states with the second object elsewhere."""
    other = STATES.copy()
    other[1, :3] += by_m
    return other


@pytest.mark.parametrize(
    ("by_m", "variance_m2"),
    # The second's in-track is z, its cross-track -y; each variance is there in both predictions.
    [((6.0, 0, 0), 2 * (9 + 9)), ((0, 80.0, 0), 2 * (1600 + 4)), ((0, 0, -80.0), 2 * (4 + 1600))],
)
def test_a_difference_along_an_axis_is_in_its_sigmas(
    by_m: tuple[float, float, float], variance_m2: float
) -> None:
    one, other = Prediction(STATES, COVARIANCES), Prediction(moved(by_m), COVARIANCES)
    wanted = np.linalg.norm(by_m) / np.sqrt(variance_m2)
    assert sigmas_apart(one, other, 0.0) == pytest.approx(wanted, rel=1e-4)
    assert sigmas_apart(other, one, 0.0) == pytest.approx(wanted, rel=1e-4)


def test_another_tca_of_the_same_orbits_is_no_difference() -> None:
    """Two seconds later both have flown 15 km: compared at one instant they are where they were."""
    later_s = 2.0
    gravity_m_s2 = 3.986004418e14 / 7.0e6**2
    later = STATES.copy()
    # To the third order, which is what two seconds show.
    for state in later:
        r, v = state[:3].copy(), state[3:].copy()
        unit = r / np.linalg.norm(r)
        state[:3] = r + v * later_s - unit * gravity_m_s2 * later_s**2 / 2
        state[3:] = v - unit * gravity_m_s2 * later_s
        state[:3] -= v * gravity_m_s2 / np.linalg.norm(r) * later_s**3 / 6
    found = sigmas_apart(Prediction(STATES, COVARIANCES), Prediction(later, COVARIANCES), later_s)
    assert found < 0.01
    assert sigmas_apart(Prediction(STATES, COVARIANCES), Prediction(later, COVARIANCES), 0.0) > 100


@pytest.mark.slow
def test_limits_hold_as_many_as_they_say() -> None:
    random = np.random.default_rng(20)
    roots = random.normal(size=(2, 2, 3, 3)) * [10.0, 300.0, 20.0]
    both = [root.transpose(0, 2, 1) @ root for root in roots]
    axes = rtn_axes(STATES[:, :3], STATES[:, 3:])
    found = []
    for _ in range(4000):
        seen = []
        for covariances in both:
            errors = [random.multivariate_normal(np.zeros(3), one) for one in covariances]
            drawn = STATES.copy()
            drawn[:, :3] += np.einsum("nji,nj->ni", axes, errors)
            seen.append(Prediction(drawn, covariances))
        found.append(sigmas_apart(*seen, 0.0))
    assert np.mean(np.array(found) < USUAL_SIGMAS) == pytest.approx(0.95, abs=0.011)  # 3 sigmas of the count
    assert np.mean(np.array(found) < RARE_SIGMAS) > 0.997


def test_what_is_not_known_has_no_distance() -> None:
    one = Prediction(STATES, COVARIANCES)
    unknown, escaping = STATES.copy(), STATES.copy()
    unknown[0, 0], escaping[1, 5] = np.nan, 12_000.0
    for other in (
        Prediction(unknown, COVARIANCES),
        Prediction(escaping, COVARIANCES),
        Prediction(STATES, COVARIANCES * np.nan),
        Prediction(STATES, COVARIANCES * -1.5),
    ):
        assert np.isnan(sigmas_apart(one, other, 0.0))
