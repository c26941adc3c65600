"""Note what time brings: missed runs, messages, what has passed, daily answers, failed runs, old sets.

Every step can be repeated, and killed at any point: each is one transaction that notes what it has told.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from flows.alerts.daily import put_daily
from flows.alerts.faults import Faults
from flows.alerts.health import put_health
from flows.alerts.lifecycle import after_time
from flows.alerts.noted import RUN, alerts_with_senders, note_messages, note_run
from flows.alerts.telling import TOLD_AT, tell, waiting_for
from storage.disk.current import read_current
from storage.reading.run_events import runs_with_fleets
from storage.settings import StoreSettings
from storage.state.alerts.encounters import (
    alerts_with_passed,
    all_progress,
    encounters,
    progress,
    replace_encounters,
)
from storage.state.alerts.kept import alerts, stop, without_credential
from storage.state.database import service_state
from storage.state.records import Alert
from storage.state.tables import ServiceStateError
from storage.times import aware_utc, parse_time

CLOSED_TOGETHER = timedelta(hours=1)  # apart from runs, what has passed is told at most so often

log = logging.getLogger("skysieve")


def advance(settings: StoreSettings, now: datetime, faults: Faults | None = None) -> None:
    """Put into the outbox what is to be told by `now` (UTC), and has not been.

    What prevents a step is logged, once while it lasts if `faults` are kept, and the other steps go on.

    Raises:
        StoreError: the alerts cannot be read.
    """
    now, present, faults = aware_utc(now), alerts(settings.store), faults or Faults()
    if not present:
        return
    stopped = without_credential(settings.store, now)
    going_on = [alert for alert in present if alert.id not in stopped]
    steps: dict[str, Callable[[], None]] = {
        "stopping alerts without credential": lambda: _stop(settings, present, stopped, now),
        "noting missed runs": lambda: note_missed_runs(settings, going_on, now, faults),
        "noting received messages": lambda: note_messages(settings, now),
        "closing what has passed": lambda: close_passed(settings, now),
        "telling how runs and the catalogue are": lambda: put_health(settings, now),
        "daily answers": lambda: put_daily(settings, now),
    }
    for what, work in steps.items():
        faults.logged(what, work)


def _stop(
    settings: StoreSettings, present: Sequence[Alert], stopped: Mapping[int, str], now: datetime
) -> None:
    for alert in present:
        if alert.id in stopped and alert.off_reason != stopped[alert.id]:
            cancelled = stop(settings.store, alert.id, stopped[alert.id], now)
            log.warning(
                "Alert %d is off: %s %d messages are not delivered.", alert.id, stopped[alert.id], cancelled
            )


def note_missed_runs(
    settings: StoreSettings, present: Sequence[Alert], now: datetime, faults: Faults
) -> None:
    """Note the runs that alerts do not know yet, such as one after which the process was killed.

    A run that cannot be read is passed over; those after it are noted.

    Raises:
        ServiceStateError: what alerts know cannot be read or written.
    """
    current = read_current(settings.store)
    if current is None:
        return
    known = {number: entries[RUN] for number, entries in all_progress(settings.store, [RUN]).items()}
    behind = [known.get(alert.id, "") for alert in present if known.get(alert.id, "") < current.run_id]
    if not behind:
        return
    # An alert that knows none begins with the newest.
    oldest = min((run_id for run_id in behind if run_id), default=current.run_id)
    missed = [run_id for run_id in runs_with_fleets(settings.store) if oldest < run_id < current.run_id]
    for run_id in [*missed, current.run_id]:
        work = partial(note_run, settings, run_id, now)
        faults.logged(f"noting the run {run_id}", work, but=(ServiceStateError,))


def close_passed(settings: StoreSettings, now: datetime) -> None:
    """Tell what has passed since the last message, once in a while."""
    with_passed = alerts_with_passed(settings.store, now)
    stopped = without_credential(settings.store, now)  # nobody would deliver it
    told = {number: entries[TOLD_AT] for number, entries in all_progress(settings.store, [TOLD_AT]).items()}
    wanted = [
        number
        for number in with_passed
        if number not in stopped and (number not in told or parse_time(told[number]) + CLOSED_TOGETHER <= now)
    ]
    if not wanted:
        return
    with service_state(settings.store) as state:
        for alert, sender in alerts_with_senders(state, settings.public_url):
            if alert.id in wanted:
                known, waiting = encounters(state, alert.id), waiting_for(state, alert.id, now)
                after, changes = after_time(known, now, waiting.ids)
                run_id = progress(state, alert.id)[RUN]
                told_now = tell(state, alert, sender, run_id, after, changes, waiting, now)
                replace_encounters(state, alert.id, known, told_now)
