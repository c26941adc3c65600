"""The RTN frame against hand-made states, and covariances carried out of it."""

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.risk.geometry.rtn import along_rtn, rtn_covariance_to_inertial, speed_rt_km_s


def test_rtn_of_an_equatorial_orbit() -> None:
    axes = rtn_axes(np.array([[7000.0, 0.0, 0.0]]), np.array([[0.5, 7.5, 0.0]]))[0]
    np.testing.assert_allclose(axes, np.eye(3), atol=1e-15)


def test_rtn_of_a_polar_orbit_at_the_pole() -> None:
    axes = rtn_axes(np.array([[0.0, 0.0, 7000.0]]), np.array([[-7.5, 0.0, 0.0]]))[0]
    np.testing.assert_allclose(axes, [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], atol=1e-15)


def test_rtn_is_a_right_handed_frame_for_any_state() -> None:
    rng = np.random.default_rng(3)
    r, v = rng.normal(size=(2, 200, 3)) * [[[7000.0]], [[7.0]]]
    axes = rtn_axes(r, v)
    np.testing.assert_allclose(
        axes @ axes.transpose(0, 2, 1), np.broadcast_to(np.eye(3), axes.shape), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.det(axes), 1.0, atol=1e-12)
    assert (np.einsum("nj,nj->n", axes[:, 1], v) > 0).all(), "in-track points along the motion"


def test_sigmas_and_covariances_rotate_alike() -> None:
    r, v = np.array([[0.0, 0.0, 7000.0]]), np.array([[-7.5, 0.0, 0.0]])
    sigma = np.array([[1.0, 20.0, 3.0]])
    full = np.zeros((1, 6, 6))
    full[0, range(6), range(6)] = 1.0, 400.0, 9.0, 0.1, 0.2, 0.3
    # Radial is z, in-track is -x, cross-track is -y.
    position = np.diag([400.0, 9.0, 1.0])
    np.testing.assert_allclose(rtn_covariance_to_inertial(sigma, r, v)[0], position, atol=1e-12)
    np.testing.assert_allclose(rtn_covariance_to_inertial(full[:, :3, :3], r, v)[0], position, atol=1e-12)
    both = rtn_covariance_to_inertial(full, r, v)[0]
    np.testing.assert_allclose(both, np.diag([400.0, 9.0, 1.0, 0.2, 0.3, 0.1]), atol=1e-12)


def test_many_sigmas_and_vectors_turn_as_the_axes_say() -> None:
    rng = np.random.default_rng(5)
    r, v, vectors = rng.normal(size=(3, 200, 3)) * [[[7000.0]], [[7.0]], [[1.0]]]
    sigma = rng.uniform(1.0, 1000.0, (200, 3))
    axes = rtn_axes(r, v)
    scaled = axes.transpose(0, 2, 1) * sigma[:, np.newaxis]
    by_numpy = np.einsum("nij,nkj->nik", scaled, scaled)
    turned = rtn_covariance_to_inertial(sigma, r, v)
    np.testing.assert_allclose(turned, by_numpy, rtol=1e-12, atol=1e-12 * by_numpy.max())
    np.testing.assert_array_equal(turned, turned.transpose(0, 2, 1))
    np.testing.assert_allclose(along_rtn(vectors, r, v), np.einsum("nij,nj->ni", axes, vectors), atol=1e-14)


def test_speeds_are_the_velocity_along_the_axes() -> None:
    rng = np.random.default_rng(6)
    r, v = rng.normal(size=(2, 200, 3)) * [[[7000.0]], [[7.0]]]
    r[0], v[0] = (7000.0, 0.0, 0.0), (-3.0, 0.0, 0.0)  # falling straight down
    speeds = speed_rt_km_s(r, v)
    np.testing.assert_allclose(
        speeds[1:], np.einsum("nij,nj->ni", rtn_axes(r[1:], v[1:]), v[1:])[:, :2], atol=1e-12
    )
    np.testing.assert_array_equal(speeds[0], [-3.0, 0.0])
    assert np.isnan(speed_rt_km_s(np.full((1, 3), np.nan), v[:1])).all()
