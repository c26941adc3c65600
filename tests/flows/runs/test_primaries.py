"""`skysieve screen --primary`: what comes near a few objects, as an analysis beside the run."""

import shutil
import sys
from pathlib import Path

import duckdb
import pytest

from skysieve import command_line
from storage.reading.newest_run import connect
from tests.runs import START, busiest_object

MICROSECOND_OF_ROUNDING = 2  # TCAs agree within 2 us
MILLIMETRE_M = 1e-3


def screen(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["skysieve", "screen", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        command_line.main()
    return int(stop.value.code or 0)


@pytest.fixture
def store(store_with_run: Path, tmp_path: Path) -> Path:
    """Give a copy of a store with one run of the small catalogue over two hours."""
    copy = tmp_path / "store"
    shutil.copytree(store_with_run, copy)
    return copy


@pytest.fixture
def busiest(store: Path) -> int:
    """Give the object with the most fast events in the run, always the secondary of one of them."""
    return busiest_object(store)


@pytest.mark.slow
def test_the_rows_are_those_of_the_run_with_the_primary_first(
    store: Path,
    small_catalogue: Path,
    busiest: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "events.parquet"
    code = screen(
        monkeypatch, small_catalogue, "--primary", busiest, "--store", store, "--start", f"{START}Z",
        "--hours", 2, "--output", output,
    )  # fmt: skip
    assert code == 0
    captured = capsys.readouterr()
    assert "1 of 600 objects against all" in captured.err
    assert str(busiest) in captured.out
    with connect(store) as connection:
        pairs = connection.execute(
            "SELECT a.primary_norad_id, a.origin, abs(date_diff('microsecond', a.tca, c.tca)), "
            "abs(a.miss_distance_m - c.miss_distance_m), a.risk_level = c.risk_level "
            "FROM analyses a JOIN conjunctions c USING (event_id)"
        ).fetchall()
        ((expected,),) = connection.execute(
            "SELECT count(*) FROM conjunctions WHERE ? IN (primary_norad_id, secondary_norad_id)", [busiest]
        ).fetchall()
        ((analysed,),) = connection.execute("SELECT count(*) FROM analyses").fetchall()
        ((shown,),) = connection.execute("SELECT count(*) FROM events WHERE origin = 'full'").fetchall()
    assert len(pairs) == expected == analysed == shown > 0
    for primary, origin, off_us, off_m, same_level in pairs:
        assert (primary, origin, same_level) == (busiest, "full", True)
        assert off_us <= MICROSECOND_OF_ROUNDING
        assert off_m < MILLIMETRE_M
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT count(*) FROM '{output}'").fetchone() == (expected,)


@pytest.mark.slow
def test_the_run_stays_current_and_repeats_do_not_pile_up(
    store: Path, small_catalogue: Path, busiest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (store / "current.json").read_bytes()
    for _ in range(2):
        screen(monkeypatch, small_catalogue, "--primary", busiest, "--store", store, "--hours", 1)
    assert (store / "current.json").read_bytes() == before
    assert len(list((store / "analyses").glob("full-*.parquet"))) == 1


@pytest.mark.slow
def test_an_unknown_object_is_named(
    store: Path,
    small_catalogue: Path,
    busiest: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = screen(
        monkeypatch, small_catalogue, "--primary", busiest, "--primary", 999_999_998, "--store", store
    )
    assert code == 2
    message = capsys.readouterr().err
    assert "--primary 999999998" in message
    assert "600 objects" in message
    assert not list((store / "analyses").glob("full-*"))


@pytest.mark.parametrize("option", [("--workers", 1), ("--scheduler", "tcp://127.0.0.1:1")])
def test_what_does_not_go_with_primaries(
    option: tuple[str, object],
    small_catalogue: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = screen(monkeypatch, small_catalogue, "--primary", 5, "--store", tmp_path / "store", *option)
    assert code == 2
    assert "--scheduler" in capsys.readouterr().err
    assert not (tmp_path / "store").exists()
