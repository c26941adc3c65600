"""Progress goes by the work of tasks, not by their number, and says what is left."""

import logging

import pytest

from flows.runs import display as display_module
from flows.runs.display import Display
from screening.search.all_pairs.chosen_plan import Planned
from screening.search.all_pairs.plan import cut


def planned(seconds: list[float]) -> Planned:
    return Planned(cut(3600.0, 1, len(seconds)), seconds, sum(seconds), 10.0, 1e6, True)


def test_progress_goes_by_expected_work(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 100.0
    monkeypatch.setattr(display_module.time, "monotonic", lambda: now_s)
    caplog.set_level(logging.INFO, "skysieve")
    with Display() as display:
        stage, tell, progress, _ = display.reporter
        stage("screen")
        tell(planned([1.0, 1.0, 1.0, 1.0, 16.0]))
        progress(0, 5)
        for done in (1, 2, 3, 4):
            now_s += 1.0
            progress(done, 5)
        now_s += 16.0
        progress(5, 5)
    assert [line for line in caplog.messages if " of 5 tasks" in line] == [
        "  2 of 5 tasks, about 18 s left",
        "  4 of 5 tasks, about 16 s left",
        "  5 of 5 tasks",
    ]


def test_tasks_of_blocks_that_are_apart_are_no_work(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "skysieve")
    with Display() as display:
        stage, tell, progress, _ = display.reporter
        stage("screen")
        tell(planned([1.0] * 6))
        for done in (0, 1, 2, 3):
            progress(done, 3)
    assert caplog.messages[-1] == "  3 of 3 tasks"
