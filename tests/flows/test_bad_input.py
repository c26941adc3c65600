"""Whatever is handed over: one paragraph that names the value and what is allowed, and an untouched store."""

import hashlib
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from flows.runs.run import Request, prepare
from flows.sources.catalogues import read_file
from screening.errors import InputError
from skysieve import command_line
from storage.reading.newest_run import Status, status
from tests.flows.misbehaving_server import MisbehavingServer
from tests.runs import make_run, source_of

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run_command(
    store_with_run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run `skysieve screen` in this process; returns exit code and message. The store must not change."""

    def run(*arguments: object) -> tuple[int, str]:
        before = _fingerprint(store_with_run)
        argv = ["skysieve", "screen", *map(str, arguments), "--store", str(store_with_run)]
        monkeypatch.setattr(sys, "argv", argv)
        with pytest.raises(SystemExit) as stop:
            command_line.main()
        assert _fingerprint(store_with_run) == before, "the store changed"
        return int(stop.value.code or 0), capsys.readouterr().err

    return run


def _fingerprint(store: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in store.rglob("*")
        if path.is_file()
    }


BROKEN_FILES = {
    "empty": (b"", "empty"),
    "web page": (b"<!DOCTYPE html><html><body>Error 503</body></html>", "html"),
    "wrong column": (b"NAME,NUMBER\nISS,25544\n", "NAME,NUMBER"),
    "binary": (bytes(range(256)) * 20, ""),
    "list of strings": (b'["a", "b"]', ""),
}


@pytest.mark.parametrize("case", BROKEN_FILES)
def test_a_file_without_element_sets_is_refused(run_command: Run, tmp_path: Path, case: str) -> None:
    content, named = BROKEN_FILES[case]
    path = tmp_path / "broken.csv"
    path.write_bytes(content)
    code, message = run_command(path)
    assert code == 1
    assert str(path) in message
    assert named.lower() in message.lower()
    assert "expected" in message.lower()
    assert "Traceback" not in message


def test_a_missing_file_is_named(run_command: Run, tmp_path: Path) -> None:
    code, message = run_command(tmp_path / "nowhere.csv")
    assert code == 1
    assert str(tmp_path / "nowhere.csv") in message


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--threshold-km", "0.01"], ["0.01 km", "0.1 to 100 km"]),
        (["--threshold-km", "101"], ["101 km", "0.1 to 100 km"]),
        (["--threshold-km", "nan"], ["nan km", "0.1 to 100 km"]),
        (["--hours", "0"], ["0 hours", "0.1 to 720 hours"]),
        (["--hours", "721"], ["721 hours", "0.1 to 720 hours"]),
        (["--start", "yesterday"], ["'yesterday'", "ISO 8601"]),
        (["--output", "events.xlsx"], ["'.xlsx'", ".csv, .parquet, .duckdb"]),
        (["--workers", "0"], ["--workers"]),
    ],
    ids=" ".join,
)
def test_an_argument_out_of_range_is_wrong_usage(
    run_command: Run, small_catalogue: Path, arguments: list[str], named: list[str]
) -> None:
    code, message = run_command(small_catalogue, *arguments)
    assert code == 2
    for text in named:
        assert text in message


def test_an_argument_out_of_range_is_refused_before_the_catalogue_is_read(
    run_command: Run, tmp_path: Path
) -> None:
    code, message = run_command(tmp_path / "nowhere.csv", "--threshold-km", "1e9")
    assert code == 2
    assert "1e+09 km" in message


@pytest.mark.parametrize("command", ["refresh", "schedule", "up"])
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SKYSIEVE_THRESHOLD_KM", "1e9"),
        ("SKYSIEVE_THRESHOLD_KM", "nan"),
        ("SKYSIEVE_LOOK_AHEAD_HOURS", "0.05"),
    ],
)
def test_a_setting_out_of_range_is_refused_before_anything_is_asked_for(
    command: str,
    variable: str,
    value: str,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It was found when the catalogue had been downloaded; `up` tried again and again."""
    monkeypatch.setenv(variable, value)
    with MisbehavingServer() as server:
        source = ["--source", f"{server.url}/gp.csv", "--store", str(store)]
        monkeypatch.setattr(sys, "argv", ["skysieve", command, *source])
        with pytest.raises(SystemExit) as stop:
            command_line.main()
        assert server.requests == []
    assert stop.value.code == 2
    assert f"{variable}={value}" in capsys.readouterr().err
    assert not store.exists()


def test_a_window_far_from_every_epoch_is_refused(run_command: Run, small_catalogue: Path) -> None:
    code, message = run_command(small_catalogue, "--start", "2027-01-01T00:00:00Z")
    assert code == 1
    assert "2027-01-01" in message
    assert "365 days" in message


def _screened(folder: Path, lines: list[str]) -> Status:
    make_run(source_of(lines, folder), folder / "store")
    return status(folder / "store")


def test_bad_records_are_counted_and_the_rest_goes_on(tmp_path: Path, catalogue_lines: list[str]) -> None:
    header = catalogue_lines[0].split(",")
    lines = catalogue_lines[:30].copy()

    def spoil(line: int, column: str, value: str) -> None:
        cells = lines[line].split(",")
        cells[header.index(column)] = value
        lines[line] = ",".join(cells)

    spoil(3, "ECCENTRICITY", "1.0")
    spoil(5, "MEAN_MOTION", "nan")
    spoil(7, "INCLINATION", "inf")
    lines.append(lines[10][:40])  # a line cut within the text
    lines.append(lines[9])  # one object twice
    found = _screened(tmp_path, lines)
    assert found.run.rejected == 4
    assert found.run.objects == 26
    assert [line for line, _, _ in found.rejections] == [4, 6, 8, 31]
    reasons = " ".join(reason for _, _, reason in found.rejections)
    for named in ("ECCENTRICITY", "MEAN_MOTION", "INCLINATION"):
        assert named.lower() in reasons.lower()


@pytest.mark.slow
def test_old_epochs_are_flagged_and_counted(tmp_path: Path, catalogue_lines: list[str]) -> None:
    lines = catalogue_lines[:30].copy()
    column = lines[0].split(",").index("EPOCH")
    cells = lines[4].split(",")
    cells[column] = "2024-09-01T00:00:00.000000"
    lines[4] = ",".join(cells)
    assert _screened(tmp_path, lines).run.flagged_old_epoch == 1


CHECKED = (
    "1 25544U 98067A   24305.50000000  .00000000  00000+0  10000-3 0  999{}\n"
    "2 25544  51.6400 100.0000 0001000 100.0000 260.0000 15.50000000    0{}\n"
)


@pytest.mark.parametrize(
    ("broken", "said"), [(1, ""), (2, "2 of 3 records were rejected; the first: line 3 (1 ")]
)
def test_where_most_records_were_rejected_that_comes_before_the_window(
    store: Path, tmp_path: Path, broken: int, said: str
) -> None:
    path = tmp_path / "few.tle"
    path.write_text(CHECKED.format(2, 0) + broken * CHECKED.format(0, 0))
    source, request = read_file(path), Request(np.datetime64("2028-01-01", "us"), 24.0, 5.0)
    with pytest.raises(InputError) as failed:
        prepare(source, request, store, datetime(2026, 11, 21, tzinfo=UTC))
    assert str(failed.value).startswith(said or "The window 2028-01-01")
    assert "epochs from 2024-10-31 to 2024-10-31; at most 365 days" in str(failed.value)


def test_a_refused_catalogue_leaves_no_store_behind(store: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    with pytest.raises(InputError):
        make_run(read_file(tmp_path / "empty.csv"), store)
    assert not store.exists()


@pytest.mark.slow
def test_the_window_of_a_historic_catalogue_is_its_own(
    store: Path, tmp_path: Path, catalogue_lines: list[str]
) -> None:
    outcome = make_run(source_of(catalogue_lines[:50], tmp_path), store, start=None)
    assert outcome.prepared.historic
    assert np.datetime64("2024-10-31") < outcome.prepared.span.start < np.datetime64("2024-11-02")
    assert status(store).run.historic


def test_a_run_with_too_many_events_leaves_the_store_alone(
    run_command: Run, small_catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKYSIEVE_MAX_EVENTS", "20")
    code, message = run_command(small_catalogue, "--hours", 3, "--threshold-km", 100, "--workers", 1)
    assert code == 1
    assert "100 km need about " in message
    assert "SKYSIEVE_MAX_EVENTS allows 20" in message
    assert "This would fit: --threshold-km " in message
    assert "Traceback" not in message
