"""Say a message in words, for people: e-mail and Slack."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from screening.orbits.texts.unreadable import shown
from storage.rows.graded import Graded, graded
from storage.rows.words.event import burn_words, own_radius
from storage.rows.words.numbers import brief_distance, until
from storage.times import parse_time

_LONGEST_NAME = 60
_LONGEST_SUBJECT = 150
_LONGEST_VALUE = 500
# How changes are counted, and what an end is called.
_COUNTED = {
    "new": "new",
    "raised": "raised",
    "eased": "eased",
    "resolved": "no longer found",
    "closed": "passed",
}
_OVER = {"resolved": "No longer found", "closed": "Passed"}

Data = Mapping[str, Any]


class Item(NamedTuple):
    """One thing of a message, and where more is told of it."""

    text: str  # all of it, in a sentence or two
    url: str = ""
    head: str = ""  # for a table: what it is about
    label: str = ""  # what is with it, in a word or two
    level: str = ""  # its colour; empty: it is over, or has none
    lines: tuple[str, ...] = ()


class Wording(NamedTuple):
    """A message in words: its subject, one sentence, its things, and what else there is to say."""

    subject: str
    lead: str
    items: tuple[Item, ...] = ()
    after: tuple[str, ...] = ()
    more: int = 0  # things beyond the items
    called: str = "more"  # what these are
    url: str = ""  # of the page of the fleet; empty: not known
    drawn: Data | None = None  # the event to draw

    def rest(self, most: int) -> str:
        """Say how many things are left out where the first `most` are told; empty if none are."""
        count = self.more + max(len(self.items) - most, 0)
        return f"And {count} {self.called}." if count else ""


def wording(body: Data) -> Wording:
    """Return the words of a message's body."""
    data = body["data"]
    said = _BY_TYPE.get(body["type"], _other)(data, body)
    note = f"This is alert {data['alert_id']} of skysieve. Times are UTC."
    return said._replace(
        subject=shown(f"{_fleet(data)}: {said.subject}", _LONGEST_SUBJECT),
        after=(*said.after, note),
        url=data["fleet"].get("url", ""),
    )


def time_words(text: str) -> str:
    """Return a time as people read it: 2026-03-01 12:05:30 UTC."""
    return f"{parse_time(text):%Y-%m-%d %H:%M:%S} UTC"


def _conjunctions(data: Data, body: Data) -> Wording:
    counts, events = data["counts"], data["events"]
    total = sum(counts.values())
    parts = ", ".join(f"{counts[name]} {_COUNTED[name]}" for name in _COUNTED if counts.get(name))
    what = f"{parts} {_plural(total, 'conjunction')}"
    about = f"Fleet {_fleet(data)}, run {data['run_id']}: {what}."
    if not events:
        return Wording(what, about)
    now, first = parse_time(body["timestamp"]), events[0]
    others = f"; {total - 1} more" if total > 1 else ""
    return Wording(
        f"{_point(first, now)}{others}",
        _sentence(first, now),
        tuple(_event(event, now) for event in events),
        (about,),
        data.get("more", 0),
        "more, less dangerous or past",
        drawn=None if first["change"] in _OVER else first,
    )


def _point(event: Data, now: datetime) -> str:
    """Return the point of an event for a subject: "high: A and B, P 2.0e-05, 80 m, in 5 h 10 min"."""
    danger, pair = graded(event), _pair(event)
    if event["change"] in _OVER:
        return f"{_OVER[event['change']].lower()}: {pair}"
    levels = {"raised": f"raised to {danger.level}: ", "eased": f"eased to {danger.level}: "}
    begins = levels.get(event["change"], f"{danger.level}: ")
    left = until(parse_time(event["tca"]), now)
    return f"{begins}{pair}, {danger.chance_words}, {brief_distance(event['miss_distance_m'])}, {left}"


def _sentence(event: Data, now: datetime) -> str:
    """Return what a reader must know of an event."""
    danger, pair = graded(event), _pair(event)
    match event["change"]:
        case "closed":
            return f"{pair} have passed each other."
        case "resolved":
            return f"{pair} are no longer expected to come close."
        case "eased":
            return f"{pair} have eased{_was(event)}: now {danger.words}."
        case change:
            worse = f" This has become worse{_was(event)}." if change == "raised" else ""
    near, left = brief_distance(event["miss_distance_m"]), until(parse_time(event["tca"]), now)
    if danger.probability is None:
        chance = danger.probability_words
    else:
        chance = f"the probability of a collision is {danger.probability_words}, which is {danger.level}"
    return f"{pair} come within {near} of each other {left}; {chance}.{worse}"


def _event(event: Data, now: datetime) -> Item:
    own, other = f"{_name(event['name'])} ({event['norad_id']})", _name(event["other_name"])
    names = f"{own} and {other} ({event['other_norad_id']})"
    when, change, url = time_words(event["tca"]), event["change"], event.get("url", "")
    if change in _OVER:
        label = _OVER[change]
        why = f"The closest approach at {when} has passed."
        if change == "resolved":
            reason = shown(event.get("reason") or "two consecutive runs no longer found it", _LONGEST_VALUE)
            why = f"Closest at {when}: {reason}."
        return Item(f"{label}: {names}. {why}", url, names, label, "", (why,))
    label = "Again" if event.get("again") else change.capitalize()
    danger, left = graded(event), until(parse_time(event["tca"]), now)
    speed_m_s = event["relative_speed_m_s"]
    fast = "" if speed_m_s is None else f" at {speed_m_s:,.0f} m/s"
    apart = f"{event['miss_distance_m']:,.0f} m apart{fast}"
    risk = "; ".join([f"{danger.words}{_at_radius(event)}{_was(event)}", *_marks(event)])
    has = event.get("acknowledged")
    intents = [shown(one["words"], _LONGEST_VALUE) for one in event.get("intents", ())]
    whom = event.get("whom_to_ask")
    rest = [
        danger.consequence,
        "" if has is None else shown(has["words"], _LONGEST_VALUE),
        *intents,
        "" if whom is None else f"{other}: {shown(whom['words'], _LONGEST_VALUE)}",
    ]
    said = f"{label}: {names}, closest at {when}, {left}, {apart}; {risk}."
    lines = (f"{when}, {left}", apart, risk, *filter(None, rest))
    return Item(" ".join(filter(None, [said, *rest])), url, names, label, danger.level, lines)


def _pair(event: Data) -> str:
    return f"{_name(event['name'])} and {_name(event['other_name'])}"


def _was(event: Data) -> str:
    """Return in brackets what was told before, empty where nothing was."""
    before = event.get("before")
    if not before:
        return ""
    # Messages that have waited since an earlier release name it otherwise.
    level = before["level"] if "level" in before else before["risk_level"]
    return f" (was {Graded(level, before['probability'], None, None).words})"


def _marks(event: Data) -> list[str]:
    """Return what makes the number of an event doubtful; messages of earlier releases do not say it."""
    named = {event[f"{side}norad_id"]: event[f"{side}name"] for side in ("", "other_")}
    burning = [f"{_name(named[one])} manoeuvres" for one in event.get("manoeuvring", ())]
    elsewhere = [
        f"{_name(named[one])} flies another path than its element set, by its operator's ephemeris"
        for one in event.get("departed", ())
    ]
    diluted = ["diluted: better data may raise it"] if event.get("diluted") else []
    return [*diluted, *burning, *elsewhere]


def _daily(data: Data, body: Data) -> Wording:
    counts, now = data["counts"], parse_time(body["timestamp"])
    span = f"{time_words(data['window_start'])} to {time_words(data['window_end'])}"
    busy, all_of_them = counts["with_events"], counts["satellites"]
    what = f"{busy} of {all_of_them} satellites have conjunctions" if busy else "no conjunctions ahead"
    quiet = ", ".join(f"{_name(name)} ({number})" for number, name in data.get("quiet", ()))
    missing = ", ".join(map(str, data.get("missing", ())))
    after = (
        f"No conjunctions ahead for: {quiet}." if quiet else "",
        f"Not in the catalogue: {missing}." if missing else "",
        f"Run {data['run_id']}.",
    )
    return Wording(
        f"today, {what}",
        f"Fleet {_fleet(data)}, {span}: {what}.",
        tuple(_satellite(one, now) for one in data["satellites"]),
        tuple(filter(None, after)),
        data.get("more", 0),
        "more satellites",
    )


def _satellite(one: Data, now: datetime) -> Item:
    worst, head = one["worst"], f"{_name(one['name'])} ({one['norad_id']})"
    count = f"{one['events']} {_plural(one['events'], 'conjunction')}"
    other = f"the worst with {_name(worst['other_name'])} ({worst['other_norad_id']})"
    when = f"{time_words(worst['tca'])}, {until(parse_time(worst['tca']), now)}"
    apart, danger = f"{worst['miss_distance_m']:,.0f} m apart", graded(worst)
    risk = "; ".join([f"{danger.words}{_at_radius(worst)}", *_marks({**one, **worst})])
    text = f"{head}: {count}; {other} at {when}, {apart}; {risk}."
    return Item(text, "", head, count, danger.level, (f"{other}, {when}", apart, risk))


def _manoeuvred(data: Data, _body: Data) -> Wording:
    burns = data["manoeuvres"]
    count = len(burns) + data["more"]
    first = f"{_name(burns[0]['name'])} has manoeuvred"
    what = first if count == 1 else f"{first}, and {count - 1} more {_plural(count - 1, 'manoeuvre')}"
    return Wording(
        what,
        f"Fleet {_fleet(data)}, run {data['run_id']}: {what}. Predictions from element sets before a burn "
        "no longer hold.",
        tuple(Item(_burn(one)) for one in burns),
        (),
        data["more"],
        "more manoeuvres",
    )


def _re_entry(data: Data, _body: Data) -> Wording:
    falling = data["re_entries"]
    count = len(falling) + data["more"]
    first = f"{_name(falling[0]['name'])} decays in about {_days(falling[0])}"
    what = first if count == 1 else f"{first}, {count - 1} more {_plural(count - 1, 'object')} soon"
    return Wording(
        what,
        f"Fleet {_fleet(data)}, run {data['run_id']}: {what}.",
        tuple(Item(_decay(one)) for one in falling),
        ("Windows hold nine of ten decays. `skysieve re-entries` lists them after each run.",),
        data["more"],
        "more objects",
    )


def _decay(one: Data) -> str:
    start, end = (time_words(one[name]) for name in ("window_start", "window_end"))
    said = f"{_name(one['name'])} ({one['norad_id']}): in about {_days(one)}, between {start} and {end}"
    return f"{said}, unless it manoeuvres" if one["may_manoeuvre"] else said


def _days(one: Data) -> str:
    days = one["days_left"]
    return f"{days:.0f} days" if days >= 2 else f"{max(24 * days, 0):.0f} h"


def _acknowledged(data: Data, _body: Data) -> Wording:
    said = shown(data["acknowledgement"]["words"], _LONGEST_VALUE)
    event = Item(f"{_pair(data)}, closest at {time_words(data['tca'])}.", data.get("url", ""))
    return Wording(f"{_pair(data)}: {said}", said, (event,))


def _intent(data: Data, _body: Data) -> Wording:
    said = shown(data["intent"]["words"], _LONGEST_VALUE)
    event = Item(f"{_pair(data)}, closest at {time_words(data['tca'])}.", data.get("url", ""))
    return Wording(said, said, (event,))


def _burn(one: Data) -> str:
    said = f"{_name(one['name'])} ({one['norad_id']}): {burn_words(one['dv_m_s'], parse_time(one['at']))}"
    return said if one["of_fleet"] else f"{said}; event {one['event_id']} is with it"


def _endpoint_off(data: Data, _body: Data) -> Wording:
    off = data["endpoint"]
    return Wording(
        f"alert {off['alert_id']} is switched off",
        f"Alert {off['alert_id']} ({off['channel']}, {shown(off['address'], _LONGEST_VALUE)}) of fleet "
        f"{_fleet(data)} is switched off: {shown(off['reason'], _LONGEST_VALUE)}",
        (),
        (f"When its receiver works again, resume it with `skysieve alerts on {off['alert_id']}`.",),
    )


def _test(data: Data, _body: Data) -> Wording:
    return Wording(
        "this is a test", f"A test message for fleet {_fleet(data)}: notifications will arrive here."
    )


def _run(data: Data, body: Data) -> Wording:
    attempt = data["attempt"]
    if body["type"] == "run.failed":
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


def _catalogue(data: Data, body: Data) -> Wording:
    run = f"run {data['run_id']}, begun at {time_words(data['started'])}"
    if body["type"] == "catalogue.stale":
        return Wording(
            "the catalogue is old",
            f"Fleet {_fleet(data)}: the newest, {run}, is {data['age_hours']:g} h old; one is due every "
            f"{data['refresh_hours']:g} h. Notifications may be out of date.",
        )
    return Wording("the catalogue is fresh again", f"Fleet {_fleet(data)}: the newest is {run}.")


def _whole(data: Data, body: Data) -> Wording:
    changed = " ".join(shown(one, _LONGEST_VALUE) for one in data["words"])
    if body["type"] == "catalogue.suspect":
        return Wording(
            "the catalogue is not whole",
            f"Fleet {_fleet(data)}, run {data['run_id']}: {changed}",
            (),
            ("Encounters with objects that are missing are not searched until a whole catalogue comes.",),
        )
    return Wording("the catalogue is whole again", f"Fleet {_fleet(data)}, run {data['run_id']}: {changed}")


def _fragmentation(data: Data, _body: Data) -> Wording:
    return Wording(
        f"{_name(data['name'])} has broken up",
        f"{shown(data['words'], _LONGEST_VALUE)} It was at an altitude of {data['altitude_km']:,} km.",
        (),
        ("More pieces come as they are catalogued: `skysieve fragmentations` lists them.",),
    )


def _element_sets(data: Data, body: Data) -> Wording:
    newest = time_words(data["newest_epoch"])
    if body["type"] == "element_sets.old":
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


def _other(data: Data, body: Data) -> Wording:
    return Wording(shown(body["type"]), f"Fleet {_fleet(data)}: {shown(str(dict(data)), _LONGEST_VALUE)}")


def _at_radius(event: Data) -> str:
    radius = own_radius(event)
    return radius and f" {radius}"


def _fleet(data: Data) -> str:
    return _name(data["fleet"]["name"])


def _name(text: str) -> str:
    return shown(text.strip(), _LONGEST_NAME) or "unnamed"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


_BY_TYPE: Mapping[str, Callable[[Data, Data], Wording]] = {
    "conjunctions": _conjunctions,
    "fleet.daily": _daily,
    "manoeuvred": _manoeuvred,
    "acknowledged": _acknowledged,
    "intent": _intent,
    "run.failed": _run,
    "run.recovered": _run,
    "catalogue.stale": _catalogue,
    "catalogue.recovered": _catalogue,
    "catalogue.suspect": _whole,
    "catalogue.complete": _whole,
    "fragmentation": _fragmentation,
    "re-entry": _re_entry,
    "element_sets.old": _element_sets,
    "element_sets.recovered": _element_sets,
    "endpoint.off": _endpoint_off,
    "test": _test,
}
