"""Runs forecast decays after they are published, and stand whatever fails in that."""

from collections.abc import Callable
from pathlib import Path

import pytest

from flows.runs import run
from screening.errors import StoreError
from storage.disk.layout import decay_file
from storage.sky.lists import Wanted, listed
from storage.state.database import query_state
from tests.runs import START, make_run, source_of

pytestmark = pytest.mark.slow


@pytest.fixture
def lines(shared_file: Callable[[str], Path]) -> list[str]:
    """One object in eighty of the real catalogue."""
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    return [lines[0], *lines[1::80]]


def test_a_run_has_its_decays(lines: list[str], store: Path, tmp_path: Path) -> None:
    outcome = make_run(source_of(lines, tmp_path), store, START)
    rows, total = listed(store, outcome.run_id, Wanted())
    assert total == len(rows) > 5
    assert "sky" in outcome.seconds_by_stage


@pytest.mark.parametrize("fault", [StoreError("The disk is full."), ZeroDivisionError("a bug")])
def test_a_run_stands_whatever_fails(
    lines: list[str], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def fails(*_arguments: object) -> int:
        raise fault

    monkeypatch.setattr(run, "forecast_decays", fails)
    outcome = make_run(source_of(lines, tmp_path), store, START)
    assert not decay_file(store, outcome.run_id).exists()
    assert listed(store, outcome.run_id, Wanted()) == ([], 0)
    ((source, state, reason),) = query_state(store, "SELECT source, outcome, reason FROM attempts", ())
    assert (source, state) == ("re-entries", "skipped")
    assert str(fault) in reason
