"""The flags against published Monte Carlo values, and each condition at its limit."""

import re

import numpy as np
import pytest

from screening.risk.conjunctions import PROBABILITY_FLAGS
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.probability.validity import validity_flags
from tests.screening.risk.published import Message, SharedFile, message_of, plane_of, read_message, truth_rows

bad = 0.25  # a 2-D value further off than this, relative, must be flagged
R, V = np.array([[7.0e6, 0.0, 0.0]]), np.array([[0.0, 7546.0, 0.0]])
MEAN_MOTION = np.sqrt(3.986008e14 / 7.0e6**3)


def _flags(message: Message) -> int:
    covariances = message.covariances()[:, np.newaxis, :3, :3]
    (r1, v1), (r2, v2) = ((s[np.newaxis, :3], s[np.newaxis, 3:]) for s in message.states)
    return int(validity_flags(plane_of(message), r1, v1, r2, v2, covariances[0], covariances[1])[0])


def _words(flags: int) -> set[str]:
    return {word for bit, word in enumerate(PROBABILITY_FLAGS) if flags >> bit & 1}


def test_the_messages_of_cara_with_monte_carlo_values(shared_file: SharedFile) -> None:
    missed, good, good_flagged = [], 0, 0
    for row in truth_rows(shared_file):
        published = re.search(r"Nc3D (\S+); SDMC (\S+)", row["note"])
        message = message_of(row, shared_file) if published else None
        if message is None or published is None:
            continue
        two_dimensional = float(row["expected_pc"])
        is_bad = any(abs(float(value) / two_dimensional - 1) > bad for value in published.groups())
        flagged = _flags(message) != 0
        good += not is_bad
        good_flagged += flagged and not is_bad
        if is_bad and not flagged:
            missed.append(row["id"])
    assert not missed
    assert good == 16
    assert good_flagged <= good / 5


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("AlfanoTestCase01", {"long"}),
        ("AlfanoTestCase03", set()),
        ("AlfanoTestCase04", {"slow", "long"}),
        ("OmitronTestCase_Test01_HighPc", set()),
        ("OmitronTestCase_Test06_MinRelVel", {"slow", "long"}),
    ],
)
def test_published_messages(name: str, words: set[str], shared_file: SharedFile) -> None:
    assert _words(_flags(read_message(shared_file(f"cdm/{name}.cdm")))) == words


def test_a_covariance_that_is_not_positive_definite(shared_file: SharedFile) -> None:
    message = read_message(shared_file("cdm/OmitronTestCase_Test07_NonPDCovariance.cdm"))
    assert "non_positive_definite" in _words(_flags(message))


def _made(miss: np.ndarray, motion: np.ndarray, sigma: tuple[float, float, float]) -> set[str]:
    """Return the words for a primary that moves along y and is uncertain by `sigma` along x, y, z."""
    covariance = np.diag(np.square(sigma))[np.newaxis]
    r2, v2 = R + miss, V + motion
    plane = encounter_plane(R, V, r2, v2, covariance, np.zeros((1, 3, 3)))
    return _words(int(validity_flags(plane, R, V, r2, v2, covariance, np.zeros((1, 3, 3)))[0]))


@pytest.mark.parametrize(("part", "words"), [(0.99, set()), (1.01, {"slow"})])
def test_the_limit_of_slow(part: float, words: set[str]) -> None:
    speed = 50.0
    miss = part * 0.05 * speed / MEAN_MOTION
    assert _made(np.array([0.0, 0.0, miss]), np.array([speed, 0.0, 0.0]), (1.0, 1.0, 500.0)) == words


@pytest.mark.parametrize(("part", "words"), [(0.99, set()), (1.01, {"long"})])
def test_the_limit_of_long(part: float, words: set[str]) -> None:
    speed = 50.0
    sigma_along = part * 0.02 * 2 * np.pi * speed / (8 * MEAN_MOTION)
    assert _made(np.array([0.0, 0.0, 10.0]), np.array([speed, 0.0, 0.0]), (sigma_along, 10.0, 10.0)) == words


@pytest.mark.parametrize(("part", "words"), [(0.99, set()), (1.01, {"curved"})])
def test_the_limit_of_curved(part: float, words: set[str]) -> None:
    # All of an in-track miss t must come from the in-track error: the orbit falls t^2 / (2 r) below.
    sigma_radial = 20.0
    miss = np.sqrt(part * 0.1 * sigma_radial * 2 * 7.0e6)
    assert _made(np.array([0.0, miss, 0.0]), np.array([0.0, 0.0, 1e4]), (sigma_radial, 1e4, 10.0)) == words


def test_equal_falls_of_both_objects_cancel() -> None:
    # Two objects on one orbit with the same in-track error: both fall alike wherever they meet halfway.
    covariance = np.diag([20.0, 1e4, 10.0])[np.newaxis] ** 2
    r2, v2 = R + np.array([[0.0, 4000.0, 0.0]]), V + np.array([[100.0, 0.0, 1e4]])
    plane = encounter_plane(R, V, r2, v2, covariance, covariance)
    assert not _words(int(validity_flags(plane, R, V, r2, v2, covariance, covariance)[0])) & {"curved"}


def test_no_relative_motion_is_slow_and_long() -> None:
    assert {"slow", "long"} <= _made(np.array([0.0, 0.0, 10.0]), np.zeros(3), (1.0, 1.0, 1.0))
