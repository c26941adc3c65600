"""Send what is due, many alerts at once and one message of each at a time; try again what was not taken.

Each delivery has a thread of its own: a slow receiver holds up nobody else. Their number is limited, in all
and for each host, and what has been due the longest comes first.
"""

import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

from flows.alerts.channels.letter import letter
from flows.alerts.channels.mail import MailServer, hand_in
from flows.alerts.channels.posting import Answered, Wire, post, signed_headers
from flows.alerts.channels.slack import slack_text
from flows.alerts.channels.wording import Wording, wording
from flows.sources.time_limit import TimeLimit
from screening.errors import StoreError
from storage.state.alerts.addresses import shown_address
from storage.state.alerts.alerts import alerts, end_endpoint, stop, without_credential
from storage.state.alerts.outbox import (
    Message,
    Outcome,
    begin_sending,
    body_text,
    due_messages,
    note_attempt,
    written,
)
from storage.state.database import service_state
from storage.state.fleets import fleet_names
from storage.state.records import Alert
from storage.times import aware_utc, time_text

MOST_AT_ONCE = 64
MOST_OF_A_HOST = 8
HOLD_S = 60.0  # an alert of which nothing could be recorded
_STOP_WITHIN_S = 3.0
_SPARE = timedelta(seconds=10)  # for what a delivery does apart from sending
# After the first attempt, after the second, and so on; three days in all, as Standard Webhooks proposes.
DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
MOST_JITTER = 0.1  # of a delay, on top, so that what failed together is not tried together
LONGEST = timedelta(hours=24)  # that a receiver may ask for
LONGEST_PAUSE = timedelta(hours=1)  # of an alert's other messages
TOO_MANY = frozenset({429, 502, 504})  # the receiver has too much to do
GONE = 410

Jitter = Callable[[], float]

log = logging.getLogger("skysieve")


class Means(NamedTuple):
    """What messages are delivered with, replaceable in tests."""

    store: Path
    wire: Wire
    mail: MailServer | None
    now: Callable[[], datetime]
    jitter: Jitter = random.random
    public_url: str = ""  # of the page, for links; empty: none


class _UnderWay(NamedTuple):
    alert: Alert
    limit: TimeLimit
    host: str


class Courier:
    """Delivers messages of one store; `call` is called from a thread whenever a delivery has ended."""

    def __init__(self, means: Means, call: Callable[[], None]) -> None:
        self._means = means
        self._call = call
        self._lock = Lock()
        self._under_way: dict[int, _UnderWay] = {}
        self._threads: dict[int, Thread] = {}
        self._held_until_s: dict[int, float] = {}
        self._stopping = False

    def look(self) -> bool:
        """Start to deliver what is due, and tell whether anything is under way, or was at first.

        What a delivery held back may be due once that has ended, so look again after each.

        Raises:
            ServiceStateError: the store's state cannot be read.
        """
        store, now, was_busy = self._means.store, self._means.now(), self.is_busy
        due = due_messages(store, now, self._not_now())
        if due:
            known = {alert.id: alert for alert in alerts(store)}
            stopped = without_credential(store, now)
            with_room = []
            for message in due:
                if message.alert_id in stopped:
                    self._stop(message.alert_id, stopped[message.alert_id])
                elif message.alert_id in known and self._has_room(known[message.alert_id]):
                    with_room.append(message)
            self._begin(with_room, now)
        return was_busy or self.is_busy

    @property
    def is_busy(self) -> bool:
        """Tell whether a delivery is under way."""
        with self._lock:
            return bool(self._under_way)

    def stop(self) -> None:
        """End the deliveries that are under way, within seconds; their messages stay as they are."""
        self._stopping = True
        with self._lock:
            under_way, threads = list(self._under_way.values()), list(self._threads.values())
        for one in under_way:
            one.limit.end()
        end_s = time.monotonic() + _STOP_WITHIN_S
        for thread in threads:
            thread.join(max(end_s - time.monotonic(), 0))

    def _stop(self, alert_id: int, why: str) -> None:
        cancelled = stop(self._means.store, alert_id, why, self._means.now())
        log.warning("Alert %d is off: %s %d messages are not delivered.", alert_id, why, cancelled)

    def _not_now(self) -> list[int]:
        with self._lock:
            now_s = time.monotonic()
            self._held_until_s = {one: until for one, until in self._held_until_s.items() if until > now_s}
            return [*self._under_way, *self._held_until_s]

    def _has_room(self, alert: Alert) -> bool:
        """Take a place for a delivery, if there is one."""
        host = "(mail)" if alert.channel == "email" else urlsplit(alert.address).hostname or ""
        with self._lock:
            of_host = Counter(one.host for one in self._under_way.values())[host]
            if self._stopping or len(self._under_way) >= MOST_AT_ONCE or of_host >= MOST_OF_A_HOST:
                return False
            self._under_way[alert.id] = _UnderWay(alert, TimeLimit(self._means.wire.total_s), host)
        return True

    def _begin(self, messages: Sequence[Message], now: datetime) -> None:
        """Start deliveries that have a place; what changes meanwhile goes out with other messages."""
        to_send: dict[str, Message] = {}
        try:
            if messages:
                until = now + timedelta(seconds=self._means.wire.total_s) + _SPARE
                of = {one.alert_id: self._under_way[one.alert_id].alert for one in messages}
                to_send = written_messages(
                    self._means.store, messages, of, now, until, self._means.public_url
                )
        finally:
            for one in messages:
                if one.id in to_send:
                    thread = Thread(target=self._deliver, args=(to_send[one.id],), name=one.id, daemon=True)
                    with self._lock:
                        self._threads[one.alert_id] = thread
                    thread.start()
                else:
                    with self._lock:
                        del self._under_way[one.alert_id]

    def _deliver(self, message: Message) -> None:
        with self._lock:
            alert, limit, _ = self._under_way[message.alert_id]
        hold = True  # unless all went well, or it would be sent again at once, and again
        try:
            deliver(message, alert, self._means, limit, lambda: self._stopping)
            hold = False
        except StoreError as error:
            log.error("The delivery of %s cannot be recorded: %s", message.id, error)  # noqa: TRY400
        except Exception:
            # A bug must not end the thread before the message is held.
            log.exception("The delivery of %s failed", message.id)
        finally:
            with self._lock:
                del self._under_way[alert.id], self._threads[alert.id]
                if hold:
                    self._held_until_s[alert.id] = time.monotonic() + HOLD_S
            self._call()


def written_messages(
    store: Path,
    messages: Sequence[Message],
    of: Mapping[int, Alert],
    now: datetime,
    until: datetime,
    public_url: str = "",
) -> dict[str, Message]:
    """Write what messages say that are to be sent now; return by id those that have something to say.

    Args:
        store: the store's folder.
        messages: those that are due.
        of: the alerts by their ids.
        now: the time of the messages.
        until: when they are under way no longer.
        public_url: of the page; empty: no links.

    Raises:
        ServiceStateError: the store's state cannot be read or written; nothing is to be sent then.
    """
    # With it come DuckDB and pyarrow, 60 MB, which a store without alerts does not need.
    from flows.alerts.asked import whom_of_others
    from flows.alerts.bodies import Sender, changes_of
    from storage.fleets.events import organisation_of

    with service_state(store) as state:
        found, names = begin_sending(state, [one.id for one in messages], until), fleet_names(state)
        for one in [one for one in found.values() if not one.body]:
            fleet_id = of[one.alert_id].fleet_id
            sender = Sender(one.alert_id, fleet_id, names[fleet_id], public_url)
            try:
                whom = partial(whom_of_others, store, organisation_of(store, fleet_id))
                body = changes_of(state, sender, one.id, now, whom)
            except (ValueError, LookupError, TypeError):  # damaged: it must not stop the others
                log.exception("%s cannot be written", one.id)
                continue
            written(state, one.id, body)
            if body is None:
                del found[one.id]
            else:
                found[one.id] = one._replace(body=body)
    return found


def deliver(
    message: Message, alert: Alert, means: Means, limit: TimeLimit, given_up: Callable[[], bool]
) -> None:
    """Try to deliver a message, and record what came of it.

    Nothing is recorded if this process was asked to stop meanwhile, and the receiver has not taken it: the
    next one tries again, with the same id.

    Raises:
        ServiceStateError: it cannot be recorded.
    """
    began_s = time.monotonic()
    answered = _sent(message, alert, means, limit)
    if given_up() and not answered.was_taken:
        return
    now = means.now()
    tried = Outcome(answered.status, answered.error, round(time.monotonic() - began_s, 3))
    if answered.was_taken:
        note_attempt(means.store, message.id, now, tried, "delivered")
        log.info("%s: delivered", _what(message, alert))
        return
    then = next_attempt(message.attempts + 1, answered, now, means.jitter)
    if answered.status == GONE and alert.channel != "email":
        # What waits is delivered if the alert is switched on again.
        note_attempt(means.store, message.id, now, tried, then or now)
        end_endpoint(means.store, alert, answered.error, now)
        log.warning("%s: %s The alert is switched off.", _what(message, alert), answered.error)
        return
    note_attempt(
        means.store, message.id, now, tried, then or "failed", pause_until=pause_until(answered, then, now)
    )
    next_time = (
        "it is not tried again" if then is None else f"the next attempt is at {time_text(then, 'seconds')}"
    )
    log.warning(
        "%s: %s It was attempt %d; %s.",
        _what(message, alert),
        answered.error,
        message.attempts + 1,
        next_time,
    )


def _sent(message: Message, alert: Alert, means: Means, limit: TimeLimit) -> Answered:
    if not message.body:
        return Answered(None, "It could not be written: what the alert knows is damaged.")
    try:
        if alert.channel == "email":
            return _mailed(message, alert, means, limit)
        with limit:
            if alert.channel == "webhook":
                text = body_text(message.body)
                headers = signed_headers(message.id, text, alert.secrets, means.now())
                return post(alert.address, text.encode(), headers, means.wire, limit)
            text = slack_text(wording(message.body))
            return post(alert.address, text.encode(), {}, means.wire, limit)
    except Exception as error:
        # A bug in one message must not stop the others; it is tried again, by a later release perhaps.
        log.exception("%s could not be sent", _what(message, alert))
        return Answered(None, f"It could not be sent: {type(error).__name__}.")


def _mailed(message: Message, alert: Alert, means: Means, limit: TimeLimit) -> Answered:
    if means.mail is None:
        return Answered(None, "No mail server is set: SKYSIEVE_SMTP_HOST.")
    words = wording(message.body)
    made = letter(message, words, means.mail.sender, alert.address, _picture(message, words, means.store))
    with limit:  # the letter and its picture are made before
        return hand_in(made, alert.address, means.mail, means.wire.tls, limit, means.wire.total_s / 2)


def _picture(message: Message, words: Wording, store: Path) -> bytes | None:
    """Return the picture in a letter, None if there is none: a warning does not wait for it."""
    if words.drawn is None:
        return None
    try:
        # matplotlib takes a second, and 60 MB.
        from flows.alerts.channels.picture import picture

        data = message.body["data"]
        return picture(store, data["run_id"], data["fleet"]["id"], words.drawn)
    except Exception:
        log.exception("%s goes without a picture", message.id)
        return None


def _what(message: Message, alert: Alert) -> str:
    return f"alert {alert.id}: {message.id} ({message.kind}) to {shown_address(alert.channel, alert.address)}"


def next_attempt(
    attempts: int, answered: Answered, now: datetime, jitter: Jitter = random.random
) -> datetime | None:
    """Return when to try again after so many attempts, None if not at all.

    A receiver that has too much to do is left twice the time, and one that says when (Retry-After, of up to a
    day) is not asked earlier. `jitter` gives numbers from 0 to 1.
    """
    if answered.is_final or attempts > len(DELAYS):
        return None
    delay = DELAYS[attempts - 1] * (1 + MOST_JITTER * jitter())
    if answered.status in TOO_MANY:
        delay = min(2 * delay, LONGEST * (1 + MOST_JITTER))
    return now + max(delay, retry_after(answered.retry_after, now))


def pause_until(answered: Answered, then: datetime | None, now: datetime) -> datetime | None:
    """Return until when the other messages of an alert wait too, None if they do not."""
    if then is None or not (answered.status in TOO_MANY or answered.retry_after):
        return None
    return min(then, now + LONGEST_PAUSE)


def retry_after(text: str, now: datetime) -> timedelta:
    """Read the header Retry-After: seconds, or a date (RFC 9110); nothing if it is neither, at most a day."""
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return timedelta(seconds=min(int(text[:10]), LONGEST.total_seconds()))
    try:
        wait = aware_utc(parsedate_to_datetime(text)) - now.astimezone(UTC)
    except (ValueError, TypeError, OverflowError):  # the last: a year or a zone beyond the calendar
        return timedelta()
    return min(max(wait, timedelta()), LONGEST)
