"""The picture of an encounter: its axes, and its ellipses against numpy's eigenvectors."""

import numpy as np
import pytest

from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.views.plane_view import plane_view
from screening.risk.views.shapes import PlaneView, Spread

rounding = 1e-9  # relative; of products of float64
rounding_m = 1e-6  # of positions of 7,000 km

PRIMARY = np.array([7.0e6, 0.0, 0.0, 0.0, 7500.0, 0.0])
NOTHING = np.zeros((3, 3))


def secondary(miss: tuple[float, float, float], velocity: tuple[float, float, float]) -> np.ndarray:
    return np.array([*(PRIMARY[:3] + miss), *velocity])


def view_of(state: np.ndarray, covariance: np.ndarray = NOTHING) -> PlaneView:
    view = plane_view(PRIMARY, state, (covariance, NOTHING))
    assert view is not None
    return view


def test_the_radial_is_up_and_the_secondary_comes_out_of_the_picture() -> None:
    # Crosses at a right angle: it moves along (0, -1, 1) relative to the primary.
    view = view_of(secondary((300.0, 0.0, 0.0), (0.0, 0.0, 7500.0)), np.diag([4e4, 1e4, 1e4]))
    np.testing.assert_allclose(view.axes_teme[1], [1, 0, 0], atol=rounding)
    np.testing.assert_allclose(view.axes_teme[2], np.array([0, -1, 1]) / np.sqrt(2), atol=rounding)
    np.testing.assert_allclose(np.linalg.det(view.axes_teme), 1.0)
    assert (view.miss_x_m, view.miss_y_m) == pytest.approx((0.0, 300.0), abs=rounding_m)
    assert view.combined is not None
    assert view.combined.major_axis_deg == pytest.approx(90.0)
    assert view.combined.sigma_major_m == pytest.approx(200.0)
    assert view.combined.sigma_minor_m == pytest.approx(100.0)
    assert view.miss_sigmas == pytest.approx(1.5)


def random_covariances(count: int) -> np.ndarray:
    root = np.random.default_rng(5).normal(size=(count, 2, 3, 3)) * (30.0, 200.0, 900.0)
    return root @ root.transpose(0, 1, 3, 2)


def check_ellipse(spread: Spread, axes: np.ndarray, covariance: np.ndarray) -> None:
    values, vectors = np.linalg.eigh(axes[:2] @ covariance @ axes[:2].T)
    assert spread.sigma_major_m == pytest.approx(np.sqrt(values[1]), rel=rounding)
    assert spread.sigma_minor_m == pytest.approx(np.sqrt(values[0]), rel=1e-6)
    turn = np.radians(spread.major_axis_deg)
    assert abs(vectors[:, 1] @ [np.cos(turn), np.sin(turn)]) == pytest.approx(1.0)


def test_the_ellipses_are_the_projected_covariances() -> None:
    rng = np.random.default_rng(6)
    for covariances in random_covariances(100):
        state = secondary(tuple(rng.normal(size=3) * 500), tuple(rng.normal(size=3) * 7000))
        view = plane_view(PRIMARY, state, (covariances[0], covariances[1]))
        assert view is not None
        assert view.primary is not None
        assert view.secondary is not None
        assert view.combined is not None
        check_ellipse(view.primary, view.axes_teme, covariances[0])
        check_ellipse(view.secondary, view.axes_teme, covariances[1])
        check_ellipse(view.combined, view.axes_teme, covariances.sum(axis=0))
        seen = np.array([view.miss_x_m, view.miss_y_m])
        inverse = np.linalg.inv(view.axes_teme[:2] @ covariances.sum(axis=0) @ view.axes_teme[:2].T)
        assert view.miss_sigmas == pytest.approx(np.sqrt(seen @ inverse @ seen), rel=1e-6)
        parts = [view.miss_x_m, view.miss_y_m, view.miss_along_m] @ view.axes_teme
        np.testing.assert_allclose(parts, state[:3] - PRIMARY[:3], atol=rounding_m)


def test_the_picture_shows_what_the_probability_is_computed_from() -> None:
    rng = np.random.default_rng(7)
    for first, second in random_covariances(50):
        state = secondary(tuple(rng.normal(size=3) * 500), tuple(rng.normal(size=3) * 7000))
        states = [part[np.newaxis] for part in (PRIMARY[:3], PRIMARY[3:], state[:3], state[3:])]
        scored = encounter_plane(*states, first[np.newaxis], second[np.newaxis])
        view = plane_view(PRIMARY, state, (first, second))
        assert view is not None
        assert view.combined is not None
        assert view.combined.sigma_major_m == pytest.approx(scored.sigma_major_m[0], rel=rounding)
        assert view.combined.sigma_minor_m == pytest.approx(scored.sigma_minor_m[0], rel=1e-6)
        turn = np.radians(view.combined.major_axis_deg)
        major = np.cos(turn) * view.axes_teme[0] + np.sin(turn) * view.axes_teme[1]
        assert abs(major @ scored.major_axis[0]) == pytest.approx(1.0)


def test_without_covariances_there_is_a_miss_and_no_ellipse() -> None:
    state = secondary((100.0, 200.0, 0.0), (0.0, -7500.0, 0.0))
    view = plane_view(PRIMARY, state, None)
    assert view is not None
    assert (view.primary, view.secondary, view.combined, view.miss_sigmas) == (None, None, None, None)
    assert np.hypot(view.miss_x_m, view.miss_y_m) == pytest.approx(100.0)
    assert abs(view.miss_along_m) == pytest.approx(200.0)


def test_without_relative_motion_there_is_no_plane() -> None:
    assert plane_view(PRIMARY, secondary((10.0, 0.0, 0.0), (0.0, 7500.0, 0.0)), None) is None


def test_a_covariance_that_is_none_has_no_minor_axis() -> None:
    view = view_of(secondary((10.0, 0.0, 0.0), (0.0, 0.0, 7500.0)), np.diag([4e4, -1e4, -1e4]))
    assert view.combined is not None
    assert np.isnan(view.combined.sigma_minor_m)
