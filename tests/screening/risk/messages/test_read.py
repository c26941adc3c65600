import re
from pathlib import Path

import numpy as np
import pytest

from screening.risk.messages.message import ConjunctionMessage
from tests.screening.risk.message_texts import STATE_NAMES, Parts, kvn, parts, read_messages, to_xml


@pytest.fixture(scope="session")
def message_files(shared_data: Path) -> list[Path]:
    """The conjunction data messages beside the repository."""
    files = sorted((shared_data / "cdm").glob("*.cdm"))
    if not files:
        pytest.skip(f"needs the data files {shared_data / 'cdm'}/*.cdm")
    return files


def read(text: str | bytes) -> ConjunctionMessage:
    (message,) = read_messages(text)
    return message


def same(first: ConjunctionMessage, second: ConjunctionMessage) -> None:
    """Assert that two messages say the same; lines may differ."""
    for name in ConjunctionMessage._fields:
        if name in ("primary", "secondary"):
            one, other = getattr(first, name), getattr(second, name)
            for field in one._fields:
                if field != "covariance_line":
                    np.testing.assert_array_equal(getattr(one, field), getattr(other, field), err_msg=field)
        elif name != "lines":
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


def raw_values(text: str) -> dict[tuple[str, str], str]:
    """Every keyword of a file and what stands behind it, by part, as plain as it can be read."""
    part, values = "", {}
    for keyword, value in re.findall(r"^(\w+) *= *([^\[\n]*?) *(?:\[.*\])?$", text, re.MULTILINE):
        part = value if keyword == "OBJECT" else part
        values[part, keyword] = value
    return values


def test_all_files_are_read(message_files: list[Path]) -> None:
    messages = [read(path.read_bytes()) for path in message_files]
    assert len(messages) == 44
    assert all(message.primary.covariance_rtn.shape == (6, 6) for message in messages)
    assert {message.primary.frame for message in messages} == {"EME2000"}


def test_values_are_those_of_the_raw_text(message_files: list[Path]) -> None:
    for path in message_files:
        text = path.read_text()
        raw, message = raw_values(text), read(text)
        assert message.miss_distance_m == float(raw["", "MISS_DISTANCE"]), path.name
        assert message.relative_velocity_rtn_m_s[1] == float(raw["", "RELATIVE_VELOCITY_T"])
        assert message.message_id == raw["", "MESSAGE_ID"]
        for name, each in (("OBJECT1", message.primary), ("OBJECT2", message.secondary)):
            assert each.designator == raw[name, "OBJECT_DESIGNATOR"]
            assert each.name == raw[name, "OBJECT_NAME"]
            assert each.r_m.tolist() == [float(raw[name, axis]) * 1000.0 for axis in "XYZ"]
            assert each.v_m_s.tolist() == [float(raw[name, f"{axis}_DOT"]) * 1000.0 for axis in "XYZ"]
            for i, row in enumerate(STATE_NAMES):
                for j, column in enumerate(STATE_NAMES[: i + 1]):
                    value = float(raw[name, f"C{row}_{column}"])
                    assert each.covariance_rtn[i, j] == each.covariance_rtn[j, i] == value


def test_the_radius_in_a_comment_is_found_in_every_real_file(message_files: list[Path]) -> None:
    for path in message_files:
        text = path.read_text()
        written = re.search(r"HBR\s*=\s*([\d.]+)", text)
        radius_m = read(text).hard_body_radius_m
        if written is None:
            assert path.name == "OmitronTestCase_Test08_3DNc.cdm"
            assert np.isnan(radius_m)
        else:
            assert radius_m == float(written[1]), path.name


def test_the_header_of_a_real_file(message_files: list[Path]) -> None:
    message = read(message_files[0].read_bytes())
    assert message_files[0].name.startswith("000020580_conj_000002017")
    assert (message.version, message.originator) == ("1.0", "CARA")
    assert message.tca == np.datetime64("2023-06-13T00:19:23.766", "us")
    assert message.creation_date == np.datetime64("2023-06-08T06:37:15", "us")
    assert (message.probability, message.probability_method) == (1.862e-05, "FOSTER-1992")
    assert message.secondary.name == "DIAMANT R/B"
    assert message.secondary.international_designator == "1966-013B"
    # The ordinal dates of the test cases.
    ordinal = next(read(path.read_bytes()) for path in message_files if "Test07" in path.name)
    assert ordinal.tca == np.datetime64("2017-02-02T23:14:54.330", "us")


def test_the_same_message_as_xml_says_the_same(message_files: list[Path]) -> None:
    for path in message_files:
        text = path.read_text()
        same(read(to_xml(text)), read(text))


def changed(part: int, **values: str | None) -> str:
    """The made-up message with values replaced, or left out where None."""
    message: Parts = parts()
    for keyword, value in values.items():
        if value is None:
            del message[part][keyword]
        else:
            message[part][keyword] = value
    return kvn(message)


def test_case_blank_lines_and_comments_do_not_matter() -> None:
    lines = kvn().splitlines()
    untidy = "\n".join(
        f"\n   comment Apogee Altitude = 7 [km] \n{key.lower()}={value}\r"
        for key, _, value in (line.partition("=") for line in lines)
    )
    same(read("COMMENT first\n" + untidy), read(kvn()))


@pytest.mark.parametrize(
    ("comment", "radius_m"),
    [
        ("HBR = 15.0 [m]", 15.0),
        ("HBR                        = 20.0", 20.0),
        ("HBR = 14.8000000000000007 [m]", 14.8),
        ("hbr: 5m", 5.0),
        ("HBR=0.015 [km]", 15.0),
        ("HBR 7", 7.0),
        ("Combined Hard Body Radius (m): 1.5e1", 15.0),
        ("COMBINED_HBR = 12", 12.0),
        ("HARD_BODY_RADIUS = 3 [m]", 3.0),
    ],
)
def test_spellings_of_the_radius_in_a_comment(comment: str, radius_m: float) -> None:
    text = changed(0, HBR=None).replace("TCA ", f"COMMENT {comment}\nTCA ")
    assert read(text).hard_body_radius_m == pytest.approx(radius_m, rel=1e-15)


@pytest.mark.parametrize(
    "comment",
    [
        "HBR source = CARA",
        "HBRX = 3",
        "no radius here",
        "HBR = 3x4",
        "HBR = 1.2.3",
        "HBR = 3 [ft]",
        "HBR: 30 cm",
    ],
)
def test_other_comments_are_no_radius(comment: str) -> None:
    text = changed(0, HBR=None).replace("TCA ", f"COMMENT {comment}\nTCA ")
    assert np.isnan(read(text).hard_body_radius_m)


def test_radii_of_both_objects_are_summed() -> None:
    message = parts()
    del message[0]["HBR"]
    message[1]["HBR"] = "2 [m]"
    assert np.isnan(read(kvn(message)).hard_body_radius_m)
    message[2]["HBR"] = "0.003 [km]"
    summed = read(kvn(message))
    assert summed.hard_body_radius_m == 5.0
    assert (summed.primary.hard_body_radius_m, summed.secondary.hard_body_radius_m) == (2.0, 3.0)


def test_optional_parts_may_be_missing() -> None:
    message = parts()
    required = ("CCSDS_CDM_VERS", "TCA")
    message[0] = {key: message[0][key] for key in required}
    for each in message[1:]:
        for key in list(each):
            if "DOT_" in key or key in ("OBJECT_NAME", "CATALOG_NAME", "EPHEMERIS_NAME"):
                del each[key]
    bare = read(kvn(message))
    assert bare.primary.covariance_rtn.shape == (3, 3)
    assert bare.primary.name == bare.originator == bare.probability_method == ""
    assert np.isnat(bare.creation_date)
    assert np.isnan([bare.probability, bare.miss_distance_m, bare.hard_body_radius_m]).all()


def test_nan_and_nothing_mean_not_given() -> None:
    text = changed(0, COLLISION_PROBABILITY="NaN", MISS_DISTANCE="", RELATIVE_SPEED="nan [m/s]", HBR="N/A")
    message = read(text)
    assert np.isnan(
        [message.probability, message.miss_distance_m, message.relative_speed_m_s, message.hard_body_radius_m]
    ).all()


@pytest.mark.parametrize(
    ("keyword", "value", "kilometres"),
    [
        ("X", "7000000 [m]", 7000.0),
        ("X", "7.0D3", 7000.0),
        ("X", "+7000.", 7000.0),
        ("X", "7.0E+03 [KM]", 7e3),
    ],
)
def test_numbers_and_units_as_people_write_them(keyword: str, value: str, kilometres: float) -> None:
    assert read(changed(1, **{keyword: value})).primary.r_m[0] == kilometres * 1000.0


def test_covariances_in_square_kilometres_are_converted() -> None:
    message = read(changed(1, CR_R="1e-4 [km**2]", CRDOT_R="2e-9 [km^2/s]"))
    assert message.primary.covariance_rtn[0, 0] == pytest.approx(100.0, rel=1e-15)
    assert message.primary.covariance_rtn[3, 0] == pytest.approx(2e-3, rel=1e-15)


def test_a_name_keeps_its_brackets() -> None:
    assert read(kvn()).primary.name == "SATELLITE <000012345> [A]"
    assert read(to_xml(kvn())).primary.name == "SATELLITE <000012345> [A]"


@pytest.mark.parametrize(
    ("written", "frame"),
    [
        ("EME2000", "EME2000"),
        ("eme2000", "EME2000"),
        ("J2000", "EME2000"),
        ("GCRF", "GCRF"),
        ("ICRF", "GCRF"),
    ],
)
def test_frames_have_more_than_one_name(written: str, frame: str) -> None:
    assert read(changed(2, REF_FRAME=written)).secondary.frame == frame


def test_objects_in_the_other_order_are_still_themselves() -> None:
    header, first, second = parts()
    same(read(kvn([header, second, first])), read(kvn()))


def test_the_second_version_is_read() -> None:
    text = changed(0, CCSDS_CDM_VERS="2.0", HBR=None).replace(
        "TCA ", "CONJUNCTION_ID = 7\nCOLLISION_MAX_PROBABILITY = 1e-3\nTCA "
    )
    message = read(text.replace("REF_FRAME", "ODM_MSG_LINK = none\nREF_FRAME"))
    assert message.version == "2.0"
    assert message.secondary.designator == "000067890"


def test_several_messages_in_one_text() -> None:
    other = changed(0, MESSAGE_ID="2")
    assert [m.message_id for m in read_messages(kvn() + "\n" + other)] == ["1", "2"]
    both = "<ndm>" + "".join(to_xml(text).split("\n", 1)[1] for text in (kvn(), other)) + "</ndm>"
    assert [m.message_id for m in read_messages(both)] == ["1", "2"]


def test_bytes_of_other_encodings_are_read() -> None:
    text = changed(1, OBJECT_NAME="SATÉLITE")
    for data in (text.encode("utf-8-sig"), text.encode("utf-16"), text.encode("latin-1")):
        assert read(data).primary.name == "SATÉLITE"
