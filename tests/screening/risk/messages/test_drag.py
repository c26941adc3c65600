"""Drag errors that both objects share: published probabilities, and what cannot be read in comments."""

import math

import numpy as np
import pytest

from screening.risk.geometry.joint_root import joint_root
from screening.risk.messages.beyond_the_plane import joint_errors
from screening.risk.messages.drag import cross_covariance
from screening.risk.messages.encounter import encounter
from screening.risk.messages.errors import errors_of
from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore
from screening.risk.monte_carlo.three_dimensional import monte_carlo_3d
from tests.screening.risk.message_texts import Parts, kvn, parts, read_messages
from tests.screening.risk.published import SharedFile

# NASA CARA's unit tests of its implementation of Casali et al. (2018) give three digits and ask for 0.5 %.
three_digits = 5e-3
# Values of another implementation, to the digits given.
four_digits = 1e-4


def scored(message: Parts, samples: int = 0) -> MessageScore:
    (read,) = read_messages(kvn(message))
    return score_message(read, read.hard_body_radius_m, samples, seed=1)


@pytest.mark.parametrize(
    ("name", "radius_m", "independent", "correlated", "tolerance"),
    [
        ("ndm/cara/DensityDecorrelationTestCaseCDM01.txt", 6.0, None, 8.16e-6, three_digits),
        ("ndm/cara/DensityDecorrelationTestCaseCDM03.txt", 6.0, None, 3.20e-5, three_digits),
        ("ndm/cdm/ION_SCV8_vs_STARLINK_1233.txt", 10.0, 3.4965e-3, 3.6287e-3, four_digits),
        (
            "cdm/000027424_conj_000031201_20230823_165542_20230819_215513.cdm",
            17.3,
            3.7105e-5,
            1.0246e-4,
            four_digits,
        ),
        (
            "cdm/000032060_conj_000053480_20220918_094157_20220916_064125.cdm",
            20.0,
            2.345e-5,
            1.440e-6,
            5e-4,  # three digits
        ),
    ],
)
def test_published_probabilities(
    name: str,
    radius_m: float,
    independent: float | None,
    correlated: float,
    tolerance: float,
    shared_file: SharedFile,
) -> None:
    (message,) = read_messages(shared_file(name).read_bytes())
    found = score_message(message, radius_m, samples=0, seed=1)
    assert found.probability_2d == found.probability_2d_correlated
    assert found.probability_2d == pytest.approx(correlated, rel=tolerance)
    if independent is not None:
        assert found.probability_2d_unchecked == pytest.approx(independent, rel=tolerance)
        assert any("drag errors" in remark for remark in found.remarks) == (
            not 1 / 1.1 < correlated / independent < 1.1
        )


def test_the_monte_carlo_in_the_plane_draws_correlated_errors(shared_file: SharedFile) -> None:
    name = "cdm/000027424_conj_000031201_20230823_165542_20230819_215513.cdm"
    (message,) = read_messages(shared_file(name).read_bytes())
    found = score_message(message, 17.3, samples=20_000, seed=1)
    assert found.mc_method == "plane"
    assert found.probability_mc_low < found.probability_2d_correlated < found.probability_mc_high
    assert not found.probability_mc_low < found.probability_2d_unchecked < found.probability_mc_high


POSITION, VELOCITY = (1.0, 90.0, 2.0), (0.1, 0.01, 0.002)


def with_comments(first: tuple[str, str, str], second: tuple[str, str, str] | None) -> str:
    """The made-up message with three comments in each object."""
    message = parts()
    for part, texts in ((message[1], first), (message[2], second)):
        for number, text in enumerate(texts or ()):
            part[f"COMMENT {number}"] = text
    lines = [
        line.replace("=", "", 1) if line.startswith("COMMENT") else line for line in kvn(message).split("\n")
    ]
    return "\n".join("COMMENT " + line[10:].strip() if line.startswith("COMMENT") else line for line in lines)


COMMENTS = (
    "DCP Density Forecast Uncertainty = 5.0E-01",
    "DCP Sensitivity Vector RTN Pos = 1.0 90.0  2.0 [m]",
    "DCP Sensitivity Vector RTN Vel = 1.0E-01 1.0E-02 2.0E-03 [m/sec]",
)


@pytest.mark.parametrize(
    "comments",
    [
        COMMENTS,
        tuple(text.upper().replace(" = ", "=") for text in COMMENTS),
        tuple(text.replace("DCP ", "").replace(" ", "_", 2).replace(" =", ":") for text in COMMENTS),
        (COMMENTS[0], "DCP Sensitivity Vector RTN Pos = 0.001 0.09 0.002 [km]", COMMENTS[2]),
        (COMMENTS[0], "DCP Sensitivity Vector Position = 1.0, 90.0, 2.0", COMMENTS[2]),
    ],
)
def test_spellings_of_the_comments(comments: tuple[str, str, str]) -> None:
    (message,) = read_messages(with_comments(comments, comments))
    assert message.primary.drag_error_rtn == pytest.approx([0.5 * each for each in (*POSITION, *VELOCITY)])
    assert message.notes == []


def test_the_second_version_has_keywords() -> None:
    message = parts()
    for part in message[1:]:
        part["DENSITY_FORECAST_UNCERTAINTY"] = "0.5"
        part["DCP_SENSITIVITY_VECTOR_POSITION"] = "1.0 90.0 2.0 [m]"
        part["DCP_SENSITIVITY_VECTOR_VELOCITY"] = "0.1 0.01 0.002 [m/s]"
    (read,) = read_messages(kvn(message))
    assert read.secondary.drag_error_rtn == pytest.approx([0.5 * each for each in (*POSITION, *VELOCITY)])
    assert read.notes == []


def test_the_cross_covariance_is_that_of_both_errors_each_in_its_own_axes() -> None:
    (message,) = read_messages(with_comments(COMMENTS, COMMENTS))
    cross = cross_covariance(message, encounter(message))
    assert cross is not None
    # Both positions lie along x, which is R; the first moves along y, the second along z: its N is -y.
    first = np.array([0.5, 45.0, 1.0, 0.05, 0.005, 0.001])
    second = np.array([0.5, -1.0, 45.0, 0.05, -0.001, 0.005])
    frame_bias = 1e-5  # EME2000's axes against those that the encounter is seen in, 1e-7 rad of 45 m
    assert cross == pytest.approx(np.outer(first, second), abs=frame_bias * 45.0)


def test_the_drag_errors_of_one_object_alone_change_nothing() -> None:
    (alone,) = read_messages(with_comments(COMMENTS, None))
    found = score_message(alone, 12.5, samples=0, seed=1)
    assert math.isnan(found.probability_2d_correlated)
    assert found.probability_2d == found.probability_2d_unchecked == scored(parts()).probability_2d


@pytest.mark.parametrize(
    ("comments", "keyword"),
    [
        ((COMMENTS[0].replace("5.0E-01", "unknown"), *COMMENTS[1:]), "DENSITY_FORECAST_UNCERTAINTY"),
        ((COMMENTS[0], COMMENTS[1].replace("2.0 ", ""), COMMENTS[2]), "SENSITIVITY_VECTOR_POSITION"),
        ((COMMENTS[0], COMMENTS[1].replace("[m]", "[furlong]"), COMMENTS[2]), "SENSITIVITY_VECTOR_POSITION"),
        ((COMMENTS[0], COMMENTS[1].replace("90.0", "1e99"), COMMENTS[2]), "SENSITIVITY_VECTOR_POSITION"),
        ((*COMMENTS[:2], COMMENTS[2].replace("1.0E-02", "NaN")), "SENSITIVITY_VECTOR_VELOCITY"),
    ],
)
def test_comments_that_cannot_be_read_are_told_and_leave_the_errors_independent(
    comments: tuple[str, str, str], keyword: str
) -> None:
    text = with_comments(comments, COMMENTS)
    (message,) = read_messages(text)
    (remark,) = message.notes
    assert keyword in remark.text
    assert "taken as independent" in remark.text
    assert text.split("\n")[remark.line - 1].startswith("COMMENT")
    assert math.isnan(score_message(message, 12.5, samples=0, seed=1).probability_2d_correlated)


def test_drag_errors_larger_than_the_covariances_leave_the_errors_independent() -> None:
    huge = (COMMENTS[0], "DCP Sensitivity Vector RTN Pos = 1e6 1e6 1e6 [m]", COMMENTS[2])
    (message,) = read_messages(with_comments(huge, huge))
    found = score_message(message, 12.5, samples=0, seed=1)
    assert math.isnan(found.probability_2d_correlated)
    assert found.probability_2d == scored(parts()).probability_2d
    assert any("exceed the covariances" in remark for remark in found.remarks)


def test_the_monte_carlo_of_trajectories_draws_correlated_errors(shared_file: SharedFile) -> None:
    name = "cdm/000027424_conj_000031201_20230823_165542_20230819_215513.cdm"
    (message,) = read_messages(shared_file(name).read_bytes())
    states = encounter(message)
    errors = errors_of(message, states, 17.3)
    assert errors.cross is not None
    both = np.concatenate([states.r_m, states.v_m_s], axis=1)
    found = score_message(message, 17.3, samples=0, seed=1)
    for cross, expected in (
        (errors.cross, found.probability_2d_correlated),
        (None, found.probability_2d_unchecked),
    ):
        root = joint_errors(states, errors._replace(cross=cross))
        assert root is not None
        estimate = monte_carlo_3d(both, root, 17.3, 1, 4000)
        # The encounter is fast and flagged by nothing: both dimensions agree; 3 of its half widths of 95 %.
        assert abs(estimate.probability - expected) < 1.5 * (estimate.high - estimate.low)


def test_the_root_of_both_covariances_has_the_cross_covariance(shared_file: SharedFile) -> None:
    name = "cdm/000027424_conj_000031201_20230823_165542_20230819_215513.cdm"
    (message,) = read_messages(shared_file(name).read_bytes())
    errors = errors_of(message, encounter(message), 17.3)
    assert errors.cross is not None
    first, second, cross = (matrix[0] for matrix in (*errors.covariances, errors.cross))
    root = joint_root(first, second, cross)
    made = root @ root.T
    sigma = np.sqrt(np.diag(made))
    of_correlations = 1e-5  # negative eigenvalues of the joint correlations, which messages' digits leave
    expected = np.block([[first, cross], [cross.T, second]])
    assert (made - expected) / np.outer(sigma, sigma) == pytest.approx(
        np.zeros((12, 12)), abs=of_correlations
    )
