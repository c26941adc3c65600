"""Times, their zones and their texts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from storage.times import aware_utc, naive_utc, parse_time, time_text

NAIVE = datetime(2026, 11, 21, 6, 0, 7, 123456)  # noqa: DTZ001 - what is naive is UTC
EAST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    "time", [NAIVE, NAIVE.replace(tzinfo=UTC), NAIVE.replace(hour=8, tzinfo=EAST)], ids=str
)
def test_one_instant_is_the_same_with_and_without_a_zone(time: datetime) -> None:
    assert naive_utc(time) == NAIVE
    assert naive_utc(time).tzinfo is None
    assert aware_utc(time) == NAIVE.replace(tzinfo=UTC)
    assert aware_utc(time).tzinfo is UTC
    assert time_text(time) == "2026-11-21T06:00:07.123456Z"


@pytest.mark.parametrize(
    ("timespec", "text"),
    [
        ("seconds", "2026-11-21T06:00:07Z"),
        ("milliseconds", "2026-11-21T06:00:07.123Z"),
        ("microseconds", "2026-11-21T06:00:07.123456Z"),
    ],
)
def test_a_text_is_truncated_as_requested(timespec: str, text: str) -> None:
    assert time_text(NAIVE, timespec) == text


def test_whole_seconds_have_no_decimals_unless_they_are_asked_for() -> None:
    whole = NAIVE.replace(microsecond=0)
    assert time_text(whole) == "2026-11-21T06:00:07Z"
    assert time_text(whole, "microseconds") == "2026-11-21T06:00:07.000000Z"


@pytest.mark.parametrize(
    "text",
    ["2026-11-21T06:00:07.123456Z", "2026-11-21T06:00:07.123456", "2026-11-21T08:00:07.123456+02:00"],
)
def test_a_text_is_read_as_utc(text: str) -> None:
    assert parse_time(text) == NAIVE.replace(tzinfo=UTC)
    assert parse_time(text).tzinfo is UTC


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text)
