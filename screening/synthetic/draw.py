"""Draw the element sets of a population from the quantiles in its table."""

from collections.abc import Sequence

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, julian_date
from screening.synthetic.population import DEBRIS, PAYLOAD, ROCKET_BODY, Knots, Population
from screening.synthetic.walker import walker_slots

# Ages of element sets in days: most are less than a day old, all less than two.
EPOCH_AGE_DAYS: Knots = (0.05, 0.3, 0.55, 0.9, 1.6)

# For a population with planes: the scatter that keeps it from being a perfect lattice.
_OFF_SLOT_DEG = 0.02

# Median and spread (natural logarithm) of B*, per Earth radius, as of the catalogue's objects below 1000 km.
_BSTAR = {PAYLOAD: (3e-4, 0.9), ROCKET_BODY: (4e-4, 0.7), DEBRIS: (3e-3, 1.1)}
_CONTROLLED_BSTAR = (1e-4, 0.5)
_NO_DRAG_ABOVE_PERIGEE_KM = 2500.0
# Perigees, and the largest B* there with which no object decays in the following weeks.
_SAFE_PERIGEE_KM = (200.0, 300.0, 400.0, 500.0, 600.0)
_SAFE_BSTAR = (2e-5, 1e-4, 5e-4, 5e-3, 3e-2)
LOWEST_PERIGEE_KM = 230.0

# a^3.5 cos i of the sun-synchronous circular orbits is -(12352 km)^3.5 (Vallado 2013, section 11.4.1).
_SUN_SYNCHRONOUS_AT_POLE_KM = 12352.0
# Under Sun, Moon and the Earth's oblateness the pole of a geostationary orbit that is left alone circles, in
# about 53 years, around one that is 7.4 degrees off the Earth's, at node 0 (Allan & Cook 1964).
_LAPLACE_TILT_DEG = 7.4
_LAPLACE_SPREAD_DEG = 0.4


def draw(
    populations: Sequence[Population], counts: Sequence[int], scale: float, random: np.random.Generator
) -> tuple[ElementArray, FloatArray]:
    """Draw `counts` objects of each population, in that order.

    `scale` is the size of the whole against the table's. Returns element sets (n,) with angles at their own
    epochs but without the epoch itself, names without their number, and the ages (n,) in days: how long
    before a common instant each epoch is.
    """
    parts = [
        _draw(population, count, scale, random)
        for population, count in zip(populations, counts, strict=True)
        if count
    ]
    elements = np.concatenate([part for part, _ in parts])
    ages_days = np.concatenate([ages for _, ages in parts])
    return elements, ages_days


def set_epochs(elements: ElementArray, ages_days: FloatArray, instant: np.datetime64) -> None:
    """Set epochs `ages_days` (n,) before the UTC `instant`, to the microsecond."""
    ages = np.rint(ages_days * SECONDS_PER_DAY * 1e6).astype("m8[us]")
    elements["epoch_jd"], elements["epoch_day_fraction"] = julian_date(instant.astype("M8[us]") - ages)


def between(knots: Knots, random: np.random.Generator, count: int) -> FloatArray:
    """Draw `count` values whose quantiles at evenly spaced probabilities are the knots."""
    return np.interp(random.random(count), np.linspace(0.0, 1.0, len(knots)), knots)


def _draw(
    population: Population, count: int, scale: float, random: np.random.Generator
) -> tuple[ElementArray, FloatArray]:
    elements = np.zeros(count, ELEMENT_DTYPE)
    a_km, eccentricity = _shapes(population, count, random)
    inclination_deg, node_deg = _planes(population, a_km, random)
    perigee_argument_deg, mean_anomaly_deg = random.uniform(0.0, 360.0, (2, count))
    if population.walker is not None:
        node_deg, latitude_argument_deg, plane = walker_slots(
            population.walker, count, scale, float(np.mean(inclination_deg))
        )
        node_deg = node_deg + random.uniform(0.0, 360.0)
        mean_anomaly_deg = latitude_argument_deg - perigee_argument_deg
        mean_anomaly_deg += random.uniform(-_OFF_SLOT_DEG, _OFF_SLOT_DEG, count)
        a_km += population.walker.altitude_step_km * plane * (population.walker.planes / (plane.max() + 1))
    ages_days = between(EPOCH_AGE_DAYS, random, count)
    drift = secular_rates_deg_day(a_km, eccentricity, inclination_deg)
    angles_deg = np.stack([node_deg, perigee_argument_deg, mean_anomaly_deg]) - drift * ages_days
    elements["name"] = population.name
    elements["mean_motion_rev_day"] = drift[2] / 360.0
    elements["eccentricity"] = eccentricity
    elements["inclination_deg"] = inclination_deg
    elements["raan_deg"], elements["argument_of_perigee_deg"], elements["mean_anomaly_deg"] = (
        angles_deg % 360.0
    )
    elements["bstar_per_earth_radius"] = _bstars(population, a_km * (1.0 - eccentricity), random)
    return elements, ages_days


def secular_rates_deg_day(
    a_km: FloatArray, eccentricity: FloatArray, inclination_deg: FloatArray
) -> FloatArray:
    """Return how fast node, argument of perigee and mean anomaly turn, degrees per day, (3, n).

    First order in J2 (Vallado 2013, section 9.6.1). The mean anomaly's is the published mean motion itself:
    Kozai's, which contains its own secular perturbation.
    """
    mean_motion = np.degrees(np.sqrt(MU_KM3_S2 / a_km**3)) * SECONDS_PER_DAY
    oblate = 1.5 * J2 * (EARTH_RADIUS_KM / (a_km * (1.0 - eccentricity**2))) ** 2 * mean_motion
    cosine = np.cos(np.radians(inclination_deg))
    return np.stack([-oblate * cosine, oblate * (2.5 * cosine**2 - 0.5), mean_motion])


def _shapes(population: Population, count: int, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return semi-major axes, km, and eccentricities."""
    radii_km = EARTH_RADIUS_KM + between(population.altitude_km, random, count)
    if population.perigee_km:
        perigee_km = EARTH_RADIUS_KM + between(population.perigee_km, random, count)
        return (radii_km + perigee_km) / 2.0, np.abs(radii_km - perigee_km) / (radii_km + perigee_km)
    eccentricity = between(population.eccentricity, random, count)
    return radii_km, np.minimum(eccentricity, 1.0 - (EARTH_RADIUS_KM + LOWEST_PERIGEE_KM) / radii_km)


def _planes(
    population: Population, a_km: FloatArray, random: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return inclinations and nodes, degrees."""
    count = len(a_km)
    if population.laplace:
        since_start = random.uniform(-np.pi, np.pi, count)
        x_deg, y_deg = random.normal(0.0, _LAPLACE_SPREAD_DEG, (2, count))
        # Its length is the inclination, its direction the node.
        tilt = _LAPLACE_TILT_DEG * (1.0 + np.exp(1j * since_start)) + x_deg + 1j * y_deg
        return np.abs(tilt), np.degrees(np.angle(tilt))
    inclination_deg = between(population.inclination_deg, random, count)
    if population.sun_synchronous:
        inclination_deg += np.degrees(np.arccos(-((a_km / _SUN_SYNCHRONOUS_AT_POLE_KM) ** 3.5)))
    return inclination_deg, random.uniform(0.0, 360.0, count)


def _bstars(population: Population, perigee_radius_km: FloatArray, random: np.random.Generator) -> FloatArray:
    median, spread = _CONTROLLED_BSTAR if population.walker else _BSTAR[population.kind]
    perigee_km = perigee_radius_km - EARTH_RADIUS_KM
    bstars = median * np.exp(spread * random.standard_normal(len(perigee_km)))
    bstars = np.minimum(bstars, np.exp(np.interp(perigee_km, _SAFE_PERIGEE_KM, np.log(_SAFE_BSTAR))))
    return np.where(perigee_km > _NO_DRAG_ABOVE_PERIGEE_KM, 0.0, bstars)
