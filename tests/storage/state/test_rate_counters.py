"""Requests of the last minute: against a list of times, between processes, when clock or file fail."""

import shutil
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.state.credentials import create_credential
from storage.state.database import SERVICE_STATE, service_state
from storage.state.rate_counters import RateCounters
from storage.state.tables import ServiceStateError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

PROCESS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from storage.state.rate_counters import RateCounters
counters = RateCounters.of_store(Path(sys.argv[1]))
counters.take("ready", 1000, lambda: datetime.now(UTC))
print("ready", flush=True)
sys.stdin.readline()
print(sum(counters.take("shared", 60, lambda: datetime.now(UTC)).allowed for _ in range(100)))
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store = tmp_path / "store"
    store.mkdir()
    return store


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["one", "other"]),
            st.integers(1, 6),  # the limit, which may change from one request to the next
            st.sampled_from([0.0, 1e-6, 0.4, 9.0, 20.0, 59.999999, 60.0, 61.0]),
        ),
        max_size=60,
    )
)
def test_as_many_as_a_list_of_times_allows(steps: list[tuple[str, int, float]]) -> None:
    counters = RateCounters.in_memory()
    allowed: dict[str, list[datetime]] = defaultdict(list)
    now = NOON
    for key, limit, pause_s in steps:
        now += timedelta(seconds=pause_s)
        recent = [time for time in allowed[key] if now - time < timedelta(minutes=1)]
        taken = counters.take(key, limit, lambda: now)  # noqa: B023 - called at once
        assert taken.allowed == (len(recent) < limit)
        if taken.allowed:
            allowed[key].append(now)
            recent.append(now)
            assert taken.remaining == limit - len(recent)
        else:
            assert taken.remaining == 0
        in_the_way = recent[0] if taken.allowed else recent[-limit]
        assert taken.more_in_s == pytest.approx((in_the_way - now).total_seconds() + 60, abs=1e-6)
    counters.close()


def test_it_waits_as_long_as_it_says(store: Path) -> None:
    counters = RateCounters.of_store(store)
    for second in range(3):
        assert counters.take("a", 3, lambda: at(second)).allowed  # noqa: B023
    refused = counters.take("a", 3, lambda: at(10))
    assert refused == (False, 0, 50.0)
    assert not counters.take("a", 3, lambda: at(60) - MICROSECOND).allowed
    assert counters.take("a", 3, lambda: at(60)).allowed
    assert not counters.take("a", 3, lambda: at(60)).allowed
    counters.close()


def test_another_process_goes_on_counting(store: Path) -> None:
    first, second = RateCounters.of_store(store), RateCounters.of_store(store)
    assert [first.take("a", 3, lambda: NOON).remaining for _ in range(2)] == [2, 1]
    first.close()
    assert second.take("a", 3, lambda: at(1)).remaining == 0
    assert not first.take("a", 3, lambda: at(2)).allowed
    first.close()
    second.close()


@pytest.mark.processes
def test_processes_at_once_allow_no_more_than_one_would(store: Path, repository: Path) -> None:
    command = [sys.executable, "-c", PROCESS, str(store)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=repository)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sum(int(process.communicate()[0]) for process in processes) == 60


def test_a_clock_that_was_ahead_blocks_nobody_for_more_than_a_minute(store: Path) -> None:
    counters = RateCounters.of_store(store)
    for _ in range(3):
        counters.take("a", 3, lambda: NOON + timedelta(days=365))
    assert counters.take("a", 3, lambda: NOON) == (False, 0, 60.0)
    assert counters.take("a", 3, lambda: at(60)).remaining == 2
    counters.close()


def test_a_clock_that_steps_back_allows_no_more(store: Path) -> None:
    """100 of 60 were allowed: a step back of 1 s forgot what was counted in the second before."""
    counters = RateCounters.of_store(store)
    times = [at(0.02 * number) for number in range(60)]  # 1.2 s
    allowed = [counters.take("a", 60, lambda: time).allowed for time in times]  # noqa: B023
    for step in range(1, 40):
        back = at(1.2 - step)  # 39 steps back of 1 s, one request after each
        allowed.append(counters.take("a", 60, lambda: back).allowed)  # noqa: B023
    assert sum(allowed) == 60
    counters.close()


def test_what_counts_no_longer_is_removed(store: Path) -> None:
    counters = RateCounters.of_store(store)
    counters.forget(NOON)
    assert not (store / SERVICE_STATE).exists()  # nothing was counted, so nothing is to be removed
    for number in range(5):
        counters.take(f"failed 192.0.2.{number}", 3, lambda: at(number))  # noqa: B023
    counters.forget(at(62))
    with service_state(store) as state:
        left = [key for (key,) in state.execute("SELECT key FROM recent_requests")]
    assert left == ["failed 192.0.2.3", "failed 192.0.2.4"]
    counters.close()


def test_a_file_that_was_moved_away_is_made_anew(store: Path) -> None:
    counters = RateCounters.of_store(store)
    assert counters.take("a", 2, lambda: NOON).remaining == 1
    for path in store.glob(f"{SERVICE_STATE}*"):
        path.rename(path.with_name(f"old-{path.name}"))
    assert counters.take("a", 2, lambda: NOON).remaining == 1
    create_credential(store, "bearer", "the new file is used by others", NOON)
    assert counters.take("a", 2, lambda: NOON).remaining == 0
    counters.close()


def test_a_store_that_was_moved_away_is_not_made_anew(store: Path) -> None:
    counters = RateCounters.of_store(store)
    counters.take("a", 2, lambda: NOON)
    moved = shutil.move(store, store.with_name("elsewhere"))
    with pytest.raises(ServiceStateError, match="is not a folder"):
        counters.take("a", 2, lambda: NOON)
    assert not store.exists()
    shutil.move(moved, store)
    assert counters.take("a", 2, lambda: NOON).remaining == 0
    counters.close()


def test_a_damaged_file(store: Path) -> None:
    (store / SERVICE_STATE).write_bytes(b"no database" * 1000)
    counters = RateCounters.of_store(store)
    with pytest.raises(ServiceStateError, match="is damaged"):
        counters.take("a", 2, lambda: NOON)
    counters.close()
