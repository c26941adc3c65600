"""A store with a run of some real objects, of which one flies by its operator's ephemeris for some hours."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skysieve import command_line
from storage.reading.newest_objects import NewestRun
from storage.trajectories.incoming import Named, take
from tests import runs

STATION, ON_EPHEMERIS, NAVIGATION, HIGH = 25544, 20580, 28474, 43013
ADDED = datetime(2024, 11, 1, tzinfo=UTC)


def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run a command, and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["skysieve", *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        command_line.main()
    code = stop.value.code or 0
    assert isinstance(code, int)
    return code


def made(shared_file: Callable[[str], Path], folder: Path) -> Path:
    """Make the store: the path of one object from 02:00 to 05:00 is a trajectory named STARLINK-X."""
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    wanted = (STATION, ON_EPHEMERIS, NAVIGATION, HIGH)
    source = runs.source_of(
        [header, *(line for line in records if int(line.split(",")[number]) in wanted)], folder
    )
    store, text = folder / "store", folder / "path.oem"
    runs.make_run(source, store)
    with pytest.MonkeyPatch.context() as patch:
        words = ["--start", "2024-11-01T02:00:00", "--hours", 3, "--output", text, "--store", store]
        assert command(patch, "ephemeris", ON_EPHEMERIS, *words) == 0
    take(
        store, text.read_bytes(), "path.oem", "definitive", Named(name="STARLINK-X"), ADDED, NewestRun(store)
    )
    runs.make_run(source, store, hours=12.0)
    return store
