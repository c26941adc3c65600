"""Analyses are stored whole or not at all, keep the ids of events, and do not pile up."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from screening.errors import StoreError
from screening.risk.conjunctions import ConjunctionArray
from storage.analyses.stored import Analysis, store_analysis
from storage.reading.newest_run import connect
from tests.made_up_run import MadeUpRun

LATER = timedelta(hours=1)


def asked(run_id: str, made_up: MadeUpRun, **other: object) -> Analysis:
    analysis = Analysis(
        mode="full",
        primaries=(int(made_up.conjunctions["primary_norad_id"][0]),),
        run_id=run_id,
        basis=run_id,
        start=None,
        hours=24.0,
        threshold_km=10.0,
        computed_at=made_up.run.finished + LATER,
        synthetic=True,
    )
    return analysis._replace(**other)


def turned(conjunctions: ConjunctionArray) -> ConjunctionArray:
    """Return the same encounters as seen by the other object, a second later."""
    other = conjunctions.copy()
    for name in conjunctions.dtype.names:
        if name.startswith("primary_"):
            partner = name.replace("primary_", "secondary_")
            other[name], other[partner] = conjunctions[partner], conjunctions[name]
    for name in ("tca", "inside_from", "inside_to"):
        other[name] += np.timedelta64(1, "s")
    return other


@pytest.fixture
def made_up(make) -> MadeUpRun:
    made_up = make.run()
    for who in ("primary", "secondary"):
        made_up.conjunctions[f"{who}_covariance_source"] = 0
    return made_up


def test_an_analysis_shows_among_the_events_and_keeps_their_ids(
    make, store: Path, made_up: MadeUpRun
) -> None:
    run_id = make.publish(store, made_up)
    some = turned(made_up.conjunctions[:5])
    rows = store_analysis(store, asked(run_id, made_up), some, made_up.elements)
    with connect(store) as connection:
        for row in rows.to_pylist():
            shown = connection.execute(
                "SELECT origin, primary_norad_id, secondary_norad_id, primary_name FROM events "
                "WHERE event_id = ?",
                [row["event_id"]],
            ).fetchall()
            names = dict(
                zip(made_up.elements["norad_id"].tolist(), made_up.elements["name"].tolist(), strict=True)
            )
            primary = row["primary_norad_id"]
            assert shown == [("full", primary, row["secondary_norad_id"], names[primary])]
            of_run = connection.execute(
                "SELECT primary_norad_id, secondary_norad_id FROM conjunctions WHERE event_id = ?",
                [row["event_id"]],
            ).fetchall()
            assert of_run == [(row["secondary_norad_id"], primary)]
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (len(made_up.conjunctions),)


@pytest.mark.slow
def test_the_same_question_replaces_its_answer(make, store: Path, made_up: MadeUpRun) -> None:
    run_id = make.publish(store, made_up)
    question = asked(run_id, made_up)
    first = store_analysis(store, question, made_up.conjunctions[:5], made_up.elements)
    again = question._replace(computed_at=question.computed_at + LATER)
    second = store_analysis(store, again, made_up.conjunctions[:3], made_up.elements)
    assert second["event_id"].to_pylist() == first["event_id"].to_pylist()[:3]
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM analyses").fetchone() == (3,)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "other",
    [
        {"mode": "quick"},
        {"primaries": (4711,)},
        {"primaries": (4711, 4712)},
        {"basis": "another run"},
        {"start": datetime(2026, 11, 21, tzinfo=UTC)},
        {"hours": 48.0},
        {"threshold_km": 5.0},
    ],
)
def test_another_question_has_its_own_answer(make, store: Path, made_up: MadeUpRun, other: dict) -> None:
    run_id = make.publish(store, made_up)
    for question in (asked(run_id, made_up), asked(run_id, made_up, **other)):
        store_analysis(store, question, made_up.conjunctions[:2], made_up.elements)
    assert len(list((store / "analyses").glob("*.parquet"))) == 3  # with the one without rows


def test_an_analysis_without_events(make, store: Path, made_up: MadeUpRun) -> None:
    run_id = make.publish(store, made_up)
    rows = store_analysis(store, asked(run_id, made_up), made_up.conjunctions[:0], made_up.elements)
    assert len(rows) == 0
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (len(made_up.conjunctions),)


@pytest.mark.slow
def test_a_store_without_a_run_takes_an_analysis_and_the_next_run_its_ids(
    make, store: Path, made_up: MadeUpRun
) -> None:
    rows = store_analysis(
        store, asked("20261121T050000Z", made_up), made_up.conjunctions[:5], made_up.elements
    )
    make.publish(store, made_up)
    with connect(store) as connection:
        ids = [row[0] for row in connection.execute("SELECT event_id FROM conjunctions").fetchall()]
    assert set(rows["event_id"].to_pylist()) <= set(ids)


@pytest.mark.slow
def test_an_id_that_an_old_run_gave_to_another_encounter_is_not_given_again(
    make, store: Path, made_up: MadeUpRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids are 53 bits of a hash: two encounters may have the same one."""
    monkeypatch.setattr(
        "storage.rows.over_runs.event_ids.hashed_ids", lambda events: np.full(len(events), 4711, np.int64)
    )
    monkeypatch.setattr(
        "storage.writing.known_events.hashed_ids", lambda events: np.full(len(events), 4711, np.int64)
    )
    make.publish(store, made_up._replace(conjunctions=made_up.conjunctions[:1]))
    nothing = make.run(hours_later=6)
    run_id = make.publish(store, nothing._replace(conjunctions=nothing.conjunctions[:0]))
    rows = store_analysis(store, asked(run_id, made_up), made_up.conjunctions[10:12], made_up.elements)
    assert sorted(rows["event_id"].to_pylist()) == [4712, 4713]


def test_synthetic_events_do_not_come_among_real_ones(make, store: Path) -> None:
    real = make.run(synthetic=False)
    run_id = make.publish(store, real)
    with pytest.raises(StoreError, match=run_id):
        store_analysis(store, asked(run_id, real), real.conjunctions[:2], real.elements)
    assert [path.name for path in (store / "analyses").iterdir()] == ["0.parquet"]


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import json
from datetime import datetime
from storage.analyses.stored import Analysis, store_analysis
from tests.made_up_run import make_run
made_up = make_run()
fields = json.loads(sys.argv[2])
fields["computed_at"] = datetime.fromisoformat(fields["computed_at"])
fields["primaries"] = tuple(fields["primaries"])

def die_before(event, arguments):
    if event == "os.rename" and str(arguments[0]).endswith(".new"):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die_before)
store_analysis(Path(sys.argv[1]), Analysis(**fields), made_up.conjunctions[:5], made_up.elements)
"""


@pytest.mark.processes
def test_a_killed_analysis_leaves_nothing_visible(
    make, store: Path, made_up: MadeUpRun, repository: Path
) -> None:
    run_id = make.publish(store, made_up)
    question = asked(run_id, made_up)
    fields = question._asdict() | {"computed_at": question.computed_at.isoformat()}
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(tests=str(repository)), str(store), json.dumps(fields)],
        check=False,
        env={**os.environ, "PYTHONPATH": str(repository)},
    )
    assert done.returncode == -signal.SIGKILL
    assert len(list((store / "analyses").iterdir())) == 2  # what it left, and the file without rows
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM analyses").fetchone() == (0,)
    store_analysis(store, question, made_up.conjunctions[:5], made_up.elements)
    assert not list((store / "analyses").glob("*.new"))
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM analyses").fetchone() == (5,)


@pytest.mark.slow
def test_the_file_is_small(make, store: Path) -> None:
    """It holds the names of the objects in it, not of the whole catalogue."""
    made_up = make.run(objects=3000)
    run_id = make.publish(store, made_up)
    store_analysis(store, asked(run_id, made_up), made_up.conjunctions[:2], made_up.elements)
    (file,) = (store / "analyses").glob("full-*.parquet")
    assert file.stat().st_size < 64_000
    assert pq.read_table(file).num_rows == 2
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT count(*) FROM '{file}'").fetchone() == (2,)
