"""How values, limits and results are said."""

import math

import pytest

from tests.validation.comparison import About, Comparison, Measure, Outcome, largest
from tests.validation.words import limit_text, rows, said, summary, value_text, verdict

ABOUT = About("Title", "somebody", "this with that.", "Because.", ("a.csv",), "make test")


@pytest.mark.parametrize(
    ("measure", "value", "limit", "result"),
    [
        (Measure("n", 132441), "132,441", "", ""),
        (Measure("n", 0, limit=0), "0", "0", "agrees"),
        (Measure("n", 1, limit=0), "1", "0", "DIFFERS"),
        (Measure("d", 0.31513, "ms", 1.0), "0.315 ms", "1 ms", "agrees"),
        (Measure("d", 1234.5, "km", 1e3), "1,234 km", "1,000 km", "DIFFERS"),
        (Measure("d", 7.04, "%", 100.0), "7.04%", "100%", "agrees"),
        (Measure("d", 3.4e-9, "km", 1e-8, rounding=True), "3e-09 km", "1e-08 km", "agrees"),
        (Measure("d", math.nan, "m", 1.0), "nan m", "1 m", "DIFFERS"),
        (Measure("d", math.inf, "m", 1.0), "inf m", "1 m", "DIFFERS"),
    ],
)
def test_a_measure_in_words(measure: Measure, value: str, limit: str, result: str) -> None:
    assert (value_text(measure), limit_text(measure), verdict(measure)) == (value, limit, result)


@pytest.mark.parametrize("differences", [[math.nan, 1e-9], [1e-9, math.nan, 1e-9], [math.nan], []])
def test_a_value_that_is_not_given_agrees_with_no_limit(differences: list[float]) -> None:
    # Python's max passes over a NaN that is not the first.
    assert not Measure("d", largest(differences), "m", 1.0).agrees
    assert largest(iter([1.0, 3.0, 2.0])) == 3.0


def test_outcomes_in_words() -> None:
    good = Outcome(ABOUT, Comparison(3, "states", (Measure("d", 0.5, "m", 1.0), Measure("n", 7))))
    bad = Outcome(ABOUT, Comparison(3, "states", (Measure("d", 2.0, "m", 1.0),)))
    missing = Outcome(ABOUT, None, missing="needs a.csv")
    damaged = Outcome(ABOUT, None, error="a.csv is damaged.")
    assert [said(one) for one in (good, bad, missing, damaged)] == [
        "agrees", "DIFFERS", "not run: needs a.csv", "FAILED: a.csv is damaged.",
    ]  # fmt: skip
    assert [one.failed for one in (good, bad, missing, damaged)] == [False, True, False, True]
    assert summary([good, bad, missing, damaged]) == "4 comparisons: 1 agree, 2 do not, 1 not run"
    assert summary([good]) == "1 comparison: 1 agree"
    assert list(rows(good)) == [
        ("states compared", "3", "", ""),
        ("d", "0.5 m", "1 m", "agrees"),
        ("n", "7", "", ""),
    ]
    assert list(rows(missing)) == []
