"""Encounters that only messages tell stand among the events, until a run or an analysis has them."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pytest

from screening.risk.messages import read, values
from storage.disk.checksums import ASIDE
from storage.disk.layout import write_parquet
from storage.messages.kept import received, remove_message
from storage.reading.export import export
from storage.reading.newest_run import connect
from storage.schema import CONJUNCTIONS
from storage.times import utc_datetime
from storage.vocabulary import TOLD
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, MadeUpRun, make_run, publish
from tests.storage.messages.received import taken, text
from tests.told_events import summary

SOON = WINDOW_START + timedelta(hours=5)  # TCA, inside the run's window
MADE = WINDOW_START - timedelta(hours=3)
PAIR = ("800000001", "800000002")

Rows = list[tuple[object, ...]]


def rows(store: Path, query: str) -> Rows:
    with connect(store) as connection:
        return connection.execute(query).fetchall()


def told(store: Path) -> Rows:
    """The encounters among the events that only messages tell."""
    return rows(
        store,
        f"SELECT least(primary_norad_id, secondary_norad_id), origin, round(miss_distance_m) FROM events "
        f"WHERE origin IN {TOLD} ORDER BY ALL",
    )


@pytest.fixture
def made_up() -> MadeUpRun:
    return make_run()


@pytest.fixture
def published(store: Path, made_up: MadeUpRun) -> Path:
    publish(store, made_up)
    return store


def pair_of(made_up: MadeUpRun, index: int = 0) -> tuple[str, str]:
    row = made_up.conjunctions[index]
    return str(row["primary_norad_id"]), str(row["secondary_norad_id"])


def instant(made_up: MadeUpRun, index: int = 0) -> datetime:
    found: datetime = utc_datetime(made_up.conjunctions["tca"][index])
    return found


@pytest.mark.slow
def test_an_encounter_that_no_run_has_is_an_event_with_its_origin(published: Path) -> None:
    before = rows(published, "SELECT count(*) FROM events")[0][0]
    taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    assert told(published) == [(800000001, "message", 1000.0)]
    assert rows(published, "SELECT count(*) FROM events") == [(int(str(before)) + 1,)]
    ((event_id, name, speed),) = rows(
        published,
        "SELECT event_id, primary_name, relative_speed_m_s FROM events WHERE origin = 'message'",
    )
    assert name == "SATELLITE <000012345> [A]"
    assert speed == pytest.approx(10606.6, abs=0.05)  # as the message says
    assert received(published)["event_id"].to_pylist() == [None]  # no run has it
    assert received(published)["encounter_id"].to_pylist() == [event_id]


@pytest.mark.slow
def test_of_a_series_the_newest_message_is_shown_once(published: Path) -> None:
    series = [
        text(
            tca=SOON + timedelta(minutes=step),
            made=MADE + timedelta(hours=step),
            pair=PAIR,
            radius=f"{step + 1}.0 [m]",
        )
        for step in (2, 0, 1)
    ]
    taken(published, *series[:2])
    taken(published, series[2], hours_later=1)
    query = "SELECT hard_body_radius_m, tca FROM events WHERE origin = 'message'"
    naive = (SOON + timedelta(minutes=2)).replace(tzinfo=None)  # as DuckDB returns it
    assert rows(published, query) == [(3.0, naive)]


def test_a_message_about_an_event_of_the_run_adds_no_row(published: Path, made_up: MadeUpRun) -> None:
    nearby = instant(made_up) + timedelta(minutes=4)
    done = taken(published, text(tca=nearby, made=MADE, pair=pair_of(made_up)))
    assert (done.new, done.joined) == (1, 1)
    assert told(published) == []


@pytest.mark.slow
def test_a_later_run_that_finds_it_takes_over_its_id(store: Path, made_up: MadeUpRun) -> None:
    rest = made_up._replace(conjunctions=made_up.conjunctions[1:])
    made_up.conjunctions["encounter"][0] = 0
    publish(store, rest)
    taken(store, text(tca=instant(made_up) + timedelta(minutes=1), made=MADE, pair=pair_of(made_up)[::-1]))
    ((event_id,),) = rows(store, "SELECT event_id FROM events WHERE origin = 'message'")
    publish(store, make_run(hours_later=1)._replace(conjunctions=made_up.conjunctions))
    assert told(store) == []
    assert rows(store, f"SELECT origin FROM events WHERE event_id = {event_id}") == [("run",)]
    # And back: a run without it is followed by what the message tells, under the same id.
    publish(store, make_run(hours_later=2)._replace(conjunctions=made_up.conjunctions[1:]))
    assert rows(store, f"SELECT origin FROM events WHERE event_id = {event_id}") == [("message",)]
    assert rows(store, f"SELECT count(*) FROM conjunction_history WHERE event_id = {event_id}") == [(1,)]


@pytest.mark.slow
def test_before_the_first_run_nothing_is_shown_and_after_it_the_message_is(
    store: Path, made_up: MadeUpRun
) -> None:
    assert taken(store, text(tca=SOON, made=MADE, pair=PAIR)).new == 1
    assert [path.name for path in (store / "analyses").iterdir()] == ["0.parquet"]
    publish(store, made_up)
    assert told(store) == [(800000001, "message", 1000.0)]


@pytest.mark.slow
def test_what_may_be_handed_on_comes_before_what_may_not(published: Path) -> None:
    later, last = MADE + timedelta(hours=1), MADE + timedelta(hours=2)
    theirs = summary(later, SOON, 0, SAT_1_ID=PAIR[0], SAT_2_ID=PAIR[1])
    only_theirs = summary(last, SOON, 5)
    taken(published, theirs)
    taken(published, only_theirs, hours_later=1)
    both = [(800000001, "restricted_message", 886.0), (800000050, "restricted_message", 886.0)]
    assert told(published) == both
    taken(published, text(tca=SOON, made=MADE, pair=PAIR), hours_later=2)
    assert told(published) == [(800000001, "message", 1000.0), both[1]]


@pytest.mark.slow
def test_an_encounter_of_the_past_is_not_shown(published: Path) -> None:
    before = WINDOW_START - timedelta(seconds=1)
    long_ago, far_ahead = datetime(1970, 1, 2, tzinfo=UTC), MADE + timedelta(days=59)
    times = (before, long_ago, far_ahead)
    pairs = [(str(800_000_000 + k), str(810_000_000 + k)) for k in range(3)]
    taken(published, *(text(tca=tca, made=MADE, pair=pair) for tca, pair in zip(times, pairs, strict=True)))
    assert [row[0] for row in told(published)] == [800_000_002]


@pytest.mark.slow
def test_a_removed_message_is_no_longer_shown(published: Path) -> None:
    done = taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    remove_message(published, done.ids[0])
    assert told(published) == []


@pytest.mark.slow
def test_what_has_expired_is_not_shown(published: Path) -> None:
    taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    later = WINDOW_START + timedelta(days=40)
    publish(published, make_run(hours_later=24 * 40))
    compact(published, later + timedelta(days=1), Retention(timedelta(days=30), timedelta(days=90)))
    assert rows(published, "SELECT count(*) FROM messages") == [(0,)]
    publish(published, make_run(hours_later=24 * 41))
    assert told(published) == []


@pytest.mark.slow
def test_an_analysis_that_finds_it_since_the_run_is_shown_instead(published: Path) -> None:
    taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    with connect(published) as connection:
        row = connection.sql("FROM events WHERE origin = 'message'").to_arrow_table()
    names = row.column_names
    found = row.set_column(names.index("origin"), "origin", [["full"]]).select(CONJUNCTIONS.arrow.names)
    write_parquet(found.cast(CONJUNCTIONS.arrow), published / "analyses" / "full-1.parquet")
    taken(published, text(tca=SOON, made=MADE, pair=("800000003", "800000004")), hours_later=1)
    assert [row[0] for row in told(published)] == [800000003]


@pytest.mark.slow
def test_what_must_not_be_handed_on_is_exported_only_if_allowed(published: Path, tmp_path: Path) -> None:
    taken(published, summary(MADE, SOON, 5))
    taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    for allowed, origins in ((False, ["message"]), (True, ["message", "restricted_message"])):
        target = tmp_path / f"{allowed}.duckdb"
        export(published, target, force=False, on_table=lambda _name: None, allow_restricted=allowed)
        with duckdb.connect(str(target), read_only=True) as connection:
            query = f"SELECT origin FROM events WHERE origin IN {TOLD} ORDER BY 1"
            assert [one for (one,) in connection.execute(query).fetchall()] == origins
            assert connection.execute("SELECT count(*) FROM messages").fetchone() == (len(origins),)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.storage.messages.received import taken

def die_before(event, arguments):
    if event == "os.rename" and str(arguments[1]).endswith("message.parquet"):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die_before)
taken(Path(sys.argv[1]), sys.argv[2])
"""


@pytest.mark.slow
def test_killed_before_it_is_shown_it_is_shown_by_the_next(published: Path, repository: Path) -> None:
    message = text(tca=SOON, made=MADE, pair=PAIR)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(published), message],
        check=False,
        env={**os.environ, "PYTHONPATH": str(repository)},
    )
    assert done.returncode == -signal.SIGKILL
    assert told(published) == []
    publish(published, make_run(hours_later=1))
    assert told(published) == [(800000001, "message", 1000.0)]
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT count(*) FROM '{published}/messages/*.parquet'").fetchone() == (1,)


@pytest.mark.slow
def test_a_damaged_file_of_messages_stops_no_run(published: Path) -> None:
    taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    taken(published, text(tca=SOON, made=MADE, pair=("800000003", "800000004")), hours_later=1)
    first, _ = sorted(path for path in (published / "messages").iterdir() if path.name != "0.parquet")
    data = bytearray(first.read_bytes())
    data[len(data) // 3] ^= 0xFF
    first.write_bytes(data)
    publish(published, make_run(hours_later=1))
    assert told(published) == [(800000003, "message", 1000.0)]
    assert not first.exists()
    assert first.with_name(f"{first.name}{ASIDE}").exists()


@pytest.mark.slow
def test_a_message_of_the_last_instant_that_an_earlier_release_took_is_no_event(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Half a millisecond more is no time any more: it ended reports and calendars of all other events.
    monkeypatch.setattr(values, "LATEST", np.datetime64("9999-12-31T23:59:59.999999", "us"))
    monkeypatch.setattr(read, "FARTHEST_TCA", np.timedelta64(10_000_000, "D"))
    last = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    taken(published, text(tca=last, made=MADE, pair=(PAIR[0], "800000003")))
    taken(published, text(tca=SOON, made=MADE, pair=PAIR))
    assert len(received(published)) == 2
    assert told(published) == [(800000001, "message", 1000.0)]
