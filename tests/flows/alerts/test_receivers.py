"""Receivers that misbehave: each message is tried again as it should be, and nobody waits for another."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from standardwebhooks import Webhook

from flows.alerts import send
from flows.alerts.send import Courier
from flows.sources.time_limit import TimeLimit
from storage.state.alerts.alerts import alert, switch_off
from storage.state.alerts.deliveries import Delivery, delivery, messages_of
from storage.state.alerts.outbox import Message, body_text
from storage.state.credentials import create_credential, revoke_credential
from storage.state.fleets import remove_fleet
from tests.flows import misbehaving_server as bad
from tests.flows.alerts.alerting import (
    NOW,
    Alerted,
    Clock,
    alert_to,
    begun,
    delivered,
    means_of,
    story,
    told_to,
)
from tests.flows.misbehaving_server import Answer, Exchange, MisbehavingServer

FIRST_S, BUSY_S = 5.0, 10.0  # until the second attempt
IN_A_MINUTE = "Sun, 01 Mar 2026 12:01:00 GMT"
TRAP = "/trap"


class Case(NamedTuple):
    """A receiver, and what becomes of a message to it."""

    answer: Answer
    status: int | None
    again_s: float | None = None  # None: delivered
    said: str = ""  # part of the error


def raw(*pieces: bytes) -> Answer:
    def answer(exchange: Exchange) -> None:
        for piece in pieces:
            exchange.send(piece)

    return answer


def hang_up(_exchange: Exchange) -> None:
    """Say nothing, and close."""


def endless_head(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(1_000_000):
        if exchange.closing.is_set():
            break
        exchange.send(f"X-{number}: {'a' * 1000}\r\n".encode())


def endless_refusal(exchange: Exchange) -> None:
    exchange.send_head("500 Internal Server Error")
    while not exchange.closing.is_set():
        exchange.send(b"no " * 20_000)


def refused(line: str, again_s: float = FIRST_S, said: str = "", **headers: object) -> Case:
    return Case(bad.status(line, b"", **headers), int(line[:3]), again_s, said or f"answered {line[:3]}")


def redirected(line: str) -> Case:
    return refused(line, said=f"answered {line[:3]}: redirects are not followed", location=TRAP)


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CASES = {
    "200": Case(bad.text(b"ok"), 200),
    "201": Case(bad.status("201 Created"), 201),
    "202": Case(bad.status("202 Accepted"), 202),
    "204": Case(raw(b"HTTP/1.1 204 No Content\r\n\r\n"), 204),
    "299": Case(bad.status("299 Mine"), 299),
    "100-continue": Case(raw(b"HTTP/1.1 100 Continue\r\n\r\n", OK), 200),
    "early-hints": Case(raw(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", OK), 200),
    "gzip-bomb": Case(bad.compressed(bad.zeros_compressed(50_000_000)), 200),
    "endless-body": Case(bad.endless, 200),
    "slow-body": Case(bad.DRIPPING_BODY, 200),
    "hangs-after-head": Case(bad.silent_after_head(10), 200),
    "cut-body": Case(bad.of_length(100, b"cut"), 200),
    "cut-chunks": Case(bad.chunks_cut(b"cut"), 200),
    "301": redirected("301 Moved Permanently"),
    "302": redirected("302 Found"),
    "303": redirected("303 See Other"),
    "307": redirected("307 Temporary Redirect"),
    "308": redirected("308 Permanent Redirect"),
    "302-nowhere": refused("302 Found", location="http://["),
    "304": refused("304 Not Modified"),
    "400": refused("400 Bad Request"),
    "401": refused("401 Unauthorized"),
    "403": refused("403 Forbidden"),
    "404": refused("404 Not Found"),
    "409": refused("409 Conflict"),
    "413": refused("413 Content Too Large"),
    "429": refused("429 Too Many Requests", BUSY_S),
    "429-seconds": refused("429 Too Many Requests", 120.0, retry_after=120),
    "429-date": refused("429 Too Many Requests", 60.0, retry_after=IN_A_MINUTE),
    "429-far": refused("429 Too Many Requests", BUSY_S, retry_after="Mon, 01 Jan 9999999999 00:00:00 GMT"),
    "429-nonsense": refused("429 Too Many Requests", BUSY_S, retry_after="soon"),
    "500": Case(bad.status("500 Oh", b"out of\x1b[2J luck"), 500, FIRST_S, "500: out of?[2J luck."),
    "500-endless": Case(endless_refusal, 500, FIRST_S, "500: no no no"),
    "500-slow": Case(bad.drip(b"HTTP/1.1 500 Oh\r\n\r\n"), 500, FIRST_S, "answered 500"),
    "502": refused("502 Bad Gateway", BUSY_S),
    "503": refused("503 Service Unavailable", 86_400.0, retry_after=10**9),
    "504": refused("504 Gateway Timeout", BUSY_S),
    "999": refused("999 What"),
    "101": Case(raw(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"), None, FIRST_S, "gave no answer"),
    "silent": Case(bad.silent, None, FIRST_S, "did not answer in time"),
    "slow-head": Case(bad.DRIPPING_HEAD, None, FIRST_S, "did not answer in time"),
    "huge-header": Case(raw(OK[:17] + b"X: " + bytes(1_000_000)), None, FIRST_S, "gave no answer"),
    "endless-head": Case(endless_head, None, FIRST_S, "gave no answer"),
    "reset": Case(bad.reset, None, FIRST_S, "gave no answer"),
    "hangs-up": Case(hang_up, None, FIRST_S, "gave no answer"),
    "not-http": Case(raw(b"SSH-2.0-OpenSSH_9.6\r\n"), None, FIRST_S, "gave no answer"),
}  # fmt: skip


@pytest.mark.slow
def test_messages_to_46_receivers_are_tried_again_as_they_should_be(
    alerted: Callable[..., Alerted], tmp_path: Path
) -> None:
    assert len(CASES) >= 40
    receivers = {name: alerted(name, case.answer) for name, case in CASES.items()}
    clock = Clock()
    delivered(means_of(tmp_path, clock))
    for name, case in CASES.items():
        found = receivers[name]
        state, tried, again_s = story(tmp_path, found.message_id)
        ((status, error),) = tried
        expected = "delivered" if case.again_s is None else "waiting"
        assert (name, state, status, again_s) == (name, expected, case.status, case.again_s)
        assert case.said in error, name
        assert bool(error) == (case.again_s is not None), name
        assert found.server.paths() == ["/hook"], name  # once, and no redirect was followed
    clock.now = NOW + timedelta(seconds=4)
    delivered(means_of(tmp_path, clock))
    assert {len(found.server.requests) for found in receivers.values()} == {1}
    clock.now = NOW + timedelta(seconds=5)
    delivered(means_of(tmp_path, clock))
    again = {name for name, found in receivers.items() if len(found.server.requests) == 2}
    assert again == {name for name, case in CASES.items() if case.again_s == FIRST_S}
    for name in again:
        first, second = receivers[name].server.requests
        assert first.body == second.body, name
        assert first.headers["webhook-id"] == second.headers["webhook-id"] == receivers[name].message_id


def test_what_a_receiver_gets_is_verified_by_the_library(
    alerted: Callable[..., Alerted], tmp_path: Path
) -> None:
    found = alerted("good", bad.text(b"ok"))
    delivered(means_of(tmp_path, lambda: datetime.now(UTC)))
    (request,) = found.server.requests
    assert request.method == "POST"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["host"] == f"r-good.test:{found.server.port}"
    (secret,) = found.alert.secrets
    body = Webhook(secret).verify(request.body, request.headers)
    message = delivery(tmp_path, found.message_id).message
    assert body == message.body
    assert request.body == body_text(message.body).encode()
    assert request.headers["webhook-id"] == found.message_id


def test_a_receiver_that_is_gone_is_switched_off_and_its_makers_others_told(
    alerted: Callable[..., Alerted], tmp_path: Path
) -> None:
    gone = alerted("gone", bad.status("410 Gone"))
    mail = alert_to(tmp_path, "desk@example.org", "email")
    made = create_credential(tmp_path, "bearer", "another", NOW)
    of_another = alert_to(tmp_path, "other@example.org", "email", credential_id=made.id)
    chat = alert_to(tmp_path, "https://chat.test/secret", "slack")
    is_off = alert_to(tmp_path, "https://off.test/", "webhook")
    switch_off(tmp_path, is_off.id, "by hand", NOW)
    same = alert_to(tmp_path, gone.alert.address, level="low")
    later = told_to(tmp_path, gone.alert, "run.failed")
    delivered(means_of(tmp_path, Clock()))
    off = alert(tmp_path, gone.alert.id)
    assert off.off_since == NOW
    assert "answered 410" in off.off_reason
    assert len(gone.server.requests) == 1
    assert story(tmp_path, gone.message_id)[:2] == ("waiting", [(410, off.off_reason)])
    assert story(tmp_path, later)[:2] == ("waiting", [])
    for other in (mail, chat):  # only the maker's e-mail was told
        (told,) = _messages(tmp_path, other.id)
        assert told.message.kind == "endpoint.off"
        assert told.message.body["data"]["endpoint"]["alert_id"] == gone.alert.id
    for other in (of_another, is_off, same):
        assert _messages(tmp_path, other.id) == []


def test_a_receiver_that_is_gone_while_its_fleet_is_removed_ends_quietly(
    servers: Callable[..., MisbehavingServer], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The name of the fleet was read from a row that was no longer there: a TypeError."""

    def removed_meanwhile(exchange: Exchange) -> None:
        remove_fleet(tmp_path, "night & day", NOW)
        bad.status("410 Gone")(exchange)

    message_id = told_to(tmp_path, alert_to(tmp_path, servers(removed_meanwhile).url))
    delivered(means_of(tmp_path, Clock()))
    assert story(tmp_path, message_id)[0] == "cancelled"
    assert "Traceback" not in caplog.text


def test_nothing_is_delivered_for_a_credential_that_is_no_longer_valid(
    servers: Callable[..., MisbehavingServer], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = servers(bad.status("500 Oh"))
    revoked = create_credential(tmp_path, "bearer", "desk", NOW)
    expiring = create_credential(tmp_path, "bearer", "guest", NOW, days=1)
    alerts = [
        alert_to(tmp_path, f"{server.url}/{one.id}", credential_id=one.id) for one in (revoked, expiring)
    ]
    waiting = [told_to(tmp_path, one) for one in alerts]
    delivered(means_of(tmp_path, Clock()))
    assert len(server.requests) == 2
    revoke_credential(tmp_path, revoked.id, NOW)
    server.answer = bad.text(b"ok")
    delivered(means_of(tmp_path, Clock(NOW + timedelta(days=2))))
    assert len(server.requests) == 2
    for message_id, one in zip(waiting, alerts, strict=True):
        assert story(tmp_path, message_id)[0] == "cancelled"
        assert f"Alert {one.id} is off: " in caplog.text
        assert alert(tmp_path, one.id).off_since is not None


@pytest.mark.slow
def test_all_ten_attempts_are_made_then_it_is_given_up(
    alerted: Callable[..., Alerted], tmp_path: Path
) -> None:
    found = alerted("down", bad.status("500 Oh"))
    clock = Clock()
    made_at = []
    while story(tmp_path, found.message_id)[0] == "waiting":
        delivered(means_of(tmp_path, clock))
        made_at.append(clock.now)
        clock.now = delivery(tmp_path, found.message_id).message.due
    waits = [(later - one).total_seconds() for one, later in pairwise(made_at)]
    assert waits == [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    assert story(tmp_path, found.message_id)[0] == "failed"
    assert len(found.server.requests) == 10
    assert len({request.body for request in found.server.requests}) == 1


def test_a_receiver_that_asks_for_time_is_left_alone_with_other_messages_too(
    alerted: Callable[..., Alerted], tmp_path: Path
) -> None:
    found = alerted("busy", bad.status("429 Too Many Requests", retry_after=120))
    other = told_to(tmp_path, found.alert, "run.failed")
    delivered(means_of(tmp_path, Clock()))
    assert len(found.server.requests) == 1
    assert story(tmp_path, other) == ("waiting", [], 120.0)


def test_a_fault_of_our_own_holds_the_message_or_it_would_be_sent_without_end(
    servers: Callable[..., MisbehavingServer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A Retry-After that could not be read ended the thread, and the message was due again at once."""
    server = servers(bad.status("500 Oh"))
    message_id = told_to(tmp_path, alert_to(tmp_path, server.url))

    def broken(*_: object) -> None:
        raise OverflowError("signed integer is greater than maximum")

    monkeypatch.setattr(send, "next_attempt", broken)
    means = means_of(tmp_path, Clock())
    ended = threading.Semaphore(0)
    made = Courier(means, ended.release)
    assert made.look()
    assert ended.acquire(timeout=30)
    assert not made.look()
    assert len(server.requests) == 1
    assert story(tmp_path, message_id) == ("waiting", [], 0.0)
    assert f"The delivery of {message_id} failed" in caplog.text
    assert "OverflowError: signed integer" in caplog.text


def test_a_delivery_that_ends_while_one_looks_leaves_nothing_behind(
    servers: Callable[..., MisbehavingServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second message of the slow one's alert is due only once its first has ended."""
    going_on = threading.Event()

    def slow(exchange: Exchange) -> None:
        going_on.wait(30)
        bad.text(b"ok")(exchange)

    told_to(tmp_path, alert_to(tmp_path, servers(bad.text(b"ok")).url))
    two = alert_to(tmp_path, servers(slow).url)
    ids = [told_to(tmp_path, two, kind) for kind in ("conjunctions", "test")]
    due_messages = send.due_messages

    def until_all_have_ended(store: Path, now: datetime, but: list[int]) -> list[Message]:
        found = due_messages(store, now, but)
        if but == [two.id]:
            going_on.set()
            for thread in threading.enumerate():
                if thread.name in ids:
                    thread.join()
        return found

    monkeypatch.setattr(send, "due_messages", until_all_have_ended)
    delivered(means_of(tmp_path, Clock(), total_s=60.0))
    assert [story(tmp_path, one)[0] for one in ids] == ["delivered", "delivered"]


@pytest.mark.slow
def test_nobody_waits_for_receivers_that_hang(alerted: Callable[..., Alerted], tmp_path: Path) -> None:
    hanging = [alerted(f"hangs-{number}", bad.silent) for number in range(40)]
    good = [alerted(f"good-{number}", bad.text(b"ok")) for number in range(10)]
    ended = threading.Semaphore(0)
    made = Courier(means_of(tmp_path, Clock(), total_s=60.0), ended.release)
    try:
        made.look()
        for _ in good:
            assert ended.acquire(timeout=30)
        assert {story(tmp_path, one.message_id)[0] for one in good} == {"delivered"}
        assert {len(one.server.requests) for one in hanging} == {1}
        assert made.is_busy
    finally:
        made.stop()
    assert not made.is_busy
    # Stopping is no failed attempt: the next process tries again.
    assert [story(tmp_path, one.message_id)[:2] for one in hanging] == [("waiting", [])] * len(hanging)


def test_one_host_does_not_take_all_places(
    servers: Callable[..., MisbehavingServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send, "MOST_AT_ONCE", 10)
    hanging, good = servers(bad.silent), servers(bad.text(b"ok"))
    for number in range(12):
        told_to(tmp_path, alert_to(tmp_path, f"http://hangs.test:{hanging.port}/{number}"))
    message_id = told_to(tmp_path, alert_to(tmp_path, f"http://good.test:{good.port}/"))
    ended = threading.Semaphore(0)
    made = Courier(means_of(tmp_path, Clock(), total_s=60.0), ended.release)
    try:
        made.look()
        assert ended.acquire(timeout=30)
        assert story(tmp_path, message_id)[0] == "delivered"
        assert len(hanging.requests) <= send.MOST_OF_A_HOST
    finally:
        made.stop()


def test_messages_of_an_alert_go_one_at_a_time(
    servers: Callable[..., MisbehavingServer], tmp_path: Path
) -> None:
    under_way: list[int] = []
    most: list[int] = []

    def counted(exchange: Exchange) -> None:
        under_way.append(1)
        most.append(len(under_way))
        exchange.closing.wait(0.05)
        under_way.pop()
        bad.text(b"ok")(exchange)

    server = servers(counted)
    found = alert_to(tmp_path, server.url)
    ids = [told_to(tmp_path, found, kind) for kind in ("conjunctions", "fleet.daily", "run.failed", "test")]
    delivered(means_of(tmp_path, Clock()))
    assert [request.headers["webhook-id"] for request in server.requests] == ids
    assert max(most) == 1


def _messages(store: Path, alert_id: int) -> list[Delivery]:
    return messages_of(store, alert_id, 100)[0]


@pytest.mark.parametrize("case", ["taken", "refused"])
def test_who_is_asked_to_stop_still_records_what_was_taken(tmp_path: Path, case: str) -> None:
    """Else the next process sends it a second time; what was not taken it tries again, as for the first."""
    answer = bad.text(b"ok") if case == "taken" else bad.status("500 Internal Server Error", b"")
    with MisbehavingServer() as server:
        server.answer = answer
        made = alert_to(tmp_path, f"{server.url.replace('127.0.0.1', 'r.test')}/hook")
        told = told_to(tmp_path, made)
        (message,) = begun(tmp_path, NOW)
        send.deliver(message, made, means_of(tmp_path, Clock()), TimeLimit(30.0), lambda: True)
    assert story(tmp_path, told)[:2] == (("delivered", [(200, "")]) if case == "taken" else ("waiting", []))
