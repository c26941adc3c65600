"""Messages are tried again when they should be, and no longer than three days."""

from datetime import UTC, datetime, timedelta

import pytest

from flows.alerts.channels.posting import Answered
from flows.alerts.send import next_attempt, pause_until, retry_after

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
REFUSED = Answered(500, "500")
# As the design says; in s.
SCHEDULE_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]


def delay_s(attempts: int, answered: Answered, jitter: float = 0.0) -> float | None:
    then = next_attempt(attempts, answered, NOW, lambda: jitter)
    return None if then is None else (then - NOW).total_seconds()


def test_the_delays_are_those_specified_then_it_is_given_up() -> None:
    assert [delay_s(number, REFUSED) for number in range(1, 11)] == [*SCHEDULE_S, None]


@pytest.mark.parametrize("jitter", [0.0, 0.5, 1.0])
def test_jitter_adds_at_most_a_tenth(jitter: float) -> None:
    for number, seconds in enumerate(SCHEDULE_S, start=1):
        assert delay_s(number, REFUSED, jitter) == pytest.approx(seconds * (1 + 0.1 * jitter))


@pytest.mark.parametrize("status", [429, 502, 504])
def test_a_receiver_with_too_much_to_do_is_left_twice_the_time(status: int) -> None:
    assert delay_s(2, Answered(status, "busy")) == 600
    assert delay_s(9, Answered(status, "busy"), 1.0) == pytest.approx(86_400 * 1.1)


def test_what_is_final_is_not_tried_again() -> None:
    assert next_attempt(1, Answered(550, "no such user", is_final=True), NOW) is None


def test_a_receiver_that_says_when_is_not_asked_earlier() -> None:
    assert delay_s(1, Answered(429, "busy", "120")) == 120
    assert delay_s(3, Answered(503, "busy", "120")) == 1800
    assert delay_s(1, Answered(503, "busy", "Sun, 01 Mar 2026 12:02:00 GMT")) == 120


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        (" 90 ", 90),
        ("99999999999999999999999", 86_400),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30),
        ("Sunday, 01-Mar-26 12:00:30 GMT", 30),  # RFC 850
        ("Sun Mar  1 12:00:30 2026", 30),  # asctime
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ("Fri, 31 Dec 9999 23:59:59 -1200", 0),
        ("Mon, 01 Jan 9999999999 00:00:00 GMT", 0),  # ended the delivery, which began again at once
        ("Mon, 01 Jan 2026 00:00:00 +99999999999", 0),
        ("-5", 0),
        ("1.5", 0),
        ("1e9", 0),
        ("٣", 0),
        ("soon", 0),
        ("", 0),
        ("\x00", 0),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date_and_is_bounded(text: str, seconds: float) -> None:
    assert retry_after(text, NOW).total_seconds() == seconds


def test_other_messages_wait_too_where_the_receiver_asks_for_it_but_an_hour_at_most() -> None:
    soon, late = NOW + timedelta(minutes=2), NOW + timedelta(hours=20)
    assert pause_until(Answered(429, "busy"), soon, NOW) == soon
    assert pause_until(Answered(503, "busy", "120"), soon, NOW) == soon
    assert pause_until(Answered(429, "busy"), late, NOW) == NOW + timedelta(hours=1)
    assert pause_until(REFUSED, soon, NOW) is None
    assert pause_until(Answered(429, "busy"), None, NOW) is None
