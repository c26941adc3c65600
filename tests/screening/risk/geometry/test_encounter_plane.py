"""The encounter plane: a hand-made encounter, its invariances, and what it says of impossible input."""

import numpy as np
import pytest

from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.probability.exact_2d import exact_2d
from tests.screening.risk.published import SharedFile, plane_of, read_message

rounding_m = 1e-6  # of float64 positions of 7,000 km
R = np.array([[7.0e6, 0.0, 0.0]])
V = np.array([[0.0, 7500.0, 0.0]])
# Crosses at a right angle: the relative velocity is (0, -7500, 7500), the plane spans x and (0, 1, 1).
V_CROSSING = np.array([[0.0, 0.0, 7500.0]])


def _one(covariance: np.ndarray, miss: tuple[float, float, float] = (300.0, 0.0, -400.0)) -> EncounterPlane:
    return encounter_plane(R, V, R + np.array([miss]), V_CROSSING, 0.25 * covariance, 0.75 * covariance)


def test_a_crossing_at_a_right_angle() -> None:
    plane = _one(np.diag([100.0**2, 20.0**2, 40.0**2])[np.newaxis])
    across, along = np.array([0.0, 1.0, 1.0]) / np.sqrt(2), np.array([0.0, -1.0, 1.0]) / np.sqrt(2)
    np.testing.assert_allclose(plane.sigma_major_m, 100.0)
    np.testing.assert_allclose(plane.sigma_minor_m, np.sqrt((20.0**2 + 40.0**2) / 2))
    np.testing.assert_allclose(plane.sigma_along_m, np.sqrt((20.0**2 + 40.0**2) / 2))
    np.testing.assert_allclose(np.abs(plane.miss_major_m), 300.0, atol=rounding_m)
    np.testing.assert_allclose(np.abs(plane.miss_minor_m), 400.0 / np.sqrt(2), atol=rounding_m)
    np.testing.assert_allclose(plane.miss_along_m, -400.0 / np.sqrt(2), atol=rounding_m)
    np.testing.assert_allclose(plane.relative_speed_m_s, 7500.0 * np.sqrt(2))
    np.testing.assert_allclose(plane.along_axis[0], along, atol=1e-15)
    np.testing.assert_allclose(np.abs(plane.minor_axis[0] @ across), 1.0)
    np.testing.assert_allclose(plane.major_from_radial_rad, 0.0, atol=1e-15)
    assert plane.positive_definite.all()


def test_the_axes_are_right_handed_and_carry_the_miss() -> None:
    rng = np.random.default_rng(11)
    r, v, w, miss = rng.normal(size=(4, 300, 3)) * np.array([7e6, 7e3, 7e3, 1e3])[:, np.newaxis, np.newaxis]
    root = rng.normal(size=(300, 3, 3)) * (10.0, 100.0, 1000.0)
    covariance = root @ root.transpose(0, 2, 1)
    plane = encounter_plane(r, v, r + miss, w, covariance, np.zeros_like(covariance))
    axes = np.stack([plane.major_axis, plane.minor_axis, plane.along_axis], axis=1)
    np.testing.assert_allclose(np.linalg.det(axes), 1.0, atol=1e-12)
    parts = np.stack([plane.miss_major_m, plane.miss_minor_m, plane.miss_along_m], axis=1)
    np.testing.assert_allclose(np.einsum("nij,ni->nj", axes, parts), miss, atol=1e-5)
    rotated = axes @ covariance @ axes.transpose(0, 2, 1)
    np.testing.assert_allclose(rotated[:, 0, 1] / rotated[:, 0, 0], 0.0, atol=1e-9)
    np.testing.assert_allclose(plane.sigma_major_m**2, rotated[:, 0, 0], rtol=1e-9)
    np.testing.assert_allclose(plane.sigma_minor_m**2, rotated[:, 1, 1], rtol=1e-6)
    assert (plane.sigma_major_m >= plane.sigma_minor_m).all()


def test_swapping_both_objects_changes_nothing() -> None:
    c1, c2 = np.diag([10.0, 400.0, 30.0])[np.newaxis], np.diag([900.0, 50.0, 60.0])[np.newaxis]
    there = encounter_plane(R, V, R + 50.0, V_CROSSING, c1, c2)
    back = encounter_plane(R + 50.0, V_CROSSING, R, V, c2, c1)
    for name in ("miss_major_m", "miss_minor_m", "sigma_major_m", "sigma_minor_m", "sigma_along_m"):
        np.testing.assert_allclose(np.abs(getattr(there, name)), np.abs(getattr(back, name)), rtol=1e-9)


def test_a_relative_velocity_straight_up_still_has_a_plane() -> None:
    v = V + np.array([[100.0, 0.0, 0.0]])
    plane = encounter_plane(R, V, R + 30.0, v, np.eye(3)[np.newaxis] * 25.0, np.zeros((1, 3, 3)))
    np.testing.assert_allclose(plane.sigma_minor_m, 5.0)
    np.testing.assert_allclose(np.hypot(plane.miss_major_m, plane.miss_minor_m), 30.0 * np.sqrt(2))


def test_without_relative_motion_there_is_no_plane() -> None:
    plane = encounter_plane(R, V, R + 30.0, V, np.eye(3)[np.newaxis], np.eye(3)[np.newaxis])
    assert np.isnan([plane.miss_major_m, plane.sigma_minor_m, plane.sigma_along_m]).all()
    assert plane.relative_speed_m_s == 0.0
    assert plane.positive_definite.all(), "the covariance is not what is wrong"


def test_covariances_that_are_not_positive_definite() -> None:
    negative = np.diag([100.0, 400.0, -1.0])[np.newaxis]
    assert not _one(negative).positive_definite.any()
    nothing = np.zeros((1, 3, 3))
    assert not _one(nothing).positive_definite.any(), "the sum must have an inverse"
    one_exact = encounter_plane(R, V, R + 30.0, V_CROSSING, nothing, np.eye(3)[np.newaxis])
    assert one_exact.positive_definite.all(), "one object may be known exactly"
    unknown = np.full((1, 3, 3), np.nan)
    assert not encounter_plane(R, V, R, V_CROSSING, unknown, np.eye(3)[np.newaxis]).positive_definite.any()


def test_the_omitron_message_that_is_not_positive_definite(shared_file: SharedFile) -> None:
    message = read_message(shared_file("cdm/OmitronTestCase_Test07_NonPDCovariance.cdm"))
    assert not plane_of(message).positive_definite.any()


@pytest.mark.parametrize(
    ("name", "radius_m", "published", "orders_lost"),
    [
        ("000027424_conj_000041740_20220530_042037_20220525_221911", 17.3, 2.5562908890735815e-4, 4),
        ("000025994_conj_000026980_20220928_223445_20220924_220647", 15.0, 1.0824948102737557e-4, 4),
    ],
)
def test_one_frame_for_both_covariances_is_wrong_by_many_orders(
    name: str, radius_m: float, published: float, orders_lost: int, shared_file: SharedFile
) -> None:
    # Turning the secondary's covariance by the primary's axes puts a sigma of tens of km on the wrong track.
    message = read_message(shared_file(f"cdm/{name}.cdm"))
    (r1, v1), (r2, v2) = ((s[np.newaxis, :3], s[np.newaxis, 3:]) for s in message.states)
    c1 = rtn_covariance_to_inertial(message.covariances_rtn[:1, :3, :3], r1, v1)
    wrong_c2 = rtn_covariance_to_inertial(message.covariances_rtn[1:, :3, :3], r1, v1)
    own, shared = plane_of(message), encounter_plane(r1, v1, r2, v2, c1, wrong_c2)
    right, log_right = _probability(own, radius_m)
    _, log_wrong = _probability(shared, radius_m)
    np.testing.assert_allclose(right, published, rtol=1e-6)
    assert log_right - log_wrong > orders_lost * np.log(10)


def _probability(plane: EncounterPlane, radius_m: float) -> tuple[float, float]:
    p, logarithm = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius_m
    )
    return float(p[0]), float(logarithm[0])
