"""When runs are due: cron from the interval, and which late runs are skipped."""

from datetime import datetime, timedelta

from screening.errors import UsageError
from storage.times import time_text

_MINUTES_AN_HOUR = 60
_HOURS_A_DAY = 24


def cron_of(hours: float) -> str:
    """Return the cron line, in UTC, for runs at an interval.

    Raises:
        UsageError: cron cannot express it; the message lists the intervals that it can.
    """
    minutes = round(hours * _MINUTES_AN_HOUR, 6)
    if 1 <= minutes < _MINUTES_AN_HOUR and _MINUTES_AN_HOUR % minutes == 0:
        return f"*/{minutes:g} * * * *"
    if 1 <= hours < _HOURS_A_DAY and hours % 1 == 0 and _HOURS_A_DAY % hours == 0:
        return f"0 */{hours:g} * * *"
    if hours == _HOURS_A_DAY:
        return "0 0 * * *"
    raise UsageError(
        f"SKYSIEVE_REFRESH_HOURS={hours:g}: runs are made at the same times every day, so it must be 24, "
        "12, 8, 6, 4, 3, 2, 1 or a fraction of an hour such as 0.5."
    )


def why_skipped(
    due: datetime, now: datetime, interval: timedelta, newest_started: datetime | None
) -> str | None:
    """Return why a run that was due earlier need not be made `now`; None if it must be.

    `newest_started` is when the newest run of the store was started; a time in the future, from a wrong
    clock, is ignored. Times carry their zone.
    """
    if now - due >= interval:
        return f"It was due at {time_text(due, 'seconds')}; a later run has come due since."
    if newest_started is not None and due <= newest_started <= now:
        started = time_text(newest_started, "seconds")
        return f"It was due at {time_text(due, 'seconds')}; a run was started since, at {started}."
    return None


def is_due_at_once(now: datetime, interval: timedelta, newest_started: datetime | None) -> bool:
    """Return whether a store has no run, or none within the last interval."""
    return newest_started is None or not timedelta(0) <= now - newest_started < interval
