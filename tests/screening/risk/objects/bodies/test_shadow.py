"""Radii of bodies: a Monte Carlo of projected areas, published areas, NASA CARA's own missions."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from screening.risk.objects.bodies.shadow import Shapes, bounding_radius_m, mean_shadow_radius_m


def shapes(*rows: tuple[str, float, float, float]) -> Shapes:
    words, *sizes = zip(*rows, strict=True)
    return Shapes(np.array(words), *(np.array(each, float) for each in sizes))


def corners_of(form: str, length_m: float, diameter_m: float) -> np.ndarray:
    """Return points (n, 3) whose convex hull is the body, round ones with 200 corners a ring."""
    if form == "box":
        half = np.array([length_m, diameter_m, diameter_m]) / 2.0
        return np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T * half
    angle = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    ring = np.stack([np.zeros(200), np.cos(angle), np.sin(angle)], axis=1) * diameter_m / 2.0
    if form == "cone":
        return np.vstack([ring, [[length_m, 0.0, 0.0]]])
    return np.vstack([ring, np.add(ring, [length_m, 0.0, 0.0])])


def projected_m2(points: np.ndarray, directions: np.ndarray) -> float:
    """Return the mean area of the projections of a convex body along directions (k, 3)."""
    areas = []
    for along in directions:
        basis = np.linalg.svd(along[None, :])[2][1:]
        areas.append(ConvexHull(points @ basis.T).volume)
    return float(np.mean(areas))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", ["box", "cylinder", "cone"])
def test_mean_shadow_is_the_mean_of_projected_areas(form: str) -> None:
    random = np.random.default_rng(5)
    directions = random.normal(size=(3000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    length_m, diameter_m = 6.5, 2.4
    ours_m = mean_shadow_radius_m(shapes((form, length_m, diameter_m, diameter_m)))[0]
    naive_m2 = projected_m2(corners_of(form, length_m, diameter_m), directions)
    noise_and_corners = 0.01
    assert np.pi * ours_m**2 == pytest.approx(naive_m2, rel=noise_and_corners)


def test_a_sphere_has_its_own_radius() -> None:
    ours = shapes(("Sphere", 0.6, 0.6, 0.6), ("Ico Poly", 0.8, 0.8, 0.8))
    assert mean_shadow_radius_m(ours) == pytest.approx([0.3, 0.4])
    assert bounding_radius_m(ours) == pytest.approx([0.3, 0.4])


def test_starlink_has_its_published_areas() -> None:
    # SpaceX to the FCC, 2022: one array of 8.1 x 2.8 m; two of 52.5 m2, body of 4.1 x 2.7 m. Dimensions as
    # GCAT has them.
    ours_m = mean_shadow_radius_m(shapes(("Box + pan", 0.2, 2.8, 9.0), ("Box + pan", 0.3, 4.1, 29.0)))
    published_m2 = np.array([8.1 * 2.8 + 2.8 * 1.3, 2 * 52.5 + 4.1 * 2.7]) / 2.0
    of_the_radius = 0.1
    assert ours_m == pytest.approx(np.sqrt(published_m2 / np.pi), rel=of_the_radius)


def test_antennas_are_no_wings() -> None:
    # RAE A had antennas of 229 m, Nova 1 panels and a boom: neither is a sail.
    ours_m = mean_shadow_radius_m(
        shapes(("Cyl + 4 Ant", 0.8, 0.9, 228.0), ("Cyl + 4 Pan + Ant", 1.2, 0.5, 79.0))
    )
    assert ours_m[0] < 0.6
    assert ours_m[1] < 1.0
    assert bounding_radius_m(shapes(("Cyl + 4 Ant", 0.8, 0.9, 228.0)))[0] == 114.0


def test_our_bounding_radii_are_those_that_nasa_cara_gives_its_own_missions(
    shared_file: Callable[[str], Path],
) -> None:
    gcat, cara = shared_file("sizes/gcat_payloads.csv"), shared_file("hbr/HBR_Mass_Estimates_20260601.csv")
    with cara.open(encoding="utf-8") as lines:
        theirs_m = {
            row["ObjectID"]: float(row["HBR"])
            for row in csv.DictReader(lines)
            if row["HBRSource"] == "CARA Protected Primary"
        }
    with gcat.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["norad_id"] in theirs_m]
    ours = shapes(
        *(
            (row["shape"], *(float(row[f"{name}_m"]) for name in ("length", "diameter", "span")))
            for row in rows
        )
    )
    cara_m = np.array([theirs_m[row["norad_id"]] for row in rows])
    assert len(rows) > 150
    quartiles = np.quantile(bounding_radius_m(ours) / cara_m, [0.25, 0.5, 0.75])
    assert quartiles[0] > 0.75
    assert 0.9 < quartiles[1] < 1.1
    assert quartiles[2] < 1.25
    # Their mean shadow is less than half as wide.
    assert 0.35 < np.median(mean_shadow_radius_m(ours) / cara_m) < 0.6
