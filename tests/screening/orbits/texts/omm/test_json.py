"""JSON of CelesTrak (numbers) and Space-Track (strings), whole and damaged."""

import json

import pytest

from screening.errors import UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue

Texts = dict[str, str]
WORDS = ("OBJECT_NAME", "OBJECT_ID", "EPOCH", "CLASSIFICATION_TYPE")


def with_numbers(record: Texts) -> str:
    """Write a record as CelesTrak does, its numbers as JSON numbers."""
    return json.dumps({key: text if key in WORDS else float(text) for key, text in record.items()})


def test_reads_numbers_and_strings_alike(five: list[Texts]) -> None:
    strings = parse_catalogue(json.dumps(five))
    numbers = parse_catalogue(f"[{','.join(map(with_numbers, five))}]".encode())
    assert strings.text_format == numbers.text_format == "omm-json"
    assert strings.rejected == numbers.rejected == []
    assert strings.elements.tobytes() == numbers.elements.tobytes()


@pytest.mark.parametrize("indent", [None, 2])
def test_reads_one_object_and_one_object_a_line(five: list[Texts], indent: int | None) -> None:
    assert parse_catalogue(json.dumps(five[2], indent=indent)).elements["norad_id"].tolist() == [3]
    lines = "\n".join(json.dumps(record, indent=indent) for record in five)
    assert parse_catalogue(lines).elements["norad_id"].tolist() == [1, 2, 3, 4, 5]


def test_takes_keys_in_any_case_null_and_what_space_track_adds(vanguard: Texts) -> None:
    record: dict[str, object] = {key.lower(): text for key, text in vanguard.items()}
    record |= {
        "decay_date": None,
        "object_id": None,
        "gp_id": {"nested": [1, 2]},
        "mean_element_theory": "SGP4",
    }
    catalogue = parse_catalogue(json.dumps([record]))
    assert catalogue.elements["object_id"].tolist() == [""]
    assert catalogue.elements["name"].tolist() == ["VANGUARD 1"]


@pytest.mark.parametrize(
    ("damaged", "record", "reason"),
    [
        ('"text"', '"text"', "must be an object"),
        ("null", "null", "must be an object"),
        ("{}", "{}", "must have the keys of an element set"),
        ('{"NORAD_CAT_ID": 9, "EPOCH": [1]}', "9", "EPOCH must be a number or a string"),
        ('{"NORAD_CAT_ID": 9, "EPOCH": null}', "9", "EPOCH is missing"),
        ('{"NORAD_CAT_ID": 9, "EPOCH": "}', '{"NORAD_CAT_ID": 9, "EPOCH": "}', "must be JSON: "),
        ('{"NORAD_CAT_ID": 9 "EPOCH": 1}', '{"NORAD_CAT_ID": 9 "EPOCH": 1}', "must be JSON: "),
        ('{"BSTAR": ' + 9000 * "[" + "}", '{"BSTAR": [[[[', "must be JSON: nested too deeply"),
    ],
)
def test_rejects_a_broken_record_in_the_middle(
    five: list[Texts], damaged: str, record: str, reason: str
) -> None:
    items = [json.dumps(item) for item in five]
    items.insert(2, damaged)
    catalogue = parse_catalogue("[\n" + ",\n".join(items) + "\n]\n")
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 3, 4, 5]
    (rejection,) = catalogue.rejected
    assert rejection.line == 4
    assert rejection.record.startswith(record)
    assert rejection.reason.startswith(reason)


def test_rejects_what_json_calls_numbers_but_are_none(vanguard: Texts) -> None:
    damaged = (
        json.dumps(vanguard).replace('".1843421"', "NaN"),
        json.dumps(vanguard).replace('"34.2551"', "1e999"),
    )
    catalogue = parse_catalogue(f"[{json.dumps(vanguard)},{','.join(damaged)}]")
    assert [rejection.reason for rejection in catalogue.rejected] == [
        "ECCENTRICITY 'NaN' must be a decimal number",
        "INCLINATION inf must be from 0 to 180 deg",
    ]


def test_a_record_that_has_lost_its_end_does_not_take_the_next_along(five: list[Texts]) -> None:
    items = [json.dumps(item) for item in five]
    items[2] = items[2][:100]
    catalogue = parse_catalogue("[" + ",\n".join(items) + "]")
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 4, 5]
    assert [rejection.line for rejection in catalogue.rejected] == [3]


@pytest.mark.parametrize(
    ("before", "behind"),
    [('{"data": ', "}"), (' {\n"count": 5, "next": null, "gp" : ', ', "page": {"last": [1]}}\n')],
)
def test_reads_a_list_in_an_object_and_counts_nothing_else(
    five: list[Texts], before: str, behind: str
) -> None:
    # The object around the list once counted as a rejected record.
    for records in (five, five * 100):
        catalogue = parse_catalogue(before + json.dumps(records) + behind)
        assert (len(catalogue.elements), catalogue.rejected) == (5, [])


def test_a_record_with_a_list_of_objects_is_no_list_of_records(vanguard: Texts) -> None:
    text = json.dumps({"EXTRA": [{"a": 1}]} | vanguard)
    assert (len(parse_catalogue(text).elements), parse_catalogue(text).rejected) == (1, [])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[]", "[]"),
        ('["NORAD_CAT_ID", "EPOCH"]', '["NORAD_CAT_ID"'),
        ("[1, 2, 3]", "1, 2"),
        ('{"error": "You must be logged in to complete this action"}', '{"error": "You must be logged in'),
        (100000 * "[", "[[[["),
        (50000 * '{"a":' + 50000 * "}", '{"a":{"a":'),
        ("{", "{"),
    ],
)
def test_refuses_json_that_holds_no_element_set(text: str, shown: str) -> None:
    with pytest.raises(UnreadableCatalogue) as caught:
        parse_catalogue(text, source_name="gp.json")
    first, line, expected = str(caught.value).split("\n")
    assert first == "Cannot read element sets from gp.json: the JSON text holds no element set."
    assert shown.removeprefix("[") in line
    assert expected.startswith('  expected : [{"NORAD_CAT_ID": 5,')
