"""Sheets: nothing runs over an edge or over something else, whatever the event."""

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from api.report.contents import Report
from api.report.numbers import Row, sections
from api.report.paper.event_sheets import event_pages, wide_sheet
from tests.api.report.paper.overlaps import check


@pytest.fixture(scope="module")
def difficult(worst: Report, bare: Report) -> list[Report]:
    """Return reports with the longest names, notices and numbers there may be."""
    event = worst.event._replace(
        primary=worst.event.primary._replace(
            norad_id=999_999_999, name="A VERY LONG NAME OF A SATELLITE WITH (PARENTHESES) AND MORE OF IT"
        ),
        secondary=worst.event.secondary._replace(
            norad_id=999_999_998, name="ANOTHER VERY LONG NAME OF A PIECE OF DEBRIS OF SOMETHING ELSE DEB"
        ),
        id=2**53 - 1,
        probability_flag="slow long curved non_positive_definite",
        probability_2d=1.234e-9,
        probability_mc=1.234e-9,
    )
    run = replace(worst.run, source="https://example.org/a/very/long/" + "x" * 90 + ".csv")
    notices = [
        "Synthetic catalogue: none of these objects exists.",
        "Historic catalogue: the encounter lies in the past. Its window begins at 2024-11-01 00:00 Z.",
        "Stale: the newest run ended 1,234.5 days ago, more than 12.0 h. Newer sets may tell otherwise.",
        "Not in the newest run: 20241101T000000Z-002 was the last run with this event.",
    ]
    return [bare, worst._replace(event=event, run=run, notices=notices)]


@pytest.mark.slow
def test_events_of_all_kinds_fit_on_their_sheets(reports: list[Report], difficult: list[Report]) -> None:
    fast, slow = ([r for r in reports if r.event.encounter == kind] for kind in ("fast", "slow"))
    for report in [*fast, *slow, *difficult]:
        check(wide_sheet(report))
        pages = event_pages(report)
        assert len(pages) == 2
        for page in pages:
            check(page)


@pytest.mark.slow
def test_several_threads_draw_the_same_as_one(reports: list[Report]) -> None:
    def picture(report: Report) -> bytes:
        drawn = io.BytesIO()
        wide_sheet(report).savefig(drawn, format="png", dpi=50)
        return drawn.getvalue()

    alone = [picture(report) for report in reports[:2]]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(picture, reports[:2])) == alone


def rows_of(report: Report) -> dict[str, Row]:
    """Return the table by label; of a label that occurs twice, the first."""
    return {row.label.strip(): row for section in sections(report)[::-1] for row in section.rows[::-1]}


def value(row: Row, which: int = 0) -> float:
    return float(row.values[which].replace(",", "").replace("−", "-"))


def test_the_numbers_are_those_of_the_event(reports: list[Report]) -> None:
    for report in reports:
        rows, event = rows_of(report), report.event
        assert value(rows["Miss distance"]) == pytest.approx(event.miss_distance_m, abs=0.51)
        assert value(rows["Miss, in-track"]) == pytest.approx(event.miss_in_track_m, abs=0.51)
        assert value(rows["Relative speed"]) == pytest.approx(event.relative_speed_m_s, abs=0.51)
        if event.probability_2d is not None:
            chance, largest = rows["Probability, exact 2-D"], rows["Probability, largest"]
            assert value(chance) == pytest.approx(event.probability_2d, rel=5e-3)
            assert value(largest) == pytest.approx(event.probability_max, rel=5e-3)
        for which, side in enumerate(event.sides):
            assert value(rows["σ in-track"], which) == pytest.approx(side.sigma_t_m, abs=0.51)
        assert rows["Event"].values == (str(event.id),)


def test_every_number_is_explained_in_a_line(reports: list[Report]) -> None:
    for report in reports:
        assert [
            row.label for row in rows_of(report).values() if row.label and not 5 <= len(row.meaning) <= 70
        ] == []


def test_lines_of_the_table_are_in_the_order_of_the_sheet(worst: Report) -> None:
    figure = event_pages(worst)[1]
    labels = [row.label for section in sections(worst) for row in section.rows]
    heights = {text.get_text(): text.get_position()[1] for text in figure.texts if text.get_text() in labels}
    once = [label for label in labels if label and labels.count(label) == 1]
    assert all(np.greater(heights[above], heights[below]) for above, below in pairwise(once))
