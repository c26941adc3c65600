"""Messages whose numbers contradict themselves: a clear word, no wrong number, no level too low."""

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore
from skysieve.command_line import app
from tests.screening.risk.message_texts import Parts, kvn, parts, read_messages

ELLIPSE = "an orbit within the errors is not an ellipse about the Earth"


def scored(message: Parts, radius_m: float | None = None) -> MessageScore:
    (read,) = read_messages(kvn(message))
    return score_message(
        read, read.hard_body_radius_m if radius_m is None else radius_m, samples=1000, seed=1
    )


def alongside(speed_km_s: float = 7.5, claimed: str | None = None) -> Parts:
    """Return a message of two objects that fly a kilometre beside each other, at 1 m/s."""
    message = parts()
    message[0].clear()
    message[0] |= {"CCSDS_CDM_VERS": "1.0", "TCA": "2024-11-02T03:04:05.678", "HBR": "12.5 [m]"}
    if claimed:
        message[0] |= {"COLLISION_PROBABILITY": claimed}
    for each, along in zip(message[1:], (speed_km_s, speed_km_s + 1e-3), strict=True):
        each["Y_DOT"], each["Z_DOT"] = f"{along} [km/s]", "0.0 [km/s]"
    return message


def with_variances(message: Parts, position_m2: float, velocity_m2_s2: float) -> Parts:
    for each in message[1:]:
        for axis in "RTN":
            each[f"C{axis}_{axis}"] = f"{position_m2} [m**2]"
            each[f"C{axis}DOT_{axis}DOT"] = f"{velocity_m2_s2} [m**2/s**2]"
    return message


@pytest.mark.parametrize(
    ("claimed", "level"), [(None, "unknown"), ("1e-12", "unknown"), ("2e-4", "critical")]
)
@pytest.mark.parametrize("bad", ["indefinite", "hyperbolic"])
def test_slow_objects_of_which_nothing_can_be_followed_are_not_low(
    bad: str, claimed: str | None, level: str
) -> None:
    message = alongside(12.0 if bad == "hyperbolic" else 7.5, claimed)
    if bad == "indefinite":
        message[2]["CT_R"] = "1500.0 [m**2]"  # 1.5 of what the variances allow
    found = scored(message)
    assert found.probability_level == level
    assert math.isnan(found.probability_best) == (level == "unknown")
    assert found.probability_method == ("" if level == "unknown" else "bound")
    said = "a covariance is not positive definite" if bad == "indefinite" else ELLIPSE
    assert f"no 3-D probability: {said}" in found.remarks


def test_errors_as_large_as_the_orbits() -> None:
    found = scored(with_variances(alongside(), 1e13, 1e6))  # 3,000 km and 1 km/s
    assert any("the errors are as large as the orbits" in remark for remark in found.remarks)
    assert found.probability_level == "unknown"


@pytest.mark.parametrize("variance_m2", [0.0, 1e14])
def test_covariances_that_stand_for_none(variance_m2: float) -> None:
    """Nothing or 10,000 km: senders write so if they have none; the largest that fits is the bound."""
    found = scored(with_variances(parts(), variance_m2, 0.0))
    assert found.missing_covariance == "both"
    assert found.probability_method == "bound"
    assert found.probability_level == "critical"
    assert sum("stands for none" in remark for remark in found.remarks) == 2


def test_no_errors_within_reach_is_knowledge() -> None:
    message = alongside()
    message[2]["X"] = "7009.0 [km]"
    found = scored(message)
    assert (found.probability_best, found.probability_level) == (0.0, "low")
    assert (
        "no Monte Carlo of trajectories: no errors within 40 sigmas bring the objects together"
        in found.remarks
    )


@pytest.mark.parametrize("radius_m", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("slow", [False, True])
def test_a_radius_that_is_none_leaves_what_is_claimed(radius_m: float, slow: bool) -> None:
    message = alongside(claimed="1.5e-05") if slow else parts()
    found = scored(message, radius_m)
    assert found.probability_best == 1.5e-5
    assert (found.probability_method, found.probability_level) == ("bound", "high")
    assert any("radius must be above 0 m" in remark for remark in found.remarks)


def test_a_structure_of_500_m() -> None:
    message = parts()
    message[2]["X"] = "7000.45 [km]"  # inside the radius, by 50 m, which is 3.5 sigmas; 102 m across
    found = scored(message, 500.0)
    assert 0.9 < found.probability_2d < 1.0
    assert found.probability_level == "critical"


def test_a_fast_object_that_leaves_the_earth_is_told() -> None:
    message = parts()
    message[1]["Y_DOT"] = "12.0 [km/s]"
    assert "the orbit of OBJECT1 is not an ellipse about the Earth" in scored(message).remarks


def test_a_time_that_is_no_closest_approach_is_told() -> None:
    message = parts()
    message[2]["Y"] = "75 [km]"
    assert any("the states are closest +5 s from the time given" in one for one in scored(message).remarks)


def test_objects_in_the_same_place_at_another_speed() -> None:
    message = alongside()
    for axis in "XYZ":
        message[2][axis] = message[1][axis]
    found = scored(message)
    assert found.probability_method == "trajectory_mc"
    assert found.probability_best > 0.1


def test_retrograde_equatorial_orbits_are_as_others() -> None:
    message = alongside()
    for each in message[1:]:
        each["CR_R"] = each["CN_N"] = "90000.0 [m**2]"
    plain, turned = scored(message), None
    for each in message[1:]:
        each["Y_DOT"] = "-" + each["Y_DOT"]
    turned = scored(message)
    assert plain.probability_method == turned.probability_method == "trajectory_mc"
    assert turned.probability_best == pytest.approx(plain.probability_best, rel=0.06)  # noise of both


def test_the_command_says_it_too(tmp_path: Path) -> None:
    message = alongside()
    message[2]["CT_R"] = "1500.0 [m**2]"
    bad, nan = tmp_path / "indefinite.cdm", tmp_path / "nan.cdm"
    bad.write_text(kvn(message))
    message = alongside()
    message[2]["CT_T"] = "NaN [m**2]"
    nan.write_text(kvn(message))
    run = CliRunner().invoke(app, ["score", str(bad), str(nan), "--json"])
    assert run.exit_code == 1
    found, refused = json.loads(run.stdout)
    assert found["probability_level"] == "unknown"
    assert found["probability_best"] is None
    assert "CT_T of OBJECT2 is missing or has no value" in refused["error"]
