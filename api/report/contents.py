"""The contents of a report on one event: its row, its history over runs, its geometry, and warnings."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

import pyarrow as pa

from api.answers.drawn.trend import event_trend
from api.answers.event_messages import NO_MESSAGES, EventMessages, messages_about
from api.answers.geometry import EventDetails, event_details
from api.answers.geometry_answer import right_of_way
from api.answers.inbox.compared import compared
from api.answers.inbox.origins import message_origins
from api.answers.inbox.side_by_side import side_by_side
from api.answers.manoeuvred import manoeuvred_since
from api.answers.stored_events import StoredEvent, event_with_history, typed
from api.answers.watched.whom import whom_of_both
from api.models.messages import SideBySide
from api.models.trend import Trend
from api.settings import ApiSettings
from screening.risk.messages.written.event import NoMessage
from screening.risk.views.event_geometry import EventGeometry
from storage.disk.zipped import NamedText
from storage.in_memory.messages import ENDINGS, Wanted, message_on
from storage.in_memory.single_objects import ObjectDetails
from storage.in_memory.snapshot import Snapshot
from storage.messages.kept import received
from storage.reading.catalogue_age import catalogue_age
from storage.rows.run_record import Run
from storage.rows.words.event import HISTORIC, RESTRICTED, SYNTHETIC, Manoeuvred
from storage.rows.words.numbers import minute, span
from storage.rows.words.right_of_way import WhoGivesWay
from storage.rows.words.whom import UNKNOWN_BOTH, WhomOfBoth
from storage.state.operators.intents import intended
from storage.trajectories.trajectory_file import Trajectory
from storage.verification.outlook import outlook
from storage.vocabulary import RESTRICTED_MESSAGE


class Report(NamedTuple):
    """Everything that a report on one event draws and writes."""

    event: StoredEvent
    geometry: EventGeometry
    objects: tuple[ObjectDetails, ObjectDetails]  # primary, secondary
    history: list[StoredEvent]  # what each run found of it, the oldest first
    run: Run  # the newest of the store
    notices: list[str]  # warnings that come first
    made_at: datetime  # UTC
    trend: Trend  # what runs and messages said of it
    gives_way: WhoGivesWay
    trajectories: tuple[Trajectory | None, Trajectory | None] = (None, None)  # that the event rests on
    messages: tuple[NamedText, ...] = ()  # the event as KVN, XML and JSON; none without states
    received: EventMessages = NO_MESSAGES  # about it
    intents: tuple[str, ...] = ()  # what operators intend, in sentences
    whom: WhomOfBoth = UNKNOWN_BOTH  # to ask about the objects
    manoeuvred: Mapping[str, Manoeuvred] = MappingProxyType({})  # by side: since what the event rests on
    outlook: str = ""  # what became of others of its level
    had: str = ""  # of a fleet's digest: who has it; empty: nobody
    at_own_radius: str = ""  # of a fleet's digest: what counts there; empty: these numbers
    side_by_side: SideBySide | None = None  # ours and the newest message of each sender; None: no message
    origins: tuple[str, ...] = ()  # who was asked for messages, in words

    @property
    def details(self) -> EventDetails:
        """The event with its geometry and its objects."""
        return EventDetails(self.event, self.geometry, self.objects, self.trajectories)

    @property
    def over_time(self) -> list[StoredEvent]:
        """The values of each run, and newer ones from an analysis or a second look."""
        newer = not self.history or self.event.computed_at > self.history[-1].computed_at
        return [*self.history, self.event] if newer else self.history


def report_on(
    snapshot: Snapshot,
    event_id: int,
    settings: ApiSettings,
    now: datetime,
    *,
    messages: pa.Table | None = None,
    restricted: bool = False,
    seen_from: int | None = None,
) -> Report:
    """Gather the contents of a report on one event; `restricted`: also what must not be shared.

    `messages`: those of the store, as `received` returns them; by default they are read. `seen_from`: the
    object that is its primary; by default as stored.

    Raises NotFound if the store has no such event, and BadParameter if `seen_from` is neither of its objects.
    """
    record, records = event_with_history(snapshot, event_id, restricted=restricted, seen_from=seen_from)
    details = event_details(snapshot, typed(record))
    event, geometry, objects, trajectories = details
    history = [typed(found) for found in records]
    warnings = notices(snapshot.run, settings, now)
    if records and record is records[-1]:
        last = history[-1].run_id
        warnings.append(f"Not in the newest run: {last} was the last run with this event.")
    all_messages = received(snapshot.store, snapshot.organisation_id) if messages is None else messages
    about = messages_about(all_messages, event, restricted=restricted)
    ours = None if event.told else event
    about = about._replace(told=compared(snapshot.store, about.told, ours, event.primary.norad_id))
    if event.origin == RESTRICTED_MESSAGE or any(message["restricted"] for message in about.told):
        warnings.append(RESTRICTED)
    written = _messages(snapshot, event_id, seen_from)
    return Report(
        event,
        geometry,
        objects,
        history,
        snapshot.run,
        warnings,
        now,
        event_trend(snapshot, record, records, about),
        right_of_way(snapshot, details, about.told),
        trajectories,
        written,
        about,
        tuple(intended(snapshot.store, [event_id]).get(event_id, ())),
        whom_of_both(snapshot, details),
        manoeuvred_since(snapshot, event),
        outlook(snapshot.store, event.probability_level, event.tca, snapshot.run.window_start),
        side_by_side=side_by_side(
            snapshot.store, about.told, None if event.told else event, event.primary.norad_id
        ),
        origins=tuple(
            one.words for one in message_origins(snapshot.store, all_messages, event, restricted=False)
        ),
    )


def _messages(snapshot: Snapshot, event_id: int, seen_from: int | None) -> tuple[NamedText, ...]:
    try:
        found = [message_on(snapshot, event_id, Wanted(form, seen_from=seen_from)) for form in ENDINGS]
    except NoMessage:
        return ()
    return tuple(one for one in found if one is not None)


def notices(run: Run, settings: ApiSettings, now: datetime) -> list[str]:
    """Return warnings about a run: synthetic, historic, on old element sets, stale."""
    said = []
    if run.synthetic:
        said.append(SYNTHETIC)
    if run.historic:
        said.append(f"{HISTORIC} Its window begins at {minute(run.window_start)} Z.")
    sets = catalogue_age(run, settings, now)
    if sets.state == "old" and sets.epoch and sets.age:
        said.append(
            f"No new element sets since {minute(sets.epoch)} Z: those of this run are {span(sets.age)} old."
        )
    age = now - run.finished
    if age > settings.stale_after:
        said.append(
            f"Stale: the newest run ended {span(age)} ago, more than "
            f"{span(settings.stale_after)}. Newer element sets may change the result."
        )
    return said
