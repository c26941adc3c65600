"""The exact 2-D integral against 30 digits, against published values, and at its borders."""

import mpmath as mp
import numpy as np
import pytest

from screening.risk.probability.exact_2d import exact_2d
from tests.screening.risk.published import SharedFile, integral_rows
from tests.screening.risk.thirty_digits import log_probability
from tests.validation.risk.truth import expected

promised = 1e-9  # relative, over the promised range
printed_digits = 1e-6  # the published values of CARA rest on a TCA adjusted to their own arithmetic


def _geometries(count: int) -> np.ndarray:
    """Return (5, count): aspect ratios to 1000, radii to 100 sigmas, misses down to about 1e-190."""
    rng = np.random.default_rng(20)
    s_minor = 10 ** rng.uniform(-1, 3, count)
    aspect, ratio = 10 ** rng.uniform(0, 3, count), 10 ** rng.uniform(-3, 2, count)
    angle, sigmas = rng.uniform(0, 2 * np.pi, count), 10 ** rng.uniform(-1, 1.45, count)
    aspect[:10] = 1.0
    angle[10:20], angle[20:30] = 0.0, np.pi / 2
    radius, s_major = ratio * s_minor, aspect * s_minor
    beside = rng.uniform(0, 1, count) * radius
    return np.array(
        [
            np.cos(angle) * (sigmas * s_major + beside),
            np.sin(angle) * (sigmas * s_minor + beside),
            s_major,
            s_minor,
            radius,
        ]
    )


@pytest.mark.parametrize("which", [slice(78, 90), pytest.param(slice(150), marks=pytest.mark.slow)])
def test_many_geometries_to_30_digits(which: slice) -> None:
    geometries = _geometries(150)[:, which]
    probability, logarithm = exact_2d(*geometries)
    worst, smallest = 0.0, 1.0
    for event, p, log_p in zip(geometries.T, probability, logarithm, strict=True):
        with mp.workdps(30):
            truth = log_probability(*event)
            worst = max(worst, abs(float(mp.expm1(log_p - truth))), abs(float(p / mp.exp(truth) - 1)))
            smallest = min(smallest, float(mp.exp(truth)))
    assert smallest < 1e-150, "the far tail is among them"
    assert worst < promised


def test_every_published_value(shared_file: SharedFile) -> None:
    rows = integral_rows(shared_file)
    assert len(rows) > 90
    computed, _ = exact_2d(*np.array([geometry for _, geometry in rows]).T)
    wrong = [
        f"{row['id']}: {p} instead of {value}"
        for (row, _), p in zip(rows, computed, strict=True)
        for value, allowed in [expected(row)]
        if abs(p - value) > allowed
    ]
    assert not wrong


def test_the_messages_of_cara_to_six_digits(shared_file: SharedFile) -> None:
    rows = [
        (row, geometry) for row, geometry in integral_rows(shared_file) if row["method"].startswith("Pc2D")
    ]
    assert len(rows) == 25
    computed, _ = exact_2d(*np.array([geometry for _, geometry in rows]).T)
    published = [float(row["expected_pc"]) for row, _ in rows]
    np.testing.assert_allclose(computed, published, rtol=printed_digits)


@pytest.mark.parametrize("ratio", [1e-6, 0.03, 0.9, 1.1, 2.9, 3.1, 40.0, 1e3])
def test_a_centred_round_gaussian_has_a_closed_form(ratio: float) -> None:
    probability, _ = exact_2d(0.0, 0.0, 7.0, 7.0, 7.0 * ratio)
    np.testing.assert_allclose(probability, -np.expm1(-0.5 * ratio**2), rtol=promised)


def test_a_mean_deep_inside_a_large_disk_and_on_its_edge() -> None:
    inside, _ = exact_2d(5e3, 1e3, 2.0, 1.0, 1e4)
    assert inside[0] == pytest.approx(1.0, rel=1e-12)
    on_edge, _ = exact_2d(1e6, 0.0, 1.0, 1.0, 1e6)
    assert on_edge[0] == pytest.approx(0.5, rel=1e-5), "half a plane, but for the disk's curvature"


def test_the_sign_of_the_miss_does_not_matter() -> None:
    values = [exact_2d(a * 300.0, b * 70.0, 100.0, 30.0, 12.0)[1][0] for a in (1, -1) for b in (1, -1)]
    assert len(set(values)) == 1


def test_the_logarithm_holds_below_the_smallest_double() -> None:
    probability, logarithm = exact_2d(5000.0, 0.0, 50.0, 50.0, 0.5)
    assert probability[0] == 0.0
    # Density times area, for a disk of a hundredth of a sigma: within r^2 h^2 / 8 = 12 % at 100 sigmas.
    assert logarithm[0] == pytest.approx(-5000.0 + np.log(0.5 * 0.01**2), abs=0.13)


def test_what_is_no_gaussian_is_nan_and_no_disk_is_nothing() -> None:
    nan = np.nan
    probability, logarithm = exact_2d(
        [0, 0, nan, 0, 0], 0.0, [1, nan, 1, np.inf, 1], [0, 1, 1, 1, 1], [1, 1, 1, 1, 0]
    )
    np.testing.assert_array_equal(np.isnan(probability), [True, True, True, True, False])
    assert probability[4] == 0.0
    assert logarithm[4] == -np.inf
    assert len(exact_2d(*np.empty((5, 0)))[0]) == 0
