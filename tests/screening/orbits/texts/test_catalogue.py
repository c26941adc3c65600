"""Any text to a catalogue: the format by content, one set an object, errors that show the text."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from screening.errors import InputError, UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.fields import REQUIRED

Texts = dict[str, str]

METADATA = {"CENTER_NAME": "EARTH", "REF_FRAME": "TEME", "TIME_SYSTEM": "UTC", "MEAN_ELEMENT_THEORY": "SGP4"}


def as_csv(records: list[Texts]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


def as_json(records: list[Texts]) -> str:
    return json.dumps(records)


def as_xml(records: list[Texts]) -> str:
    segments = []
    for record in records:
        metadata = "".join(f"<{key}>{text}</{key}>" for key, text in METADATA.items())
        elements = "".join(f"<{key}>{escape(text)}</{key}>" for key, text in record.items())
        segments.append(
            f"<omm><body><segment><metadata>{metadata}</metadata><data>{elements}</data></segment></body></omm>"
        )
    return f"<ndm>{''.join(segments)}</ndm>"


def as_kvn(records: list[Texts]) -> str:
    messages = (METADATA | record for record in records)
    return "".join(
        "CCSDS_OMM_VERS = 2.0\n" + "".join(f"{key} = {text}\n" for key, text in message.items())
        for message in messages
    )


WRITERS: dict[str, Callable[[list[Texts]], str]] = {
    "omm-csv": as_csv,
    "omm-json": as_json,
    "omm-xml": as_xml,
    "omm-kvn": as_kvn,
}
each_format = pytest.mark.parametrize("text_format", list(WRITERS))


def test_reads_the_whole_real_catalogue(real_catalogue: Path) -> None:
    catalogue = parse_catalogue(real_catalogue.read_bytes())
    assert len(catalogue.elements) == 26834
    assert (catalogue.rejected, catalogue.superseded, catalogue.text_format) == ([], 0, "omm-csv")
    assert (catalogue.elements["norad_id"][1:] > catalogue.elements["norad_id"][:-1]).all()
    assert (catalogue.elements["norad_id"] >= 100000).sum() == 304
    assert (catalogue.elements["object_id"] == "").sum() == 494


def test_every_format_gives_the_same_bits(real_records: list[Texts]) -> None:
    records = [record | {"NORAD_CAT_ID": str(999_999_999 - i)} for i, record in enumerate(real_records[:20])]
    records += real_records
    records.append(real_records[0] | {"NORAD_CAT_ID": "1", "OBJECT_NAME": "", "OBJECT_ID": ""})
    catalogues = {name: parse_catalogue(write(records)) for name, write in WRITERS.items()}
    assert {name: catalogue.text_format for name, catalogue in catalogues.items()} == {n: n for n in WRITERS}
    expected = catalogues["omm-csv"].elements
    assert len(expected) == 521
    assert (expected["norad_id"][0], expected["norad_id"][-1]) == (1, 999_999_999)
    for catalogue in catalogues.values():
        assert catalogue.rejected == []
        assert catalogue.elements.tobytes() == expected.tobytes()


@each_format
@pytest.mark.parametrize(
    ("keyword", "text", "reason"),
    [
        ("ECCENTRICITY", "1.0", "ECCENTRICITY 1.0 must be at least 0 and below 1"),
        ("ECCENTRICITY", "NaN", "ECCENTRICITY 'NaN' must be a decimal number"),
        ("MEAN_MOTION", "-inf", "MEAN_MOTION '-inf' must be a decimal number"),
        ("NORAD_CAT_ID", "1000000000", "NORAD_CAT_ID 1000000000 must be from 1 to 999999999"),
        ("EPOCH", "1956-366T00:00:00", "EPOCH 1956-12-31 must be in the years 1957 to 2100"),
        (
            "EPHEMERIS_TYPE",
            "4",
            "EPHEMERIS_TYPE 4 must be 0 or 2, SGP4 (4, SGP4-XP, is not supported)",
        ),
        ("MEAN_ANOMALY", "", "MEAN_ANOMALY is missing"),
    ],
)
def test_rejects_one_record_and_reads_on(
    five: list[Texts], text_format: str, keyword: str, text: str, reason: str
) -> None:
    five[2][keyword] = text
    catalogue = parse_catalogue(WRITERS[text_format](five))
    assert catalogue.text_format == text_format
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 4, 5]
    assert [rejection.reason for rejection in catalogue.rejected] == [reason]


@each_format
def test_keeps_the_newest_set_of_an_object(vanguard: Texts, text_format: str) -> None:
    records = [
        vanguard | {"EPOCH": epoch, "OBJECT_NAME": name, "NORAD_CAT_ID": number}
        for epoch, name, number in (
            ("2024-10-30T00:00:00.000001", "NEWEST", "7"),
            ("2024-10-30T00:00:00.000000", "OLDER", "7"),
            ("2024-10-29T23:59:59.999999", "OLDEST", "7"),
            ("2024-10-30T00:00:00", "FIRST", "3"),
            ("2024-304T00:00:00Z", "LATER IN THE TEXT", "3"),
        )
    ]
    catalogue = parse_catalogue(WRITERS[text_format](records))
    assert catalogue.elements["norad_id"].tolist() == [3, 7]
    assert catalogue.elements["name"].tolist() == ["LATER IN THE TEXT", "NEWEST"]
    assert catalogue.superseded == 3
    assert catalogue.rejected == []


def test_an_invalid_newer_set_does_not_replace_a_valid_one(vanguard: Texts) -> None:
    newer = vanguard | {"EPOCH": "2024-10-31T00:00:00", "ECCENTRICITY": "1.5"}
    catalogue = parse_catalogue(as_csv([vanguard, newer]))
    assert catalogue.elements["epoch_jd"].tolist() == [2460612.5]
    assert (catalogue.superseded, len(catalogue.rejected)) == (0, 1)


def test_lists_every_rejection_in_the_order_of_the_text(vanguard: Texts) -> None:
    faults = ({"ECCENTRICITY": "2"}, {"EPOCH": "?"}, {"OBJECT_NAME": "A,B"})
    lines = [as_csv([vanguard]).split("\r\n")[0]]
    lines += [",".join((vanguard | faults[i % 3]).values()) for i in range(3000)]
    lines.append(",".join(vanguard.values()))
    catalogue = parse_catalogue("\n".join(lines))
    assert [rejection.line for rejection in catalogue.rejected] == list(range(2, 3002))


@each_format
def test_reads_text_and_leading_blank_lines(vanguard: Texts, text_format: str) -> None:
    text = "\ufeff \n\n" + WRITERS[text_format]([vanguard])
    catalogue = parse_catalogue(text)
    assert (catalogue.text_format, catalogue.elements["norad_id"].tolist()) == (text_format, [5])


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        (b"", "it is empty", "line 1   : (nothing)"),
        (b" \r\n\t\r\n", "it is empty", "line 1   : (nothing)"),
        (b"No GP data found", "it is neither OMM nor TLE", "line 1   : No GP data found"),
        (
            b"\n<!DOCTYPE html>\n<html><body>403</body></html>",
            "it is a web page, perhaps an error page of the server",
            "line 2   : <!DOCTYPE html>",
        ),
        (
            b"<html><head></head></html>",
            "it is a web page, perhaps an error page of the server",
            "line 1   : <html>",
        ),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "it is neither OMM nor TLE", "line 1   : ?PNG"),
        (b"a,b,c\n1,2,3\n", "it is neither OMM nor TLE", "line 1   : a,b,c"),
        (10000 * b"x", "it is neither OMM nor TLE", f"line 1   : {80 * 'x'}..."),
    ],
)
def test_shows_what_is_no_catalogue_and_what_was_expected(text: bytes, why: str, line: str) -> None:
    with pytest.raises(UnreadableCatalogue) as caught:
        parse_catalogue(text, source_name="/data/gp.csv")
    first, shown, expected, *forms = str(caught.value).split("\n")
    assert first == f"Cannot read element sets from /data/gp.csv: {why}."
    assert shown.strip().startswith(line)
    assert expected.startswith("  expected : NORAD_CAT_ID, EPOCH, MEAN_MOTION")
    assert [form.split()[0] for form in forms] == ["1", "2"]
    assert len({len(form) for form in forms}) == 1


@each_format
def test_quotes_the_first_reasons_if_no_record_can_be_used(five: list[Texts], text_format: str) -> None:
    text = WRITERS[text_format]([record | {"ECCENTRICITY": "1.5"} for record in five])
    with pytest.raises(UnreadableCatalogue) as caught:
        parse_catalogue(text, source_name="gp")
    lines = str(caught.value).split("\n")
    assert lines[0] == "Cannot read element sets from gp: none of its 5 records can be used."
    assert [line.split(": ")[1] for line in lines[1:7:2]] == ["1", "2", "3"]
    assert lines[2].strip() == "ECCENTRICITY 1.5 must be at least 0 and below 1"
    assert lines[7:] == ["  and 2 more"]


def test_shows_a_lone_line() -> None:
    line = "1 25544U 98067A   24306.51782528  .00016717  00000-0"
    with pytest.raises(UnreadableCatalogue) as caught:
        parse_catalogue(line)
    assert str(caught.value).split("\n") == [
        "Cannot read element sets from the text: it is cut off: its last line 1 has no line 2.",
        f"  line 1   : {line}",
    ]


HEADER = ",".join(REQUIRED).encode()
SEEDS = [
    b"1 25544U 98067A   24306.51782528  .00016717  00000-0  30074-3 0  9991\n2 25544  51.6400 208.9163",
    HEADER + b'\n5,2024-10-29T12:18:43,10.8,.18,34,352,332,18,.1E-2\n"6,',
    b'[{"NORAD_CAT_ID": 5, "EPOCH": "2024-10-29T12:18:43", "BSTAR": 1e400}, {"NORAD',
    b"<ndm><omm><segment><NORAD_CAT_ID>5</NORAD_CAT_ID></segment><segment><EPOCH units='d'>&#0;",
    b"CCSDS_OMM_VERS = 2.0\nNORAD_CAT_ID = 5\nBSTAR = 1 [1/ER]\n= =\nEPOCH",
    gzip.compress(b"CCSDS_OMM_VERS = 2.0\n", mtime=0),
]


def spliced() -> st.SearchStrategy[bytes]:
    """Return pieces of catalogues with anything between them."""
    pieces = st.sampled_from(SEEDS).flatmap(
        lambda seed: st.tuples(st.integers(0, len(seed)), st.integers(0, len(seed))).map(
            lambda cut: seed[min(cut) : max(cut)]
        )
    )
    whole = st.sampled_from(SEEDS)
    return st.lists(st.one_of(pieces, whole, st.binary(max_size=8)), max_size=6).map(b"".join)


@given(st.one_of(st.binary(max_size=200), spliced()))
@example(b"\xff\xfe")
@example(b"[\xed\xa0\x80")
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        catalogue = parse_catalogue(data)
    except InputError as error:
        assert "\n\n" not in str(error)
    else:
        assert len(catalogue.elements) > 0


@given(st.text(max_size=200))
@example("\ud800")
@example('["\ud800"]')
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        catalogue = parse_catalogue(text)
    except InputError as error:
        str(error).encode("utf-8")
    else:
        assert len(catalogue.elements) > 0
