"""TIP messages: read as Space-Track writes them, taken once, refused one by one, and beside our forecasts."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from screening.decay.tip import read_tip
from screening.errors import InputError
from storage.sky.announced import SPACE_TRACK, newest_announced, take_announced

NOW = datetime(2024, 8, 20, tzinfo=UTC)
# In the form of space-track.org/basicspacedata/modeldef/class/tip; numbers made up.
ROW = {
    "NORAD_CAT_ID": "43012", "MSG_EPOCH": "2024-08-14 05:51:00", "INSERT_EPOCH": "2024-08-14 06:02:11",
    "DECAY_EPOCH": "2024-08-15 10:23:00", "WINDOW": "720", "REV": "36532", "DIRECTION": "descending",
    "LAT": "-12.4", "LON": "171.9", "INCL": "97.4", "NEXT_REPORT": "18", "ID": "215311",
    "HIGH_INTEREST": "N", "OBJECT_NUMBER": "43012",
}  # fmt: skip


def text(*rows: object) -> bytes:
    return json.dumps(rows).encode()


def test_a_message_is_read_in_utc_and_minutes() -> None:
    (message,) = read_tip(text(ROW)).messages
    assert message.norad_id == 43012
    assert message.decay == datetime(2024, 8, 15, 10, 23, tzinfo=UTC)
    assert message.message_epoch == datetime(2024, 8, 14, 5, 51, tzinfo=UTC)
    assert (message.window_minutes, message.next_report_h, message.high_interest) == (720.0, 18.0, False)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"WINDOW": "-1"}, "WINDOW -1.0 is not"),
        ({"WINDOW": "nan"}, "WINDOW nan is not"),
        ({"DECAY_EPOCH": None}, "None is not a time"),
        ({"DECAY_EPOCH": "soon"}, "soon"),
        ({"NORAD_CAT_ID": "0"}, "NORAD_CAT_ID 0"),
        ({"NORAD_CAT_ID": "9" * 5000}, "Exceeds the limit"),
    ],
)
def test_a_wrong_message_is_refused_alone(change: dict[str, object], why: str) -> None:
    read = read_tip(text({**ROW, **change}, ROW, "row"))
    assert len(read.messages) == 1
    assert why in read.refused[0]
    assert read.refused[1] == "Message 3: it is not an object"


@pytest.mark.parametrize("wrong", [b"<html>", b"{}", b"", b"[" * 100_000])
def test_what_is_no_list_is_refused(wrong: bytes) -> None:
    with pytest.raises(InputError):
        read_tip(wrong)


def test_each_message_is_stored_once_and_the_newest_is_shown(tmp_path: Path) -> None:
    later = {**ROW, "MSG_EPOCH": "2024-08-15 01:00:00", "DECAY_EPOCH": "2024-08-15 11:00:00", "WINDOW": "60"}
    assert take_announced(tmp_path, text(later, ROW), SPACE_TRACK, NOW) == (2, 0, [])
    assert take_announced(tmp_path, text(ROW, later, ROW), SPACE_TRACK, NOW) == (0, 3, [])
    assert newest_announced(tmp_path, [1]) == {}
    newest = newest_announced(tmp_path, [43012, 1])[43012]
    assert newest["decay"] == datetime(2024, 8, 15, 11, tzinfo=UTC)
    assert (newest["window_minutes"], newest["source"]) == (60.0, SPACE_TRACK)
