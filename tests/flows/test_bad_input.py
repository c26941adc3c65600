"""Whatever is handed over: one paragraph that names the value and what is allowed, and an untouched store."""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import skysieve
from flows.run import InputError, Request, Source, run_catalogue
from flows.settings import FlowSettings
from storage.read import status
from tests.runs import SILENT, START

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
            skysieve.main()
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


def test_a_window_far_from_every_epoch_is_refused(run_command: Run, small_catalogue: Path) -> None:
    code, message = run_command(small_catalogue, "--start", "2027-01-01T00:00:00Z")
    assert code == 1
    assert "2027-01-01" in message
    assert "365 days" in message


def _screen(store: Path, lines: list[str]) -> dict[str, object]:
    source = Source("lines", "\n".join(lines).encode())
    run_catalogue(source, Request(START, 1.0, 10.0), FlowSettings(store=store, workers=1), SILENT)
    found = status(store)
    return {"run": found.run, "rejections": found.rejections}


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
    lines.append(lines[9])  # one object twice
    lines.append(lines[10][:40])  # the last line cut
    found = _screen(tmp_path, lines)
    run = found["run"]
    rejections = found["rejections"]
    assert run.rejected == 4  # type: ignore[attr-defined]
    assert run.objects == 26  # type: ignore[attr-defined]
    assert [line for line, _, _ in rejections] == [4, 6, 8, 32]  # type: ignore[attr-defined]
    reasons = json.dumps([reason for _, _, reason in rejections])  # type: ignore[attr-defined]
    for named in ("ECCENTRICITY", "MEAN_MOTION", "INCLINATION"):
        assert named.lower() in reasons.lower()


def test_old_epochs_are_flagged_and_counted(tmp_path: Path, catalogue_lines: list[str]) -> None:
    lines = catalogue_lines[:30].copy()
    column = lines[0].split(",").index("EPOCH")
    cells = lines[4].split(",")
    cells[column] = "2024-09-01T00:00:00.000000"
    lines[4] = ",".join(cells)
    assert _screen(tmp_path, lines)["run"].flagged_old_epoch == 1  # type: ignore[attr-defined]


def test_a_refused_catalogue_leaves_no_store_behind(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with pytest.raises(InputError):
        run_catalogue(Source("x", b""), Request(None, 1.0, 10.0), FlowSettings(store=store), SILENT)
    assert not store.exists()


def test_the_window_of_a_historic_catalogue_is_its_own(tmp_path: Path, catalogue_lines: list[str]) -> None:
    source = Source("lines", "\n".join(catalogue_lines[:50]).encode())
    outcome = run_catalogue(source, Request(None, 1.0, 10.0), FlowSettings(store=tmp_path, workers=1), SILENT)
    assert outcome.prepared.historic
    assert np.datetime64("2024-10-31") < outcome.prepared.span.start < np.datetime64("2024-11-02")
    assert status(tmp_path).run.historic
