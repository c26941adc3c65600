"""Deliver what is due, many alerts at once and one message of each at a time.

Each delivery has a thread of its own: a slow receiver holds up nobody else. Their number is limited, in all
and for each host, and what has been due the longest comes first.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

from flows.alerts.delivery import Means, deliver
from flows.sources.time_limit import TimeLimit
from screening.errors import StoreError
from storage.state.alerts.kept import alerts, stop, without_credential
from storage.state.alerts.outbox import Message, begin_sending, due_messages
from storage.state.records import Alert

MOST_AT_ONCE = 64
MOST_OF_A_HOST = 8
HOLD_S = 60.0  # an alert of which nothing could be recorded
_STOP_WITHIN_S = 3.0
_SPARE = timedelta(seconds=10)  # for what a delivery does apart from sending

log = logging.getLogger("skysieve")


class _UnderWay(NamedTuple):
    thread: Thread
    limit: TimeLimit
    host: str


class Courier:
    """Delivers messages of one store; `call` is called from a thread whenever a delivery has ended."""

    def __init__(self, means: Means, call: Callable[[], None]) -> None:
        self._means = means
        self._call = call
        self._lock = Lock()
        self._under_way: dict[int, _UnderWay] = {}
        self._held_until_s: dict[int, float] = {}
        self._stopping = False

    def look(self) -> bool:
        """Start to deliver what is due, and tell whether anything is under way.

        Raises:
            ServiceStateError: the store's state cannot be read.
        """
        store, now = self._means.store, self._means.now()
        due = due_messages(store, now, self._not_now())
        if due:
            known = {alert.id: alert for alert in alerts(store)}
            stopped = without_credential(store, now)
            with_room = []
            for message in due:
                if message.alert_id in stopped:
                    self._stop(message.alert_id, stopped[message.alert_id])
                elif message.alert_id in known and self._has_room(message, known[message.alert_id]):
                    with_room.append(message)
            self._begin(with_room, now)
        return self.is_busy

    @property
    def is_busy(self) -> bool:
        """Tell whether a delivery is under way."""
        with self._lock:
            return bool(self._under_way)

    def stop(self) -> None:
        """End the deliveries that are under way, within seconds; their messages stay as they are."""
        self._stopping = True
        with self._lock:
            under_way = list(self._under_way.values())
        for one in under_way:
            one.limit.end()
        end_s = time.monotonic() + _STOP_WITHIN_S
        for one in under_way:
            one.thread.join(max(end_s - time.monotonic(), 0))

    def _stop(self, alert_id: int, why: str) -> None:
        cancelled = stop(self._means.store, alert_id, why, self._means.now())
        log.warning("Alert %d is off: %s %d messages are not delivered.", alert_id, why, cancelled)

    def _not_now(self) -> list[int]:
        with self._lock:
            now_s = time.monotonic()
            self._held_until_s = {one: until for one, until in self._held_until_s.items() if until > now_s}
            return [*self._under_way, *self._held_until_s]

    def _has_room(self, message: Message, alert: Alert) -> bool:
        """Take a place for a delivery, if there is one."""
        host = "(mail)" if alert.channel == "email" else urlsplit(alert.address).hostname or ""
        limit = TimeLimit(self._means.wire.total_s)
        thread = Thread(target=self._deliver, args=(message, alert, limit), name=message.id, daemon=True)
        with self._lock:
            of_host = Counter(one.host for one in self._under_way.values())[host]
            if self._stopping or len(self._under_way) >= MOST_AT_ONCE or of_host >= MOST_OF_A_HOST:
                return False
            self._under_way[alert.id] = _UnderWay(thread, limit, host)
        return True

    def _begin(self, messages: Sequence[Message], now: datetime) -> None:
        """Start deliveries that have a place, noting it: what changes meanwhile is told by other messages."""
        until = now + timedelta(seconds=self._means.wire.total_s) + _SPARE
        waiting: set[str] = set()
        try:
            if messages:
                waiting = begin_sending(self._means.store, [one.id for one in messages], until)
        finally:
            for one in messages:
                with self._lock:
                    place = self._under_way[one.alert_id]
                    if one.id not in waiting:
                        del self._under_way[one.alert_id]
                if one.id in waiting:
                    place.thread.start()

    def _deliver(self, message: Message, alert: Alert, limit: TimeLimit) -> None:
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
                del self._under_way[alert.id]
                if hold:
                    self._held_until_s[alert.id] = time.monotonic() + HOLD_S
            self._call()
