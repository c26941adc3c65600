"""A run ends when its time is over, and a process when its parent is gone."""

import logging
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from flows.runs import fleet_look, law_refit
from flows.runs.attempt import Attempt, remembered
from flows.runs.run import Outcome, Stages
from flows.scheduled import tasks
from flows.scheduled.deadlines import RunTooLong, ended_after
from flows.settings import FlowSettings
from storage.state.database import newest_attempts

AN_INSTANT_MIN = 0.001
ENDS_WITHIN_S = 30.0
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
print(child.stdout.readline().decode().strip(), flush=True)
child.wait()
"""
CHILD = """
import os, signal
from flows.scheduled.deadlines import end_with_parent
end_with_parent()
print(os.getpid(), flush=True)
signal.pause()
"""


def test_what_takes_too_long_is_ended_and_remembered(tmp_path: Path) -> None:
    stages = Stages(lambda _name: None)
    attempt = Attempt("celestrak", stages)
    with (
        pytest.raises(RunTooLong, match=r"longer than 0\.001 minutes \(SKYSIEVE_RUN_TIMEOUT_MINUTES\)"),
        remembered(tmp_path, attempt),
        ended_after(AN_INSTANT_MIN),
        stages("screen"),
    ):
        threading.Event().wait()  # as a run waits for workers
    (found,) = newest_attempts(tmp_path, 5)
    assert (found.outcome, found.stage) == ("failed", "screen")
    assert found.reason is not None
    assert "took longer than" in found.reason


def test_afterwards_nothing_is_ended() -> None:
    former = signal.getsignal(signal.SIGALRM)
    with ended_after(60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 50
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is former


def test_beside_the_main_thread_the_block_runs_without_an_end() -> None:
    done = []

    def work() -> None:
        with ended_after(AN_INSTANT_MIN):
            done.append(signal.getitimer(signal.ITIMER_REAL))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [(0, 0)]


@pytest.mark.processes
def test_a_process_ends_with_its_parent(repository: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD],
        env={**os.environ, "PYTHONPATH": str(repository)},
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    ended = select.select([child], [], [], ENDS_WITHIN_S)[0]
    os.close(child)
    assert ended, "the child outlives its parent"


def test_the_look_around_fleets_ends_in_what_is_left_of_the_runs_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """It began after the run's deadline was over, and could take for ever; no run followed then."""

    def endless(*_: object) -> None:
        threading.Event().wait()

    monkeypatch.setattr(fleet_look, "fleets", endless)
    monkeypatch.setattr(tasks, "LEAST_MINUTES", AN_INSTANT_MIN)
    settings = FlowSettings(store=tmp_path, run_timeout_minutes=1.0)
    with caplog.at_level(logging.WARNING, "skysieve"):
        found = tasks.look_in_time(cast("Outcome", None), settings, time.monotonic() - 61.0)
    assert found is not None
    assert found.events == 0
    assert "Fleets: The search around fleets was cancelled: it took longer than" in caplog.text


def test_so_does_the_refit_of_the_error_laws(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    def endless(*_: object) -> None:
        threading.Event().wait()

    monkeypatch.setattr(law_refit, "refit_laws", endless)
    monkeypatch.setattr(tasks, "LEAST_MINUTES", AN_INSTANT_MIN)
    settings = FlowSettings(store=tmp_path, run_timeout_minutes=1.0)
    of_real_objects = cast("Outcome", SimpleNamespace(prepared=SimpleNamespace(synthetic=False)))
    with caplog.at_level(logging.WARNING, "skysieve"):
        assert tasks.refit_in_time(of_real_objects, settings, time.monotonic() - 61.0) is None
    assert "The refit of the error laws was cancelled: it took longer than" in caplog.text
