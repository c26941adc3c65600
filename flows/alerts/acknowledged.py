"""Tell alerts that want it who has taken on an event that they have told, and what operators intend at it."""

from datetime import datetime

from flows.alerts.bodies import ACKNOWLEDGED, INTENT, acknowledged, intended, senders
from storage.settings import StoreSettings
from storage.state.alerts.acknowledgements import since
from storage.state.alerts.alerts import alerts
from storage.state.alerts.encounters import all_progress, encounters, note_progress, progress
from storage.state.alerts.outbox import put
from storage.state.database import service_state
from storage.state.fleets import fleets
from storage.state.operators.intents import intents_since
from storage.state.whose.organisations import organisation_names


def put_acknowledged(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each acknowledgement, since the alert began, of an event that it has told.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store = settings.store
    known = {number: int(one[ACKNOWLEDGED]) for number, one in all_progress(store, [ACKNOWLEDGED]).items()}
    wanted = [one.id for one in alerts(store) if one.acknowledgements and one.off_since is None]
    made = since(store, min((known.get(one, 0) for one in wanted), default=0)) if wanted else []
    newest = max((one.id for one in made), default=0)
    if all(known.get(one, -1) >= newest for one in wanted):
        return
    whose = {one.id: one.organisation_id for one in fleets(store)}
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            told = progress(state, alert.id).get(ACKNOWLEDGED)
            if alert.id not in wanted:
                continue
            events = encounters(state, alert.id)
            for one in made:
                if one.organisation_id != whose.get(alert.fleet_id):
                    continue
                if told is not None and one.id > int(told) and one.event_id in events:
                    body = acknowledged(sender, events[one.event_id], one, now)
                    put(state, alert.id, ACKNOWLEDGED, body, now, now)
            note_progress(state, alert.id, {ACKNOWLEDGED: str(max(newest, int(told or 0)))})


def put_intents(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each intent, since the alert began, at an event that it has told; whoever says it.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """
    store = settings.store
    known = {number: int(one[INTENT]) for number, one in all_progress(store, [INTENT]).items()}
    wanted = [one.id for one in alerts(store) if one.acknowledgements and one.off_since is None]
    made = intents_since(store, min((known.get(one, 0) for one in wanted), default=0)) if wanted else []
    newest = max((one.id for one in made), default=0)
    if all(known.get(one, -1) >= newest for one in wanted):
        return
    names = organisation_names(store)
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            if alert.id not in wanted:
                continue
            told = progress(state, alert.id).get(INTENT)
            events = encounters(state, alert.id)
            for one in made:
                if told is not None and one.id > int(told) and one.event_id in events:
                    body = intended(sender, events[one.event_id], one, names[one.organisation_id], now)
                    put(state, alert.id, INTENT, body, now, now)
            note_progress(state, alert.id, {INTENT: str(max(newest, int(told or 0)))})
