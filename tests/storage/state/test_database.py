"""`service.sqlite`: attempts and requests, over restarts, from several processes, and when it is damaged."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from screening.errors import StoreError
from storage.state import database, opening, tables
from storage.state.database import (
    SERVICE_STATE,
    RequestLimit,
    begin_attempt,
    claim_request,
    count_attempts,
    end_attempt,
    newest_attempts,
    query_state,
)
from storage.state.tables import ServiceStateError
from storage.times import NaiveTimeError

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LIMITS = (RequestLimit(3, MINUTE), RequestLimit(5, HOUR))


def test_an_attempt_is_recorded_from_beginning_to_end(store: Path) -> None:
    number = begin_attempt(store, NOW, "celestrak", "fetch")
    (begun,) = newest_attempts(store, 10)
    assert begun == (number, NOW, None, "celestrak", "fetch", None, None, None, None)
    end_attempt(
        store,
        number,
        NOW + MINUTE,
        "published",
        stage="publish",
        decision="unchanged",
        reason="304",
        run_id="r",
    )
    (ended,) = newest_attempts(store, 10)
    expected = (number, NOW, NOW + MINUTE, "celestrak", "publish", "published", "unchanged", "304", "r")
    assert ended == expected


def test_the_stage_stays_if_none_is_given(store: Path) -> None:
    end_attempt(store, begin_attempt(store, NOW, "a", "fetch"), NOW, "failed", reason="no network")
    (ended,) = newest_attempts(store, 1)
    assert (ended.stage, ended.outcome, ended.reason, ended.run_id) == ("fetch", "failed", "no network", None)


def test_the_newest_come_first(store: Path) -> None:
    numbers = [begin_attempt(store, NOW + hours * HOUR, "celestrak", "fetch") for hours in range(5)]
    assert [attempt.id for attempt in newest_attempts(store, 3)] == numbers[:1:-1]


def test_attempts_are_counted_by_how_they_ended(store: Path) -> None:
    for outcome in ("failed", "failed", "published", "failed", "skipped"):
        end_attempt(store, begin_attempt(store, NOW, "celestrak", "fetch"), NOW, outcome)
    begin_attempt(store, NOW, "celestrak", "fetch")
    assert count_attempts(store) == {"failed": 3, "published": 1, "skipped": 1}


def test_times_in_other_zones_are_the_same_instant_and_naive_ones_are_refused(store: Path) -> None:
    begin_attempt(store, NOW.astimezone(timezone(timedelta(hours=5))), "elsewhere", "fetch")
    assert [attempt.started for attempt in newest_attempts(store, 2)] == [NOW]
    with pytest.raises(NaiveTimeError, match="has no zone"):
        begin_attempt(store, NOW.replace(tzinfo=None), "naive", "fetch")
    assert len(newest_attempts(store, 2)) == 1


def test_an_outcome_is_one_of_the_three(store: Path) -> None:
    number = begin_attempt(store, NOW, "celestrak", "fetch")
    with pytest.raises(sqlite3.IntegrityError):
        end_attempt(store, number, NOW, "perhaps")  # type: ignore[arg-type]


def test_a_reader_makes_no_file(store: Path) -> None:
    store.mkdir()
    assert newest_attempts(store, 10) == []
    assert count_attempts(store) == {}
    assert list(store.iterdir()) == []


def test_old_attempts_go(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "KEPT_ATTEMPTS", 3)
    numbers = [begin_attempt(store, NOW, "celestrak", "fetch") for _ in range(5)]
    assert [attempt.id for attempt in newest_attempts(store, 10)] == numbers[:1:-1]


def test_requests_are_limited_in_every_span(store: Path) -> None:
    seconds = [0, 1, 2]
    for second in seconds:
        assert claim_request(store, "space", NOW + timedelta(seconds=second), LIMITS) is None
    at_limit = NOW + timedelta(seconds=59)
    assert claim_request(store, "space", at_limit, LIMITS) == NOW + MINUTE
    assert claim_request(store, "other", at_limit, LIMITS) is None
    assert claim_request(store, "space", NOW + MINUTE, LIMITS) is None
    assert claim_request(store, "space", NOW + 30 * MINUTE, LIMITS) is None
    assert claim_request(store, "space", NOW + 31 * MINUTE, LIMITS) == NOW + HOUR
    assert claim_request(store, "space", NOW + HOUR, LIMITS) is None


def test_a_wrong_clock_does_not_block_for_ever(store: Path) -> None:
    for _ in range(3):
        claim_request(store, "space", NOW + timedelta(days=4000), LIMITS)
    assert claim_request(store, "space", NOW, LIMITS) is None


def test_several_at_once_never_exceed_a_limit(store: Path) -> None:
    """The file does not exist yet: its making must not fail either when all begin at once."""
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: claim_request(store, "space", NOW, LIMITS), range(24)))
    assert answers.count(None) == 3


@pytest.mark.processes
def test_processes_share_what_they_claim(store: Path, repository: Path) -> None:
    script = (
        "import sys; from datetime import *; from pathlib import Path; from storage.state.database import *\n"
        "limits = (RequestLimit(3, timedelta(minutes=1)),)\n"
        "now = datetime(2026, 11, 21, 6, tzinfo=UTC)\n"
        "print(sum(claim_request(Path(sys.argv[1]), 'space', now, limits) is None for _ in range(3)))"
    )
    command = [sys.executable, "-c", script, str(store)]
    claiming = [
        subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert sum(int(process.communicate()[0]) for process in claiming) == 3


def test_a_reader_is_not_held_up_by_a_writer(store: Path) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    with database.service_state(store) as state:
        state.execute("UPDATE attempts SET reason = 'changed'")
        assert newest_attempts(store, 1)[0].reason is None
    assert newest_attempts(store, 1)[0].reason == "changed"


def test_a_failed_block_changes_nothing(store: Path) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    with pytest.raises(KeyError), database.service_state(store) as state:
        state.execute("DELETE FROM attempts")
        raise KeyError
    assert len(newest_attempts(store, 10)) == 1


@pytest.mark.parametrize("other_reads", [False, True])
def test_one_without_write_permission_reads(
    store: Path, monkeypatch: pytest.MonkeyPatch, other_reads: bool
) -> None:
    """Root may write anywhere: so SQLite is made to say what it says to others."""
    begin_attempt(store, NOW, "celestrak", "fetch")
    connect = sqlite3.connect

    def without_permission(name: str, /, **options: object) -> sqlite3.Connection:
        return connect(name.replace(f"{SERVICE_STATE}?mode=rw", "no such folder/none?mode=rw"), **options)

    with closing(sqlite3.connect(store / SERVICE_STATE)) as other:
        if other_reads:
            other.execute("SELECT * FROM attempts").fetchall()
        assert (store / f"{SERVICE_STATE}-wal").exists() == other_reads
        monkeypatch.setattr(opening.sqlite3, "connect", without_permission)
        assert [attempt.source for attempt in newest_attempts(store, 10)] == ["celestrak"]


USES = {
    "begin": lambda store: begin_attempt(store, NOW, "celestrak", "fetch"),
    "end": lambda store: end_attempt(store, 1, NOW, "failed"),
    "newest": lambda store: newest_attempts(store, 10),
    "counted": lambda store: count_attempts(store),
    "claim": lambda store: claim_request(store, "space", NOW, LIMITS),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("damage", ["no database", "cut", "folder"])
def test_a_file_that_cannot_be_used_is_a_clear_error(store: Path, use: str, damage: str) -> None:
    path = store / SERVICE_STATE
    begin_attempt(store, NOW, "celestrak", "fetch")
    if damage == "no database":
        path.write_bytes(b"not a database" * 1000)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:5000])
    else:
        path.unlink()
        path.mkdir()
    with pytest.raises(
        ServiceStateError, match=r"is damaged.*restore it|cannot be used.*left unchanged"
    ) as unusable:
        USES[use](store)
    assert str(path) in str(unusable.value)
    assert isinstance(unusable.value, StoreError)


def test_a_store_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServiceStateError, match="cannot be used"):
        begin_attempt(tmp_path / "file" / "store", NOW, "celestrak", "fetch")


def test_a_newer_schema_is_left_alone_and_nothing_stays_open(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        state.execute("PRAGMA user_version = 99")
    connect, opened = sqlite3.connect, []

    def connect_and_note(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", connect_and_note)
    with pytest.raises(ServiceStateError, match="Update skysieve"):
        newest_attempts(store, 1)
    assert opened
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def test_an_older_schema_is_read_and_brought_up_by_the_next_who_writes(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    before = (store / SERVICE_STATE).read_bytes()
    later = (*tables.MIGRATIONS, ("CREATE TABLE later (id INTEGER)",))
    monkeypatch.setattr(tables, "MIGRATIONS", later)
    assert len(newest_attempts(store, 10)) == 1
    assert query_state(store, "SELECT count(*) FROM later") == [(0,)]
    assert (store / SERVICE_STATE).read_bytes() == before
    begin_attempt(store, NOW, "celestrak", "fetch")
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        assert state.execute("SELECT count(*) FROM attempts").fetchone() == (2,)
        assert state.execute("SELECT count(*) FROM later").fetchone() == (0,)
        assert state.execute("PRAGMA user_version").fetchone() == (len(later),)
