"""`skysieve.screen(as_of=...)` is `skysieve screen --as-of`: the same run of the past, the same refusals."""

import shutil
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import skysieve
from screening.errors import InputError, SkysieveError, UsageError
from skysieve import command_line
from storage.histories.incoming import import_histories
from tests.storage.histories.made_up import START, history, seen_table

AS_OF = START.replace(tzinfo=UTC) + timedelta(hours=13)
NEW_IN_EACH_STORE = ["event_id", "run_id", "computed_at"]
NEW_IN_EACH_RUN = ["finished", "seconds_by_stage"]


@pytest.fixture
def past(tmp_path: Path) -> Path:
    """Give a store with a made-up history of ten bodies in three pieces each; the last look is too late."""
    path = tmp_path / "history.csv"
    sets = [one._replace(epoch=one.epoch.replace(minute=one.norad_id % 10)) for one in history(30, 3)]
    path.write_text(seen_table(sets))
    import_histories(tmp_path / "past", [path], datetime.now(UTC))
    return tmp_path / "past"


@pytest.mark.slow
@pytest.mark.parametrize("as_of", [AS_OF, "2026-05-01T13:00:00", np.datetime64("2026-05-01T13:00")])
def test_the_command_makes_the_same_run(
    past: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_of: object
) -> None:
    shutil.copytree(past, other := tmp_path / "other")
    run = skysieve.screen(as_of=as_of, hours=1, workers=1, store=past)  # type: ignore[arg-type]
    arguments = ["skysieve", "screen", "--as-of", AS_OF.isoformat(), "--hours", "1", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", [*arguments, "--store", str(other)])
    with pytest.raises(SystemExit) as stop:
        command_line.main()
    assert not stop.value.code
    here, there = (skysieve.open_store(store) for store in (past, other))
    for name in ("conjunctions", "proximities", "objects"):
        mine, theirs = (getattr(one, name)() for one in (here, there))
        kept = [column for column in mine.columns if column not in NEW_IN_EACH_STORE]
        pd.testing.assert_frame_equal(mine[kept], theirs[kept])
    assert len(run.proximities) > 0
    mine, theirs = (one.runs().drop(columns=NEW_IN_EACH_RUN) for one in (here, there))
    pd.testing.assert_frame_equal(mine, theirs)
    assert mine["replay"].all()
    assert mine["catalogue_decision"].tolist() == ["history"]
    assert run.window_start == AS_OF
    assert "replay" in run.summary


@pytest.mark.parametrize(
    ("arguments", "kind", "told"),
    [
        ({}, UsageError, "Give a catalogue, or as_of without primary"),
        ({"as_of": AS_OF, "primary": [1001]}, UsageError, "Give a catalogue, or as_of without primary"),
        ({"as_of": "x"}, UsageError, "as_of 'x' is not a time"),
        ({"as_of": 5}, UsageError, "as_of is 5; expected a datetime"),
        ({"as_of": AS_OF, "store": None}, UsageError, "name its folder as store"),
        ({"as_of": AS_OF - timedelta(days=9)}, InputError, "no element set that was known at 2026-04-22"),
    ],
    ids=range(6),
)
def test_what_cannot_be_is_refused(
    past: Path, arguments: dict[str, object], kind: type[SkysieveError], told: str
) -> None:
    with pytest.raises(kind, match=told):
        skysieve.screen(**{"store": past} | arguments)  # type: ignore[arg-type]


def test_a_catalogue_and_a_past_time_exclude_each_other(past: Path, small_catalogue: Path) -> None:
    catalogue = skysieve.read_catalogue(small_catalogue)
    with pytest.raises(UsageError, match="Give a catalogue, or as_of"):
        skysieve.screen(catalogue, as_of=AS_OF, store=past)
