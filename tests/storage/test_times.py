"""Times, their zones and their texts; at the borders of numpy, Arrow and DuckDB."""

from datetime import UTC, datetime, timedelta, timezone

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from storage.times import (
    NaiveTimeError,
    aware_utc,
    datetime64_us,
    fetched_utc,
    in_utc,
    parse_time,
    time_text,
    utc_datetime,
    utc_datetimes,
    utc_rows,
)

NAIVE = datetime(2026, 11, 21, 6, 0, 7, 123456)  # noqa: DTZ001 - as users, Arrow and DuckDB give them
TIME = NAIVE.replace(tzinfo=UTC)
EAST = NAIVE.replace(hour=8, tzinfo=timezone(timedelta(hours=2)))
INSTANT = np.datetime64("2026-11-21T06:00:07.123456", "us")
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize("time", [TIME, EAST], ids=str)
def test_one_instant_is_the_same_in_every_zone(time: datetime) -> None:
    for same in (in_utc(time), aware_utc(time), utc_datetime(datetime64_us(time))):
        assert same == TIME
        assert same.tzinfo is UTC
    assert datetime64_us(time) == INSTANT
    assert time_text(time) == "2026-11-21T06:00:07.123456Z"


@pytest.mark.parametrize("border", [in_utc, datetime64_us, time_text])
def test_a_time_without_a_zone_is_refused(border) -> None:
    with pytest.raises(NaiveTimeError, match=r"2026-11-21T06:00:07.123456 has no zone"):
        border(NAIVE)


def test_what_a_user_gives_without_a_zone_is_utc() -> None:
    assert aware_utc(NAIVE) == TIME


def test_times_of_arrays_get_their_zone_and_nat_none() -> None:
    instants = np.array([INSTANT, "NaT", "0001-01-01", "9999-12-31T23:59:59.999999", "1969-12-31"], "M8[us]")
    assert utc_datetimes(instants) == [TIME, None, FIRST, LAST, datetime(1969, 12, 31, tzinfo=UTC)]


def test_nanoseconds_of_an_array_are_cut_off() -> None:
    assert utc_datetime(np.datetime64("2026-11-21T06:00:07.123456999", "ns")) == TIME


def test_times_of_arrow_get_their_zone_also_inside_other_values() -> None:
    table = pa.table(
        {
            "number": [1],
            "time": pa.array([TIME], pa.timestamp("us")),
            "none": pa.array([None], pa.timestamp("us")),
            "zoned": pa.array([EAST], pa.timestamp("us", "Europe/Berlin")),
            "several": pa.array([[TIME, None]], pa.list_(pa.timestamp("us"))),
        }
    )
    (row,) = utc_rows(table)
    assert row == {"number": 1, "time": TIME, "none": None, "zoned": TIME, "several": [TIME, None]}
    assert row["time"].tzinfo is row["zoned"].tzinfo is row["several"][0].tzinfo is UTC


def test_times_of_duckdb_get_their_zone_also_inside_other_values() -> None:
    at = "TIMESTAMP '2026-11-21 06:00:07.123456'"
    sql = f"SELECT {at}, NULL::TIMESTAMP, {at}::TIMESTAMPTZ, [{at}], {{'at': {at}}}, 'x' FROM range(2)"
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        expected = (TIME, None, TIME, [TIME], {"at": TIME}, "x")
        assert fetched_utc(connection.execute(sql)) == [expected, expected]
        found = connection.execute(sql)
        assert [fetched_utc(found, 1) for _ in range(3)] == [[expected], [expected], []]


def test_a_statement_of_duckdb_takes_an_instant_in_any_time_zone() -> None:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'America/New_York'")
        same = connection.execute(f"SELECT TIMESTAMP '{NAIVE}' = ?", [datetime64_us(EAST)])
        assert same.fetchall() == [(True,)]


@pytest.mark.parametrize(
    ("timespec", "text"),
    [
        ("seconds", "2026-11-21T06:00:07Z"),
        ("milliseconds", "2026-11-21T06:00:07.123Z"),
        ("microseconds", "2026-11-21T06:00:07.123456Z"),
    ],
)
def test_a_text_is_truncated_as_requested(timespec: str, text: str) -> None:
    assert time_text(TIME, timespec) == text


def test_whole_seconds_have_no_decimals_unless_they_are_asked_for() -> None:
    whole = TIME.replace(microsecond=0)
    assert time_text(whole) == "2026-11-21T06:00:07Z"
    assert time_text(whole, "microseconds") == "2026-11-21T06:00:07.000000Z"


@pytest.mark.parametrize(
    "text",
    ["2026-11-21T06:00:07.123456Z", "2026-11-21T06:00:07.123456", "2026-11-21T08:00:07.123456+02:00"],
)
def test_a_text_is_read_as_utc(text: str) -> None:
    assert parse_time(text) == TIME
    assert parse_time(text).tzinfo is UTC


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text)
