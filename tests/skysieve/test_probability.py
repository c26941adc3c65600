"""The collision probability against published numbers and other integrators, and what it refuses."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import ncx2

import skysieve
from screening.errors import InputError
from tests.screening.risk.published import integral_rows
from tests.validation.risk.truth import expected

SharedFile = Callable[[str], Path]


def turned(angle_rad: float) -> np.ndarray:
    cosine, sine = math.cos(angle_rad), math.sin(angle_rad)
    return np.array([[cosine, -sine], [sine, cosine]])


def test_published_planes_come_back_in_any_axes(shared_file: SharedFile) -> None:
    planes = [row for row, _ in integral_rows(shared_file) if row["kind"] == "2d-plane"]
    assert len(planes) >= 12
    for row in planes:
        given = json.loads(row["inputs"])
        published, allowed = expected(row)
        miss = np.array([given["xm"], given["ym"]])
        covariance = np.diag([given["sigmaX"] ** 2, given["sigmaY"] ** 2])
        for angle in (0.0, 0.7, 2.9):
            turn = turned(angle)
            found = skysieve.collision_probability(
                turn @ miss, turn @ covariance @ turn.T, float(row["hbr_m"])
            )
            assert abs(found - published) <= allowed, row["id"]


def test_round_errors_give_the_distribution_of_squares() -> None:
    # The squared distance over sigma squared is noncentral chi-squared with two degrees of freedom.
    miss_m, sigma_m = np.array([0.0, 50.0, 300.0, 900.0]), 100.0
    radii_m = np.array([[1.0], [30.0], [250.0]])
    found = skysieve.collision_probability(
        np.stack([miss_m * 0.6, miss_m * 0.8], axis=1), sigma_m**2 * np.eye(2), radii_m
    )
    in_disk = ncx2.cdf((radii_m / sigma_m) ** 2, 2, (miss_m / sigma_m) ** 2)
    assert found.shape == (3, 4)
    np.testing.assert_allclose(found, in_disk, rtol=1e-9)


@pytest.mark.parametrize("angle_rad", [0.0, 0.4, 1.3])
def test_tilted_errors_agree_with_an_integral_in_two_variables(angle_rad: float) -> None:
    turn = turned(angle_rad)
    covariance = turn @ np.diag([400.0**2, 60.0**2]) @ turn.T
    miss, radius_m = np.array([120.0, -80.0]), 40.0
    inverse = np.linalg.inv(covariance)

    def density(y: float, x: float) -> float:
        off = np.array([x, y]) - miss
        return math.exp(-0.5 * off @ inverse @ off) / (2.0 * math.pi * math.sqrt(np.linalg.det(covariance)))

    def edge(x: float) -> float:
        return math.sqrt(radius_m**2 - x**2)

    integral, _ = dblquad(density, -radius_m, radius_m, lambda x: -edge(x), edge, epsabs=0.0, epsrel=1e-10)
    found = skysieve.collision_probability(miss, covariance, radius_m)
    assert found.shape == ()
    assert float(found) == pytest.approx(integral, rel=1e-8)


def test_a_point_is_never_hit_and_nothing_gives_nothing() -> None:
    assert skysieve.collision_probability([0.0, 0.0], np.eye(2), 0.0) == 0.0
    assert skysieve.collision_probability(np.zeros((0, 2)), np.eye(2), 1.0).shape == (0,)


@pytest.mark.parametrize(
    ("miss", "covariance", "radius", "told"),
    [
        ([1.0, 2.0, 3.0], np.eye(2), 1.0, r"miss_plane_m has the shape \(3,\); it must be \(..., 2\)"),
        ([1.0, 2.0], np.eye(3), 1.0, r"covariance_plane_m2 has the shape \(3, 3\)"),
        ([1.0, 2.0], 4.0, 1.0, r"covariance_plane_m2 has the shape \(\)"),
        (np.zeros((3, 2)), np.eye(2), np.ones(4), r"miss_plane_m has shape \(3,\).*radius_m \(4,\)"),
        (
            [[0.0, 0.0], [math.nan, 1.0]],
            np.eye(2),
            1.0,
            r"miss_plane_m\[1\] is \[nan, 1.0\]; it must be finite",
        ),
        ([1.0, 2.0], [[math.inf, 0.0], [0.0, 1.0]], 1.0, "must be finite"),
        ([1.0, 2.0], np.eye(2), -1.0, "radius_m is -1.0; it must not be negative"),
        ([1.0, 2.0], [[2.0, 0.5], [0.4, 2.0]], 1.0, "must be symmetric"),
        ([1.0, 2.0], [[1.0, 2.0], [2.0, 1.0]], 1.0, "must be positive definite"),
        ([1.0, 2.0], [[1.0, 1.0], [1.0, 1.0]], 1.0, "must be positive definite"),
        ([1.0, 2.0], np.zeros((2, 2)), 1.0, "must be positive definite"),
        ([1.0, 2.0], -np.eye(2), 1.0, "must be positive definite"),
        ([1.0, 2.0], 1e300 * np.eye(2), 1.0, r"must be below 1e\+100 m2"),
        ([1.0, 2.0], [np.eye(2), [[-1.0, 0.0], [0.0, 4.0]]], 1.0, r"covariance_plane_m2\[1\] is"),
        (["a", "b"], np.eye(2), 1.0, "miss_plane_m must be numbers"),
        ([[1.0, 2.0], [1.0]], np.eye(2), 1.0, "miss_plane_m must be numbers"),
    ],
)
def test_what_is_no_encounter_is_named(miss: object, covariance: object, radius: object, told: str) -> None:
    with pytest.raises(InputError, match=told):
        skysieve.collision_probability(miss, covariance, radius)  # type: ignore[arg-type]
