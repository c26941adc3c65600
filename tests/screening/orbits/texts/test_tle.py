"""Two-line element sets against python-sgp4, and the damage that they come with."""

import gzip
from collections.abc import Callable
from math import degrees, pi
from pathlib import Path

import numpy as np
import pytest
from sgp4 import omm
from sgp4.api import Satrec
from sgp4.exporter import export_tle
from sgp4.io import fix_checksum

from screening.orbits.elements import ElementArray, Rejection, validate
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.fields import to_elements
from screening.orbits.texts.plain_tle import plain_pairs
from screening.orbits.texts.tle import TLE_EPOCH, read_tle

Texts = dict[str, str]
Pair = tuple[str, str]

MINUTES_PER_DAY = 1440.0
# python-sgp4 keeps radians and minutes; a few roundings lie between them and the published units.
ROUNDINGS = 1e-14
# The last digit of a published epoch is 0.9 ms; python-sgp4 rounds to it, so nothing is lost but rounding.
EPOCH_TOLERANCE_S = 1e-6

ISS_1 = "1 25544U 98067A   24306.51782528  .00016717  00000-0  30074-3 0  9991"
ISS_2 = "2 25544  51.6400 208.9163 0006317  69.9862  25.2906 15.49970085479321"
HUBBLE_1 = "1 20580U 90037B   24306.24791667  .00005678  00000-0  27654-3 0  9992"
HUBBLE_2 = "2 20580  28.4699 161.2345 0002345 321.0987  38.9876 15.15432109123454"


@pytest.fixture
def iss() -> Pair:
    return fix_checksum(ISS_1), fix_checksum(ISS_2)


@pytest.fixture
def hubble() -> Pair:
    return fix_checksum(HUBBLE_1), fix_checksum(HUBBLE_2)


def read(text: str) -> tuple[ElementArray, list[Rejection]]:
    """Read and validate, but keep the order and every set of an object."""
    pieces = [to_elements(piece, TLE_EPOCH) for piece in read_tle(text, "the text")]
    elements, lines = (np.concatenate([piece[k] for piece in pieces]) for k in (0, 1))
    elements, invalid = validate(elements, lines)
    return elements, [one for piece in pieces for one in piece[2]] + invalid


def assert_same_as_python_sgp4(elements: ElementArray, pairs: list[Pair]) -> None:
    assert len(elements) == len(pairs)
    for record, (line_1, line_2) in zip(elements, pairs, strict=True):
        satellite = Satrec.twoline2rv(line_1, line_2)
        assert record["norad_id"] == satellite.satnum
        assert record["classification"] == satellite.classification
        assert record["ephemeris_type"] == satellite.ephtype
        assert record["element_set_number"] == satellite.elnum
        assert record["revolution_at_epoch"] == satellite.revnum
        assert record["object_id"].replace("-", "")[2:] == satellite.intldesg
        difference_days = (record["epoch_jd"] - satellite.jdsatepoch) + (
            record["epoch_day_fraction"] - satellite.jdsatepochF
        )
        assert abs(difference_days) * 86400 < EPOCH_TOLERANCE_S
        for field, value in (
            ("mean_motion_rev_day", satellite.no_kozai * MINUTES_PER_DAY / (2 * pi)),
            ("eccentricity", satellite.ecco),
            ("inclination_deg", degrees(satellite.inclo)),
            ("raan_deg", degrees(satellite.nodeo)),
            ("argument_of_perigee_deg", degrees(satellite.argpo)),
            ("mean_anomaly_deg", degrees(satellite.mo)),
            ("bstar_per_earth_radius", satellite.bstar),
            ("mean_motion_dot_rev_day2", satellite.ndot * MINUTES_PER_DAY**2 / (2 * pi)),
            ("mean_motion_ddot_rev_day3", satellite.nddot * MINUTES_PER_DAY**3 / (2 * pi)),
        ):
            assert record[field] == pytest.approx(value, rel=ROUNDINGS, abs=0), field


def test_reads_the_official_verification_file_as_python_sgp4_does(shared_file: Callable[[str], Path]) -> None:
    text = shared_file("frames/SGP4-VER.TLE").read_text()
    lines = [line for line in text.splitlines() if line.startswith(("1 ", "2 "))]
    as_published = list(zip(lines[::2], lines[1::2], strict=True))
    # Made for tests by changing other sets, three have the checksums of the sets that they were made from.
    _, rejected = read(text)
    assert [rejection.record[2:7] for rejection in rejected] == ["33333", "33334", "33335"]
    assert all("gives its checksum as" in rejection.reason for rejection in rejected)
    repaired = [(fix_checksum(a), fix_checksum(b) + b[69:]) for a, b in as_published]
    elements, rejected = read("\n".join(line for pair in repaired for line in pair))
    assert rejected == []
    assert len(elements) == 33
    assert_same_as_python_sgp4(elements, repaired)


def test_reads_an_export_of_real_elements_as_python_sgp4_does(real_records: list[Texts]) -> None:
    pairs = []
    for record in real_records:
        if int(record["NORAD_CAT_ID"]) <= 339999:
            satellite = Satrec()
            omm.initialize(satellite, record)
            pairs.append(export_tle(satellite))
    assert len(pairs) > 490
    text = "\n".join(f"0 OBJECT\n{line_1}\n{line_2}" for line_1, line_2 in pairs)
    elements, rejected = read(text)
    assert rejected == []
    assert_same_as_python_sgp4(elements, pairs)


def test_reads_names_blank_lines_comments_and_line_ends(iss: Pair, hubble: Pair) -> None:
    lines = ["# two", "0 ISS (ZARYA)", *iss, "", "HST  ", hubble[0] + "  ", hubble[1] + " 0.0 1440.0"]
    for end in ("\n", "\r\n", "\r"):
        catalogue = parse_catalogue(end.join(lines).encode())
        assert catalogue.text_format == "tle"
        assert catalogue.rejected == []
        assert catalogue.elements["name"].tolist() == ["HST", "ISS (ZARYA)"]
        assert catalogue.elements["object_id"].tolist() == ["1990-037B", "1998-067A"]
    nameless = parse_catalogue("\n".join([*iss, *hubble]))
    assert nameless.elements["name"].tolist() == ["", ""]


@pytest.mark.parametrize("name", ["0 2 BE OR NOT", "1 WEB", "2020 SO", "0", "STARLINK-1 [-]"])
def test_takes_names_that_begin_like_element_lines(iss: Pair, hubble: Pair, name: str) -> None:
    catalogue = parse_catalogue("\n".join([name, *iss, name, *hubble]))
    assert catalogue.rejected == []
    assert catalogue.elements["name"].tolist() == [name.removeprefix("0 ")] * 2


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("00005", 5),
        ("    5", 5),
        ("99999", 99999),
        ("A0000", 100000),
        ("H9999", 179999),
        ("J0000", 180000),
        ("N9999", 229999),
        ("P0000", 230000),
        ("Z9999", 339999),
    ],
)
def test_reads_alpha_5_numbers(iss: Pair, text: str, number: int) -> None:
    elements, rejected = read("\n".join(fix_checksum(line.replace("25544", text, 1)) for line in iss))
    assert rejected == []
    assert elements["norad_id"].tolist() == [number]


@pytest.mark.parametrize("text", ["I0000", "O0000", "a0000", "A000 ", "-0005"])
def test_refuses_other_numbers(iss: Pair, hubble: Pair, text: str) -> None:
    changed = [fix_checksum(line.replace("25544", text, 1)) for line in iss]
    elements, rejected = read("\n".join([*changed, *hubble]))
    assert elements["norad_id"].tolist() == [20580]
    assert [(r.line, r.record) for r in rejected] == [(1, changed[0])]
    assert rejected[0].reason.startswith(f"line 1 columns 3-7, NORAD_CAT_ID: '{text}' must be five digits")


@pytest.mark.parametrize(
    ("epoch", "jd"),
    [
        ("57001.00000000", 2435839.5),
        ("00060.50000000", 2451603.5),
        ("56366.00000000", 2472363.5),
        ("23366.00000000", 2460310.5),  # day 366 of a common year is 1 January
        (" 5001.00000000", 2453371.5),
    ],
)
def test_reads_two_digit_years(iss: Pair, epoch: str, jd: float) -> None:
    elements, rejected = read("\n".join([fix_checksum(iss[0].replace("24306.51782528", epoch)), iss[1]]))
    assert rejected == []
    assert elements["epoch_jd"].tolist() == [jd]


@pytest.mark.parametrize("epoch", ["24000.50000000", "24367.00000000"])
def test_refuses_days_outside_the_year(iss: Pair, hubble: Pair, epoch: str) -> None:
    changed = fix_checksum(iss[0].replace("24306.51782528", epoch))
    elements, rejected = read("\n".join([changed, iss[1], *hubble]))
    assert elements["norad_id"].tolist() == [20580]
    assert rejected == [
        Rejection(1, "25544", f"EPOCH '{epoch}' must be YYDDD.DDDDDDDD with a day of the year from 1 to 366")
    ]


def test_shows_the_element_line_whose_partner_is_missing(iss: Pair, hubble: Pair) -> None:
    elements, rejected = read("\n".join(["ISS", iss[0], "HST", *hubble, iss[1], "LAST", ""]))
    assert elements["norad_id"].tolist() == [20580]
    assert sorted(rejected) == [
        Rejection(1, iss[0], "this line 1 must be followed by its line 2"),
        Rejection(6, iss[1], "this line 2 must follow its line 1"),
        Rejection(7, "LAST", "neither an element line nor a name followed by line 1"),
    ]


def test_refuses_lines_of_two_objects(iss: Pair, hubble: Pair) -> None:
    _, rejected = read("\n".join([iss[0], hubble[1]]))
    assert rejected == [Rejection(1, hubble[1], "line 1 is of object 25544, line 2 must be of the same")]


@pytest.mark.parametrize("which", [0, 1])
def test_refuses_a_wrong_checksum(iss: Pair, hubble: Pair, which: int) -> None:
    lines = list(iss)
    tally = int(lines[which][68])
    lines[which] = lines[which][:68] + str((tally + 1) % 10)
    elements, rejected = read("\n".join([*lines, *hubble]))
    assert elements["norad_id"].tolist() == [20580]
    reason = f"line {which + 1} gives its checksum as {(tally + 1) % 10} but tallies to {tally}"
    assert rejected == [Rejection(1, lines[which], reason)]


@pytest.mark.parametrize(("which", "columns"), [(0, 68), (0, 40), (1, 68), (1, 10)])
def test_refuses_a_line_that_is_cut_off(iss: Pair, hubble: Pair, which: int, columns: int) -> None:
    lines = list(iss)
    lines[which] = lines[which][:columns]
    elements, rejected = read("\n".join([*lines, *hubble]))
    assert elements["norad_id"].tolist() == [20580]
    shown = lines[which].rstrip()
    reason = f"line {which + 1} has {len(shown)} columns, must have 69"
    assert rejected == [Rejection(1, shown, reason)]


def test_reads_lines_without_checksums_if_none_has_one(iss: Pair, hubble: Pair) -> None:
    expected, _ = read("\n".join([*iss, *hubble]))
    for without in ((0, 1), (0,), (1,)):
        lines = [line[:68] if i % 2 in without else line for i, line in enumerate([*iss, *hubble])]
        elements, rejected = read("\n".join(lines))
        assert rejected == [], without
        assert elements.tobytes() == expected.tobytes()


def test_reads_indented_lines_with_comments_between(iss: Pair, hubble: Pair) -> None:
    lines = [
        "# two",
        "     ISS",
        f"  {iss[0]}",
        "  # between",
        f"\t{iss[1]}",
        *(f"    {x}" for x in hubble),
        "  #",
    ]
    catalogue = parse_catalogue("\n".join(lines))
    assert catalogue.rejected == []
    assert catalogue.elements["name"].tolist() == ["", "ISS"]


@pytest.mark.parametrize(
    ("which", "start", "text", "reason"),
    [
        (0, 33, " .0001671x", "line 1 columns 34-43, MEAN_MOTION_DOT: ' .0001671x' must be a fraction"),
        # A digit more before the point once shifted every field behind it by a column.
        (
            0,
            33,
            " 1.00016717  00000-0  30074-3 0  999",
            "line 1 columns 34-43, MEAN_MOTION_DOT: ' 1.0001671'",
        ),
        (0, 53, " 30074*3", "line 1 columns 54-61, BSTAR: ' 30074*3' must be digits and a power of ten"),
        (0, 18, "2430651782.528", "line 1 columns 19-32, EPOCH: '2430651782.528' must be YYDDD.DDDDDDDD"),
        (0, 8, "x", "line 1 must have blanks between its columns"),
        (1, 26, "     nan"[:7], "line 2 columns 27-33, ECCENTRICITY: '     na' must be seven digits"),
        (1, 8, " 51,6400", "line 2 columns 9-16, INCLINATION: ' 51,6400' must be degrees"),
        (1, 52, "15.4997008é", "line 2 columns 53-63, MEAN_MOTION: '15.4997008é' must be rev/day"),
        (1, 8, "251.6400", "INCLINATION 251.64 must be from 0 to 180 deg"),
        (1, 52, "00.00000000", "MEAN_MOTION 0.0 must be above 0"),
    ],
)
def test_names_the_columns_that_are_wrong(
    iss: Pair, hubble: Pair, which: int, start: int, text: str, reason: str
) -> None:
    lines = list(iss)
    lines[which] = lines[which][:start] + text + lines[which][start + len(text) :]
    if text.isascii():
        lines[which] = fix_checksum(lines[which])
    elements, rejected = read("\n".join([*lines, *hubble]))
    assert elements["norad_id"].tolist() == [20580]
    assert [rejection.line for rejection in rejected] == [1]
    assert rejected[0].reason.startswith(reason)


def test_reads_blanks_as_the_format_uses_them(iss: Pair) -> None:
    line_1 = fix_checksum("1 88888U          80275.98708465  .00073094  13844-3  66816-4      8 ")
    line_2 = fix_checksum("2 88888  72.8435 115.9689   86731  52.6988 110.5714 16.05824518  105 ")
    elements, rejected = read(f"{line_1}\n{line_2}")
    assert rejected == []
    assert elements["object_id"].tolist() == [""]
    assert elements["ephemeris_type"].tolist() == [0]
    assert elements["eccentricity"].tolist() == [0.0086731]
    assert elements["bstar_per_earth_radius"].tolist() == [0.66816e-4]


def test_usual_lines_give_the_bits_that_single_lines_give(shared_file: Callable[[str], Path]) -> None:
    """A column behind the checksum keeps lines from being read at once."""
    text = gzip.decompress(shared_file("history/catalogues/20140101.tle.gz").read_bytes()).decode()
    lines = text.splitlines()[:3000]
    at_once, _ = read("\n".join(lines) + "\n")
    one_by_one, _ = read(
        "".join(f"{line} x\n" if line[:2] in ("1 ", "2 ") else f"{line}\n" for line in lines)
    )
    assert len(at_once) == 1000
    assert at_once.tobytes() == one_by_one.tobytes()
    assert_same_as_python_sgp4(at_once, list(zip(lines[1::3], lines[2::3], strict=True)))


def test_a_wrong_digit_among_usual_lines_loses_one_set(iss: Pair, hubble: Pair) -> None:
    damaged = hubble[1].replace("28.4699", "28.4698")
    elements, rejected = read("\n".join((*iss, hubble[0], damaged, *hubble)) + "\n")
    assert [one["norad_id"] for one in elements] == [25544, 20580]
    assert [(one.line, "tallies" in one.reason) for one in rejected] == [(3, True)]


@pytest.mark.parametrize("number", ["1 2 4", "  1  "])
def test_a_blank_inside_a_number_is_no_usual_line(iss: Pair, number: str) -> None:
    assert plain_pairs("\n".join(iss)) is not None
    assert plain_pairs("\n".join(fix_checksum(line[:2] + number + line[7:]) for line in iss)) is None
