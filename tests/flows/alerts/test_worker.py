"""The process that delivers, seen from outside: killed, stopped, twice, while messages come."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from flows.alerts.worker import deliver_until_stopped, utc_now
from flows.settings import FlowSettings
from storage.disk.lock import lock_if_free
from storage.state.alerts.deliveries import delivery
from storage.state.alerts.delivering import DELIVERY_LOCK, last_delivering
from storage.state.alerts.outbox import body_text
from tests.flows import misbehaving_server as bad
from tests.flows.alerts.alerting import alert_to, delivered, means_of, told_to
from tests.flows.misbehaving_server import Exchange, MisbehavingServer

pytestmark = pytest.mark.processes

ENDS_WITHIN_S = 10.0  # as `skysieve up` allows all its parts, on a machine that may be busy
ARRIVES_WITHIN_S = 60.0
AT_REST_MB = 30  # what delivers takes 70
ALERTS = 5
KINDS = ("conjunctions", "run.failed", "test")  # put for each alert before each kill


@contextmanager
def delivering(store: Path, *options: str, **settings: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run `skysieve alerts deliver`; what it says goes to `log_of(store)`."""
    environment = {
        **os.environ,
        "SKYSIEVE_STORE": str(store),
        "SKYSIEVE_ALERTS_ALLOW_PRIVATE": "1",
        **settings,
    }
    command = [sys.executable, "-P", "-m", "skysieve", "alerts", "deliver", *options]
    with log_of(store).open("w") as log, subprocess.Popen(command, env=environment, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


def log_of(store: Path) -> Path:
    return store.with_name(f"{store.name}.log")


class Receiver(NamedTuple):
    """What has come, and a sign of each."""

    server: MisbehavingServer
    came: threading.Semaphore

    def bodies(self) -> dict[str, set[bytes]]:
        """Return what came under each id; a request that its killed sender cut off has not come."""
        found = defaultdict(set)
        for request in list(self.server.requests):
            if len(request.body) == int(request.headers["content-length"]):
                found[request.headers["webhook-id"]].add(request.body)
        return found


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that takes its time."""
    came = threading.Semaphore(0)

    def answer(exchange: Exchange) -> None:
        came.release()
        exchange.closing.wait(0.05)
        bad.text(b"ok")(exchange)

    with MisbehavingServer() as server:
        server.answer = answer
        yield Receiver(server, came)


@pytest.mark.parametrize("kills", [1, pytest.param(50, marks=pytest.mark.slow)])
def test_every_message_arrives_with_its_id_and_body_however_often_it_is_killed(
    receiver: Receiver, tmp_path: Path, kills: int
) -> None:
    chance = random.Random(kills)
    pause = threading.Event()
    now = datetime.now(UTC)
    alerts = [alert_to(tmp_path, f"{receiver.server.url}/{number}") for number in range(ALERTS)]
    ids = []
    for _ in range(kills):
        ids += [told_to(tmp_path, one, kind, now) for one in alerts for kind in KINDS]
        with delivering(tmp_path) as process:
            # At the beginning, between two messages, and while one is under way.
            if chance.random() < 0.9:
                assert receiver.came.acquire(timeout=ARRIVES_WITHIN_S)
            pause.wait(chance.uniform(0, 0.2))
            os.kill(process.pid, signal.SIGKILL)
        while receiver.came.acquire(blocking=False):
            pass  # what came before the kill
    delivered(means_of(tmp_path, utc_now))  # here: another process takes a second to begin
    came = receiver.bodies()
    for message_id in ids:
        found = delivery(tmp_path, message_id)
        assert found.message.state == "delivered"
        assert came[message_id] == {body_text(found.message.body).encode()}
    assert came.keys() == set(ids)
    assert len(receiver.server.requests) <= len(ids) + kills * ALERTS  # again, only what was under way


def test_it_ends_within_seconds_and_what_was_under_way_is_tried_again(tmp_path: Path) -> None:
    with MisbehavingServer() as server:
        came = threading.Semaphore(0)

        def silent(exchange: Exchange) -> None:
            came.release()
            bad.silent(exchange)

        server.answer = silent
        message_id = told_to(tmp_path, alert_to(tmp_path, server.url), due=datetime.now(UTC))
        with delivering(tmp_path) as process:
            assert came.acquire(timeout=ARRIVES_WITHIN_S)
            process.send_signal(signal.SIGTERM)
            assert process.wait(ENDS_WITHIN_S) == 0
        found = delivery(tmp_path, message_id)
        assert (found.message.state, found.tried) == ("waiting", ())
        server.answer = bad.text(b"ok")
        delivered(means_of(tmp_path, utc_now))
        assert delivery(tmp_path, message_id).message.state == "delivered"
        first, second = server.requests
        assert first.body == second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"] == message_id


def test_what_is_put_meanwhile_is_delivered_and_a_second_process_is_refused(
    receiver: Receiver, tmp_path: Path
) -> None:
    made = alert_to(tmp_path, receiver.server.url)
    told_to(tmp_path, made, due=datetime.now(UTC))
    with delivering(tmp_path) as process:
        assert receiver.came.acquire(timeout=ARRIVES_WITHIN_S)
        told_to(tmp_path, made, "test", datetime.now(UTC))
        assert receiver.came.acquire(timeout=ARRIVES_WITHIN_S)
        with delivering(tmp_path, "--once") as second:
            assert second.wait(ENDS_WITHIN_S) == 2
        assert "is already running for the store" in log_of(tmp_path).read_text()
        assert process.poll() is None


def test_once_ends_with_1_if_an_attempt_failed(tmp_path: Path) -> None:
    with MisbehavingServer() as server:
        server.answer = bad.status("500 No", b"no")
        told_to(tmp_path, alert_to(tmp_path, server.url), due=datetime.now(UTC))
        with delivering(tmp_path, "--once") as process:
            assert process.wait(ARRIVES_WITHIN_S) == 1
        assert "1 attempt to deliver a message failed: `skysieve alerts log`" in log_of(tmp_path).read_text()
        with delivering(tmp_path, "--once") as process:  # nothing is due
            assert process.wait(ARRIVES_WITHIN_S) == 0


def test_a_store_without_alerts_is_waited_for(receiver: Receiver, store: Path) -> None:
    with delivering(store, "--once") as process:
        assert process.wait(ARRIVES_WITHIN_S) == 0
    with delivering(store) as process:
        until_at_rest(process)
        assert psutil.Process(process.pid).memory_info().rss / 1e6 < AT_REST_MB
        with delivering(store, "--once") as second:
            assert second.wait(ENDS_WITHIN_S) == 2
        told_to(store, alert_to(store, receiver.server.url), due=datetime.now(UTC))
        assert receiver.came.acquire(timeout=ARRIVES_WITHIN_S)
        assert process.poll() is None
    marked = last_delivering(store)
    assert marked is not None
    assert datetime.now(UTC) - marked < timedelta(minutes=2)


def test_at_rest_it_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    with delivering(tmp_path) as process:
        until_at_rest(process)
        process.terminate()
        assert process.wait(ENDS_WITHIN_S) == 0


def until_at_rest(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a process that has nothing to deliver has become a small one."""
    pause = threading.Event()
    for _ in range(300):
        if "flows.alerts.at_rest" in psutil.Process(process.pid).cmdline():
            pause.wait(1)  # until it has begun
            return
        pause.wait(0.1)
    raise AssertionError("it does not rest")


def test_settings_that_do_not_fit_together_end_it_at_once(tmp_path: Path) -> None:
    with delivering(tmp_path, SKYSIEVE_SMTP_HOST="mail.example.org") as process:
        assert process.wait(ENDS_WITHIN_S) == 2
    assert "SKYSIEVE_SMTP_FROM" in log_of(tmp_path).read_text()


def test_what_delivers_marks_that_it_does(tmp_path: Path) -> None:
    """Messages waited for ever where nothing delivered, and nobody could see that from outside."""
    then = datetime(2024, 11, 1, 6, tzinfo=UTC)
    asked: list[int] = []

    def clock() -> datetime:
        asked.append(1)
        if len(asked) == 2:  # after the first mark
            os.kill(os.getpid(), signal.SIGTERM)
        return then

    assert last_delivering(tmp_path) is None
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with lock_if_free(tmp_path, DELIVERY_LOCK) as free:
            assert free
            deliver_until_stopped(FlowSettings(store=tmp_path), means_of(tmp_path, clock))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert last_delivering(tmp_path) == then
