"""Say a message in words, for people: e-mail and Slack."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from screening.orbits.texts.unreadable import shown
from storage.rows.graded import Graded, graded
from storage.rows.words.event import burn_words, own_radius
from storage.times import parse_time

_LONGEST_NAME = 60
_LONGEST_SUBJECT = 150
_LONGEST_VALUE = 500
_CHANGES = ("new", "raised", "eased", "resolved", "closed")

Data = Mapping[str, Any]


class Item(NamedTuple):
    """One thing of a message, and where more is told of it."""

    text: str
    url: str = ""


class Wording(NamedTuple):
    """A message in words: one line, an opening, its things, and what else there is to say."""

    subject: str
    lead: str
    items: tuple[Item, ...] = ()
    after: tuple[str, ...] = ()


def wording(body: Data) -> Wording:
    """Return the words of a message's body."""
    data = body["data"]
    said = _BY_TYPE.get(body["type"], _other)(data, body["type"])
    note = f"This is alert {data['alert_id']} of skysieve. Times are UTC."
    return said._replace(
        subject=shown(f"{_fleet(data)}: {said.subject}", _LONGEST_SUBJECT), after=(*said.after, note)
    )


def time_words(text: str) -> str:
    """Return a time as people read it: 2026-03-01 12:05:30 UTC."""
    return f"{parse_time(text):%Y-%m-%d %H:%M:%S} UTC"


def _conjunctions(data: Data, _type: str) -> Wording:
    counts, events = data["counts"], data["events"]
    total = sum(counts.values())
    parts = ", ".join(f"{counts[name]} {name}" for name in _CHANGES if counts.get(name))
    what = f"{parts} {_plural(total, 'conjunction')}"
    first = events[0] if events and events[0]["change"] in ("new", "raised") else None
    return Wording(
        what + (f", {_level(first)}" if first else ""),
        f"Fleet {_fleet(data)}, run {data['run_id']}: {what}.",
        tuple(Item(_event(event), event.get("url", "")) for event in events),
        (f"And {data['more']} more, less dangerous or past.",) if data.get("more") else (),
    )


def _event(event: Data) -> str:
    own = f"{_name(event['name'])} ({event['norad_id']})"
    names = f"{own} and {_name(event['other_name'])} ({event['other_norad_id']})"
    when = time_words(event["tca"])
    match event["change"]:
        case "closed":
            return f"Closed: {names}: the closest approach at {when} has passed."
        case "resolved":
            why = event.get("reason") or "two consecutive runs no longer found it"
            return f"Resolved: {names}, closest at {when}: {shown(why, _LONGEST_VALUE)}."
        case "new":
            opening = "Again" if event.get("again") else "New"
        case change:
            opening = change.capitalize()
    before = event.get("before")
    was = f" (was {_before(before)})" if before else ""
    distance = f"{event['miss_distance_m']:,.0f} m apart at {event['relative_speed_m_s'] / 1000:.1f} km/s"
    danger = graded(event)
    said = f"{opening}: {names}, closest at {when}, {distance}; {danger.words}{_at_radius(event)}{was}."
    return f"{said} {danger.consequence}".rstrip()


def _daily(data: Data, _type: str) -> Wording:
    counts, run = data["counts"], data["run_id"]
    span = f"{time_words(data['window_start'])} to {time_words(data['window_end'])}"
    busy, all_of_them = counts["with_events"], counts["satellites"]
    what = f"{busy} of {all_of_them} satellites have conjunctions" if busy else "no conjunctions ahead"
    quiet = ", ".join(f"{_name(name)} ({number})" for number, name in data.get("quiet", ()))
    missing = ", ".join(map(str, data.get("missing", ())))
    after = (
        f"No conjunctions ahead for: {quiet}." if quiet else "",
        f"Not in the catalogue: {missing}." if missing else "",
        f"And {data['more']} more satellites." if data.get("more") else "",
    )
    return Wording(
        f"today, {what}",
        f"Fleet {_fleet(data)}, run {run}, {span}: {what}.",
        tuple(Item(_satellite(one)) for one in data["satellites"]),
        tuple(filter(None, after)),
    )


def _satellite(one: Data) -> str:
    worst = one["worst"]
    count = f"{one['events']} {_plural(one['events'], 'conjunction')}"
    return (
        f"{_name(one['name'])} ({one['norad_id']}): {count}; the worst "
        f"with {_name(worst['other_name'])} ({worst['other_norad_id']}) at {time_words(worst['tca'])}, "
        f"{worst['miss_distance_m']:,.0f} m apart; {_level(worst)}{_at_radius(worst)}."
    )


def _manoeuvred(data: Data, _type: str) -> Wording:
    burns = data["manoeuvres"]
    count = len(burns) + data["more"]
    first = f"{_name(burns[0]['name'])} has manoeuvred"
    what = first if count == 1 else f"{first}, and {count - 1} more {_plural(count - 1, 'manoeuvre')}"
    return Wording(
        what,
        f"Fleet {_fleet(data)}, run {data['run_id']}: {what}. Predictions from element sets before a burn "
        "no longer hold.",
        tuple(Item(_burn(one)) for one in burns),
        (f"And {data['more']} more manoeuvres.",) if data["more"] else (),
    )


def _burn(one: Data) -> str:
    said = f"{_name(one['name'])} ({one['norad_id']}): {burn_words(one['dv_m_s'], parse_time(one['at']))}"
    return said if one["of_fleet"] else f"{said}; event {one['event_id']} is with it"


def _endpoint_off(data: Data, _type: str) -> Wording:
    off = data["endpoint"]
    return Wording(
        f"alert {off['alert_id']} is switched off",
        f"Alert {off['alert_id']} ({off['channel']}, {shown(off['address'], _LONGEST_VALUE)}) of fleet "
        f"{_fleet(data)} is switched off: {shown(off['reason'], _LONGEST_VALUE)}",
        (),
        (f"When its receiver works again, resume it with `skysieve alerts on {off['alert_id']}`.",),
    )


def _test(data: Data, _type: str) -> Wording:
    return Wording(
        "this is a test", f"A test message for fleet {_fleet(data)}: notifications will arrive here."
    )


def _run(data: Data, kind: str) -> Wording:
    attempt = data["attempt"]
    if kind == "run.failed":
        why = shown(attempt["reason"], _LONGEST_VALUE)
        return Wording(
            "a run has failed",
            f"Fleet {_fleet(data)}: the run that began at {time_words(attempt['started'])} from "
            f"{shown(attempt['source'], _LONGEST_VALUE)} has failed ({attempt['stage']}): {why}",
            (),
            ("Earlier notifications stand until the next run.",),
        )
    return Wording(
        "runs succeed again",
        f"Fleet {_fleet(data)}: run {data['run_id']}, of {time_words(attempt['started'])}, is published.",
    )


def _catalogue(data: Data, kind: str) -> Wording:
    run = f"run {data['run_id']}, begun at {time_words(data['started'])}"
    if kind == "catalogue.stale":
        return Wording(
            "the catalogue is old",
            f"Fleet {_fleet(data)}: the newest, {run}, is {data['age_hours']:g} h old; one is due every "
            f"{data['refresh_hours']:g} h. Notifications may be out of date.",
        )
    return Wording("the catalogue is fresh again", f"Fleet {_fleet(data)}: the newest is {run}.")


def _element_sets(data: Data, kind: str) -> Wording:
    newest = time_words(data["newest_epoch"])
    if kind == "element_sets.old":
        why = f" ({data['decision']}): {shown(data['reason'], _LONGEST_VALUE)}" if data["decision"] else "."
        return Wording(
            f"no new element sets since {newest}",
            f"Fleet {_fleet(data)}: no new element sets since {newest}. The newest run, {data['run_id']}, "
            f"uses sets that are {data['age_hours']:g} h old{why}",
            (),
            ("Encounters are still searched, but without burns and drag since then.",),
        )
    return Wording(
        "element sets are new again",
        f"Fleet {_fleet(data)}: run {data['run_id']} uses new element sets, of {newest}.",
    )


def _other(data: Data, kind: str) -> Wording:
    return Wording(shown(kind), f"Fleet {_fleet(data)}: {shown(str(dict(data)), _LONGEST_VALUE)}")


def _at_radius(event: Data) -> str:
    radius = own_radius(event)
    return radius and f" {radius}"


def _level(event: Data) -> str:
    return graded(event).words


def _before(told: Data) -> str:
    """Return what was told before; messages that have waited since an earlier release name it otherwise."""
    level = told["level"] if "level" in told else told["risk_level"]
    return Graded(level, told["probability"], None, None).words


def _fleet(data: Data) -> str:
    return _name(data["fleet"]["name"])


def _name(text: str) -> str:
    return shown(text.strip(), _LONGEST_NAME) or "unnamed"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


_BY_TYPE: Mapping[str, Callable[[Data, str], Wording]] = {
    "conjunctions": _conjunctions,
    "fleet.daily": _daily,
    "manoeuvred": _manoeuvred,
    "run.failed": _run,
    "run.recovered": _run,
    "catalogue.stale": _catalogue,
    "catalogue.recovered": _catalogue,
    "element_sets.old": _element_sets,
    "element_sets.recovered": _element_sets,
    "endpoint.off": _endpoint_off,
    "test": _test,
}
