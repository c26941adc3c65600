import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.objects.error_law import (
    ERROR_LAWS,
    REGIMES,
    default_sigma_rtn_m,
    difference_sigma_rtn_m,
    regime,
)

# Sums and roots of a few doubles.
rounding = 1e-12


def orbits(*rows: tuple[float, float]) -> ElementArray:
    """Element sets of orbits given by mean motion in rev/day and eccentricity."""
    elements = np.zeros(len(rows), ELEMENT_DTYPE)
    elements["mean_motion_rev_day"], elements["eccentricity"] = np.transpose(rows)
    return elements


def codes(*names: str) -> np.ndarray:
    return np.array([REGIMES.index(name) for name in names], np.int8)


@pytest.mark.parametrize(
    ("object_name", "mean_motion_rev_day", "eccentricity", "expected"),
    [
        ("space station", 15.50, 0.0007, "leo"),
        ("sun-synchronous", 14.57, 0.0001, "leo"),
        ("Globalstar, 1414 km", 12.62, 0.0001, "leo"),
        ("LAGEOS, 5800 km", 6.39, 0.004, "meo"),
        ("GPS", 2.0056, 0.01, "meo"),
        ("Galileo", 1.7047, 0.0003, "meo"),
        ("geostationary", 1.0027, 0.0002, "geo"),
        ("graveyard, 300 km above", 0.9925, 0.001, "geo"),
        ("transfer orbit", 2.27, 0.73, "gto"),
        ("Molniya", 2.006, 0.70, "heo"),
        ("decaying transfer orbit, apogee 10,000 km", 7.0, 0.42, "heo"),
        ("far above geostationary", 0.5, 0.1, "heo"),
    ],
)
def test_well_known_orbits_have_their_regime(
    object_name: str, mean_motion_rev_day: float, eccentricity: float, expected: str
) -> None:
    found = regime(orbits((mean_motion_rev_day, eccentricity)))
    assert REGIMES[found[0]] == expected, object_name


def test_the_real_catalogue_has_the_shares_that_are_known(real_elements: ElementArray) -> None:
    counts = dict(zip(REGIMES, np.bincount(regime(real_elements), minlength=len(REGIMES)), strict=True))
    # 22,182 objects have their apogee below 2,000 km; every object has one regime.
    assert counts["leo"] == 22_182
    assert sum(counts.values()) == len(real_elements)
    assert counts["geo"] > 1_500


def test_low_orbits_take_the_published_numbers() -> None:
    # Aida & Kirschner (2013).
    at_epoch, day_later, two_days_before = default_sigma_rtn_m(
        codes("leo", "leo", "leo"), np.array([0.0, 1.0, -2.0])
    )
    assert at_epoch == pytest.approx([176.0, 695.0, 168.0], rel=rounding)
    assert day_later == pytest.approx([176.0 + 125.0, 695.0 + 392.0, 168.0], rel=rounding)
    assert two_days_before == pytest.approx([176.0 + 250.0, 695.0 + 784.0, 168.0], rel=rounding)


@pytest.mark.parametrize("name", REGIMES)
def test_no_regime_gets_better_with_age(name: str) -> None:
    sigma = default_sigma_rtn_m(codes(*[name] * 4), np.array([0.0, 0.5, 3.0, 30.0]))
    assert (sigma > 0).all()
    assert (np.diff(sigma, axis=0) >= 0).all()
    assert (np.diff(sigma[:, 1]) > 0).all()


@pytest.mark.parametrize("name", REGIMES)
def test_a_difference_has_the_errors_of_both_sets(name: str) -> None:
    age = np.array([0.0, 2.5])
    law = ERROR_LAWS[name]
    grown = np.array(law.growth_m_day) * age[:, None]
    both = np.sqrt(2.0 * np.array(law.at_epoch_m) ** 2 + grown**2)
    np.testing.assert_allclose(difference_sigma_rtn_m(codes(name, name), age), both, rtol=rounding)


def test_no_objects_have_no_sigmas() -> None:
    assert default_sigma_rtn_m(regime(orbits((15.0, 0.0)))[:0], np.zeros(0)).shape == (0, 3)
