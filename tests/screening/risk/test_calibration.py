"""Are the probabilities true? Where satellites may be, by errors as measured, against what a run says.

10,000 encounters of the real catalogue, rated by the product: error law, covariance, encounter plane,
probability. For each, both true orbits are drawn apart from that code: regimes and drag by python-sgp4 (its
own altitudes; with and without the drag term), errors along the curve of the orbit, and the true miss by
following both orbits to where they are nearest. Only the law's numbers, and who belongs to which class, are
the product's.
"""

from typing import NamedTuple

import numpy as np
import pytest
from sgp4.api import Satrec

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.error_classes import ERROR_CLASSES, MANOEUVRING
from screening.risk.objects.error_law import (
    BALLISTIC_LAWS,
    CLASS_LAWS,
    DRAG_SHARE,
    RADIAL_SHARE,
    ErrorLaw,
)
from screening.risk.score import score
from screening.search.results import Screening
from storage.writing.objects_table import objects_of
from tests.screening.risk.real_run import knowledge

pytestmark = pytest.mark.slow  # 20 CPU-s

ENCOUNTERS = 10_000
# Shares of true positions in regions of the run's sigmas: chi-squared with 3 degrees of freedom.
REGIONS = {0.50: (2.3660, 0.015), 0.95: (7.8147, 0.007)}
# Far larger than any satellite, so that 10,000 encounters have collisions enough to count.
COMBINED_RADII_M = (200.0, 500.0, 1000.0)
BINOMIAL_SIGMAS = 3.0
EARTH_RADIUS_KM = 6378.135
NEWTON_STEPS = 6


class Path(NamedTuple):
    """Where one object of an encounter truly flies."""

    record: Satrec
    tca: tuple[float, float]  # Julian date and fraction, as python-sgp4 takes them
    shift_s: float  # ahead of its element set in time
    offset_rtn_m: FloatArray  # (3,) from there; in-track as an arc

    def at(self, seconds: float) -> tuple[FloatArray, FloatArray]:
        """Return position and velocity (3,), m and m/s, so long after TCA."""
        jd, fraction = self.tca
        error, r_km, v_km_s = self.record.sgp4(jd, fraction + (seconds + self.shift_s) / SECONDS_PER_DAY)
        assert error == 0
        r, v = np.array(r_km) * 1e3, np.array(v_km_s) * 1e3
        distance = np.linalg.norm(r)
        radial, normal = r / distance, unit(np.cross(r, v))
        rise, arc, aside = self.offset_rtn_m
        angle = arc / distance
        r, v = turned(r, normal, angle), turned(v, normal, angle)
        return r + rise * turned(radial, normal, angle) + aside * normal, v


def unit(vector: FloatArray) -> FloatArray:
    return vector / np.linalg.norm(vector)


def turned(vector: FloatArray, axis: FloatArray, angle: float) -> FloatArray:
    """Turn a vector at right angles to an axis about it."""
    return vector * np.cos(angle) + np.cross(axis, vector) * np.sin(angle)


def law_of(record: Satrec, error_class: str) -> ErrorLaw:
    """The law's numbers, by python-sgp4's own altitudes."""
    perigee_km, apogee_km = record.altp * EARTH_RADIUS_KM, record.alta * EARTH_RADIUS_KM
    name = "heo"
    if apogee_km < 2000.0:
        name = "leo"
    elif 33786.0 <= apogee_km <= 37786.0 and (perigee_km >= 33786.0 or perigee_km < 2000.0):
        name = "geo" if perigee_km >= 33786.0 else "gto"
    elif perigee_km >= 2000.0 and apogee_km < 33786.0:
        name = "meo"
    ballistic = BALLISTIC_LAWS[name]
    if error_class == "ballistic":
        return ballistic
    own = CLASS_LAWS[error_class]
    if error_class not in MANOEUVRING:
        return own
    return ErrorLaw(
        tuple(map(max, own.at_epoch_m, ballistic.at_epoch_m)),
        tuple(map(max, own.growth_m_day, ballistic.growth_m_day)),
    )


def drag_lag_s(record: Satrec, without: Satrec, tca: tuple[float, float]) -> tuple[float, float]:
    """By how long the drag term has moved it, s, and its speed along the track, m/s; of python-sgp4."""
    (_, moved_km, _), (_, r_km, v_km_s) = record.sgp4(*tca), without.sgp4(*tca)
    moved, r, v = np.array(moved_km), np.array(r_km), np.array(v_km_s)
    along = v - (v @ unit(r)) * unit(r)
    return (moved - r) @ v / (v @ v), float(np.linalg.norm(along)) * 1e3


def draw(
    record: Satrec, without: Satrec, error_class: str, tca: tuple[float, float], rng: np.random.Generator
) -> Path:
    """Draw where an object truly flies."""
    age_days = tca[0] - record.jdsatepoch + tca[1] - record.jdsatepochF
    law = law_of(record, error_class)
    offset_m = np.array(law.at_epoch_m) * rng.standard_normal(3)
    offset_m += np.array(law.growth_m_day) * age_days * rng.standard_normal(3)
    lag_s, speed_m_s = drag_lag_s(record, without, tca)
    offset_m[0] += RADIAL_SHARE * DRAG_SHARE * lag_s * speed_m_s * rng.standard_normal()
    return Path(record, tca, DRAG_SHARE * lag_s * rng.standard_normal(), offset_m)


def true_miss_m(primary: Path, secondary: Path) -> float:
    """Return how near they truly come, from the run's TCA on by Newton's method."""
    seconds = 0.0
    for _ in range(NEWTON_STEPS):
        (r_p, v_p), (r_s, v_s) = primary.at(seconds), secondary.at(seconds)
        r, v = r_s - r_p, v_s - v_p
        seconds -= float(np.clip(r @ v / (v @ v), -300.0, 300.0))
    return float(np.linalg.norm(secondary.at(seconds)[0] - primary.at(seconds)[0]))


@pytest.fixture(scope="module")
def nearest(real_screening: Screening) -> EncounterArray:
    encounters = real_screening.encounters
    return encounters[np.argsort(encounters["miss_distance_km"], kind="stable")[:ENCOUNTERS]]


@pytest.fixture(scope="module")
def paths(
    nearest: EncounterArray, real_elements: ElementArray, real_day: TimeWindow
) -> list[tuple[Path, Path]]:
    rng = np.random.default_rng(17)
    used = np.unique(np.stack([nearest["primary_index"], nearest["secondary_index"]]))
    calm = real_elements.copy()
    calm["bstar_per_earth_radius"] = 0.0
    pairs = zip(satrecs(real_elements[used]), satrecs(calm[used]), strict=True)
    records = dict(zip(used.tolist(), pairs, strict=True))
    classes = objects_of(real_elements)["error_class"]
    drawn = []
    for encounter in nearest:
        fraction = real_day.start_day_fraction + encounter["tca_s"] / SECONDS_PER_DAY
        both = (encounter[f"{who}_index"] for who in ("primary", "secondary"))
        tca = real_day.start_jd, fraction
        drawn.append(tuple(draw(*records[i], ERROR_CLASSES[classes[i]], tca, rng) for i in both))
    return drawn


def rate(
    nearest: EncounterArray, elements: ElementArray, span: TimeWindow, combined_radius_m: float
) -> ConjunctionArray:
    """Rate as a run does, with every object as large as asked for."""
    objects = objects_of(elements)
    objects["hard_body_radius_m"] = combined_radius_m / 2.0
    return score(nearest, elements, span, knowledge(objects))


def squared_sigmas(path: Path, row: np.void, who: str) -> float:
    """How far the true position is from that of the run, in the run's sigmas, squared."""
    r = np.array([row[f"{who}_{axis}_km"] for axis in "xyz"]) * 1e3
    v = np.array([row[f"{who}_v{axis}_km_s"] for axis in "xyz"]) * 1e3
    radial, normal = unit(r), unit(np.cross(r, v))
    off = path.at(0.0)[0] - r
    rtn = off @ radial, off @ np.cross(normal, radial), off @ normal
    sigmas = np.array([row[f"{who}_sigma_{axis}_m"] for axis in "rtn"])
    return float(np.sum((np.array(rtn) / sigmas) ** 2))


def test_true_positions_are_where_the_run_says(
    nearest: EncounterArray,
    paths: list[tuple[Path, Path]],
    real_elements: ElementArray,
    real_day: TimeWindow,
) -> None:
    rated = rate(nearest, real_elements, real_day, 10.0)
    squares = np.array(
        [
            [squared_sigmas(path, row, who) for path, who in zip(both, ("primary", "secondary"), strict=True)]
            for both, row in zip(paths, rated, strict=True)
        ]
    )
    assert squares.shape == (ENCOUNTERS, 2)
    for share, (limit, tolerance) in REGIONS.items():
        assert np.mean(squares < limit) == pytest.approx(share, abs=tolerance)


def test_collisions_are_as_frequent_as_the_probabilities_say(
    nearest: EncounterArray,
    paths: list[tuple[Path, Path]],
    real_elements: ElementArray,
    real_day: TimeWindow,
) -> None:
    misses_m = np.array([true_miss_m(*both) for both in paths])
    for radius_m in COMBINED_RADII_M:
        chance = rate(nearest, real_elements, real_day, radius_m)["probability_2d"]
        known = np.isfinite(chance)
        assert known.sum() > 0.9 * ENCOUNTERS
        expected = chance[known].sum()
        spread = np.sqrt(np.sum(chance[known] * (1.0 - chance[known])))
        collided = np.count_nonzero(misses_m[known] < radius_m)
        assert expected > 20.0
        assert abs(collided - expected) < BINOMIAL_SIGMAS * spread, (radius_m, collided, expected)
