"""A text that was cut off anywhere is whole in what it gives, or refused."""

import gzip
import json
from collections.abc import Callable

import pytest
from sgp4.io import fix_checksum

from screening.errors import UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue
from tests.screening.orbits.texts.test_catalogue import as_csv, as_json, as_kvn, as_xml

Texts = dict[str, str]


def as_indented_json(records: list[Texts]) -> str:
    return json.dumps(records, indent=1) + "\n"


def as_wrapped_json(records: list[Texts]) -> str:
    return json.dumps({"count": len(records), "data": records, "next": None})


def as_json_lines(records: list[Texts]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def as_quoted_csv(records: list[Texts]) -> str:
    return "\n".join(
        ",".join(f'"{field}"' for field in row) for row in [records[0], *map(dict.values, records)]
    )


def as_tle(records: list[Texts]) -> str:
    return "".join(
        "\n".join([record["OBJECT_NAME"], *pair(int(record["NORAD_CAT_ID"])), ""]) for record in records
    )


def pair(number: int) -> tuple[str, str]:
    return (
        fix_checksum(f"1 {number:05}U 98067A   24306.51782528  .00016717  00000-0  30074-3 0  9991"),
        fix_checksum(f"2 {number:05}  51.6400 208.9163 0006317  69.9862  25.2906 15.49970085479321"),
    )


WRITERS: dict[str, Callable[[list[Texts]], str]] = {
    "csv": as_csv,
    "quoted csv": as_quoted_csv,
    "json": as_json,
    "indented json": as_indented_json,
    "wrapped json": as_wrapped_json,
    "json lines": as_json_lines,
    "xml": as_xml,
    "kvn": as_kvn,
    "tle": as_tle,
}
# A list of records without a frame around it may end after any record.
UNFRAMED = ("csv", "quoted csv", "json lines", "kvn", "tle")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("text_format", list(WRITERS))
def test_a_text_cut_anywhere_in_its_last_record_is_whole_or_refused(
    five: list[Texts], text_format: str
) -> None:
    # JSON cut in half once gave 1,497 of 3,000 objects, and no word of the others.
    text = WRITERS[text_format](five)
    whole = parse_catalogue(text)
    assert (len(whole.elements), whole.rejected) == (5, [])
    four = len(WRITERS[text_format](five[:4]).rstrip("]}\n ")) if text_format in UNFRAMED else 0
    for length in range(max(len(text) * 3 // 5, four + 3), len(text.rstrip())):
        try:
            read = parse_catalogue(text[:length])
            if text_format == "tle" and text[:length].endswith("OBJECT 5\n"):
                assert len(read.rejected) == 1  # bulletins may end with a line of words
                continue
        except UnreadableCatalogue as error:
            assert "it is cut off" in str(error), (length, str(error))
            continue
        assert (len(read.elements), read.rejected) == (5, []), (length, text[:length][-60:])
        # What SGP4 does not use may be short of a digit.
        for field in ("norad_id", "epoch_jd", "mean_motion_rev_day", "bstar_per_earth_radius"):
            assert read.elements[field].tolist() == whole.elements[field].tolist(), length


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text_format", ["json", "indented json", "wrapped json", "xml"])
def test_a_framed_text_cut_anywhere_is_refused(five: list[Texts], text_format: str) -> None:
    text = WRITERS[text_format](five).rstrip()
    for length in range(text.index("BSTAR"), len(text)):
        with pytest.raises(UnreadableCatalogue):
            parse_catalogue(text[:length])


def test_tells_where_a_text_was_cut(five: list[Texts]) -> None:
    text = as_indented_json(five).rstrip()[:-1].rstrip()
    with pytest.raises(UnreadableCatalogue) as caught:
        parse_catalogue(text, source_name="gp.json")
    assert str(caught.value).split("\n") == [
        "Cannot read element sets from gp.json: it is cut off: its list does not end.",
        f"  line {text.count(chr(10)) + 1:<4}: }}",
    ]


def test_a_list_that_ends_before_its_text_is_refused(five: list[Texts]) -> None:
    # The bracket of a list in a damaged record once ended the catalogue: the records behind it were lost.
    items = [json.dumps(record) for record in five]
    items[1] = '{"NORAD_CAT_ID": 9 "A": [1, {"b": 2}], "C": 3}'
    with pytest.raises(UnreadableCatalogue, match=r"text follows the end of its list.\n  line 3 "):
        parse_catalogue("[\n" + ",\n".join(items) + "\n]")


def test_what_a_table_may_end_with(five: list[Texts]) -> None:
    for end in ("", "\n", "\r\n", "\n\n \n", "\n\x1a"):
        catalogue = parse_catalogue(as_csv(five).rstrip() + end)
        assert (len(catalogue.elements), catalogue.rejected) == (5, []), repr(end)


def test_a_damaged_last_record_that_is_not_cut_is_rejected_as_any_other(five: list[Texts]) -> None:
    for write in (as_csv, as_json, as_xml, as_kvn):
        catalogue = parse_catalogue(write([*five[:4], five[4] | {"BSTAR": "x"}]))
        assert [rejection.record for rejection in catalogue.rejected] == ["5"], write


def test_compressed_data_that_are_cut_are_refused(five: list[Texts]) -> None:
    data = gzip.compress(as_csv(five).encode())
    with pytest.raises(UnreadableCatalogue, match="gzip data are damaged or cut off"):
        parse_catalogue(data[:-9])
