import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.objects.regimes import REGIMES, regime


def orbits(*rows: tuple[float, float]) -> ElementArray:
    """Element sets of orbits given by mean motion in rev/day and eccentricity."""
    elements = np.zeros(len(rows), ELEMENT_DTYPE)
    elements["mean_motion_rev_day"], elements["eccentricity"] = np.transpose(rows)
    return elements


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
