"""When a message that was not taken is tried again."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from flows.alerts.channels.answered import Answered
from storage.times import aware_utc

# After the first attempt, after the second, and so on; three days in all, as Standard Webhooks proposes.
DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
MOST_JITTER = 0.1  # of a delay, on top, so that what failed together is not tried together
LONGEST = timedelta(hours=24)  # that a receiver may ask for
LONGEST_PAUSE = timedelta(hours=1)  # of an alert's other messages
TOO_MANY = frozenset({429, 502, 504})  # the receiver has too much to do
GONE = 410

Jitter = Callable[[], float]


def next_attempt(
    attempts: int, answered: Answered, now: datetime, jitter: Jitter = random.random
) -> datetime | None:
    """Return when to try again after so many attempts, None if not at all.

    A receiver that has too much to do is left twice the time, and one that says when (Retry-After, of up to a
    day) is not asked earlier. `jitter` gives numbers from 0 to 1.
    """
    if answered.is_final or attempts > len(DELAYS):
        return None
    delay = DELAYS[attempts - 1] * (1 + MOST_JITTER * jitter())
    if answered.status in TOO_MANY:
        delay = min(2 * delay, LONGEST * (1 + MOST_JITTER))
    return now + max(delay, retry_after(answered.retry_after, now))


def pause_until(answered: Answered, then: datetime | None, now: datetime) -> datetime | None:
    """Return until when the other messages of an alert wait too, None if they do not."""
    if then is None or not (answered.status in TOO_MANY or answered.retry_after):
        return None
    return min(then, now + LONGEST_PAUSE)


def retry_after(text: str, now: datetime) -> timedelta:
    """Read the header Retry-After: seconds, or a date (RFC 9110); nothing if it is neither, at most a day."""
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return timedelta(seconds=min(int(text[:10]), LONGEST.total_seconds()))
    try:
        wait = aware_utc(parsedate_to_datetime(text)) - now.astimezone(UTC)
    except (ValueError, TypeError, OverflowError):  # the last: a year or a zone beyond the calendar
        return timedelta()
    return min(max(wait, timedelta()), LONGEST)
