"""Tell alerts that want it who has taken on an event that they have told, and what operators intend at it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from flows.alerts.bodies import ACKNOWLEDGED, INTENT, Body, Sender, acknowledged, intended, senders
from storage.settings import StoreSettings
from storage.state.alerts.acknowledgements import since
from storage.state.alerts.alerts import alerts
from storage.state.alerts.encounters import Encounter, all_progress, encounters, note_progress, progress
from storage.state.alerts.outbox import put
from storage.state.database import service_state
from storage.state.fleets import fleets
from storage.state.operators.intents import intents_since
from storage.state.records import Acknowledgement, Alert, StatedIntent
from storage.state.whose.organisations import organisation_names

Said = TypeVar("Said", Acknowledgement, StatedIntent)
# The body of a message of an alert on what was said of an event that it has told; None: not for this alert.
BodyOf = Callable[[Alert, Sender, Encounter, Said], Body | None]


def put_acknowledged(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each acknowledgement, since the alert began, of an event that it has told.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """

    def bodies(store: Path) -> BodyOf[Acknowledgement]:
        whose = {one.id: one.organisation_id for one in fleets(store)}

        def body(alert: Alert, sender: Sender, event: Encounter, one: Acknowledgement) -> Body | None:
            own = one.organisation_id == whose.get(alert.fleet_id)
            return acknowledged(sender, event, one, now) if own else None

        return body

    _put(settings, ACKNOWLEDGED, since, bodies, now)


def put_intents(settings: StoreSettings, now: datetime) -> None:
    """Put a message for each intent, since the alert began, at an event that it has told; whoever says it.

    Raises:
        StoreError: something cannot be read or written; nothing is put then.
    """

    def bodies(store: Path) -> BodyOf[StatedIntent]:
        names = organisation_names(store)
        return lambda _alert, sender, event, one: intended(
            sender, event, one, names[one.organisation_id], now
        )

    _put(settings, INTENT, intents_since, bodies, now)


def _put(
    settings: StoreSettings,
    kind: str,
    said_since: Callable[[Path, int], Sequence[Said]],
    bodies: Callable[[Path], BodyOf[Said]],
    now: datetime,
) -> None:
    store = settings.store
    known = {number: int(one[kind]) for number, one in all_progress(store, [kind]).items()}
    wanted = [one.id for one in alerts(store) if one.acknowledgements and one.off_since is None]
    made = said_since(store, min((known.get(one, 0) for one in wanted), default=0)) if wanted else []
    newest = max((one.id for one in made), default=0)
    if all(known.get(one, -1) >= newest for one in wanted):
        return
    body_of = bodies(store)
    with service_state(store) as state:
        for alert, sender in senders(state, settings.public_url):
            if alert.id not in wanted:
                continue
            told = progress(state, alert.id).get(kind)
            events = encounters(state, alert.id)
            for one in made:
                if told is None or one.id <= int(told) or one.event_id not in events:
                    continue
                if body := body_of(alert, sender, events[one.event_id], one):
                    put(state, alert.id, kind, body, now, now)
            note_progress(state, alert.id, {kind: str(max(newest, int(told or 0)))})
