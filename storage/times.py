"""Times and their texts. A time without a zone is UTC, everywhere."""

from datetime import UTC, datetime


def naive_utc(time: datetime) -> datetime:
    """Return the same instant without a time zone; a naive time is UTC already."""
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)


def aware_utc(time: datetime) -> datetime:
    """Return the same instant with the zone UTC; a naive time is UTC already."""
    return naive_utc(time).replace(tzinfo=UTC)


def time_text(time: datetime, timespec: str = "auto") -> str:
    """Return a time as ISO 8601 with Z, cut off as `datetime.isoformat` does; a naive one is UTC already.

    Of one `timespec` other than `auto`, texts sort as their times do.
    """
    return naive_utc(time).isoformat(timespec=timespec) + "Z"


def parse_time(text: str) -> datetime:
    """Read a time in ISO 8601, as UTC with its zone; without a zone it is UTC already.

    Raises ValueError if the text is none, or as UTC lies outside the years 1 to 9999.
    """
    try:
        return aware_utc(datetime.fromisoformat(text))
    except OverflowError as error:
        raise ValueError(f"{text!r} is out of range") from error
