"""Files with facts about objects: recognised by their columns, read record by record."""

import csv
from pathlib import Path

import pytest

from screening.errors import InputError
from screening.orbits.elements import Rejection
from storage.state.fact_files import parse_facts
from storage.state.records import RadiusFact, SatcatFact

RADII = "ObjectID,HBR,HBRSigma,HBRSource,Mass,MassSigma,MassSource"
SATCAT = "OBJECT_NAME,OBJECT_ID,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE,OWNER,LAUNCH_DATE"


def radii(*records: str) -> bytes:
    return "\n".join([RADII, *(f"{record},0,measured,,0,x" for record in records), ""]).encode()


def satcat(*records: str) -> bytes:
    return "\r\n".join(
        [SATCAT, *(f"NAME,1998-067A,{record},US,1998-11-20" for record in records), ""]
    ).encode()


@pytest.mark.slow
def test_the_file_of_cara_is_counted_as_csv_reads_it(shared_file) -> None:
    path: Path = shared_file("hbr/HBR_Mass_Estimates_20260601.csv")
    found = parse_facts(path.read_bytes(), str(path))
    with path.open(newline="") as file:
        records = list(csv.DictReader(file))
    known = {int(r["ObjectID"]): (float(r["HBR"]), r["HBRSource"]) for r in records if r["HBR"]}
    defaults = {number for number, (_, estimate) in known.items() if estimate == "Default"}
    beyond = {number for number, (radius_m, _) in known.items() if not 0.01 <= radius_m <= 100}
    assert found.kind == "radii"
    assert (len(records), len(known), len(defaults)) == (58_609, 23_583, 5_581)
    assert beyond == {26113}  # 250 m
    assert {f.norad_id: (f.radius_m, f.estimate) for f in found.facts} == {
        number: fact for number, fact in known.items() if number not in beyond | defaults
    }
    assert sum(r["HBR"] == "" for r in records) == 35_026
    assert found.blank == 35_026 + 5_581  # a default is no knowledge of an object
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if text.startswith("26113,"))
    assert found.rejected == [Rejection(line, "26113", "HBR 250 m must be from 0.01 to 100 m")]


@pytest.mark.parametrize(
    ("codes", "object_type", "status"),
    [
        ("PAY,+", "payload", "operational"),
        ("PAY,-", "payload", "nonoperational"),
        ("PAY,P", "payload", "partially_operational"),
        ("PAY,B", "payload", "backup"),
        ("PAY,S", "payload", "spare"),
        ("PAY,X", "payload", "extended_mission"),
        ("PAY,U", "payload", "operational"),
        ("PAY,?", "payload", None),
        ("R/B,D", "rocket_body", "decayed"),
        ("DEB,", "debris", None),
        ("UNK,", None, None),
        (",", None, None),
    ],
)
def test_satcat_codes_become_words(codes: str, object_type: str | None, status: str | None) -> None:
    found = parse_facts(satcat(f"25544,{codes}"), "satcat.csv")
    assert (found.kind, found.blank, found.rejected) == ("satcat", 0, [])
    assert found.facts == [SatcatFact(25544, object_type, status)]


WHOLE_SATCAT = (
    "OBJECT_NAME,OBJECT_ID,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE,OWNER,LAUNCH_DATE,LAUNCH_SITE,DECAY_DATE,"
    "PERIOD,INCLINATION,APOGEE,PERIGEE,RCS,DATA_STATUS_CODE,ORBIT_CENTER,ORBIT_TYPE"
)


def whole_satcat(number: int, end: str) -> bytes:
    record = f"NAME,1998-067A,{number},PAY,+,ISS,1998-11-20,TYMSC,,92.94,51.63,424,414,{end}"
    return f"{WHOLE_SATCAT}\r\n{record}\r\n".encode()


@pytest.mark.parametrize(
    ("end", "rcs_m2", "docked_to"),
    [
        ("399.0524,,EA,ORB", 399.0524, None),
        (",,25544,DOC", None, 25544),  # as CelesTrak has Nauka
        (",,EA,ORB", None, None),
        ("0.0000,,EA,ORB", None, None),
        ("0.0002,NCE,EA,IMP", 0.0002, None),
        ("1.5,,MO,ORB", 1.5, None),
    ],
)
def test_a_satcat_has_cross_sections_and_what_is_docked(
    end: str, rcs_m2: float | None, docked_to: int | None
) -> None:
    found = parse_facts(whole_satcat(49044, end), "satcat.csv")
    assert found.rejected == []
    assert found.facts == [SatcatFact(49044, "payload", "operational", rcs_m2, docked_to)]


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("nan,,EA,ORB", "RCS nan m2 must be from 0 to 10000 m2"),
        ("-1,,EA,ORB", "RCS -1 m2 must be"),
        ("inf,,EA,ORB", "RCS inf m2 must be"),
        ("N/A,,EA,ORB", "RCS 'N/A' must be a number of square metres"),
        (",,EA,DOC", "ORBIT_CENTER 'EA' must be a number from 1"),
        (",,25544", "it has 16 values for 17 columns"),  # cut off
    ],
)
def test_a_bad_cross_section_or_dock_is_rejected(end: str, told: str) -> None:
    text = whole_satcat(5, "1,,EA,ORB") + whole_satcat(49044, end).split(b"\r\n")[1]
    found = parse_facts(text, "satcat.csv")
    assert [fact.norad_id for fact in found.facts] == [5]
    assert [(r.line, told in r.reason) for r in found.rejected] == [(3, True)]


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("7,250", "HBR 250 m must be from 0.01 to 100 m"),
        ("7,0", "HBR 0 m must be"),
        ("7,-1", "HBR -1 m must be"),
        ("7,nan", "HBR nan m must be"),
        ("7,inf", "HBR inf m must be"),
        ("7,five", "HBR 'five' must be a number of metres"),
        ("0,1", "ObjectID '0' must be a number from 1 to 999999999"),
        ("1000000000,1", "ObjectID '1000000000' must be"),
        ("-7,1", "ObjectID '-7' must be"),
        ("1_0,1", "ObjectID '1_0' must be"),
        ("\N{ARABIC-INDIC DIGIT SEVEN},1", "must be a number from 1"),
        (",1", "ObjectID '' must be"),
        ("5,2", "an earlier record describes the same object"),
        ("7,1,2", "it has 8 values for 7 columns"),
    ],
)
def test_a_bad_radius_is_rejected_with_its_line_and_the_rest_is_read(record: str, told: str) -> None:
    found = parse_facts(radii("5,1.5", record, "6,", "999999999,100"), "radii.csv")
    assert found.facts == [RadiusFact(5, 1.5, "measured"), RadiusFact(999_999_999, 100.0, "measured")]
    assert found.blank == 1
    (rejection,) = found.rejected
    assert rejection.line == 3
    assert told in rejection.reason


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("7,PAYLOAD,+", "OBJECT_TYPE 'PAYLOAD' must be one of PAY, R/B, DEB, UNK, or blank"),
        ("7,PAY,W", "OPS_STATUS_CODE 'W' must be one of +, -, P, B, S, X, D, U, ?, or blank"),
        ("x,PAY,+", "NORAD_CAT_ID 'x' must be"),
    ],
)
def test_a_bad_record_of_a_satcat_is_rejected(record: str, told: str) -> None:
    found = parse_facts(satcat("5,PAY,+", record), "satcat.csv")
    assert [fact.norad_id for fact in found.facts] == [5]
    assert [(r.line, r.reason) for r in found.rejected] == [(3, found.rejected[0].reason)]
    assert told in found.rejected[0].reason


def test_columns_stand_in_any_order_with_others_between_and_a_byte_order_mark() -> None:
    text = '\ufeffHBRSource, HBR ,Note,ObjectID\r\n\r\n"a, b",2,"two\nlines",5\r\n c , 3 ,, 6 \r\nd,0,,7\r\n'
    found = parse_facts(text.encode(), "radii.csv")
    assert found.facts == [RadiusFact(5, 2.0, "a, b"), RadiusFact(6, 3.0, "c")]
    assert [(r.line, r.record) for r in found.rejected] == [(6, "7")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "begins with ''"),
        (b"\n\n", "begins with ''"),
        (b"\x00\xff\xfe" * 1000, "begins with "),
        (b"NORAD_CAT_ID,OBJECT_TYPE\n5,PAYLOAD\n", "begins with 'NORAD_CAT_ID,OBJECT_TYPE'"),
        (b"ObjectID,HBR,HBRSource\n", "has no usable record"),
        (radii("5,900"), "The first: line 2 (5): HBR 900 m must be"),
        (radii("5,1") + b'"' + (b"x" * 10_000 + b"\n") * 20, "is not a CSV file (field larger than"),
    ],
)
def test_another_kind_of_file_is_refused_with_what_was_expected(text: bytes, told: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_facts(text, "/a/file.csv")
    message = str(refused.value)
    assert message.startswith("/a/file.csv ")
    assert told in message
    assert "ObjectID,HBR,HBRSource" in message
    assert "OBJECT_TYPE,OPS_STATUS_CODE" in message
    assert "\n" not in message
    assert len(message) < 500


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (b"x" * 16_385, "Line 3 of radii.csv has 16,385 characters; 16,384 are allowed"),
        (b'"' + b"x\n" * 101, "begins in line 3 of radii.csv has more than 100 lines"),
        (b'"x\n",' * 101, "begins in line 3 of radii.csv has more than 100 lines"),
    ],
)
def test_a_record_without_end_is_refused(end: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_facts(radii("5,1") + end, "radii.csv")


def test_more_records_than_any_such_file_has_are_refused_and_few_of_the_rejected_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("screening.orbits.texts.rejections.MAX_RECORDS", 51)
    monkeypatch.setattr("screening.orbits.texts.rejections.KEPT_REJECTIONS", 10)
    found = parse_facts(radii("5,1", *["0,1"] * 49), "radii.csv")
    assert (len(found.facts), len(found.rejected), found.more_rejected) == (1, 10, 39)
    with pytest.raises(InputError, match="more than 51 records"):
        parse_facts(radii("5,1", *["0,1"] * 51), "radii.csv")
