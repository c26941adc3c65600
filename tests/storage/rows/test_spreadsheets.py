"""What `sql --csv` writes is text to a spreadsheet, as what other commands and HTTP write."""

import pytest

from storage.rows.spreadsheets import without_formula


@pytest.mark.parametrize("name", ["=1+1", "+1+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "\t=1", "＝1"])
def test_a_text_like_a_formula_gets_a_mark(name: str) -> None:
    assert without_formula(name) == f"'{name}"


@pytest.mark.parametrize("value", ["ISS (ZARYA)", "A=B", "", -2.5, None, True])
def test_other_values_stay(value: object) -> None:
    assert without_formula(value) is value or without_formula(value) == value
