"""`verify --output`: the page and the rows have every number of the tables, and the page asks nobody."""

import csv
import io
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.report.pictures.verification import PICTURES
from api.report.verification_page import COLUMNS, write_page, write_rows
from screening.errors import UsageError
from skysieve.command_line import app
from storage.shell.verification import TABLES, rows_of
from storage.verification.record import Verification
from tests.api.report.test_web_page import Checked
from tests.api.report.verified import EMPTY, VERIFIED, with_rows


def page_of(found: Verification) -> str:
    stream = io.StringIO()
    write_page(stream, found)
    return stream.getvalue()


def test_the_page_has_every_number_and_sentence() -> None:
    page = page_of(VERIFIED)
    tables = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert len(tables) == len(TABLES)
    for table, name in zip(tables, TABLES.values(), strict=True):
        shown = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>.*?</tr>", table)]
        for cells, one in zip(shown, rows_of(VERIFIED, name), strict=True):
            for cell, value in zip(cells, one.values(), strict=True):
                exact = cell == value if isinstance(value, str) else None
                assert exact or float(cell.replace(",", "")) == pytest.approx(value, rel=5e-3)
    said = " ".join(Checked(page).texts)
    for sentence in (*VERIFIED.words, VERIFIED.suspects[0].words, "5,210 encounters from 2026-11-01"):
        assert sentence in said
    assert all(picture.reading in said for picture in PICTURES.values())


def test_the_page_is_well_formed_and_asks_nobody() -> None:
    page = page_of(VERIFIED)
    checked = Checked(page)
    assert checked.elements.count("svg") == len(PICTURES)
    assert not {"script", "img", "link", "iframe", "object", "image"} & set(checked.elements)
    assert all(address[0] == "#" and address[1:] in checked.ids for address in checked.addresses)
    assert re.findall(r"url\((?!#)", page) == []
    assert "@import" not in page


def test_the_rows_have_every_value_exactly() -> None:
    stream = io.StringIO()
    write_rows(stream, VERIFIED)
    rows = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert list(rows[0]) == COLUMNS
    for name in (*TABLES.values(), "suspects"):
        of_table = [row for row in rows if row["table"] == name]
        for row, values in zip(of_table, rows_of(VERIFIED, name), strict=True):
            assert {column for column, text in row.items() if text} == {"table", *values}
            for column, value in values.items():
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    assert float(row[column]) == value
    assert rows[-1]["epoch"] == "2026-11-03T00:00:00Z"


def test_what_is_missing_is_said() -> None:
    checked = Checked(page_of(EMPTY))
    assert "svg" not in checked.elements
    assert EMPTY.words[0] in checked.texts
    calm = with_rows(warnings=[one for one in VERIFIED.warnings if one.level == "medium"])
    checked = Checked(page_of(calm))
    assert PICTURES["warnings"].missing in checked.texts
    assert checked.elements.count("svg") == len(PICTURES) - 1


def test_the_command_writes_what_its_suffix_says(store: Path, tmp_path: Path) -> None:
    def asked(*words: object) -> BaseException | None:
        return CliRunner().invoke(app, ["verify", "--store", str(store), *map(str, words)]).exception

    page, rows = tmp_path / "verified.html", tmp_path / "verified.csv"
    assert asked("--output", page) is None
    assert EMPTY.words[0] in page.read_text()
    assert asked("--output", rows) is None
    assert rows.read_text() == ",".join(COLUMNS) + "\n"
    wrong = asked("--output", tmp_path / "verified.png")
    assert isinstance(wrong, UsageError)
    assert "expected one of .html, .csv" in str(wrong)
    assert isinstance(asked("--output", page, "--json"), UsageError)
