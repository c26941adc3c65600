"""How runs, the catalogue and, once a day, the satellites of a fleet are: what alerts send besides changes.

That runs fail, or that the newest is old or on old element sets, is sent once, and once that it is over.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flows.alerts.bodies import Satellite, daily, plain, senders
from flows.alerts.outbox import event_of
from storage.disk.current import newest_start, read_current
from storage.fleets.events import FleetMember, fleet_events, fleet_members, looked_at
from storage.reading.catalogue_age import catalogue_age
from storage.reading.run_events import run_window
from storage.rows.over_runs.screened import is_suspect
from storage.settings import StoreSettings
from storage.sky.catalogue import newest_words
from storage.state.alerts.alerts import alerts
from storage.state.alerts.encounters import all_progress, note_progress, progress
from storage.state.alerts.outbox import put, put_one
from storage.state.database import newest_attempts, service_state
from storage.times import parse_time, time_text, utc_rows

DAILY_KIND = "fleet.daily"
DAILY = "daily"  # entry of an alert's progress: the day of its last answer
RUNS, CATALOGUE, SETS = "runs", "catalogue", "element_sets"  # entries of an alert's progress
WHOLE = "whole_catalogue"  # likewise
_SETS_TOLD = "element_sets.told"  # entry: when it was last told that there are no new ones
SETS_AT_MOST_EVERY = timedelta(hours=6)
FINE, BAD = "fine", "bad"
_KINDS = {
    (RUNS, BAD): "run.failed",
    (RUNS, FINE): "run.recovered",
    (CATALOGUE, BAD): "catalogue.stale",
    (CATALOGUE, FINE): "catalogue.recovered",
    (WHOLE, BAD): "catalogue.suspect",
    (WHOLE, FINE): "catalogue.complete",
    (SETS, BAD): "element_sets.old",
    (SETS, FINE): "element_sets.recovered",
}
_RECENT_ATTEMPTS = 50
_LONGEST_REASON = 500


class Condition(NamedTuple):
    """How runs or the catalogue are, and what is told of it."""

    what: str
    word: str  # FINE or BAD
    data: Mapping[str, Any]


def put_health(settings: StoreSettings, now: datetime) -> None:
    """Tell each alert that is on what is not as it was told; unless told otherwise, all was fine.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store, found = settings.store, conditions(settings, now)
    told = all_progress(store, [RUNS, CATALOGUE, WHOLE, SETS, _SETS_TOLD])
    if not any(
        _news(found, told.get(alert.id, {}), now) for alert in alerts(store) if alert.off_since is None
    ):
        return
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            if alert.off_since is not None:
                continue
            for one in _news(found, progress(state, alert.id), now):
                kind = _KINDS[one.what, one.word]
                put(state, alert.id, kind, plain(kind, sender, one.data, now), now, now)
                note_progress(state, alert.id, {one.what: one.word})
                if (one.what, one.word) == (SETS, BAD):
                    note_progress(state, alert.id, {_SETS_TOLD: time_text(now)})


def conditions(settings: StoreSettings, now: datetime) -> list[Condition]:
    """Return how runs and the catalogue are, as far as the store tells."""
    found = (_runs(settings), _catalogue(settings, now), _whole(settings), _sets(settings, now))
    return [one for one in found if one is not None]


def _news(found: Sequence[Condition], told: Mapping[str, str], now: datetime) -> list[Condition]:
    """Return what differs from what was told, of element sets every six hours at most."""
    news = [one for one in found if told.get(one.what, FINE) != one.word]
    if _SETS_TOLD in told and now < parse_time(told[_SETS_TOLD]) + SETS_AT_MOST_EVERY:
        return [one for one in news if (one.what, one.word) != (SETS, BAD)]
    return news


def _runs(settings: StoreSettings) -> Condition | None:
    """Return whether the last attempt that ended has made a run; skipped ones do not count."""
    for one in newest_attempts(settings.store, _RECENT_ATTEMPTS):
        if one.outcome in ("published", "failed"):
            attempt = {
                "started": time_text(one.started, "seconds"),
                "finished": one.finished and time_text(one.finished, "seconds"),
                "source": one.source[:_LONGEST_REASON],
                "stage": one.stage,
                "reason": (one.reason or "")[:_LONGEST_REASON],
            }
            if one.outcome == "failed":
                return Condition(RUNS, BAD, {"attempt": attempt})
            return Condition(RUNS, FINE, {"attempt": attempt, "run_id": one.run_id})
    return None


def _catalogue(settings: StoreSettings, now: datetime) -> Condition | None:
    """Return whether the newest run is older than two intervals; None if there is none, or it is historic."""
    started, current = newest_start(settings.store), read_current(settings.store)
    if started is None or current is None or run_window(settings.store, current.run_id).historic:
        return None
    age = now - started
    data = {
        "run_id": current.run_id,
        "started": time_text(started, "seconds"),
        "age_hours": round(age / timedelta(hours=1), 1),
        "refresh_hours": settings.refresh_hours,
    }
    if age <= settings.stale_after:
        return Condition(CATALOGUE, FINE, data)
    return Condition(CATALOGUE, BAD, data)


def _whole(settings: StoreSettings) -> Condition | None:
    """Return whether the newest run's catalogue is cut or doubled; None if it is historic or not compared."""
    current = read_current(settings.store)
    if current is None or run_window(settings.store, current.run_id).historic:
        return None
    words = newest_words(settings.store)
    if not words:
        return None
    word = BAD if is_suspect(settings.store, current.run_id) else FINE
    return Condition(WHOLE, word, {"run_id": current.run_id, "words": words})


def _sets(settings: StoreSettings, now: datetime) -> Condition | None:
    """Return whether the newest run uses old element sets; None if that is not known, or it is historic."""
    current = read_current(settings.store)
    if current is None:
        return None
    run = run_window(settings.store, current.run_id)
    sets = catalogue_age(run, settings, now)
    if sets.epoch is None or sets.age is None or run.historic:
        return None
    data = {
        "run_id": run.run_id,
        "newest_epoch": time_text(sets.epoch, "seconds"),
        "age_hours": round(sets.age / timedelta(hours=1), 1),
        "decision": run.catalogue_decision,
        "reason": (run.catalogue_reason or "")[:_LONGEST_REASON],
    }
    return Condition(SETS, BAD if sets.state == "old" else FINE, data)


def put_daily(settings: StoreSettings, now: datetime) -> None:
    """Put the answer of the day (UTC) for alerts that want it and are on, once the newest run can give it.

    It can if it has looked at the fleet, and still looks ahead. An answer that waits is superseded.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store, day = settings.store, f"{now:%Y-%m-%d}"
    answered = {number: entries[DAILY] for number, entries in all_progress(store, [DAILY]).items()}
    wanted = {
        alert.id: alert
        for alert in alerts(store)
        if alert.daily and alert.off_since is None and answered.get(alert.id, "") < day
    }
    current = read_current(store)
    if not wanted or current is None or not looked_at(store, current.run_id):
        return
    window = run_window(store, current.run_id)
    if window.historic or window.window_end <= now:
        return
    found = {
        fleet_id: _satellites(settings, current.run_id, fleet_id, now)
        for fleet_id in {alert.fleet_id for alert in wanted.values()}
    }
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            satellites = found.get(alert.fleet_id, [])
            due = alert.id in wanted and progress(state, alert.id).get(DAILY, "") < day
            if due and satellites:
                longest = timedelta(hours=max(one.hours for one in satellites))
                span = (window.window_start, window.window_start + longest)
                body = daily(sender, current.run_id, span, satellites, now)
                put_one(state, alert.id, DAILY_KIND, body, now, now)
                note_progress(state, alert.id, {DAILY: day})


def _satellites(settings: StoreSettings, run_id: str, fleet_id: int, now: datetime) -> list[Satellite]:
    """Return the satellites of a fleet with what is still ahead of each."""
    events: dict[int, list[dict[str, Any]]] = {}
    for row in utc_rows(fleet_events(settings.store, run_id, fleet_id)):
        if row["tca"] > now:
            events.setdefault(row["norad_id"], []).append(event_of(row))
    members: Iterable[FleetMember] = fleet_members(settings.store, run_id, fleet_id)
    return [
        Satellite(one.norad_id, one.name, one.found, one.hours, events.get(one.norad_id, []))
        for one in members
    ]
