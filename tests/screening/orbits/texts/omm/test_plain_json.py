"""Pieces of JSON read at once: what the reader of single records returns, or nothing."""

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from screening.errors import InputError
from screening.orbits.elements import Catalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm import json as omm_json
from screening.orbits.texts.omm.plain_json import plain_records

OMM = {
    "OBJECT_NAME": "A", "NORAD_CAT_ID": 5, "EPOCH": "2024-10-29T12:18:43.492896", "MEAN_MOTION": 10.8574679,
    "ECCENTRICITY": 0.1843421, "INCLINATION": 34.2551, "RA_OF_ASC_NODE": 352.8583,
    "ARG_OF_PERICENTER": 332.7861, "MEAN_ANOMALY": 18.6796, "BSTAR": 0.0016091,
}  # fmt: skip


def record_by_record(text: str) -> Catalogue:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(omm_json, "plain_records", lambda _piece, _line: None)
        return parse_catalogue(text)


def contents(catalogue: Catalogue) -> tuple[object, ...]:
    return (catalogue.elements.tobytes(), *catalogue[1:])


def test_records_that_are_alike_are_read_at_once() -> None:
    texts = [json.dumps(OMM | {"NORAD_CAT_ID": number}) for number in (1, 2, 3)]
    piece = plain_records(",\n\n".join(texts), 7)
    assert piece is not None
    assert (piece.lines, piece.columns["NORAD_CAT_ID"]) == ([7, 9, 11], ["1", "2", "3"])


@pytest.mark.parametrize(
    "change",
    [
        {"OBJECT_NAME": "{"},
        {"OBJECT_NAME": "\ud800"},
        {"OBJECT_NAME": 1.50},
        {"NORAD_CAT_ID": 25544.0},
        {"NORAD_CAT_ID": None},
        {"BSTAR": True},
        {"BSTAR": None},
        {"BSTAR": "1e-3"},
        {"BSTAR": float("nan")},
        {"extra": [1]},
        {"extra": {"a": 1}},
        {"object_name": "B"},
        {"EXTRA": "x" * 20_000},
    ],
)
def test_anything_unusual_is_left_to_the_reader_of_single_records(change: dict[str, object]) -> None:
    text = ",".join(json.dumps(record) for record in (OMM, OMM | {"NORAD_CAT_ID": 6} | change))
    assert plain_records(text, 1) is None
    assert contents(parse_catalogue(f"[{text}]")) == contents(record_by_record(f"[{text}]"))


@pytest.mark.parametrize("number", ["-0", "-0.0", "-0e5", "5e-324", "1e-400", "18446744073709551616"])
def test_numbers_at_the_limits_give_the_same_bits(number: str) -> None:
    text = "[" + json.dumps(OMM | {"MEAN_MOTION_DOT": "?"}).replace('"?"', number) + "]"
    assert contents(parse_catalogue(text)) == contents(record_by_record(text))


def value() -> st.SearchStrategy[object]:
    numbers: list[Callable[..., st.SearchStrategy[object]]] = [st.floats, st.integers]
    return st.one_of(*(kind() for kind in numbers), st.none(), st.booleans(), st.text(max_size=3))


@given(
    st.lists(st.dictionaries(st.sampled_from([*OMM, "extra", "bstar"]), value(), max_size=2), max_size=3),
    st.sampled_from([None, 1]),
    st.sampled_from(["", "{", "}", "]", "[", ",", "-0", '"', "\n"]),
    st.integers(0, 2000),
)
@example([{"MEAN_MOTION": 10**400}], None, "", 0)
def test_any_list_is_read_as_record_by_record(
    changes: list[dict[str, object]], indent: int | None, damage: str, place: int
) -> None:
    records = [OMM | {"NORAD_CAT_ID": 10 + i} | change for i, change in enumerate(changes)]
    text = json.dumps([OMM, *records], indent=indent)
    text = text[:place] + damage + text[place:] if damage else text
    read: list[object] = []
    for reader in (parse_catalogue, record_by_record):
        try:
            read.append(contents(reader(text)))
        except InputError as error:
            read.append(str(error))
    assert read[0] == read[1]


def test_pieces_that_are_alike_and_others_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(omm_json, "_PIECE_CHARACTERS", 1000)
    records: list[object] = [OMM | {"NORAD_CAT_ID": number} for number in range(1, 30)]
    records[10] = {"a": [{"b": 1}]}
    records[20] = 7
    text = json.dumps(records, indent=1)
    catalogue = parse_catalogue(text)
    assert contents(catalogue) == contents(record_by_record(text))
    assert catalogue.elements["norad_id"].tolist() == [n for n in range(1, 30) if n not in (11, 21)]
    assert [text.split("\n")[r.line - 1].strip() for r in catalogue.rejected] == ["{", "7,"]
