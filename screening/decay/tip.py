"""Read Space-Track's Tracking and Impact Prediction (TIP) messages: announced decays, class `tip`, JSON.

A message is a row of texts, `null` where there is none. `WINDOW` is in minutes, either side of `DECAY_EPOCH`
(space-track.org/basicspacedata/modeldef/class/tip). Where the object is then is in it too, and is not read:
no place is given here.
"""

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

from screening.errors import InputError
from screening.vocabulary import MAX_NORAD_ID

NEEDED = ("NORAD_CAT_ID", "MSG_EPOCH", "DECAY_EPOCH", "WINDOW")
_LONGEST_MINUTES = 60 * 24 * 400
_SHOWN = 80


class Announced(NamedTuple):
    """One announced decay. Times are UTC."""

    norad_id: int
    message_epoch: datetime
    decay: datetime
    window_minutes: float  # before and after
    high_interest: bool
    next_report_h: float | None  # hours until the next message; None: not said


class Read(NamedTuple):
    """The messages of a text, and why others were refused."""

    messages: list[Announced]
    refused: list[str]


def read_tip(text: bytes) -> Read:
    """Read a list of TIP messages. A row that cannot be read is refused alone.

    Raises:
        InputError: the text is not a list in JSON.
    """
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The TIP messages are not valid JSON: {str(error)[:_SHOWN]}.") from error
    if not isinstance(rows, list):
        raise InputError("The TIP messages are not a list, as Space-Track's class `tip` in JSON is.")
    messages, refused = [], []
    for number, row in enumerate(rows, 1):
        try:
            messages.append(_message(row))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            what = f"{error} is missing" if isinstance(error, KeyError) else str(error)[:_SHOWN]
            refused.append(f"Message {number}: {what}")
    return Read(messages, refused)


def _message(row: Any) -> Announced:
    if not isinstance(row, dict):
        raise TypeError("it is not an object")
    number = int(row["NORAD_CAT_ID"])
    if not 1 <= number <= MAX_NORAD_ID:
        raise ValueError(f"NORAD_CAT_ID {number} is not from 1 to {MAX_NORAD_ID}")
    minutes = float(row["WINDOW"])
    if not 0.0 <= minutes <= _LONGEST_MINUTES:
        raise ValueError(f"WINDOW {minutes} is not from 0 to {_LONGEST_MINUTES} minutes")
    after = row.get("NEXT_REPORT")
    return Announced(
        number,
        _time(row["MSG_EPOCH"]),
        _time(row["DECAY_EPOCH"]),
        minutes,
        str(row.get("HIGH_INTEREST") or "N").strip().upper() in ("Y", "YES", "1", "TRUE"),
        None if after in (None, "") else float(after),
    )


def _time(text: object) -> datetime:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a time")
    time = datetime.fromisoformat(text.strip())
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
