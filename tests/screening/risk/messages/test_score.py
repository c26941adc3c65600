"""Whole messages, scored as `skysieve score` does: published values, one frame instead of two, remarks."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore
from screening.risk.probability.exact_2d import exact_2d
from tests.screening.risk.message_texts import Parts, kvn, parts, read_messages
from tests.screening.risk.published import SharedFile, read_message, truth_rows

printed_digits = 1e-6  # the published values rest on a TCA adjusted to their own arithmetic


def scored(message: Parts, samples: int = 0) -> MessageScore:
    (read,) = read_messages(kvn(message))
    return score_message(read, read.hard_body_radius_m, samples, seed=1)


def test_the_messages_of_cara_to_six_digits(shared_file: SharedFile) -> None:
    rows = [row for row in truth_rows(shared_file) if row["method"].startswith("Pc2D")]
    given = [(row, shared_file("cdm") / Path(row["inputs"]).name) for row in rows]
    given = [(row, path) for row, path in given if path.exists()]
    assert len(given) == 25
    for row, path in given:
        (message,) = read_messages(path.read_bytes())
        found = score_message(message, float(row["hbr_m"]), samples=0, seed=1)
        assert found.probability_2d_unchecked == pytest.approx(
            float(row["expected_pc"]), rel=printed_digits
        ), path.name
        assert math.isnan(found.probability_2d) == bool(found.probability_flag)


@pytest.mark.parametrize(
    ("name", "radius_m", "claimed", "with_one_frame_below"),
    [
        ("000027424_conj_000041740_20220530_042037_20220525_221911", 17.3, 2.556e-4, 1e-8),
        ("000025994_conj_000026980_20220928_223445_20220924_220647", 15.0, 1.082e-4, 1e-100),
    ],
)
def test_one_shared_frame_would_be_wrong_by_many_orders(
    name: str, radius_m: float, claimed: float, with_one_frame_below: float, shared_file: SharedFile
) -> None:
    message = read_message(shared_file(f"cdm/{name}.cdm"))
    r, v = message.states[:, np.newaxis, :3], message.states[:, np.newaxis, 3:]

    def probability(frame_of_secondary: int) -> float:
        covariances = [
            rtn_covariance_to_inertial(message.covariances_rtn[i : i + 1, :3, :3], r[whose], v[whose])
            for i, whose in ((0, 0), (1, frame_of_secondary))
        ]
        plane = encounter_plane(r[0], v[0], r[1], v[1], *covariances)
        geometry = plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m
        return float(exact_2d(*geometry, radius_m)[0][0])

    assert probability(frame_of_secondary=1) == pytest.approx(claimed, rel=1e-3), "as the message claims"
    assert probability(frame_of_secondary=0) < with_one_frame_below


def test_swapped_objects_are_reported_and_scored_alike() -> None:
    header, first, second = parts()
    header["RELATIVE_POSITION_R"] = "300 [m]"
    plain = scored(parts())
    for each in (first, second):
        each["X_DOT"] = "0.001 [km/s]"  # a frame that turns a little when the other object carries it
    swapped = scored([parts()[0], {**second, "OBJECT": "OBJECT1"}, {**first, "OBJECT": "OBJECT2"}])
    assert any("seem to be swapped" in remark for remark in swapped.remarks)
    assert swapped.probability_2d_unchecked == pytest.approx(plain.probability_2d_unchecked, rel=1e-2)


def test_a_wrong_tca_is_reported() -> None:
    message = parts()
    message[2]["Y"] = "7.5 [km]"  # of 10.6 km/s across: half a second after the closest approach
    found = scored(message)
    assert any(remark.startswith("line 5, TCA: the states are closest") for remark in found.remarks)


@pytest.mark.parametrize(("keyword", "value"), [("CT_R", "1500.0 [m**2]"), ("CTDOT_T", "1.5 [m**2/s]")])
def test_a_correlation_above_1_is_reported_and_gives_no_probability_that_rests_on_it(
    keyword: str, value: str
) -> None:
    message = parts()
    message[2][keyword] = value  # 1.5 of what the variances allow
    found = scored(message, samples=1000)
    assert any("OBJECT2 has a correlation of 1.5" in remark for remark in found.remarks)
    if keyword == "CT_R":
        assert "non_positive_definite" in found.probability_flag
        assert math.isnan(found.probability)
        assert math.isnan(found.probability_mc)


def _side_by_side(speed_km_s: float) -> Parts:
    message = parts()
    message[0].clear()
    message[0] |= {"CCSDS_CDM_VERS": "1.0", "TCA": "2024-11-02T03:04:05.678", "HBR": "12.5 [m]"}
    for each, along in zip(message[1:], (speed_km_s, speed_km_s + 1e-3), strict=True):
        each["Y_DOT"], each["Z_DOT"] = f"{along} [km/s]", "0.0 [km/s]"
    return message


def test_what_the_trajectories_cannot_take_is_a_remark(shared_file: SharedFile) -> None:
    unbound = scored(_side_by_side(12.0), samples=1000)
    assert "slow" in unbound.probability_flag
    *orbits, three, trajectories = unbound.remarks
    names = ("OBJECT1", "OBJECT2")
    assert orbits == [f"the orbit of {name} is not an ellipse about the Earth" for name in names]
    reason = "an orbit within the errors is not an ellipse about the Earth"
    assert three == f"no 3-D probability: {reason}"
    assert trajectories == f"no Monte Carlo of trajectories: {reason}"
    assert unbound.probability_2d_unchecked >= 0.0
    assert unbound.probability_level == "unknown"  # the plane of slow objects is no knowledge


def test_a_slow_encounter_is_followed_and_the_window_is_given() -> None:
    bound = scored(_side_by_side(7.5), samples=1000)
    assert bound.mc_method == "trajectories"
    (remark,) = bound.remarks
    assert re.fullmatch(r"Monte Carlo of trajectories from -\d+ to \+\d+ s about TCA", remark)


def test_velocities_that_correlate_beyond_reason_give_no_trajectories() -> None:
    message = _side_by_side(7.5)
    message[2]["CNDOT_N"] = "-1e30 [m**2/s]"
    found = scored(message, samples=1000)
    assert math.isnan(found.probability_mc)
    assert any("a covariance is not positive definite" in remark for remark in found.remarks)
