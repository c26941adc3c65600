"""Convert, write and read times. A time without a zone is UTC everywhere."""

from datetime import UTC, datetime


def naive_utc(time: datetime) -> datetime:
    """Return the same instant as naive UTC; a naive time is UTC."""
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)


def aware_utc(time: datetime) -> datetime:
    """Return the same instant with the zone UTC; a naive time is UTC."""
    return naive_utc(time).replace(tzinfo=UTC)


def time_text(time: datetime, timespec: str = "auto") -> str:
    """Return a time as ISO 8601 with Z, truncated as by `datetime.isoformat`; a naive time is UTC.

    Texts of one `timespec` other than `auto` sort like their times.
    """
    return naive_utc(time).isoformat(timespec=timespec) + "Z"


def parse_time(text: str) -> datetime:
    """Read a time in ISO 8601 and return it as UTC with its zone; without a zone it is UTC.

    Raises ValueError if the text is not a time, or lies outside the years 1 to 9999 in UTC.
    """
    try:
        return aware_utc(datetime.fromisoformat(text))
    except OverflowError as error:
        raise ValueError(f"{text!r} is out of range") from error
