"""The process that delivers: it goes on until it is stopped, or until nothing is due.

Each minute it puts into the outbox what time brings: missed runs, messages, what has passed, daily answers,
failed runs, old element sets. Every step can be repeated, and killed at any point: each is one transaction.
"""

import logging
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import httpx

from flows.alerts.channels.mail import mail_server
from flows.alerts.channels.posting import Wire
from flows.alerts.send import Courier, Means
from flows.settings import FlowSettings
from screening.errors import SkysieveError
from storage.machine.replaced_process import hold_signals, let_signals_come
from storage.settings import StoreSettings
from storage.state.alerts.alerts import alerts, stop, without_credential
from storage.state.alerts.deliveries import tidy
from storage.state.alerts.delivering import has_messages, mark_delivering
from storage.state.records import Alert
from storage.state.tables import ServiceStateError

_LINE = "%(asctime)s %(levelname)s %(message)s"
LOOK_EVERY_S = 1.0  # for messages that another process has put
ADVANCE_EVERY_S = 60.0

log = logging.getLogger("skysieve")


class Faults:
    """Logs a fault that lasts once, until it is over or there is another."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def logged(self, what: str, work: Callable[[], object], but: tuple[type[Exception], ...] = ()) -> None:
        """Do some work, and log what prevents it: the process goes on, and tries again.

        Faults of the types in `but` are raised.
        """
        try:
            work()
        except but:
            raise
        except Exception as error:
            # A bug must not end the deliveries of all.
            if self._known.get(what) != repr(error):
                has_words = isinstance(error, SkysieveError)  # its text says it all
                log.log(logging.ERROR, "%s failed: %s", what, error, exc_info=not has_words)
            self._known[what] = repr(error)
        else:
            self._known.pop(what, None)


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
    return Means(settings.store, wire, mail_server(settings), now, public_url=settings.public_url)


def deliver_what_is_due(settings: FlowSettings, means: Means) -> None:
    """Note what time has brought, deliver what is due, and return when nothing is.

    Raises:
        ServiceStateError: the store's state cannot be used.
    """
    told: SimpleQueue[None] = SimpleQueue()
    courier = Courier(means, lambda: told.put(None))
    advance(settings, means.now())
    while courier.look():
        told.get()
    tidy(means.store, means.now())


def deliver_until_stopped(settings: FlowSettings, means: Means) -> bool:
    """Deliver messages when they are due, until SIGTERM or SIGINT, or as long as there is an alert.

    Return whether it was stopped; if not, signals are held.
    """
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
        try:
            stop = told.get(timeout=LOOK_EVERY_S)
        except Empty:
            if not courier.is_busy and _is_without_alerts(means.store):
                hold_signals()
                if told.empty():
                    return False
                let_signals_come()  # one has just come
    courier.stop()
    return True


def _is_without_alerts(store: Path) -> bool:
    try:
        return not has_messages(store)
    except ServiceStateError:
        return False  # whoever looks for messages says so


def _upkeep(settings: FlowSettings, means: Means, faults: Faults) -> None:
    faults.logged("noting that it delivers", lambda: mark_delivering(means.store, means.now()))
    faults.logged("removing old deliveries", lambda: tidy(means.store, means.now()))
    advance(settings, means.now(), faults)


def advance(settings: StoreSettings, now: datetime, faults: Faults | None = None) -> None:
    """Put into the outbox what is to be sent by `now` (UTC), and has not been.

    What prevents a step is logged, once while it lasts if `faults` are kept, and the other steps go on.

    Raises:
        StoreError: the alerts cannot be read.
    """
    present, faults = alerts(settings.store), faults or Faults()
    if not present:
        return
    # With them come DuckDB and pyarrow, 60 MB, which a store without alerts does not need.
    from flows.alerts.acknowledged import put_acknowledged, put_intents
    from flows.alerts.broken_up import put_broken_up
    from flows.alerts.conditions import put_daily, put_health
    from flows.alerts.manoeuvred import put_manoeuvred
    from flows.alerts.outbox import close_passed, missed_runs, note_messages, note_run
    from flows.alerts.re_entering import put_re_entering

    stopped = without_credential(settings.store, now)

    def compare_missed() -> None:
        for run_id in missed_runs(settings.store, [one.id for one in present if one.id not in stopped]):
            work = partial(note_run, settings, run_id, now)
            faults.logged(f"noting the run {run_id}", work, but=(ServiceStateError,))

    steps: dict[str, Callable[[], None]] = {
        "stopping alerts without credential": lambda: _stop(settings, present, stopped, now),
        "noting missed runs": compare_missed,
        "noting received messages": lambda: note_messages(settings, now),
        "noting manoeuvres": lambda: put_manoeuvred(settings, now),
        "noting break-ups": lambda: put_broken_up(settings, now),
        "noting re-entries": lambda: put_re_entering(settings, now),
        "telling who has an event": lambda: put_acknowledged(settings, now),
        "telling what operators intend": lambda: put_intents(settings, now),
        "closing what has passed": lambda: close_passed(settings, now),
        "checking runs and the catalogue": lambda: put_health(settings, now),
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
