"""Put what has changed into the outbox: at most one message about encounters waits for an alert.

A message that has not been delivered is superseded by the next one, which tells each encounter once, in its
newest state. What one that was given up tells goes with the next one, too; one that is being sent goes before
it. Of a digest that nobody can have seen yet, what began and vanished is left out.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from flows.alerts.bodies import Sender, conjunctions
from flows.alerts.lifecycle import Change, raised, worse
from storage.rows.danger import level_of, levels_for_a_reader
from storage.state.alerts.encounters import Encounter, Told, note_progress, progress, withdraw
from storage.state.alerts.outbox import Message, not_before, put, untold
from storage.state.database import State
from storage.state.records import Alert
from storage.times import parse_time, time_text

KIND = "conjunctions"
URGENT = "critical"  # by the probability, or by the miss: a digest does not hold it back
NEXT_DIGEST, TOLD_AT = "next_digest", "told_at"  # entries of an alert's progress


class Waiting(NamedTuple):
    """The messages about encounters that the next one is to supersede: mostly none or one."""

    messages: tuple[Message, ...]
    is_unseen: bool  # nobody can have seen them: not due yet, and never tried

    @property
    def ids(self) -> frozenset[str]:
        """Return their ids."""
        return frozenset(message.id for message in self.messages)


def waiting_for(state: State, alert_id: int, now: datetime) -> Waiting:
    """Return the messages about encounters that the next one of an alert is to supersede."""
    found = untold(state, alert_id, KIND, now)
    is_unseen = all(one.state == "waiting" and one.attempts == 0 and one.due > now for one in found)
    return Waiting(tuple(found), is_unseen)


def tell(
    state: State,
    alert: Alert,
    sender: Sender,
    run_id: str,
    after: Mapping[int, Encounter],
    changes: Sequence[Change],
    waiting: Waiting,
    now: datetime,
) -> dict[int, Encounter]:
    """Put a message about changes into the outbox, in the caller's transaction.

    Returns what the alert knows `after` them, with what each encounter was told by.
    """
    known = dict(after)
    if not changes and not waiting.is_unseen:
        return known  # what waits is being tried, and nothing is to be added
    is_urgent = False
    for change in changes:
        number = change.encounter.event_id
        merged = _merged(change, waiting)
        if merged is None:
            del known[number]
            continue
        known[number] = merged
        news = merged.told is not None and merged.told.change in ("new", "raised")
        is_urgent |= news and URGENT in levels_for_a_reader(merged.event)
    told = waiting.ids | {_NOT_YET}
    entries = [(one, one.told) for one in known.values() if one.told and one.told.message_id in told]
    if not entries:
        withdraw(state, waiting.ids, now)
        _free_digest(state, alert, waiting)
        return known
    reasons = {change.encounter.event_id: change.reason for change in changes if change.reason}
    body = conjunctions(sender, run_id, entries, reasons, now)
    due = _due(state, alert, waiting, now, is_urgent=is_urgent)
    message_id = put(state, alert.id, KIND, body, now, due, waiting.messages)
    note_progress(state, alert.id, {TOLD_AT: time_text(now)})
    return known | {
        one.event_id: one._replace(told=news._replace(message_id=message_id)) for one, news in entries
    }


_NOT_YET = ""  # the id of the message that is being made


def _news_of(change: Change) -> Told:
    return Told(_NOT_YET, change.change, change.again, change.before)


def _merged(change: Change, waiting: Waiting) -> Encounter | None:
    """Return an encounter with what is to be told of it, given what waits to be told of it already.

    Without `told` there is nothing to tell; None: nothing has ever been told of it, and it is over.
    """
    now, was, news = change.encounter, change.was, _news_of(change)
    pending = was.told if was and was.told and was.told.message_id in waiting.ids else None
    match (pending and pending.change, change.change, waiting.is_unseen):
        case ("new", "raised", _):
            news = news._replace(change="new", again=bool(pending and pending.again), before=None)
        case ("new", "resolved" | "eased", True):
            return now._replace(told=None) if pending and pending.again else None
        case ("raised", "raised", _):
            news = news._replace(before=pending and pending.before)
        case ("resolved" | "eased", "new", True):
            assert was is not None, "what waits has been known"
            return _as_if_never_over(now, was)
    return now._replace(told=news)


def _as_if_never_over(now: Encounter, was: Encounter) -> Encounter:
    """Return an encounter that has come back before anybody was told that it was over."""
    level, probability = level_of(now.event), now.told_probability
    still = now._replace(
        told_level=was.told_level,
        told_probability=was.told_probability,
        told_event_id=was.told_event_id,
        told=None,
    )
    if not worse(level, probability, was):
        return still
    found, change = raised(still, level, probability, was)
    return found._replace(told=_news_of(change))


def _due(state: State, alert: Alert, waiting: Waiting, now: datetime, *, is_urgent: bool) -> datetime:
    """Return when the next message is due, and note when a digest after it may be."""
    soonest = not_before(waiting.messages, now)
    if alert.digest_hours is None:
        return soonest
    allowed = parse_time(progress(state, alert.id).get(NEXT_DIGEST, time_text(now)))
    dues = [message.due for message in waiting.messages if message.state == "waiting"]
    if dues:
        allowed = min(dues) if waiting.is_unseen else now
    due = soonest if is_urgent else max(soonest, allowed)
    after = due + timedelta(hours=alert.digest_hours)
    note_progress(state, alert.id, {NEXT_DIGEST: time_text(after)})
    return due


def _free_digest(state: State, alert: Alert, waiting: Waiting) -> None:
    """Let the next digest go when the one that is withdrawn would have gone."""
    if waiting.messages and alert.digest_hours is not None:
        due = min(message.due for message in waiting.messages)
        note_progress(state, alert.id, {NEXT_DIGEST: time_text(due)})
