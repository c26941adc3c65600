"""How often objects should meet: against orbits at random, and a real day of an independent detector."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from screening.environment.gas import gas
from screening.environment.residence import Stays
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.texts.catalogue import parse_catalogue
from screening.risk.objects.regimes import semi_major_axis_km
from screening.risk.views.overview import ALTITUDE_EDGES_KM
from screening.vocabulary import OBJECT_TYPES
from storage.rows.constellations import NONE, constellations_of
from storage.writing.objects_table import types_from_names

Floats = npt.NDArray[np.float64]
DAY_S = 86400.0
DAY, JULIAN_DAY = np.datetime64("2024-11-01"), 2460615.5
EDGES_KM = np.arange(650.0, 1051.0, 50.0)


def test_time_spent_in_shells_is_that_of_kepler_orbits() -> None:
    axis_km, e = np.array([7178.0, 8000.0, 24500.0]), np.array([1e-8, 0.1, 0.7])
    edges_km = np.array([0.0, 700.0, 800.0, 1500.0, 40_000.0])
    stays = Stays.of(axis_km, e, edges_km)
    shares = np.zeros((3, 4))
    shares[stays.place, stays.shell] = stays.share
    mean = (np.arange(20_000) + 0.5) / 20_000 * 2.0 * np.pi  # evenly in time
    anomaly = mean[:, np.newaxis] + 0.0 * e
    for _ in range(60):
        anomaly = mean[:, np.newaxis] + e * np.sin(anomaly)
    height_km = axis_km * (1.0 - e * np.cos(anomaly)) - EARTH_RADIUS_KM
    counted = [np.histogram(height_km[:, k], edges_km)[0] / len(mean) for k in range(3)]
    np.testing.assert_allclose(shares, counted, atol=5e-3)  # the fixed point is that near at e = 0.7
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_orbits_at_random_meet_as_often() -> None:
    """Of orbits at random instants: pairs nearer than d, times their speed, times 3 / (4 d), cross d^2 pi."""
    rng = np.random.default_rng(5)
    count, snapshots, near_km = 12_000, 20, 25.0
    radius_km = EARTH_RADIUS_KM + rng.uniform(700.0, 1000.0, count)
    inclination = np.radians(rng.choice([53.0, 74.0, 82.5, 98.0], count))
    stays = Stays.of(radius_km, np.zeros(count), EDGES_KM)
    expected = gas(stays, np.degrees(inclination), np.full(count, 500.0), EDGES_KM)
    meetings = pairs = 0.0
    for _ in range(snapshots):
        node, along = rng.uniform(0.0, 2.0 * np.pi, (2, count))
        r, v = _circular(radius_km, inclination, node, along)
        first, second = cKDTree(r).query_pairs(near_km, output_type="ndarray").T
        speed = np.linalg.norm(v[first] - v[second], axis=1)
        pairs += len(first)
        meetings += speed.sum() * 3.0 / (4.0 * near_km) * DAY_S / near_km**2 / snapshots
    within_1km = expected.within_1km_day.sum()
    assert pairs > 300
    # 3 sigma of the pairs counted; near the outermost heights some of the sphere is empty (3 %).
    assert abs(meetings / within_1km - 0.97) < 3.0 / np.sqrt(pairs)
    # Two spheres of 500 m meet as often as two points that come within 1 km.
    np.testing.assert_allclose(expected.collisions_day, expected.within_1km_day)
    np.testing.assert_allclose(expected.objects.sum(), count)


def test_a_real_day_has_as_many_by_shell(shared_file: Callable[[str], Path]) -> None:
    """The sample of the approaches of a day that an independent detector lists, 2 % of 132,443."""
    content = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_text())
    elements = content.elements
    outside = _outside(elements)
    stays = Stays.of(semi_major_axis_km(elements), elements["eccentricity"], ALTITUDE_EDGES_KM)
    found = gas(stays.among(outside), elements["inclination_deg"], np.zeros(len(elements)), ALTITUDE_EDGES_KM)
    with shared_file("truth_sample_20241101.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    share = len(rows) / 132_443
    places = {int(number): k for k, number in enumerate(elements["norad_id"])}
    rows = [row for row in rows if all(outside[places[int(row[f"norad_id_{k}"])]] for k in (1, 2))]
    first = np.array([places[int(row["norad_id_1"])] for row in rows])
    since_s = np.array([row["tca"].rstrip("Z") for row in rows], "M8[us]") - DAY
    days = since_s / np.timedelta64(1, "D")
    r_km = [one.sgp4(JULIAN_DAY, part)[1] for one, part in zip(satrecs(elements[first]), days, strict=True)]
    altitude_km = np.linalg.norm(r_km, axis=1) - EARTH_RADIUS_KM
    counts = np.histogram(altitude_km, ALTITUDE_EDGES_KM)[0] / share
    expected = 100.0 * found.within_1km_day  # closer than 10 km
    assert abs(counts.sum() / expected.sum() - 1.0) < 0.1
    low = np.flatnonzero(expected * share > 30.0)  # sampled well enough to tell 30 %
    assert len(low) >= 11
    noise = 2.0 / np.sqrt(expected[low] * share)
    assert (np.abs(counts[low] / expected[low] - 1.0) < np.maximum(0.3, noise)).all()


def _circular(radius_km: Floats, inclination: Floats, node: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Return positions and velocities on circular orbits."""
    zero = np.zeros_like(node)
    ahead = np.stack([np.cos(node), np.sin(node), zero], axis=1)
    aside = np.stack(
        [-np.sin(node) * np.cos(inclination), np.cos(node) * np.cos(inclination), np.sin(inclination)], axis=1
    )
    cosine, sine = np.cos(along)[:, np.newaxis], np.sin(along)[:, np.newaxis]
    speed = np.sqrt(MU_KM3_S2 / radius_km)[:, np.newaxis]
    r = radius_km[:, np.newaxis] * (cosine * ahead + sine * aside)
    return r, speed * (cosine * aside - sine * ahead)


def _outside(elements: ElementArray) -> npt.NDArray[np.bool_]:
    types = np.array(OBJECT_TYPES)[types_from_names(elements["name"])]
    return constellations_of(elements["name"], types) == NONE
