"""Every list marks the probabilities that rest on a guess, with the same words."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from screening.risk.conjunctions import HARD_BODY_SOURCES
from skysieve.command_line import app
from storage.reading.newest_run import events
from storage.rows.marks import LEGEND, NOT_COMPUTED, marks
from storage.shell.listing import FOR_A_READER, print_events_for_a_reader
from tests.made_up_run import make_run, publish


@pytest.mark.parametrize(
    ("probability", "radius", "primary", "secondary", "expected"),
    [
        (1e-4, "type", False, False, "R"),
        (1e-4, "class", False, None, "R"),
        (1e-4, "table", True, False, "M"),
        (1e-4, "override", False, True, "M"),
        (1e-4, "rcs", False, False, ""),
        (1e-4, "type", True, True, "RM"),
        (None, "type", True, True, ""),  # nothing rests on anything
        (0.0, "type", None, None, "R"),
        (1e-4, None, None, None, ""),
    ],
)
def test_marks_are_of_what_a_probability_rests_on(
    probability: float | None, radius: str | None, primary: bool | None, secondary: bool | None, expected: str
) -> None:
    assert marks(probability, radius, [primary, secondary], [None, None]) == expected
    elsewhere = [None, datetime(2024, 11, 1, tzinfo=UTC)]
    assert marks(probability, radius, [primary, secondary], elsewhere) == f"{expected}E"


@pytest.mark.slow
def test_a_list_has_marks_and_says_what_they_mean(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_up = make_run(conjunctions=1)
    row = made_up.conjunctions
    row["probability_best"], row["probability_method"], row["probability_level"] = 2e-5, 0, 1
    row["probability_flag"] = 0
    row["hard_body_source"], row["primary_manoeuvring"] = HARD_BODY_SOURCES.index("type"), 1
    row["encounter"], row["secondary_departs_at"] = 0, row["tca"]
    publish(store, made_up)
    print_events_for_a_reader(events(store), store)
    shown = capsys.readouterr().out
    print_events_for_a_reader(events(store, columns=FOR_A_READER), store)
    assert capsys.readouterr().out == shown
    assert "2.0e-05 RME" in shown
    assert LEGEND in " ".join(shown.split())
    piped = CliRunner().invoke(app, ["events", "--store", str(store)]).output.splitlines()
    heads, cells = (line.split("\t") for line in piped)
    assert dict(zip(heads, cells, strict=True))["primary_manoeuvring"] == "True"


@pytest.mark.slow
def test_a_probability_that_was_not_computed_is_no_blank(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up = make_run(conjunctions=1)
    row = made_up.conjunctions
    row["probability"] = row["probability_2d"] = row["probability_mc"] = np.nan
    row["probability_flag"], row["hard_body_source"], row["encounter"] = 2, 1, 0
    publish(store, made_up)
    print_events_for_a_reader(events(store), store)
    shown = capsys.readouterr().out
    print_events_for_a_reader(events(store, columns=FOR_A_READER), store)
    assert capsys.readouterr().out == shown
    assert f"{NOT_COMPUTED} long" in shown
    assert LEGEND not in " ".join(shown.split())


def test_the_page_says_the_same(repository: Path) -> None:
    page = (repository / "api" / "web" / "src" / "marks.ts").read_text()
    assert LEGEND in page
    assert f'"{NOT_COMPUTED}"' in page
