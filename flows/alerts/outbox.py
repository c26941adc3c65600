"""Compare runs with what each alert knows, store what has changed, and let a message about it wait.

The message is written when it is sent: see `bodies.changes_of`.
"""

import logging
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from flows.alerts.changes import Look, Seen, after_run, after_time, to_report
from flows.alerts.other_paths import Paths, paths_of_run
from screening.errors import SkysieveError
from storage.disk.current import read_current
from storage.fleets.events import OF_FLEET, fleet_events, looked_at, sides
from storage.fleets.from_messages import message_stamps
from storage.fleets.searched import Searched, searched
from storage.reading.run_events import runs_with_fleets
from storage.rows.danger import (
    PROBABILITIES,
    decisive_probability_of,
    level_of,
    levels_for_a_reader,
)
from storage.rows.limits import Limits
from storage.rows.words.event import is_diluted
from storage.settings import StoreSettings
from storage.state.alerts.acknowledgements import standing_within
from storage.state.alerts.alerts import alerts, alerts_within, without_credential
from storage.state.alerts.encounters import (
    Encounter,
    alerts_with_passed,
    all_progress,
    encounters,
    note_progress,
    progress,
    replace_encounters,
)
from storage.state.alerts.outbox import CHANGES, last_sent, put_one
from storage.state.database import State, service_state
from storage.state.records import Acknowledgement, Alert
from storage.times import time_text, utc_rows

AT_A_TIME = 10  # alerts in a transaction, so that others wait no longer than seconds for it
# Entries of an alert's progress: the newest run that it knows, and the messages.
RUN, MESSAGES = "run", "messages"
CLOSED_TOGETHER = timedelta(hours=1)  # between runs, what has passed goes out at most so often
LONGEST_NAME = 60
_URGENT = "critical"  # by the probability, or by the miss: a digest does not hold it back
_ROUNDED = (
    "miss_distance_m",
    "relative_speed_m_s",
    "miss_radial_km",
    "miss_in_track_km",
    "miss_cross_track_km",
)

log = logging.getLogger("skysieve")


class View(NamedTuple):
    """What a run has found for a fleet."""

    look: Look
    seen: tuple[Seen, ...]


def note_published(settings: StoreSettings, run_id: str, now: datetime) -> None:
    """Do as `note_run`, but log a failure; what was not noted is noted before the next delivery."""
    try:
        note_run(settings, run_id, now)
    except SkysieveError as error:
        log.warning("Alerts for the run %s are delayed: %s", run_id, error)


def note_run(settings: StoreSettings, run_id: str, now: datetime) -> None:
    """Store what a run has changed for each alert, if its fleet was searched.

    The same run again, or an earlier one, does nothing. A new alert begins with the newest run. For an alert
    whose fleet the run has left out nothing changes, but the run counts as known.

    Raises:
        StoreError: something cannot be read or written; the alerts that are left do not know the run yet.
    """
    store = settings.store
    current = read_current(store)
    if current is None or not looked_at(store, run_id):
        return
    is_newest = run_id == current.run_id

    def is_news(entries: Mapping[str, str]) -> bool:
        known = entries.get(RUN, "")
        return run_id > known and (bool(known) or is_newest)

    _note(store, run_id, is_news, {RUN: run_id}, now)


def note_messages(settings: StoreSettings, now: datetime) -> None:
    """Store for each alert the encounters that received messages have brought since the newest run was noted.

    An alert that does not know the newest run yet learns of them with it.

    Raises:
        StoreError: something cannot be read or written; the alerts that are left do not know them yet.
    """
    store = settings.store
    stamp = " ".join(f"{whose}:{one}" for whose, one in message_stamps(store))
    current = read_current(store)
    if not stamp or current is None or not looked_at(store, current.run_id):
        return
    run_id = current.run_id

    def is_news(entries: Mapping[str, str]) -> bool:
        return entries.get(RUN) == run_id and entries.get(MESSAGES) != stamp

    _note(store, run_id, is_news, {MESSAGES: stamp}, now, again=True)


def missed_runs(store: Path, alert_ids: Iterable[int]) -> list[str]:
    """Return the runs that some alerts do not know yet, such as one after which the process was killed."""
    current = read_current(store)
    if current is None:
        return []
    known = {number: entries[RUN] for number, entries in all_progress(store, [RUN]).items()}
    behind = [run_id for run_id in (known.get(one, "") for one in alert_ids) if run_id < current.run_id]
    if not behind:
        return []
    # An alert that knows none begins with the newest.
    oldest = min((run_id for run_id in behind if run_id), default=current.run_id)
    missed = [run_id for run_id in runs_with_fleets(store) if oldest < run_id < current.run_id]
    return [*missed, current.run_id]


def close_passed(settings: StoreSettings, now: datetime) -> None:
    """Store what has passed, to be sent with the next message, or within the hour."""
    stopped = without_credential(settings.store, now)  # nobody would deliver it
    wanted = set(alerts_with_passed(settings.store, now)) - set(stopped)
    if not wanted:
        return
    with service_state(settings.store) as state:
        for alert in alerts_within(state):
            if alert.id in wanted:
                known = encounters(state, alert.id)
                _store(state, alert, known, after_time(known, now), now, CLOSED_TOGETHER)


def _note(
    store: Path,
    run_id: str,
    is_news: Callable[[Mapping[str, str]], bool],
    entry: Mapping[str, str],
    now: datetime,
    *,
    again: bool = False,
) -> None:
    """Compare a run with what each alert knows to whom, by its progress, it is news; note its new `entry`."""
    progressed, stopped = all_progress(store, [RUN, MESSAGES]), without_credential(store, now)
    wanted = {
        one.id: one.fleet_id
        for one in alerts(store)
        if one.id not in stopped and is_news(progressed.get(one.id, {}))
    }
    views = fleet_views(store, run_id, set(wanted.values())) if wanted else {}
    ids = list(wanted)
    for part in (ids[first : first + AT_A_TIME] for first in range(0, len(ids), AT_A_TIME)):
        with service_state(store) as state:
            for alert in alerts_within(state):
                if alert.id not in part or not is_news(progress(state, alert.id)):
                    continue
                if alert.fleet_id in views:
                    look, seen = views[alert.fleet_id]
                    known = encounters(state, alert.id)
                    limits = Limits(alert.level, alert.near_m, alert.min_probability)
                    after = after_run(known, seen, look._replace(again=again), limits, now)
                    _store(state, alert, known, after, now, timedelta())
                note_progress(state, alert.id, entry)


def _store(
    state: State,
    alert: Alert,
    known: Mapping[int, Encounter],
    after: Mapping[int, Encounter],
    now: datetime,
    apart: timedelta,
) -> None:
    """Store what an alert knows; if it has changed, let a message wait, so long after the last one."""
    replace_encounters(state, alert.id, known, after)
    if not any(one.changes and one.changes[-1].at == now for one in after.values()):
        return
    if alert.digest_hours is not None:
        apart = max(apart, timedelta(hours=alert.digest_hours))
    had = standing_within(state, alert.fleet_id) if apart else {}
    urgent = any(_is_urgent(one, had.get(one.event_id)) for one in after.values())
    last = last_sent(state, alert.id, now) if apart and not urgent else None
    put_one(state, alert.id, CHANGES, {}, now, now if last is None else max(now, last + apart))


def _is_urgent(one: Encounter, has: Acknowledgement | None) -> bool:
    change = to_report(one, has and has.level) if one.changes else None
    is_worse = change is not None and change.kind in ("new", "raised")
    return is_worse and _URGENT in levels_for_a_reader(one.event)


def fleet_views(store: Path, run_id: str, fleet_ids: Iterable[int]) -> dict[int, View]:
    """Return what a run has found for fleets; without those that it has not looked at.

    Raises:
        StoreError: a file cannot be read.
    """
    views: dict[int, View] = {}
    paths: Paths = {}
    for fleet_id in sorted(fleet_ids):
        of = searched(store, run_id, fleet_id)
        if of is not None:
            paths = paths if views else paths_of_run(store, run_id)
            rows = utc_rows(fleet_events(store, run_id, fleet_id))
            views[fleet_id] = View(look_of(of)._replace(paths=paths), tuple(map(seen_of, rows)))
    return views


def look_of(of: Searched) -> Look:
    """Return what a run has looked at, with times that have their zone."""
    return Look(of.run_id, of.start, of.ends, of.members, of.screened, of.historic)


def seen_of(row: Mapping[str, Any]) -> Seen:
    """Return an encounter from a row of a fleet's events."""
    numbers = (row["primary_norad_id"], row["secondary_norad_id"])
    complexes = (row["primary_complex_id"], row["secondary_complex_id"])
    bodies = [
        number if complex_id is None else complex_id
        for number, complex_id in zip(numbers, complexes, strict=True)
    ]
    event = event_of(row)
    return Seen(
        row["event_id"],
        row["norad_id"],
        (min(numbers), max(numbers)),
        (min(bodies), max(bodies)),
        row["tca"],
        level_of(row),
        decisive_probability_of(row),
        row["miss_distance_m"],
        row["encounter"] == "slow",
        event,
    )


def event_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what messages show of an event, from a row of a fleet's events."""
    ours, other = sides(row)
    level, near = levels_for_a_reader(row)
    told = {
        "event_id": row["event_id"],
        "risk_level": row["risk_level"],
        "probability_level": level,
        "near_level": near or None,
        **{name: row[name] for name in PROBABILITIES},
        "probability_method": row["probability_method"],
        "catastrophic": row["catastrophic"],
        "fragments_10cm": row["fragments_10cm"],
        "encounter": row["encounter"],
        "diluted": is_diluted(row),
        "manoeuvring": [row[f"{side}_norad_id"] for side in (ours, other) if row[f"{side}_manoeuvring"]],
        "on_ephemeris": [
            row[f"{side}_norad_id"] for side in (ours, other) if row.get(f"{side}_trajectory") == "ephemeris"
        ],
        "departed": [row[f"{side}_norad_id"] for side in (ours, other) if row.get(f"{side}_departs_at")],
        "tca": time_text(row["tca"], "milliseconds"),
        "miss_distance_m": row["miss_distance_m"],
        "relative_speed_m_s": row["relative_speed_m_s"],
        "norad_id": row["norad_id"],
        "name": row[f"{ours}_name"][:LONGEST_NAME],
        "other_norad_id": row[f"{other}_norad_id"],
        "other_name": row[f"{other}_name"][:LONGEST_NAME],
    }
    told |= {name: row[name] for name in OF_FLEET if name not in ("fleet_id", "fleet")}
    return {name: _number(value, name in _ROUNDED) for name, value in told.items()}


def _number(value: Any, rounded: bool) -> Any:
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return float(f"{value:.6g}") if rounded else value
    return value
