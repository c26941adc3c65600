"""The directory: what it takes, and CSV that comes and goes."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from screening.errors import NoSuch, UsageError
from storage.state.operators.directory import EntryThere, NewEntry, add_entries, directory, remove_entry
from storage.state.operators.directory_csv import directory_csv, import_directory

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
ENTRY = NewEntry(
    "Example Space", ("EXSP",), (25544,), "EXSAT-*", "flight@example.org", "+49 30 123456",
    "Mon-Fri 08:00-18:00", "Europe/Berlin", "=HYPERLINK(A1)",
)  # fmt: skip


def test_csv_has_no_formula_and_comes_back_as_it_was(store: Path) -> None:
    awkward = NewEntry('Semi;colon, "quoted"', ("-AB",), telephone="@tel", email="<b>@x")
    made = add_entries(store, [ENTRY, awkward], NOW)
    text = directory_csv(made)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@"))]
    assert "'+49 30 123456" in cells
    for one in made:
        remove_entry(store, one.id, 1)
    assert len(import_directory(store, text, 1, "desk", NOW).added) == 2
    again = directory(store)
    assert [one[1:10] for one in again] == [one[1:10] for one in made]
    assert import_directory(store, text, 1, "desk", NOW) == ([], 2)


def test_a_bad_row_is_named_by_its_line_and_nothing_is_imported(store: Path) -> None:
    text = (
        "operator,owners,norad_ids,email,hours,time_zone\n"
        "Good,AAA,,a@b,,\n"
        '"No\nreach",BBB,,,,\n'  # lines 3 and 4
        "Words,,12 x,a@b,,\n"
        "Zone,CCC,,a@b,08-18,Mars/Base\n"
        "Nothing,,,a@b,,\n"
    )
    with pytest.raises(UsageError) as refused:
        import_directory(store, text, 1, "desk", NOW)
    said = str(refused.value)
    assert [line for line in range(1, 9) if f"line {line}:" in said] == [3, 5, 6, 7]
    assert "'x' is not a catalogue number" in said
    assert "'Mars/Base' is not a time zone" in said
    assert directory(store) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("name,phone\nA,1\n", "line 1: expected the headings"),
        ("operator,owners,email\nA,AAA\n", "line 2: 2 cells"),
        ('operator,owners,email\nA,AAA,"a@b\n', "not CSV"),
        ("operator,owners,email\nA,AAA,a@b\nA,AAA,c@d\n", "line 3: the directory has A for these"),
        ("operator,norad_ids,email\nA,0,a@b\n", "line 2: 0 is not a catalogue number"),
    ],
)  # fmt: skip
def test_what_is_no_directory_is_refused(store: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        import_directory(store, text, 1, "desk", NOW)
    assert said in str(refused.value)
    assert directory(store) == []


def test_a_second_entry_for_the_same_objects_is_refused(store: Path) -> None:
    (made,) = add_entries(store, [ENTRY], NOW)
    with pytest.raises(EntryThere, match=f"entry {made.id}"):
        add_entries(store, [ENTRY._replace(operator="EXAMPLE SPACE", email="other@example.org")], NOW)
    add_entries(store, [ENTRY._replace(organisation_id=2)], NOW)  # another organisation has its own
    with pytest.raises(NoSuch):
        remove_entry(store, made.id, 2)
    remove_entry(store, made.id, 1)
    assert [one.organisation_id for one in directory(store)] == [2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"operator": ""},
        {"operator": "two\nlines"},
        {"email": "no address"},
        {"email": "", "telephone": ""},
        {"owners": (), "norad_ids": (), "name_pattern": ""},
        {"owners": ("TWO WORDS",)},
        {"norad_ids": (0,)},
        {"time_zone": "../../etc/passwd"},
        {"time_zone": ""},
        {"note": "x" * 301},
    ],
)
def test_what_cannot_be_an_entry_is_refused(store: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        add_entries(store, [ENTRY._replace(**wrong)], NOW)  # type: ignore[arg-type]
    assert directory(store) == []
