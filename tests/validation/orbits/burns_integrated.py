"""Burns: displacements against numerical integration."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp

from screening.manoeuvre.displacement import displacements
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from screening.orbits.reference.local_axes import rtn_axes
from tests.validation.comparison import About, Comparison, Measure

FloatArray = npt.NDArray[np.float64]

ABOUT = About(
    title="Burns: numerical integration",
    source="scipy's `solve_ivp`, DOP853 to 1e-12, of gravity with J2 as in Vallado (2013), equation 8-30.",
    what="What a burn moves after 6, 12, ... 72 hours, of 200 random orbits: eccentricities up to 0.7, "
    "perigees of 300 to 1,500 km, burns of 1 mm/s to 1 m/s in random directions. The integration flies each "
    "orbit with and without its burn.",
    limits="0.25 % of the displacement or 2 m, whichever is more.",
    files=(),
    command='make test-all ARGS="tests/screening/manoeuvre/test_displacement.py"',
)
ORBITS = 200
RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE_KM = 0.0025, 0.002
DAYS_3_S = np.linspace(0.0, 72.0 * 3600.0, 13)[1:]


def rates(_: float, flat: FloatArray) -> FloatArray:
    """Return the rates of states (6 n,): gravity with J2."""
    x, y, z, *speeds = flat.reshape(6, -1)
    squared = x * x + y * y + z * z
    length = np.sqrt(squared)
    pull = -MU_KM3_S2 / (squared * length)
    oblate = 1.5 * J2 * MU_KM3_S2 * EARTH_RADIUS_KM**2 / (squared * squared * length)
    sine2 = 5.0 * z * z / squared
    across, along_axis = pull + oblate * (sine2 - 1.0), pull + oblate * (sine2 - 3.0)
    return np.concatenate([*speeds, x * across, y * across, z * along_axis])


def integrated(states: FloatArray, times_s: FloatArray) -> FloatArray:
    """Return the states (n, k, 6) at times (k,) of states (n, 6) at time 0."""
    flown = solve_ivp(
        rates, (0.0, times_s[-1]), states.T.ravel(), method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times_s
    )
    return np.asarray(flown.y.reshape(6, len(states), len(times_s)).transpose(1, 2, 0))


def on_orbit(perigee_km: float, eccentricity: float, anomaly_rad: float, axes: FloatArray) -> FloatArray:
    """Return a state (6,) on an ellipse whose plane is spanned by the first two columns of `axes`."""
    p = perigee_km * (1.0 + eccentricity)
    r = p / (1.0 + eccentricity * np.cos(anomaly_rad))
    speed = np.sqrt(MU_KM3_S2 / p)
    position = axes @ np.array([r * np.cos(anomaly_rad), r * np.sin(anomaly_rad), 0.0])
    velocity = axes @ np.array(
        [-speed * np.sin(anomaly_rad), speed * (eccentricity + np.cos(anomaly_rad)), 0.0]
    )
    return np.concatenate([position, velocity])


def random_burn(seed: int) -> tuple[FloatArray, FloatArray]:
    """Return a state (6,) and a burn (3,) in its RTN, km/s."""
    random = np.random.default_rng(seed)
    eccentricity = random.choice([random.uniform(0.0, 0.02), random.uniform(0.0, 0.7)])
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    perigee_km = EARTH_RADIUS_KM + random.uniform(300.0, 1500.0)
    state = on_orbit(perigee_km, eccentricity, random.uniform(0.0, 2 * np.pi), axes)
    direction = random.normal(size=3)
    dv_rtn_km_s = direction / np.linalg.norm(direction) * 10.0 ** random.uniform(-6.0, -3.0)
    return state, dv_rtn_km_s


def differences(seeds: range) -> tuple[FloatArray, FloatArray]:
    """Return by how much displacements (n, k) differ from integrated ones, km, and how large these are."""
    states, burns = (np.array(column) for column in zip(*map(random_burn, seeds), strict=True))
    burnt = states.copy()
    axes = rtn_axes(states[:, :3], states[:, 3:])
    burnt[:, 3:] += np.einsum("nji,nj->ni", axes, burns)
    flown = integrated(np.concatenate([states, burnt]), DAYS_3_S)
    plain, moved = flown[: len(states)], flown[len(states) :]
    turn = rtn_axes(plain[..., :3].reshape(-1, 3), plain[..., 3:].reshape(-1, 3))
    expected = np.einsum("nij,nj->ni", turn, (moved - plain)[..., :3].reshape(-1, 3))
    times_s = np.tile(DAYS_3_S, (len(states), 1))
    found = displacements(states[:, :3], states[:, 3:], burns[:, np.newaxis], times_s)[:, 0]
    shape = found.shape[:2]
    apart = np.linalg.norm(found[..., :3] - expected.reshape(*shape, 3), axis=-1)
    return apart, np.linalg.norm(expected, axis=1).reshape(shape)


def compare(_: Path) -> Comparison:
    """Fly every orbit with and without its burn."""
    apart_km, moved_km = differences(range(ORBITS))
    relative = apart_km / moved_km
    of_allowed = apart_km / np.maximum(RELATIVE_TOLERANCE * moved_km, ABSOLUTE_TOLERANCE_KM)
    return Comparison(
        apart_km.size,
        "displacements",
        (
            Measure("orbits", ORBITS),
            Measure("largest displacement", float(moved_km.max()), "km"),
            Measure("median difference, of the displacement", 100.0 * float(np.median(relative)), "%"),
            Measure("largest difference, of what is allowed", 100.0 * float(of_allowed.max()), "%", 100.0),
        ),
    )
