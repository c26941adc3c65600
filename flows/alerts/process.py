"""The process that delivers: it goes on until it is stopped, or until nothing is due."""

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue

import httpx

from flows.alerts.channels.posting import Wire
from flows.alerts.channels.smtp import mail_server
from flows.alerts.courier import Courier
from flows.alerts.delivery import Means
from flows.alerts.faults import Faults
from flows.settings import FlowSettings
from storage.state.alerts.deliveries import tidy
from storage.state.alerts.delivering import mark_delivering
from storage.state.alerts.kept import alerts

_LINE = "%(asctime)s %(levelname)s %(message)s"
LOOK_EVERY_S = 1.0  # for messages that another process has put
ADVANCE_EVERY_S = 60.0

log = logging.getLogger("skysieve")


def utc_now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


@contextmanager
def lines_on_stderr() -> Iterator[None]:
    """Print the program's log lines on stderr, with their times in UTC."""
    formatter = logging.Formatter(_LINE, "%Y-%m-%dT%H:%M:%SZ")
    formatter.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)


def means_of(settings: FlowSettings, now: Callable[[], datetime] = utc_now) -> Means:
    """Return what messages are delivered with.

    Raises:
        UsageError: the settings of the mail server do not fit together.
    """
    # As for every download: SSL_CERT_FILE names other authorities.
    wire = Wire(httpx.create_ssl_context(), settings.alerts_allow_private)
    return Means(settings.store, wire, mail_server(settings), now)


def deliver_what_is_due(settings: FlowSettings, means: Means) -> None:
    """Note what time has brought, deliver what is due, and return when nothing is.

    Raises:
        ServiceStateError: the store's state cannot be used.
    """
    told: SimpleQueue[None] = SimpleQueue()
    courier = Courier(means, lambda: told.put(None))
    _advance(settings, means.now(), Faults())
    while courier.look():
        told.get()
    tidy(means.store, means.now())


def deliver_until_stopped(settings: FlowSettings, means: Means) -> None:
    """Deliver messages when they are due, until SIGTERM or SIGINT."""
    told: SimpleQueue[bool] = SimpleQueue()  # True: stop; its `put` may interrupt itself, as signals do
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.put(True))
    courier = Courier(means, lambda: told.put(False))
    faults = Faults()
    advance_at_s = -float("inf")
    stop = False
    while not stop:
        if time.monotonic() >= advance_at_s:
            advance_at_s = time.monotonic() + ADVANCE_EVERY_S
            faults.logged("looking at what time brings", lambda: _upkeep(settings, means, faults))
        faults.logged("looking for messages", courier.look)
        with suppress(Empty):
            stop = told.get(timeout=LOOK_EVERY_S)
    courier.stop()


def _upkeep(settings: FlowSettings, means: Means, faults: Faults) -> None:
    faults.logged("noting that it delivers", lambda: mark_delivering(means.store, means.now()))
    faults.logged("removing old deliveries", lambda: tidy(means.store, means.now()))
    _advance(settings, means.now(), faults)


def _advance(settings: FlowSettings, now: datetime, faults: Faults) -> None:
    if alerts(settings.store):
        # With it come DuckDB and pyarrow, 60 MB, which a store without alerts does not need.
        from flows.alerts.advance import advance

        advance(settings, now, faults)
