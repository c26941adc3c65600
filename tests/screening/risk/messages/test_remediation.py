"""Covariances that are not positive definite: a little is mended and said, much is told and gives nothing."""

import math

import numpy as np
import pytest

from screening.risk.messages.errors import remediated
from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore
from tests.screening.risk.message_texts import kvn, parts, read_messages
from tests.screening.risk.published import SharedFile

RADIUS_M = 12.5


def scored(covariance: dict[str, str], samples: int = 0) -> MessageScore:
    message = parts()
    message[2] |= {
        "X": "7000.02 [km]",
        **covariance,
    }  # 20 m away, with sigmas of 14 m: a probability to compare
    (read,) = read_messages(kvn(message))
    return score_message(read, RADIUS_M, samples, seed=1)


@pytest.mark.parametrize("share", [1e-9, 1e-4, 0.9e-2])
def test_a_slightly_indefinite_covariance_is_clipped_at_the_radius_times_1e_4(share: float) -> None:
    axes = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    given = axes @ np.diag([1e6, 4e4, -share * 1e6]) @ axes.T
    mended, changed = remediated(given, RADIUS_M)
    assert changed
    rounding = 1e-9  # of 1e6 m2 in doubles, a few times
    assert np.linalg.eigvalsh(mended) == pytest.approx([(1e-4 * RADIUS_M) ** 2, 4e4, 1e6], abs=rounding * 10)


def test_what_is_definite_or_exactly_known_stays_as_it_is() -> None:
    for given in (np.diag([1.0, 2.0, 3.0]), np.diag([0.0, 2.0, 3.0]), np.zeros((3, 3))):
        same, changed = remediated(given, RADIUS_M)
        assert not changed
        assert same is given


@pytest.mark.parametrize("smallest", [-1.1e-2, -1.0, -100.0])
def test_a_grossly_indefinite_one_is_left_alone(smallest: float) -> None:
    given = np.diag([smallest, 1.0, 0.5])
    assert not remediated(given, RADIUS_M)[1]


def test_a_correlation_just_above_1_gives_a_probability_and_the_flag() -> None:
    # Sigmas of 10 and 100 m correlated by 1.0002: the smallest eigenvalue is -4e-6 of the largest.
    found = scored({"CT_R": "1000.2 [m**2]"}, samples=5000)
    assert "remediated" in found.probability_flag
    assert "non_positive_definite" not in found.probability_flag
    exactly_one = scored({"CT_R": "999.9999 [m**2]"})
    assert found.probability_2d == pytest.approx(exactly_one.probability_2d, rel=1e-3)
    assert found.probability_mc_low <= found.probability_2d <= found.probability_mc_high
    assert any("a correlation of 1.0002" in remark for remark in found.remarks)


def test_one_far_above_1_gives_none() -> None:
    found = scored({"CT_R": "1500.0 [m**2]"}, samples=1000)
    assert "non_positive_definite" in found.probability_flag
    assert "remediated" not in found.probability_flag
    assert math.isnan(found.probability_2d)


def test_the_published_message_with_an_indefinite_covariance_is_not_dropped(shared_file: SharedFile) -> None:
    path = shared_file("cdm/OmitronTestCase_Test07_NonPDCovariance.cdm")
    (message,) = read_messages(path.read_bytes())
    found = score_message(message, message.hard_body_radius_m, samples=0, seed=1)
    assert "remediated" in found.probability_flag
    assert "non_positive_definite" not in found.probability_flag
    # NASA CARA's PcCircle gives 0 for this message after the same clipping.
    assert found.probability_2d_unchecked == pytest.approx(0.0, abs=1e-30)
