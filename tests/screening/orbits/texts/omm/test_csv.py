"""Tables of element sets: columns in any order, and records that are damaged."""

import pytest

from screening.errors import UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm import csv

Texts = dict[str, str]


def table(records: list[Texts], columns: list[str] | None = None) -> list[str]:
    columns = columns or list(records[0])
    return [",".join(columns), *(",".join(record[column] for column in columns) for record in records)]


def test_takes_columns_in_any_order_and_ignores_others(five: list[Texts]) -> None:
    expected = parse_catalogue("\n".join(table(five)))
    records = [{"RCS": "1.5"} | record | {"GP_ID": "7"} for record in five]
    shuffled = table(records, sorted(records[0]))
    shuffled[0] = shuffled[0].lower().replace(",", " , ")
    catalogue = parse_catalogue("\n".join(shuffled) + "\n")
    assert catalogue.text_format == "omm-csv"
    assert catalogue.rejected == []
    assert catalogue.elements.tobytes() == expected.elements.tobytes()


def test_rejects_a_truncated_line_and_keeps_the_rest(five: list[Texts]) -> None:
    lines = table(five)
    lines[4] = lines[4][: lines[4].rindex("18.6796") + 4]
    catalogue = parse_catalogue("\n".join(lines))
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 3, 5]
    (rejection,) = catalogue.rejected
    assert rejection.line == 5
    assert rejection.record.startswith("OBJECT 4,1958-002B,")
    assert rejection.reason == "has 9 fields, must have the 17 of the first line"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_takes_semicolons_and_tabs_between_fields(five: list[Texts], delimiter: str) -> None:
    expected = parse_catalogue("\n".join(table(five)))
    plain = [line.replace(",", delimiter) for line in table(five)]
    quoted = [delimiter.join(f'"{field}"' for field in line.split(delimiter)) for line in plain]
    plain[3] = plain[3].replace("OBJECT 3", "A, B")
    for lines, name in ((plain, "A, B"), (quoted, "OBJECT 3")):
        catalogue = parse_catalogue("\n".join(lines))
        assert (catalogue.text_format, catalogue.rejected) == ("omm-csv", [])
        assert catalogue.elements["name"][2] == name
        assert catalogue.elements["bstar_per_earth_radius"].tolist() == (
            expected.elements["bstar_per_earth_radius"].tolist()
        )


@pytest.mark.parametrize(
    ("damaged", "fields"), [("not a record", 1), ("1,2,3", 3), (20 * ",", 21), ('"OBJECT 9', 1)]
)
def test_rejects_a_broken_record_in_the_middle(five: list[Texts], damaged: str, fields: int) -> None:
    lines = table(five)
    lines.insert(3, damaged)
    catalogue = parse_catalogue("\r\n".join(lines))
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 3, 4, 5]
    assert [(r.line, r.record) for r in catalogue.rejected] == [(4, damaged)]
    assert catalogue.rejected[0].reason.startswith(f"has {fields} field")


def test_counts_lines_over_quoted_fields_with_line_breaks(five: list[Texts]) -> None:
    five[0]["OBJECT_NAME"] = '"A, ""B""\nC\nD"'
    five[2]["OBJECT_NAME"] = '"E, F"'
    five[3]["ECCENTRICITY"] = "1.5"
    five[4]["BSTAR"] = "x"
    lines = table(five)
    lines.insert(3, "")
    catalogue = parse_catalogue("\ufeff\n" + "\n".join(lines))
    assert catalogue.elements["name"].tolist() == ['A, "B" C D', "OBJECT 2", "E, F"]
    assert [(r.line, r.record, r.reason.split()[0]) for r in catalogue.rejected] == [
        (9, "4", "ECCENTRICITY"),
        (10, "5", "BSTAR"),
    ]


@pytest.mark.parametrize(("name", "accepted"), [('"OBJECT', True), ('5" DEB', True), ('"OBJECT, B', False)])
@pytest.mark.parametrize("damaged", [[10], [10, 11], [10, 13, 99]])
def test_a_quote_that_is_never_closed_costs_its_own_record_at_most(
    vanguard: Texts, name: str, accepted: bool, damaged: list[int]
) -> None:
    # Two such quotes once made one record of all between them, and nobody was told.
    records = [vanguard | {"NORAD_CAT_ID": str(i)} for i in range(1, 101)]
    for index in damaged:
        records[index]["OBJECT_NAME"] = name
    catalogue = parse_catalogue("\n".join(table(records)))
    lost = [] if accepted else damaged
    assert [rejection.line for rejection in catalogue.rejected] == [index + 2 for index in lost]
    assert len(catalogue.elements) == 100 - len(lost)


def test_reads_a_table_in_which_every_field_is_quoted(five: list[Texts]) -> None:
    plain = table(five)
    quoted = [",".join(f'"{field}"' for field in line.split(",")) for line in plain]
    expected, catalogue = (parse_catalogue("\n".join(lines)) for lines in (plain, quoted))
    assert catalogue.elements.tobytes() == expected.elements.tobytes()


def test_says_which_columns_are_missing(five: list[Texts]) -> None:
    columns = [column for column in five[0] if column not in ("BSTAR", "EPOCH")]
    with pytest.raises(UnreadableCatalogue) as caught:
        parse_catalogue("\n".join(table(five, columns)), source_name="gp.csv")
    first, line, expected = str(caught.value).split("\n")
    assert first == "Cannot read element sets from gp.csv: the table has no column EPOCH, BSTAR."
    assert line.startswith("  line 1   : OBJECT_NAME,OBJECT_ID,MEAN_MOTION")
    assert expected.startswith("  expected : OBJECT_NAME,OBJECT_ID,EPOCH,MEAN_MOTION")


def test_refuses_a_column_that_stands_there_twice(five: list[Texts]) -> None:
    lines = [f"{line},{'EPOCH' if i == 0 else five[0]['EPOCH']}" for i, line in enumerate(table(five))]
    with pytest.raises(UnreadableCatalogue, match="more than one column EPOCH"):
        parse_catalogue("\n".join(lines))


def test_refuses_a_header_alone(five: list[Texts]) -> None:
    with pytest.raises(UnreadableCatalogue, match="the table has no records"):
        parse_catalogue(table(five)[0] + "\n")


@pytest.mark.parametrize("damage", ["", "\n", '"', ",", "x" * 20_000, "\n\n \n", "?", "-0", "1e400", " "])
@pytest.mark.parametrize("records_of_a_piece", [1, 2, 7])
def test_pieces_give_what_lines_one_by_one_give(
    five: list[Texts], damage: str, records_of_a_piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = table(five)
    for place in range(0, len(lines[2]), 9):
        text = "\n".join([*lines[:2], lines[2][:place] + damage + lines[2][place:], *lines[3:], ""])
        monkeypatch.setattr(csv, "RECORDS_OF_A_PIECE", records_of_a_piece)
        in_pieces = parse_catalogue(text)
        with monkeypatch.context() as patch:
            patch.setattr(csv, "_columns_of_plain_lines", lambda _lines, _keywords, _delimiter: None)
            line_by_line = parse_catalogue(text)
        assert in_pieces.elements.tobytes() == line_by_line.elements.tobytes()
        assert in_pieces[1:] == line_by_line[1:]
