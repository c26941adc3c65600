"""Runs and received messages on one time line: in the table, in the history picture, on paper."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from typer.testing import CliRunner

from api.report import timeline
from api.report.contents import Report, report_on
from api.report.paper.event_sheets import event_pages, wide_sheet
from api.report.pictures.history import draw_history
from api.report.web_page import write_event
from api.settings import ApiSettings
from skysieve.command_line import app
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot, newest_snapshot
from storage.pictures import style
from storage.pictures.style import Area
from storage.settings import load_settings
from storage.times import utc_datetime
from tests.api.conftest import plausible, serving
from tests.made_up_run import WINDOW_START, MadeUpRun, make_run, publish
from tests.storage.messages.received import taken, text
from tests.told_events import summary

MADE = WINDOW_START - timedelta(hours=3)
NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)


def pair(made_up: MadeUpRun) -> tuple[str, str]:
    row = made_up.conjunctions[0]
    return str(row["primary_norad_id"]), str(row["secondary_norad_id"])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs, and of their first event three messages, one of which is restricted."""
    folder = tmp_path_factory.mktemp("timeline") / "store"
    made_up = plausible(make_run())
    made_up.conjunctions["risk_level"][0] = 0
    made_up.conjunctions["miss_distance_m"][0] = 5.0
    tca = utc_datetime(made_up.conjunctions["tca"][0])
    for hours in (0, 6):
        publish(folder, plausible(make_run(hours_later=hours))._replace(conjunctions=made_up.conjunctions))
    for hours, claim in ((0, "1e-5"), (8, "3e-4")):
        made = MADE + timedelta(hours=hours)
        message = text(tca=tca, made=made, pair=pair(made_up), probability=claim)
        taken(folder, message.replace(" 100.0 [m**2]", " 160000.0 [m**2]"))  # radially 400 m, of 1000 m
    first, second = pair(made_up)
    taken(folder, summary(MADE + timedelta(hours=20), tca, 0, SAT_1_ID=first, SAT_2_ID=second))
    return folder


@pytest.fixture(scope="module")
def snapshot(store: Path) -> Snapshot:
    return newest_snapshot(store)


@pytest.fixture(scope="module")
def settings(store: Path) -> ApiSettings:
    return load_settings(ApiSettings, store=store)


def event_id(snapshot: Snapshot) -> int:
    first = plausible(make_run())
    numbers = [int(number) for number in pair(first)]
    rows = snapshot.events(EventQuery(norad_ids=[numbers[0]], limit=None)).rows
    return next(int(str(row[0])) for row in rows if row[2] == numbers[1])


@pytest.fixture(scope="module")
def told(snapshot: Snapshot, settings: ApiSettings) -> Report:
    return report_on(snapshot, event_id(snapshot), settings, NOW)


@pytest.fixture(scope="module")
def everything(snapshot: Snapshot, settings: ApiSettings) -> Report:
    return report_on(snapshot, event_id(snapshot), settings, NOW, restricted=True)


def test_runs_and_messages_stand_in_the_order_of_time(told: Report, everything: Report) -> None:
    lines = timeline.lines(told)
    assert [line.of_message for line in lines] == [True, False, True, False]
    assert [line.when for line in lines] == sorted(line.when for line in lines)
    assert [line.cells[4] for line in lines if line.of_message] == ["1.00e-05", "3.00e-04"]
    assert len({line.cells[5] for line in lines if line.of_message}) == 1  # their data are the same
    assert "1 left out" in timeline.note(told)
    assert timeline.note(everything) == ""
    assert [line.of_message for line in timeline.lines(everything)] == [True, False, True, False, True]
    assert timeline.lines(everything)[-1].cells[1].endswith("(restricted)")


def test_how_far_a_message_is_apart_is_said_as_in_the_inbox(told: Report, store: Path) -> None:
    with serving(store) as client:
        messages = client.get(f"/conjunctions/{told.event.id}").json()["messages"]
    cells = [line.cells[-1] for line in timeline.lines(told) if line.of_message]
    assert [one["apart"] for one in messages] == [cell.split(";")[0] for cell in cells]
    assert all("sigmas" in one["apart"] for one in messages)
    done = CliRunner().invoke(app, ["messages", "list", "--json", "--store", str(store)])
    assert done.exit_code == 0, (done.output, done.exception)
    listed = {one["id"]: one for one in json.loads(done.stdout)}
    for one in messages:
        assert listed[one["id"]]["apart"] == one["apart"]
        assert listed[one["id"]]["sigmas_apart"] == one["sigmas_apart"]
    shown = CliRunner().invoke(app, ["messages", "show", messages[0]["id"], "--store", str(store)])
    assert messages[0]["apart"] in shown.stdout


def test_the_page_has_the_table_and_says_what_is_left_out(told: Report, tmp_path: Path) -> None:
    with (tmp_path / "page.html").open("w+", encoding="utf-8") as stream:
        write_event(stream, told)
        stream.seek(0)
        page = stream.read()
    assert page.count("<h3>Runs and messages</h3>") == 1
    for line in timeline.lines(told):
        for cell in line.cells:
            assert cell.replace("&", "&amp;") in page
    assert "1 left out" in page


def test_the_history_shows_messages_as_diamonds(told: Report) -> None:
    figure = Figure(figsize=style.PANEL_IN)
    draw_history(Area(figure, 0.0, 0.0, *style.PANEL_IN), told)
    miss, chance = figure.axes
    diamonds = [
        drawn
        for axes in (miss, chance)
        for drawn in axes.collections
        if isinstance(drawn, PathCollection) and len(drawn.get_paths()[0].vertices) == 5
    ]
    drawn = [sorted(np.asarray(one.get_offsets())[:, 1].tolist()) for one in diamonds]
    computed = [message["probability_best"] for message in told.received.told]
    assert min(computed) > 1e-9
    assert drawn == [pytest.approx([1000.0, 1000.0]), pytest.approx(computed), [1e-5, 3e-4]]


@pytest.mark.slow
def test_paper_has_a_page_more_and_the_wide_sheet_is_higher(told: Report) -> None:
    assert len(event_pages(told)) == 3
    without = told._replace(received=told.received._replace(told=[]))
    assert len(event_pages(without)) == 2
    assert wide_sheet(told).get_size_inches()[1] > wide_sheet(without).get_size_inches()[1]
    written = [found.get_text() for found in event_pages(told)[2].texts]
    assert timeline.TITLE in written
    assert "3.00e-04" in written


@pytest.mark.slow
def test_an_event_that_only_messages_tell_has_a_history_of_messages(
    store: Path, settings: ApiSettings
) -> None:
    soon = WINDOW_START + timedelta(hours=5)
    others = ("800000001", "800000002")
    for hours in (1, 2):
        made = MADE + timedelta(hours=hours)
        taken(store, text(tca=soon, made=made, pair=others), hours_later=hours)
    snapshot = newest_snapshot(store)
    (row,) = snapshot.events(EventQuery(norad_ids=[800000001])).rows
    report = report_on(snapshot, int(str(row[0])), settings, NOW)
    assert [line.of_message for line in timeline.lines(report)] == [True, True]
    figure = Figure(figsize=style.PANEL_IN)
    draw_history(Area(figure, 0.0, 0.0, *style.PANEL_IN), report)
    assert len(figure.axes) == 2


def test_side_by_side_says_which_to_trust_and_who_was_asked(told: Report, tmp_path: Path) -> None:
    headings, rows = timeline.sides(told)
    assert [row[0].removesuffix(" (newest)") for row in rows] == ["skysieve", "MADE UP"]
    assert sum(row[0].endswith(" (newest)") for row in rows) == 1
    assert len(headings) == len(rows[0]) == len(timeline.SIDE_HEADINGS) + len(rows)
    assert told.side_by_side is not None
    with (tmp_path / "report.html").open("w+", encoding="utf-8") as stream:
        write_event(stream, told)
        stream.seek(0)
        page = stream.read()
    assert page.count(f"<h3>{timeline.SIDE_TITLE}</h3>") == 1
    assert page.count(told.side_by_side.words) == 2  # in words, and above the table
    for words in told.origins:
        assert words in page
