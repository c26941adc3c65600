"""Compare a run with what each alert knows, and put what has changed into the outbox, each alert whole."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from flows.alerts.bodies import Sender, event_of
from flows.alerts.lifecycle import Look, Seen, after_run
from flows.alerts.telling import tell, waiting_for
from screening.errors import SkysieveError
from storage.disk.current import read_current
from storage.fleets.events import fleet_events, looked_at
from storage.fleets.from_messages import message_stamp
from storage.fleets.searched import Searched, searched
from storage.rows.danger import decisive_probability_of, level_of
from storage.rows.limits import Limits
from storage.settings import StoreSettings
from storage.state.alerts.encounters import (
    all_progress,
    encounters,
    note_progress,
    progress,
    replace_encounters,
)
from storage.state.alerts.kept import alerts, alerts_within, without_credential
from storage.state.database import State, service_state
from storage.state.fleets import fleet_names
from storage.state.records import Alert
from storage.times import aware_utc

AT_A_TIME = 10  # alerts in a transaction, so that others wait no longer than seconds for it
# Entries of an alert's progress: the newest run that it knows, and the messages.
RUN, MESSAGES = "run", "messages"

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
    """Tell each alert what a run has changed, if its fleets have been looked at.

    The same run again, or an earlier one, does nothing. A new alert begins with the newest run. To an alert
    whose fleet the run has left out it tells nothing, but the run counts as known.

    Raises:
        StoreError: something cannot be read or written; the alerts that are left are not told of the run yet.
    """
    store = settings.store
    current = read_current(store)
    if current is None or not looked_at(store, run_id):
        return
    is_newest = run_id == current.run_id
    behind = _behind(store, run_id, now, is_newest=is_newest)
    if not behind:
        return
    views = fleet_views(store, run_id, set(behind.values()))
    ids = list(behind)
    for part in (ids[first : first + AT_A_TIME] for first in range(0, len(ids), AT_A_TIME)):
        with service_state(store) as state:
            for alert, sender in alerts_with_senders(state, settings.public_url):
                known_run = progress(state, alert.id).get(RUN, "") if alert.id in part else run_id
                if _is_news(run_id, known_run, is_newest=is_newest):
                    view = views.get(alert.fleet_id)
                    if view is not None:
                        _note(state, alert, sender, view, aware_utc(now))
                    note_progress(state, alert.id, {RUN: run_id})


def note_messages(settings: StoreSettings, now: datetime) -> None:
    """Tell each alert of encounters that received messages have brought since the newest run was noted.

    An alert that does not know the newest run yet learns of them with it.

    Raises:
        StoreError: something cannot be read or written; the alerts that are left are not told yet.
    """
    store, stamp = settings.store, message_stamp(settings.store)
    current = read_current(store)
    if not stamp or current is None or not looked_at(store, current.run_id):
        return
    stopped, progressed = without_credential(store, now), all_progress(store, [RUN, MESSAGES])
    wanted = {
        alert.id: alert.fleet_id
        for alert in alerts(store)
        if alert.id not in stopped
        and progressed.get(alert.id, {}).get(RUN) == current.run_id
        and progressed[alert.id].get(MESSAGES) != stamp
    }
    if not wanted:
        return
    views = fleet_views(store, current.run_id, set(wanted.values()))
    with service_state(store) as state:
        for alert, sender in alerts_with_senders(state, settings.public_url):
            if alert.id in wanted and progress(state, alert.id).get(RUN) == current.run_id:
                view = views.get(alert.fleet_id)
                if view is not None:
                    again = view._replace(look=view.look._replace(again=True))
                    _note(state, alert, sender, again, aware_utc(now))
                note_progress(state, alert.id, {MESSAGES: stamp})


def _behind(store: Path, run_id: str, now: datetime, *, is_newest: bool) -> dict[int, int]:
    """Return the alerts with a valid credential that do not know a run yet, each with its fleet."""
    known, stopped = all_progress(store, [RUN]), without_credential(store, now)
    return {
        alert.id: alert.fleet_id
        for alert in alerts(store)
        if alert.id not in stopped
        and _is_news(run_id, known.get(alert.id, {}).get(RUN, ""), is_newest=is_newest)
    }


def _is_news(run_id: str, known_run: str, *, is_newest: bool) -> bool:
    return run_id > known_run and (bool(known_run) or is_newest)


def alerts_with_senders(state: State, public_url: str) -> list[tuple[Alert, Sender]]:
    """Return all alerts in the caller's transaction, each with what its messages say of it."""
    names = fleet_names(state)
    return [
        (alert, Sender(alert.id, alert.fleet_id, names[alert.fleet_id], public_url))
        for alert in alerts_within(state)
        if alert.fleet_id in names
    ]


def _note(state: State, alert: Alert, sender: Sender, view: View, now: datetime) -> None:
    run_id = view.look.run_id
    known, waiting = encounters(state, alert.id), waiting_for(state, alert.id, now)
    limits = Limits(alert.level, alert.near_m, alert.min_probability)
    after, changes = after_run(known, view.seen, view.look, limits, now, waiting.ids)
    told = tell(state, alert, sender, run_id, after, changes, waiting, now)
    replace_encounters(state, alert.id, known, told)


def fleet_views(store: Path, run_id: str, fleet_ids: Iterable[int]) -> dict[int, View]:
    """Return what a run has found for fleets; without those that it has not looked at.

    Raises:
        StoreError: a file cannot be read.
    """
    views = {}
    for fleet_id in sorted(fleet_ids):
        of = searched(store, run_id, fleet_id)
        if of is not None:
            rows = fleet_events(store, run_id, fleet_id).to_pylist()
            views[fleet_id] = View(look_of(of), tuple(map(seen_of, rows)))
    return views


def look_of(of: Searched) -> Look:
    """Return what a run has looked at, with times that have their zone."""
    ends = {number: aware_utc(end) for number, end in of.ends.items()}
    return Look(of.run_id, aware_utc(of.start), ends, of.members, of.screened, of.historic)


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
        aware_utc(row["tca"]),
        level_of(row),
        decisive_probability_of(row),
        row["miss_distance_m"],
        row["encounter"] == "slow",
        event,
    )
