"""Sheets: nothing runs over an edge or over something else, whatever the event."""

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from api.report.contents import Report
from api.report.digest import digest_of
from api.report.numbers import Row, sections
from api.report.paper.digest_sheets import digest_pages
from api.report.paper.event_sheets import event_pages, wide_sheet
from api.settings import ApiSettings
from storage.in_memory.snapshot import Snapshot

# A text may stick out of its line by a descender.
TOUCHING = 0.9  # of the box, around its middle


def boxes(figure: Figure) -> list[tuple[Text, Bbox]]:
    """Return every text on a sheet with the rectangle it covers."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    found = [*figure.texts]
    for axes in figure.axes:
        found += [*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())  # ticks beyond are there, and not drawn
            found += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        legend = axes.get_legend()
        found += [] if legend is None else legend.get_texts()
    return [
        (text, text.get_window_extent(renderer)) for text in found if text.get_text() and text.get_visible()
    ]


def check(figure: Figure) -> None:
    width, height = figure.bbox.width, figure.bbox.height
    placed = boxes(figure)
    for text, box in placed:
        assert 0 <= box.x0 <= box.x1 <= width, text.get_text()
        assert 0 <= box.y0 <= box.y1 <= height, text.get_text()
    on_paper = [(text, box) for text, box in placed if text.axes is None]
    for i, (text, box) in enumerate(on_paper):
        inner = box.shrunk(TOUCHING, TOUCHING)
        for other, covered in on_paper[:i]:
            assert not inner.overlaps(covered), (text.get_text(), other.get_text())


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
        "Synthetic: the catalogue is generated, not observed. These objects do not exist.",
        "Historic: the catalogue is old, and its window begins at 2024-11-01 00:00 Z.",
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
def test_a_digest_takes_as_many_pages_as_it_needs(
    snapshot: Snapshot, settings: ApiSettings, worst: Report
) -> None:
    digest = digest_of(snapshot, "critical", 100, settings, worst.made_at)
    assert digest.total == len(digest.events) > 1
    (page,) = digest_pages(digest)
    check(page)
    shown = " ".join(text.get_text() for text in page.texts)
    for event in digest.events:
        assert f"{event.tca:%Y-%m-%d %H:%M:%S}" in shown
        assert str(event.primary.norad_id) in shown
    many = digest_pages(digest._replace(events=digest.events * 30, total=10_000))
    assert len(many) == -(-30 * len(digest.events) // 50)
    for page in many:
        check(page)
    (empty,) = digest_pages(digest._replace(events=[], total=0))
    assert "There are none." in [text.get_text() for text in empty.texts]


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
        assert value(rows["in-track"]) == pytest.approx(event.miss_in_track_m, abs=0.51)
        assert value(rows["Relative speed"]) == pytest.approx(event.relative_speed_m_s, abs=0.51)
        if event.probability_2d is not None:
            chance, largest = rows["Probability, exact 2-D"], rows["Probability, largest"]
            assert value(chance) == pytest.approx(event.probability_2d, rel=5e-3)
            assert value(largest) == pytest.approx(event.probability_max, rel=5e-3)
        for which, side in enumerate(event.sides):
            assert value(rows["Sigma in-track"], which) == pytest.approx(side.sigma_t_m, abs=0.51)
        assert rows["Event"].values == (str(event.id),)


def test_every_number_is_explained_in_a_line(reports: list[Report]) -> None:
    for report in reports:
        assert [row.label for row in rows_of(report).values() if not 5 <= len(row.meaning) <= 70] == []


def test_lines_of_the_table_are_in_the_order_of_the_sheet(worst: Report) -> None:
    figure = event_pages(worst)[1]
    labels = [row.label for section in sections(worst) for row in section.rows]
    heights = {text.get_text(): text.get_position()[1] for text in figure.texts if text.get_text() in labels}
    once = [label for label in labels if labels.count(label) == 1]
    assert all(np.greater(heights[above], heights[below]) for above, below in pairwise(once))
