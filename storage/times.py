"""Convert, write and read times: a `datetime` has a zone, UTC; in arrays, Arrow and DuckDB M8[us] is UTC.

What Arrow and DuckDB return as datetimes passes here to get its zone. Arrow takes those with a zone as they
are; DuckDB would compare them in the zone of its session, so statements take `datetime64_us`.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

# numpy and what builds on it are slow to import; commands print times without them.
if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

Cells = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STORED_EPOCH = _EPOCH.replace(tzinfo=None)


class NaiveTimeError(ValueError):
    """A time without a zone where only one with a zone says when it is."""


def aware_utc(time: datetime) -> datetime:
    """Return a user's time with the zone UTC; without a zone it is UTC. Only for times that users give."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def in_utc(time: datetime) -> datetime:
    """Return a time with the zone UTC. Raises NaiveTimeError if it has none."""
    if time.tzinfo is UTC:
        return time
    if time.tzinfo is None:
        raise NaiveTimeError(f"The time {time.isoformat()} has no zone; expected one, such as UTC.")
    return time.astimezone(UTC)


def datetime64_us(time: datetime) -> "np.datetime64":
    """Return a time for arrays, M8[us]. Raises NaiveTimeError."""
    import numpy as np

    return np.datetime64(in_utc(time).replace(tzinfo=None), "us")


def utc_datetime(instant: "np.datetime64") -> datetime:
    """Return a time out of an array, cut off at the microsecond; not NaT."""
    time: datetime = _EPOCH + instant.astype("M8[us]").astype("m8[us]").item()
    return time


def utc_datetimes(instants: "npt.NDArray[np.generic]") -> list[datetime | None]:
    """Return the times (n,) of an array, M8[us]; None for NaT."""
    # Half as slow as to give each time a zone: rows have five.
    return [None if since is None else _EPOCH + since for since in instants.view("m8[us]").tolist()]


def utc_rows(table: "pa.Table") -> list[dict[str, Any]]:
    """Return the rows of an Arrow table, times with their zone, also those within lists and records."""
    rows: list[dict[str, Any]] = table.to_pylist()
    timed = [field.name for field in table.schema if "timestamp" in str(field.type)]
    for row in rows:
        for name in timed:
            row[name] = _with_zone(row[name])
    return rows


def fetched_utc(found: "duckdb.DuckDBPyConnection", most: int | None = None) -> list[Cells]:
    """Return the rows, or the next `most`, that a statement found, times with their zone as by `utc_rows`."""
    rows = found.fetchall() if most is None else found.fetchmany(most)
    kinds = enumerate(str(column[1]) for column in found.description or ())
    timed = [place for place, kind in kinds if "TIMESTAMP" in kind]
    for place in timed:
        for number, row in enumerate(rows):  # in place takes a fifth of by columns
            rows[number] = (*row[:place], _with_zone(row[place]), *row[place + 1 :])
    return rows


def time_text(time: datetime, timespec: str = "auto") -> str:
    """Return a time as ISO 8601 with Z, truncated as by `datetime.isoformat`. Raises NaiveTimeError.

    Texts of one `timespec` other than `auto` sort like their times.
    """
    return in_utc(time).replace(tzinfo=None).isoformat(timespec=timespec) + "Z"


def parse_time(text: str) -> datetime:
    """Read a time in ISO 8601 and return it as UTC with its zone; without a zone it is UTC.

    Raises ValueError if the text is not a time, or lies outside the years 1 to 9999 in UTC.
    """
    try:
        return aware_utc(datetime.fromisoformat(text))
    except OverflowError as error:
        raise ValueError(f"{text!r} is out of range") from error


def _with_zone(value: object) -> object:
    """Return a value of a store with the zone of all times in it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else _EPOCH + (value - _STORED_EPOCH)
    if isinstance(value, dict):
        return {key: _with_zone(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_with_zone, value))
    return value
