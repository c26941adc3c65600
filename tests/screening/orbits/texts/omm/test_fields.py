"""Conversion of published texts, whatever format they came in."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from screening.orbits.elements import ElementArray, Rejection
from screening.orbits.texts.omm.fields import NO_NUMBER, gather, to_elements, unit_problem
from screening.orbits.texts.rejections import Rejections

Texts = dict[str, str]


def converted(*records: Texts) -> tuple[ElementArray, list[Rejection]]:
    elements, _, rejected = to_elements(
        gather([(10 + i, record) for i, record in enumerate(records)], Rejections())
    )
    return elements, rejected


def test_converts_every_field(vanguard: Texts) -> None:
    elements, rejected = converted(vanguard)
    assert rejected == []
    assert elements[0].item() == (
        5,
        "VANGUARD 1",
        "1958-002B",
        2460612.5,
        0.51300339,  # 12:18:43.492896 is this fraction exactly
        10.8574679,
        0.1843421,
        34.2551,
        352.8583,
        332.7861,
        18.6796,
        0.0016091,
        1.286e-05,
        0.0,
        999,
        37861,
        "U",
        0,
        0,  # a general set
    )


def test_fills_in_what_may_be_missing(vanguard: Texts) -> None:
    optional = {
        "OBJECT_NAME": ("name", ""),
        "OBJECT_ID": ("object_id", ""),
        "CLASSIFICATION_TYPE": ("classification", "U"),
        "EPHEMERIS_TYPE": ("ephemeris_type", 0),
        "ELEMENT_SET_NO": ("element_set_number", 999),
        "REV_AT_EPOCH": ("revolution_at_epoch", 0),
        "MEAN_MOTION_DOT": ("mean_motion_dot_rev_day2", 0.0),
        "MEAN_MOTION_DDOT": ("mean_motion_ddot_rev_day3", 0.0),
    }
    absent = {keyword: text for keyword, text in vanguard.items() if keyword not in optional}
    elements, rejected = converted(absent, vanguard | dict.fromkeys(optional, " "))
    assert rejected == []
    for field, default in optional.values():
        assert elements[field].tolist() == [default, default]


@pytest.mark.parametrize(
    "keyword",
    [
        "NORAD_CAT_ID",
        "EPOCH",
        "MEAN_MOTION",
        "ECCENTRICITY",
        "INCLINATION",
        "RA_OF_ASC_NODE",
        "ARG_OF_PERICENTER",
        "MEAN_ANOMALY",
        "BSTAR",
    ],
)
def test_rejects_what_must_not_be_missing(vanguard: Texts, keyword: str) -> None:
    absent = {key: text for key, text in vanguard.items() if key != keyword}
    elements, rejected = converted(vanguard, absent, vanguard | {keyword: " "})
    assert len(elements) == 1
    label, why = ("VANGUARD 1 1958-002B", f", {NO_NUMBER}") if keyword == "NORAD_CAT_ID" else ("5", "")
    assert rejected == [Rejection(line, label, f"{keyword} is missing{why}") for line in (11, 12)]


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-Infinity", "1_0", "1,5", "0x1p3", "1.5.2", "1e", "١", "--1", "1 2", ".", "NULL"]
)
@pytest.mark.parametrize("keyword", ["MEAN_MOTION", "BSTAR", "MEAN_MOTION_DDOT"])
def test_rejects_what_is_no_decimal_number(vanguard: Texts, keyword: str, text: str) -> None:
    elements, rejected = converted(vanguard | {keyword: text}, vanguard)
    assert len(elements) == 1
    assert rejected == [Rejection(10, "5", f"{keyword} '{text}' must be a decimal number")]


@pytest.mark.parametrize(("text", "value"), [("+.5", 0.5), ("5.", 5.0), (" -8E-1 ", -0.8), ("1e+2", 100.0)])
def test_reads_decimal_numbers(vanguard: Texts, text: str, value: float) -> None:
    elements, _ = converted(vanguard | {"BSTAR": text})
    assert elements["bstar_per_earth_radius"][0] == value


@pytest.mark.parametrize(
    ("keyword", "text", "reason"),
    [
        ("NORAD_CAT_ID", "25544.5", "NORAD_CAT_ID '25544.5' must be a whole number"),
        ("NORAD_CAT_ID", "A0000", "NORAD_CAT_ID 'A0000' must be a whole number"),
        ("NORAD_CAT_ID", "5,6", "NORAD_CAT_ID '5,6' must be a whole number"),
        ("NORAD_CAT_ID", 30 * "9", f"NORAD_CAT_ID '{30 * '9'}' must be a whole number"),
        ("EPHEMERIS_TYPE", "300", "EPHEMERIS_TYPE 300 must be from -128 to 127"),
        ("REV_AT_EPOCH", "2147483648", "REV_AT_EPOCH 2147483648 must be from -2147483648 to 2147483647"),
        ("ELEMENT_SET_NO", "nine", "ELEMENT_SET_NO 'nine' must be a whole number"),
    ],
)
def test_rejects_what_is_no_whole_number(vanguard: Texts, keyword: str, text: str, reason: str) -> None:
    _, rejected = converted(vanguard | {keyword: text})
    assert [rejection.reason for rejection in rejected] == [reason]


@pytest.mark.parametrize(
    ("text", "number"), [("25544.0", 25544), (" 00005", 5), ("+7", 7), ("+7.", 7), ("999999999", 999999999)]
)
def test_reads_whole_numbers(vanguard: Texts, text: str, number: int) -> None:
    elements, _ = converted(vanguard | {"NORAD_CAT_ID": text})
    assert elements["norad_id"][0] == number


@pytest.mark.slow
@pytest.mark.parametrize("keyword", ["BSTAR", "NORAD_CAT_ID"])
@given(texts=st.lists(st.text("019.eE+-,", min_size=1, max_size=20), max_size=4))
@example(
    texts=["1e5", ".5", "5.", "-1.e-5", "1e", ".", "+-1", "25544", "-7", 18 * "9", 19 * "9", "0" + 18 * "9"]
)
def test_a_column_is_read_as_its_texts_are_one_by_one(
    vanguard: Texts, keyword: str, texts: list[str]
) -> None:
    at_once = converted(*(vanguard | {keyword: text} for text in texts))
    # The blank is no character of a plain number, so each text is looked at.
    one_by_one = converted(*(vanguard | {keyword: f" {text}"} for text in texts))
    assert at_once[0].tolist() == one_by_one[0].tolist()
    assert [rejection.reason for rejection in at_once[1]] == [rejection.reason for rejection in one_by_one[1]]


@pytest.mark.parametrize(
    ("keyword", "good", "bad", "allowed"),
    [
        ("CENTER_NAME", "Earth", "MOON", "EARTH"),
        ("REF_FRAME", "TEME", "EME2000", "TEME"),
        ("TIME_SYSTEM", "utc", "TAI", "UTC"),
        ("MEAN_ELEMENT_THEORY", "SGP/SGP4", "SGP4-XP", "SGP4 or SGP/SGP4"),
    ],
)
def test_rejects_elements_of_another_frame_or_theory(
    vanguard: Texts, keyword: str, good: str, bad: str, allowed: str
) -> None:
    elements, rejected = converted(vanguard | {keyword: good}, vanguard | {keyword: bad}, vanguard)
    assert len(elements) == 2
    assert rejected == [Rejection(11, "5", f"{keyword} '{bad}' must be {allowed}")]


def test_shortens_what_it_quotes(vanguard: Texts) -> None:
    _, rejected = converted(vanguard | {"EPOCH": 5000 * "x"})
    assert rejected[0].reason.startswith(f"EPOCH '{40 * 'x'}...' must be YYYY-MM-DDThh:mm:ss")
    assert len(rejected[0].reason) < 150


def test_makes_names_printable_and_cuts_them_to_the_field(vanguard: Texts) -> None:
    names = ("A\nB\x00C\x1b[1m", "\ud800", 100 * "n", "Ω-1 «Ё»", "FENGYUN 1C  DEB")
    elements, rejected = converted(*(vanguard | {"OBJECT_NAME": name} for name in names))
    assert rejected == []
    assert elements["name"].tolist() == ["A B C [1m", "", 64 * "n", "Ω-1 «Ё»", "FENGYUN 1C  DEB"]


def test_checks_units_where_they_are_stated() -> None:
    assert unit_problem("MEAN_MOTION", " rev/day ") is None
    assert unit_problem("MEAN_MOTION_DOT", "REV/DAY**2") is None
    assert unit_problem("BSTAR", "1/ER") is None
    assert unit_problem("INCLINATION", "") is None
    assert unit_problem("INCLINATION", "rad") == "INCLINATION is given in rad, must be in deg"
    assert unit_problem("MEAN_MOTION", "rad/s") == "MEAN_MOTION is given in rad/s, must be in rev/day"
