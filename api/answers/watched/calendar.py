"""A fleet's encounters as a calendar to subscribe to: iCalendar, RFC 5545 and 7986."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from icalendar import Alarm, Calendar, Event, vText

from api.answers.watched.told import About, paragraphs, plain, title
from storage.fleets.encounters import Encounter
from storage.rows.graded import graded

MEDIA_TYPE = "text/calendar"
SHOWN_FOR = timedelta(
    minutes=5
)  # long enough to be seen in a calendar; the encounter itself takes milliseconds
LONGEST = timedelta(hours=24)  # a slow encounter's time inside the threshold may last for days
_FIRST_SEQUENCE = datetime(2020, 1, 1, tzinfo=UTC)  # then a sequence number has 31 bits until 2088
_AGAIN = timedelta(hours=1)


class Entry(NamedTuple):
    """One encounter as an entry of a calendar. Times are UTC."""

    uid: str
    tca: datetime
    inside_to: datetime | None  # of a slow encounter
    changed: datetime  # when this became known
    title: str
    lines: Sequence[str]
    categories: Sequence[str]  # its level, and whether it is near
    url: str  # empty: not known
    cancelled: bool
    eased: bool = False  # still there, and below what is told: no reminder


def calendar_of(about: About, encounters: Sequence[Encounter], alarm_minutes: int | None = None) -> bytes:
    """Return the text of a calendar: one event an encounter, beginning at its TCA.

    Its UID follows from the event's id; SEQUENCE and LAST-MODIFIED grow with each change.

    Args:
        about: whose it is.
        encounters: by TCA.
        alarm_minutes: how long before the TCA a calendar program is to remind; None: it is not.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//skysieve//fleet//EN")
    calendar.add("version", "2.0")
    texts = {"name": f"Encounters of {about.fleet}", "description": about.summary()}
    for name, text in texts.items():
        # RFC 7986, and what programs read before it. Of unknown names the library does not escape the text.
        for name_of_property in (name, f"x-wr-cal{name[:4]}"):
            calendar.add(name_of_property, vText(plain(text)))
    calendar.add("refresh-interval", _AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for encounter in encounters:
        calendar.add_component(_event(about, encounter, alarm_minutes))
    written: bytes = calendar.to_ical()
    return written


def _event(about: About, encounter: Encounter, alarm_minutes: int | None) -> Event:
    row = encounter.row
    return entry(
        Entry(
            uid=f"event-{row['event_id']}-fleet-{about.fleet_id}@skysieve",
            tca=row["tca"],
            inside_to=row["inside_to"],
            changed=encounter.changed,
            title=title(encounter),
            lines=paragraphs(encounter, about),
            categories=graded(row).categories,
            url=about.event_url(row["event_id"]),
            cancelled=bool(encounter.cancelled),
            eased=bool(encounter.eased),
        ),
        alarm_minutes,
    )


def entry(one: Entry, alarm_minutes: int | None = None) -> Event:
    """Return an entry of a calendar; SEQUENCE and LAST-MODIFIED grow with each change."""
    begin = one.tca.replace(microsecond=0)
    end = begin + SHOWN_FOR
    if one.inside_to is not None:
        end = min(max(end, one.inside_to.replace(microsecond=0)), begin + LONGEST)
    changed = one.changed.replace(microsecond=0)
    event = Event()
    event.add("uid", one.uid)
    event.add("dtstamp", changed)
    event.add("last-modified", changed)
    event.add("sequence", max(int((changed - _FIRST_SEQUENCE).total_seconds()), 0))
    event.add("dtstart", begin)
    event.add("dtend", end)
    event.add("status", "CANCELLED" if one.cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT")  # nobody is busy then
    event.add("summary", one.title)
    event.add("description", "\n".join(one.lines))
    event.add("categories", list(one.categories))
    if one.url:
        event.add("url", one.url)
    if alarm_minutes is not None and not (one.cancelled or one.eased):
        event.add_component(_alarm(one.title, alarm_minutes))
    return event


def _alarm(text: str, minutes: int) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", text)
    alarm.add("trigger", -timedelta(minutes=minutes))
    return alarm
