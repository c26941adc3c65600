"""The weighted sum over the parts of both errors, against samples of the mixtures themselves."""

import numpy as np
import pytest

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.mixture import weighted_sum
from screening.risk.probability.tails import Tails

SAMPLES = 200_000
ENCOUNTERS = 12
NOISE_SIGMAS = 4.5


def _states(rng: np.random.Generator) -> list[FloatArray]:
    """Fast encounters of circular orbits with misses of some hundred metres, m and m/s."""
    r = rng.normal(size=(ENCOUNTERS, 3))
    r *= 7.0e6 / np.linalg.norm(r, axis=1)[:, None]
    across = [np.cross(r, rng.normal(size=(ENCOUNTERS, 3))) for _ in range(2)]
    v = [7.5e3 * one / np.linalg.norm(one, axis=1)[:, None] for one in across]
    motion = v[1] - v[0]
    miss = rng.normal(scale=200.0, size=(ENCOUNTERS, 3))
    miss -= (miss * motion).sum(axis=1)[:, None] / (motion**2).sum(axis=1)[:, None] * motion
    return [r, v[0], r + miss, v[1]]


def _tails(rng: np.random.Generator, *, burns: bool = True) -> Tails:
    share = rng.uniform(0.05, 0.4, ENCOUNTERS)
    burnt = rng.uniform(0.05, 0.3, ENCOUNTERS) if burns else np.zeros(ENCOUNTERS)
    return Tails(share, rng.uniform(1.5, 6.0, (ENCOUNTERS, 3)), burnt, rng.uniform(300.0, 3000.0, ENCOUNTERS))


def _plane(states: list[FloatArray], sigmas_m: list[FloatArray]) -> EncounterPlane:
    covariances = [rtn_covariance_to_inertial(sigmas_m[k], *states[2 * k : 2 * k + 2]) for k in range(2)]
    return encounter_plane(*states, *covariances)


def _errors_m(rng: np.random.Generator, sigma_m: FloatArray, tails: Tails, i: int) -> FloatArray:
    """Draw errors (SAMPLES, 3) in an object's RTN: first which part, then how much."""
    part = rng.choice(
        3,
        SAMPLES,
        p=[
            (1 - tails.burn_share[i]) * (1 - tails.tail_share[i]),
            (1 - tails.burn_share[i]) * tails.tail_share[i],
            tails.burn_share[i],
        ],
    )
    errors = rng.normal(size=(SAMPLES, 3)) * sigma_m
    errors[part == 1] *= tails.tail_scale_rtn[i]
    errors[part == 2, 1] += rng.normal(size=(part == 2).sum()) * tails.burn_in_track_m[i]
    return errors


@pytest.mark.slow
def test_it_is_what_samples_of_the_mixtures_hit() -> None:
    rng = np.random.default_rng(7)
    states = _states(rng)
    sigmas_m = [rng.uniform(50.0, 400.0, (ENCOUNTERS, 3)) for _ in range(2)]
    tails = [_tails(rng), _tails(rng, burns=False)]
    radius_m = rng.uniform(40.0, 250.0, ENCOUNTERS)
    plane = _plane(states, sigmas_m)
    quiet, _ = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius_m
    )
    mixed = weighted_sum(quiet, plane, states, sigmas_m, tails, radius_m)
    for i in range(ENCOUNTERS):
        axes = [rtn_axes(states[2 * k][[i]], states[2 * k + 1][[i]])[0] for k in range(2)]
        errors = [_errors_m(rng, sigmas_m[k][i], tails[k], i) @ axes[k] for k in range(2)]
        relative = states[2][i] - states[0][i] + errors[1] - errors[0]
        across = relative @ np.stack([plane.major_axis[i], plane.minor_axis[i]], axis=1)
        share = np.mean(np.linalg.norm(across, axis=1) < radius_m[i])
        noise = np.sqrt(mixed[i] * (1.0 - mixed[i]) / SAMPLES)
        assert abs(share - mixed[i]) < NOISE_SIGMAS * noise, (i, share, mixed[i])


def test_without_tails_and_burns_it_is_the_quiet_one() -> None:
    rng = np.random.default_rng(8)
    states = _states(rng)
    sigmas_m = [rng.uniform(50.0, 400.0, (ENCOUNTERS, 3)) for _ in range(2)]
    none = Tails(np.zeros(ENCOUNTERS), np.ones((ENCOUNTERS, 3)), np.zeros(ENCOUNTERS), np.zeros(ENCOUNTERS))
    quiet = rng.uniform(0.0, 1.0, ENCOUNTERS)
    mixed = weighted_sum(quiet, _plane(states, sigmas_m), states, sigmas_m, [none, none], np.ones(ENCOUNTERS))
    np.testing.assert_array_equal(mixed, quiet)


def test_sigmas_and_their_matrices_give_the_same() -> None:
    rng = np.random.default_rng(10)
    states, tails = _states(rng), [_tails(rng), _tails(rng)]
    sigmas_m = [rng.uniform(50.0, 400.0, (ENCOUNTERS, 3)) for _ in range(2)]
    matrices = [np.einsum("ni,ij->nij", one**2, np.eye(3)) for one in sigmas_m]
    plane, radii_m = _plane(states, sigmas_m), np.full(ENCOUNTERS, 30.0)
    of_each = [
        weighted_sum(np.zeros(ENCOUNTERS), plane, states, errors, tails, radii_m)
        for errors in (sigmas_m, matrices)
    ]
    assert (of_each[0] > 0.0).any()
    np.testing.assert_array_equal(*of_each)


@pytest.mark.parametrize("radius_m", [1.0, 30.0, 1000.0])
def test_parts_that_are_the_same_add_up_to_one(radius_m: float) -> None:
    rng = np.random.default_rng(9)
    states = _states(rng)
    sigmas_m = [rng.uniform(50.0, 400.0, (ENCOUNTERS, 3)) for _ in range(2)]
    matrices = [np.einsum("ni,ij->nij", one**2, np.eye(3)) for one in sigmas_m]
    plane = _plane(states, sigmas_m)
    radii = np.full(ENCOUNTERS, radius_m)
    quiet, _ = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radii
    )
    alike = Tails(
        np.full(ENCOUNTERS, 0.3), np.ones((ENCOUNTERS, 3)), np.full(ENCOUNTERS, 0.2), np.zeros(ENCOUNTERS)
    )
    mixed = weighted_sum(quiet, plane, states, matrices, [alike, alike], radii)
    np.testing.assert_allclose(mixed, quiet, rtol=0.002)  # the closed formula's where the disk is small
