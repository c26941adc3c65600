"""`skysieve history`: what is imported, left out, and shown."""

import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.storage.commands.told import Told
from tests.storage.histories.made_up import START, Set, history, seen_table


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Give commands on an empty store."""
    return Told("history", tmp_path / "store", monkeypatch, capsys)


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """Give a folder with a history, of which a set is wrong."""
    folder = tmp_path / "inbox"
    folder.mkdir()
    wrong = Set(2001, START, START + timedelta(days=99))
    (folder / "sets.csv").write_text(seen_table([*history(3, 4), wrong]))
    return folder


def test_an_import_says_what_it_took_and_what_not(told: Told, inbox: Path) -> None:
    assert told("import", inbox) == (
        "12 new, 0 known (0 of them now since an earlier time), 1 skipped, from 1 file\n"
    )
    assert "skipped, 1: epoch more than 10 days after it was known, first: " in told.err
    again = json.loads(told("import", inbox, "--json"))
    assert (again["new"], again["known"]) == (0, 12)
    assert [(one["reason"], one["sets"]) for one in again["skipped"]] == [
        ("epoch more than 10 days after it was known", 1)
    ]


def test_a_file_that_cannot_be_read_is_named_and_the_others_taken(told: Told, inbox: Path) -> None:
    (inbox / "a.txt").write_text("nothing\n")
    assert told("import", inbox, code=1).startswith("12 new")
    assert f"not read: Cannot read element sets from {inbox}/a.txt" in told.err
    told("import", inbox / "gone", code=1)
    assert "gone does not exist" in told.err


@pytest.mark.slow
def test_the_sets_of_an_object(told: Told, inbox: Path) -> None:
    told("import", inbox)
    rows = json.loads(told("show", 1002, "--json"))
    assert [row["first_seen"] for row in rows] == [f"2026-05-01T{hour:02d}:00:00Z" for hour in (3, 9, 15, 21)]
    assert rows[0]["since_previous_h"] is None
    assert [row["since_previous_h"] for row in rows[1:]] == pytest.approx([6.0] * 3, abs=1e-3)
    assert rows[1]["age_at_first_seen_h"] == pytest.approx(3 - 1 / 60, abs=1e-3)
    # Kepler's third law with WGS-72: 15.5 rev/day is a semi-major axis of 6,796 km.
    assert rows[0]["perigee_km"] == pytest.approx(6796 * (1 - 0.0006317) - 6378, abs=2)
    assert rows[0]["apogee_km"] == pytest.approx(6796 * (1 + 0.0006317) - 6378, abs=2)
    table = list(csv.DictReader(io.StringIO(told("show", 1002, "--csv"))))
    assert [row["epoch"] for row in table] == [row["epoch"] for row in rows]
    assert told("show", 1002).count("\n") == 5
    told("show", 1002, "--csv", "--json", code=2)
    told("show", 99, code=1)
    assert "has no element set of object 99" in told.err
