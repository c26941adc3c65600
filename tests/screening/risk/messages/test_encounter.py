import math
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.timegrid import julian_date
from screening.risk.messages.encounter import encounter, relative_rtn, remarks
from screening.risk.messages.message import ConjunctionMessage
from tests.screening.risk.message_texts import Parts, kvn, parts, read_messages

# Real messages give relative numbers to 0.1, miss distance and speed to 1; states have 18 digits.
last_digit_of_components = 0.0501
last_digit_of_lengths = 0.501
rounding_m = 1e-8  # of positions of 7e6 m in doubles


def read(message: Parts) -> ConjunctionMessage:
    (made,) = read_messages(kvn(message))
    return made


def texts(message: ConjunctionMessage) -> list[str]:
    return [f"{remark.keyword}: {remark.text}" for remark in remarks(message, encounter(message))]


def real_messages(shared_data: Path) -> list[ConjunctionMessage]:
    files = sorted((shared_data / "cdm").glob("0*.cdm"))
    if not files:
        pytest.skip(f"needs the data files {shared_data / 'cdm'}/0*.cdm")
    return [message for path in files for message in read_messages(path.read_bytes())]


def test_real_messages_agree_with_their_own_states(shared_data: Path) -> None:
    messages = real_messages(shared_data)
    assert len(messages) == 25
    for message in messages:
        position, velocity = relative_rtn(encounter(message))
        assert position == pytest.approx(message.relative_position_rtn_m, abs=last_digit_of_components)
        assert velocity == pytest.approx(message.relative_velocity_rtn_m_s, abs=last_digit_of_components)
        assert np.linalg.norm(position) == pytest.approx(message.miss_distance_m, abs=last_digit_of_lengths)
        assert np.linalg.norm(velocity) == pytest.approx(
            message.relative_speed_m_s, abs=last_digit_of_lengths
        )
        # TCA is given to 1 ms.
        assert abs(position @ velocity) / (velocity @ velocity) < 0.501e-3
        assert remarks(message, encounter(message)) == []


def test_the_test_cases_agree_up_to_their_sign(shared_data: Path) -> None:
    # Most of them give OBJECT1 minus OBJECT2; states have millimetres.
    for path in sorted((shared_data / "cdm").glob("[AO]*.cdm")):
        (message,) = read_messages(path.read_bytes())
        position, velocity = relative_rtn(encounter(message))
        assert np.linalg.norm(position) == pytest.approx(message.miss_distance_m, abs=2e-3), path.name
        assert np.linalg.norm(velocity) == pytest.approx(message.relative_speed_m_s, abs=1e-3), path.name
        if "Test07" in path.name:
            assert texts(message) == ["CR_R: the covariance of OBJECT2 has a correlation of 1.00000001"]


def test_a_message_that_agrees_has_no_remarks() -> None:
    message = read(parts())
    assert remarks(message, encounter(message)) == []


def test_other_axes_that_do_not_turn_change_nothing() -> None:
    expected = relative_rtn(encounter(read(parts())))
    for frames in (("GCRF", "GCRF"), ("GCRF", "J2000")):
        message = parts()
        message[1]["REF_FRAME"], message[2]["REF_FRAME"] = frames
        position, velocity = relative_rtn(encounter(read(message)))
        # The bias between the two, 23 mas, is 0.8 m at 7000 km.
        tolerance_m = rounding_m if frames[0] == frames[1] else 0.9
        assert position == pytest.approx(expected[0], abs=tolerance_m)
        assert velocity == pytest.approx(expected[1], abs=1e-3)


def test_the_frame_bias_is_the_published_one() -> None:
    message = parts()
    r_m = encounter(read(message)).r_m[0]
    # IERS Conventions (2010), 5.21: EME2000's x axis has the GCRF components 1, -14.6 mas, 16.617 mas.
    mas = math.pi / 180 / 3600e3
    assert r_m == pytest.approx([7e6, -14.6 * mas * 7e6, 16.617 * mas * 7e6], abs=1e-4)


def test_terrestrial_velocities_get_the_rotation_of_the_earth() -> None:
    inertial = read(parts())
    expected = relative_rtn(encounter(inertial))
    message = parts()
    pole = earth_orientation(*julian_date(np.array([inertial.tca])))
    # About the pole, whose direction in ITRF is x, -y, 1 (IERS Conventions 2010, 5.4.1).
    omega = 7.2921150e-5 * np.array([pole.pole_x_rad[0], -pole.pole_y_rad[0], 1.0])
    for each, made in ((message[1], inertial.primary), (message[2], inertial.secondary)):
        each["REF_FRAME"] = "ITRF-97"
        # Axes that coincide with the inertial ones at TCA.
        velocity = made.v_m_s - np.cross(omega, made.r_m)
        for keyword, value in zip(("X_DOT", "Y_DOT", "Z_DOT"), velocity, strict=True):
            each[keyword] = f"{value / 1000.0:.15g} [km/s]"
    terrestrial = read(message)
    position, velocity = relative_rtn(encounter(terrestrial))
    assert terrestrial.primary.frame == "ITRF"
    assert encounter(terrestrial).frame == "ITRF at TCA"
    assert position == pytest.approx(expected[0], abs=1e-6)
    # The two values of the rate differ in the ninth digit.
    assert velocity == pytest.approx(expected[1], abs=1e-5)
    assert remarks(terrestrial, encounter(terrestrial)) == []


def test_swapped_objects_are_seen() -> None:
    header, first, second = parts()
    message = read([header, {**second, "OBJECT": "OBJECT1"}, {**first, "OBJECT": "OBJECT2"}])
    assert "RELATIVE_POSITION_R: OBJECT1 and OBJECT2 seem to be swapped" in texts(message)


@pytest.mark.parametrize(
    ("keyword", "value", "text"),
    [
        ("MISS_DISTANCE", "1100 [m]", "1100 is claimed, the states give 1000"),
        ("RELATIVE_SPEED", "7500 [m]", "7500 is claimed, the states give 10606.6"),
        ("RELATIVE_POSITION_T", "30 [m]", "30 is claimed, the states give"),
        ("RELATIVE_VELOCITY_N", "-7500 [m/s]", "-7500 is claimed, the states give 7500"),
    ],
)
def test_claims_that_the_states_contradict_are_named(keyword: str, value: str, text: str) -> None:
    message = parts()
    message[0][keyword] = value
    one = read(message)
    (found,) = remarks(one, encounter(one))
    assert found.keyword == keyword
    assert kvn(message).split("\n")[found.line - 1].startswith(keyword)
    assert text in found.text


def test_states_of_another_instant_are_seen() -> None:
    message = parts()
    message[2]["Y"] = "3.0 [km]"
    for keyword in [key for key in message[0] if key.startswith(("MISS", "RELATIVE"))]:
        del message[0][keyword]
    # 3 km along a relative track of 7.5 km/s in y and z.
    assert texts(read(message)) == ["TCA: the states are closest +0.2 s from the time given"]


@pytest.mark.parametrize(
    ("keyword", "value", "text"),
    [
        ("CT_R", "1100.0 [m**2]", "OBJECT2 has a correlation of 1.1"),
        ("CT_T", "-1.0 [m**2]", "OBJECT2 has a variance not above 0"),
        ("CN_N", "0.0 [m**2]", "OBJECT2 has a variance not above 0"),
    ],
)
def test_an_impossible_covariance_is_reported(keyword: str, value: str, text: str) -> None:
    message = parts()
    message[2][keyword] = value
    one = read(message)
    (found,) = remarks(one, encounter(one))
    assert found.keyword == "CR_R"
    assert kvn(message).split("\n")[found.line - 1].startswith("CR_R")
    assert text in found.text


def test_three_contradicting_correlations_are_reported() -> None:
    message = parts()
    message[1].update(CT_R="900 [m**2]", CN_R="180 [m**2]", CN_T="-1800 [m**2]")
    assert texts(read(message)) == ["CR_R: the covariance of OBJECT1 is not positive definite"]
