"""The calendar, read by another library than the one that writes it, and by the letter of RFC 5545."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import vobject

from api.answers.watched.calendar import calendar_of
from api.answers.watched.told import About
from storage.fleets.encounters import Encounter
from storage.rows.limits import Limits
from tests.storage.fleets.rows import TCA, row

ABOUT = About(7, "mine", Limits(), "20261121T060000Z", "", "")
BEGIN = datetime(2026, 11, 22, 3, 4, 5, tzinfo=UTC)
CHANGED = datetime(2026, 11, 21, 6, 0, 4, 900_000, tzinfo=UTC)


def encounter(cancelled: str = "", changed: datetime = CHANGED, **given: Any) -> Encounter:
    return Encounter(row(11, **given), cancelled, changed)


def read(*encounters: Encounter, about: About = ABOUT, alarm_minutes: int | None = None) -> Any:
    return vobject.readOne(calendar_of(about, encounters, alarm_minutes).decode())


def test_an_entry_begins_at_the_tca_in_utc_and_lasts_five_minutes() -> None:
    event = read(encounter()).vevent
    assert (event.dtstart.value, event.dtend.value) == (BEGIN, BEGIN + timedelta(minutes=5))
    text = calendar_of(ABOUT, [encounter()]).decode()
    assert "\r\nDTSTART:20261122T030405Z\r\n" in text
    assert event.uid.value == "event-11-fleet-7@skysieve"
    assert event.status.value == "CONFIRMED"
    assert event.transp.value == "TRANSPARENT"


@pytest.mark.parametrize(
    ("hours", "lasts"), [(0.01, timedelta(minutes=5)), (3, timedelta(hours=3)), (90, timedelta(days=1))]
)
def test_a_slow_encounter_lasts_as_long_as_it_is_inside(hours: float, lasts: timedelta) -> None:
    event = read(encounter(inside_to=TCA + timedelta(hours=hours))).vevent
    assert event.dtend.value - event.dtstart.value == lasts


def test_a_change_grows_sequence_and_time_and_keeps_the_uid() -> None:
    first = read(encounter()).vevent
    later = read(encounter(changed=CHANGED + timedelta(seconds=1), miss_distance_m=15.0)).vevent
    assert later.uid.value == first.uid.value
    assert int(later.sequence.value) == int(first.sequence.value) + 1
    assert later.last_modified.value == first.last_modified.value + timedelta(seconds=1)
    assert 0 < int(first.sequence.value) < 2**31


def test_a_cancelled_entry_says_why() -> None:
    event = read(encounter("run X no longer has it within the fleet's volume"), alarm_minutes=60).vevent
    assert event.status.value == "CANCELLED"
    assert event.summary.value.startswith("Cancelled: ISS (ZARYA) and COSMOS 2251 DEB")
    assert "run X no longer has it" in event.description.value
    assert "valarm" not in event.contents


def test_an_entry_tells_what_an_operator_needs() -> None:
    event = read(encounter(), about=ABOUT._replace(note="Synthetic catalogue.")).vevent
    assert event.summary.value == "High: ISS (ZARYA) and COSMOS 2251 DEB, 1,234 m, P 2.5e-05"
    for words in (
        "2026-11-22T03:04:05.679Z",
        "radial -0.200, in-track 1.200, cross-track 0.100 km",
        "14,321 m/s",
        "(25544)",
        "(34602)",
        "box:2x25x25",
        "Synthetic catalogue.",
    ):
        assert words in event.description.value


def test_the_other_object_may_stand_first() -> None:
    event = read(encounter(norad_id=34602, relative_speed_m_s=None)).vevent
    assert event.summary.value == "High: COSMOS 2251 DEB and ISS (ZARYA), 1,234 m, P 2.5e-05"
    assert "speed" not in event.description.value


@pytest.mark.parametrize(
    ("given", "heading", "line", "categories"),
    [
        (
            {"probability_best": 3e-4, "probability_method": "bound", "miss_distance_m": 80.0},
            "Critical: ISS (ZARYA) and COSMOS 2251 DEB, near: 80 m, P at most 3.0e-04",
            "Level: critical, probability at most 3.0e-04; near: 80 m",
            ["critical", "near"],
        ),
        (
            {"probability_best": 3e-7, "probability_method": "3d"},
            "Low: ISS (ZARYA) and COSMOS 2251 DEB, 1,234 m, P 3.0e-07 in three dimensions",
            "Level: low, probability 3.0e-07 in three dimensions",
            ["low"],
        ),
        (
            {"probability": None, "probability_2d": None},
            "Unknown: ISS (ZARYA) and COSMOS 2251 DEB, 1,234 m, no probability could be computed",
            "Level: unknown: no probability could be computed",
            ["unknown"],
        ),
        (
            {"probability": None, "probability_2d": None, "encounter": "slow"},
            "Unknown: ISS (ZARYA) and COSMOS 2251 DEB, 1,234 m, a slow visit has no probability",
            "Level: unknown: a slow visit has no probability",
            ["unknown"],
        ),
    ],
)
def test_an_entry_leads_with_the_probability_that_counts(
    given: dict[str, Any], heading: str, line: str, categories: list[str]
) -> None:
    event = read(encounter(**given)).vevent
    assert event.summary.value == heading
    assert line in event.description.value.splitlines()
    assert event.categories.value == categories


def test_there_is_an_address_only_if_the_page_s_is_known() -> None:
    assert "url" not in read(encounter()).vevent.contents
    known = read(encounter(), about=ABOUT._replace(public_url="https://sky.example.org/x/")).vevent
    assert known.url.value == "https://sky.example.org/x/#/event/11"


def test_there_is_an_alarm_only_if_it_is_asked_for() -> None:
    assert "valarm" not in read(encounter()).vevent.contents
    event = read(encounter(), alarm_minutes=90).vevent
    assert event.valarm.trigger.value == timedelta(minutes=-90)


STRANGE = 'Ünï; 卫星, "α" \\n back\\slash ' + "é" * 60


def test_names_survive_commas_semicolons_and_folding() -> None:
    calendar = read(encounter(primary_name=STRANGE), about=ABOUT._replace(fleet=STRANGE))
    for name in ("name", "x-wr-calname"):  # texts that the other library does not know: by hand, 3.3.11
        written = calendar.contents[name][0].serialize().replace("\r\n ", "").partition(":")[2].strip()
        assert re.search(r"(?<!\\)(\\\\)*[;,]", written) is None
        assert re.sub(r"\\([\\;,])", r"\1", written) == f"Encounters of {STRANGE}"
    assert STRANGE in calendar.vevent.summary.value
    assert STRANGE in calendar.vevent.description.value


def test_a_newline_in_a_name_adds_no_line() -> None:
    event = read(encounter(primary_name="A\r\nSTATUS:CANCELLED\x00\n")).vevent
    assert event.summary.value.startswith("High: A  STATUS:CANCELLED")
    assert event.status.value == "CONFIRMED"
    assert len(event.contents["status"]) == 1


def test_lines_are_folded_as_the_standard_says() -> None:
    """RFC 5545, 3.1: at most 75 octets, CR LF at the end; UTF-8 sequences stay whole here."""
    text = calendar_of(ABOUT._replace(fleet=STRANGE), [encounter(primary_name=STRANGE)])
    assert text.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in text.replace(b"\r\n", b"")
    for line in text.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()  # raises if a character is torn apart


def test_required_properties_are_there_once() -> None:
    """RFC 5545, 3.6 and 3.6.1."""
    calendar = read(encounter())
    assert [len(calendar.contents[name]) for name in ("prodid", "version")] == [1, 1]
    event = calendar.vevent.contents
    once = ("uid", "dtstamp", "dtstart", "dtend", "sequence", "status", "summary", "last-modified", "transp")
    assert [len(event[name]) for name in once] == [1] * len(once)
    assert (
        "method" not in calendar.contents
    )  # it would make DTSTAMP mean something else, and need an organizer


def test_the_same_encounters_give_the_same_octets() -> None:
    assert calendar_of(ABOUT, [encounter()]) == calendar_of(ABOUT, [encounter()])
