"""The atmosphere against the published standard, lives against a plain integration in time."""

import numpy as np
import pytest

from screening.decay.atmosphere import density_kg_m3, season
from screening.decay.life import CIRCULAR, Lives, Orbits, losses

# U.S. Standard Atmosphere 1976, table I: geometric height (km), density (kg/m3), for 1000 K.
STANDARD = {150: 2.076e-9, 200: 2.541e-10, 300: 1.916e-11, 400: 2.803e-12, 500: 5.215e-13, 700: 3.070e-14}
KELVIN = 900.0


def test_the_density_is_that_of_the_standard_atmosphere() -> None:
    found = density_kg_m3(np.array(list(STANDARD), np.float64), 1000.0)
    assert found == pytest.approx(list(STANDARD.values()), rel=0.03)


def test_the_air_is_thinnest_in_july_and_densest_in_october() -> None:
    days = np.arange(365.0)
    factor = season(days, np.full(365, 400.0))
    assert 190 < days[factor.argmin()] < 220  # of Jacchia 1971, figure 6: late July
    assert 285 < days[factor.argmax()] < 315
    assert np.exp(factor.max() - factor.min()) == pytest.approx(1.7, abs=0.2)


@pytest.mark.parametrize(
    ("perigee_km", "eccentricity"), [(220.0, CIRCULAR), (250.0, 0.01), (180.0, 0.05), (150.0, 0.5)]
)
def test_lives_are_those_of_an_integration_in_time(perigee_km: float, eccentricity: float) -> None:
    expected = life_days(perigee_km, eccentricity)
    found = Lives.at(KELVIN).days(Orbits(np.array([perigee_km]), np.array([eccentricity])))
    assert found == pytest.approx([expected], rel=0.03)


def life_days(perigee_km: float, eccentricity: float) -> float:
    """Return the days until 100 km, in steps in which the perigee sinks by 200 m, e falls by 3 % at most."""
    days = 0.0
    while perigee_km > 100.0:
        orbit = Orbits(np.array([perigee_km]), np.array([max(eccentricity, CIRCULAR)]))
        axis_loss, e_loss, axis = (float(values[0]) for values in losses(orbit, KELVIN))
        e_loss = e_loss if eccentricity > CIRCULAR else 0.0
        sinks = axis_loss * (1.0 - eccentricity) - axis * e_loss
        step = min(0.2 / sinks, 0.03 * eccentricity / e_loss if e_loss else np.inf)
        perigee_km, eccentricity, days = perigee_km - step * sinks, eccentricity - step * e_loss, days + step
    return days
