"""When runs are due, and which of those that are late is made."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from prefect._vendor.croniter import croniter

from flows.scheduled.due_times import cron_of, is_due_at_once, why_skipped
from screening.errors import UsageError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SIX_HOURS = timedelta(hours=6)


@pytest.mark.parametrize("hours", [24, 12, 8, 6, 4, 3, 2, 1, 0.5, 0.25, 1 / 3, 1 / 60])
def test_the_cron_line_has_that_interval(hours: float) -> None:
    due = croniter(cron_of(hours), NOON, ret_type=datetime)
    times = [due.get_next() for _ in range(200)]
    assert {later - earlier for earlier, later in pairwise(times)} == {timedelta(minutes=round(hours * 60))}
    assert any((time.hour, time.minute) == (0, 0) for time in times) or hours < 1


@pytest.mark.parametrize("hours", [0.001, 0.7, 1.5, 5, 7, 23, 36, 48])
def test_an_interval_that_cron_cannot_say_is_refused(hours: float) -> None:
    with pytest.raises(UsageError, match=r"SKYSIEVE_REFRESH_HOURS=.*must be 24, 12, 8, 6"):
        cron_of(hours)


@pytest.mark.parametrize(
    ("late", "newest", "skipped"),
    [
        (timedelta(seconds=20), NOON - SIX_HOURS, None),
        (timedelta(hours=5, minutes=59), NOON - timedelta(days=3), None),
        (timedelta(seconds=20), None, None),
        (timedelta(hours=6), NOON - timedelta(days=3), "a later run has come due"),
        (timedelta(days=9), None, "a later run has come due"),
        (timedelta(hours=1), NOON + timedelta(minutes=30), "a run was started since"),
        (timedelta(hours=1), NOON + timedelta(days=3000), None),  # the clock was wrong then
    ],
)
def test_a_late_run_is_skipped_when_another_does_its_work(
    late: timedelta, newest: datetime | None, skipped: str | None
) -> None:
    reason = why_skipped(NOON, NOON + late, SIX_HOURS, newest)
    assert (reason is None) == (skipped is None)
    assert skipped is None or (reason is not None and skipped in reason and "2026-11-21T12:00:00Z" in reason)


@pytest.mark.parametrize(
    ("newest", "due"),
    [
        (None, True),
        (NOON - SIX_HOURS, True),
        (NOON - timedelta(hours=5), False),
        (NOON + timedelta(days=9), True),
    ],
)
def test_a_store_without_a_recent_run_is_due_at_once(newest: datetime | None, due: bool) -> None:
    assert is_due_at_once(NOON, SIX_HOURS, newest) is due
