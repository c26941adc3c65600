"""Protect texts in CSV: a spreadsheet must not take the name of an object for a formula."""

import re

import pyarrow as pa
import pyarrow.compute as pc

# The beginning of a formula, also with the fullwidth signs that East Asian spreadsheets accept, and the
# characters skipped before it. RE2, as in pyarrow and DuckDB.
LIKE_A_FORMULA = r"^([\t\r\n ]*[=+\-@＝＋－＠]|[\t\r\n])"
MARK = "'"

NAME_COLUMNS = ("primary_name", "secondary_name")


def without_formula(value: object) -> object:
    """Return a value, with a `'` before a text that a spreadsheet would take for a formula."""
    return re.sub(LIKE_A_FORMULA, rf"{MARK}\1", value) if isinstance(value, str) else value


def without_formulas(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts with a `'` before each one that a spreadsheet would take for a formula."""
    return pc.replace_substring_regex(texts, pattern=LIKE_A_FORMULA, replacement=rf"{MARK}\1")


def without_formulas_sql(column: str) -> str:
    """Return the SQL expression that does the same to a column of texts."""
    return f"regexp_replace({column}, '{LIKE_A_FORMULA}', '{MARK}{MARK}\\1')"
