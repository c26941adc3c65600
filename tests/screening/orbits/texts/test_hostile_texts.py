"""Small texts that were made to cost much: work and memory grow as the text does, and no faster."""

import json
import tracemalloc
from collections.abc import Callable

import pytest

from screening.errors import InputError
from screening.orbits.elements import Catalogue
from screening.orbits.texts import rejections
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.omm import json as omm_json
from screening.orbits.texts.omm import xml as omm_xml

TLE = (
    "1 00005U 58002B   00179.78495062  .00000023  00000-0  28098-4 0  4753\n"
    "2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413667\n"
)
OMM = {
    "NORAD_CAT_ID": 5,
    "EPOCH": "2024-10-29T12:18:43.492896",
    "MEAN_MOTION": 10.8574679,
    "ECCENTRICITY": 0.1843421,
    "INCLINATION": 34.2551,
    "RA_OF_ASC_NODE": 352.8583,
    "ARG_OF_PERICENTER": 120.1,
    "MEAN_ANOMALY": 258.1,
    "BSTAR": 0.0005,
}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let limits be reached by small texts."""
    monkeypatch.setattr(rejections, "MAX_RECORDS", 1000)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    "text",
    [
        TLE + "ab\n" * 1002,
        ",".join(OMM) + "\n" + ("," * (len(OMM) - 1) + "\n") * 1001,
        ",".join(OMM) + "\n" + "\n" * 3000,
        "[" + "1," * 1001 + "]",
        "x\n" * 1001 + "CCSDS_OMM_VERS = 2.0\n",
        "CCSDS_OMM_VERS = 2.0\n" * 1001,
        "<ndm>" + "<segment></segment>" * 1001 + "</ndm>",
    ],
    ids=["tle", "csv", "blank csv", "json", "lines before kvn", "kvn", "xml"],
)
def test_more_records_than_any_catalogue_has_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="more than 1,000 records"):
        parse_catalogue(text)


def test_all_that_is_rejected_is_counted_and_the_first_of_it_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("screening.orbits.texts.rejections.KEPT_REJECTIONS", 10)
    monkeypatch.setattr("screening.orbits.texts.catalogue.KEPT_REJECTIONS", 10)
    bad_values = ",".join(str(value) for value in (OMM | {"ECCENTRICITY": 7}).values())
    good = ",".join(str(value) for value in OMM.values())
    text = "\n".join([",".join(OMM), good, *["1,2"] * 20, *[bad_values] * 30])
    catalogue = parse_catalogue(text)
    assert (len(catalogue.elements), len(catalogue.rejected), catalogue.more_rejected) == (1, 10, 40)
    assert [rejection.line for rejection in catalogue.rejected] == list(range(3, 13))


def test_lines_of_a_text_are_those_of_split() -> None:
    for text in ("", "\n", "a", "a\n", "a\n\nb", "\n\na\n"):
        assert list(lines_of(text)) == text.split("\n")


class Counted:
    """A function that counts how many characters or bytes it is given."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function
        self.given = 0

    def __call__(self, text: str, *rest: object) -> object:
        self.given += len(text)
        return self.function(text, *rest)


@pytest.mark.parametrize("piece", ['{"a":', '{"a":[', '{"a":{"b":0,"a":['])
def test_nested_json_is_looked_at_a_few_times_only(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decode = Counted(omm_json._DECODER.raw_decode)
    monkeypatch.setattr(omm_json._DECODER, "raw_decode", decode)
    text = piece * (200_000 // len(piece))
    with pytest.raises(InputError, match="no element set"):
        parse_catalogue(text)
    assert decode.given < 10 * len(text)


def test_a_record_behind_deep_nesting_is_read() -> None:
    deep = '{"a":' * 20_000 + "1" + "}" * 20_000  # from 3.12 on, Python reads a few thousand
    catalogue = parse_catalogue(f"[{deep}, {json.dumps(OMM)}]")
    assert catalogue.elements["norad_id"].tolist() == [5]
    assert "must be JSON: nested too deeply" in [rejection.reason for rejection in catalogue.rejected]


def test_a_record_with_nested_extras_is_read() -> None:
    catalogue = parse_catalogue(json.dumps([OMM | {"EXTRA": {"a": [{"b": [1, 2]}]}}]))
    assert (len(catalogue.elements), catalogue.rejected) == (1, [])


def test_xml_that_must_be_begun_again_and_again_is_refused() -> None:
    text = "<ndm>" + "<segment><?x " * 50_000
    with pytest.raises(InputError, match="damaged in so many places"):
        parse_catalogue(text)


def test_xml_with_every_segment_damaged_is_still_read_to_its_end() -> None:
    text = "<ndm>" + "<segment><metadata>&bad;</metadata></segment>\n" * 2000 + "</ndm>"
    with pytest.raises(InputError, match="none of its 2000 records"):
        parse_catalogue(text)


@pytest.mark.parametrize("length", [omm_xml._TEXT_CHARACTERS + 1, 3_000_000])
def test_a_text_without_end_is_no_value(length: int) -> None:
    segment = f"<segment><EPOCH>{'1' * length}</EPOCH></segment>"
    with pytest.raises(InputError, match="EPOCH must have at most 1000 characters"):
        parse_catalogue(f"<ndm>{segment}</ndm>")


def test_a_message_of_very_many_lines_is_rejected() -> None:
    with pytest.raises(InputError, match="at most 500 lines"):
        parse_catalogue("CCSDS_OMM_VERS = 2.0\n" + "X = 1\n" * 600)


def test_a_line_of_commas_is_not_split() -> None:
    good = ",".join(str(value) for value in OMM.values())
    text = "\n".join([",".join(OMM), good, "," * 5_000_000])
    catalogue, peak_bytes = parsed_within(text)
    assert (len(catalogue.elements), catalogue.rejected[0].line) == (1, 3)
    assert peak_bytes < 5 * len(text)  # a list of empty texts is eight times as large as the commas


def test_a_table_of_very_many_columns_is_none() -> None:
    with pytest.raises(InputError, match="209 columns, more than 200"):
        parse_catalogue(",".join([*OMM, *["X"] * 200]) + "\n1,2\n")


@pytest.mark.usefixtures("few")
def test_short_lines_take_no_list_of_them() -> None:
    tracemalloc.start()
    with pytest.raises(InputError, match="more than 1,000 records"):
        parse_catalogue(TLE + "ab\n" * 1_000_000)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 30_000_000  # of which the text is 3 MB, three times; a list of its lines has 60


def parsed_within(text: str) -> tuple[Catalogue, int]:
    """Parse a text, and return the catalogue and the most memory that it took, bytes."""
    tracemalloc.start()
    try:
        return parse_catalogue(text), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
