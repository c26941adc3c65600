"""Connections: how many, how long, and how much they hold. With a fake client here, real ones behind it."""

import logging
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import httpx
import pytest

from api.http.metrics import Metrics
from api.server.connections import Connections, Limits, Proxies
from storage.state.credentials import create_credential
from tests.api.conftest import NOW, header
from tests.api.running import Running, running
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

LIMITS = Limits(connections=4, per_network=2, request_s=20.0, send_s=30.0, unsent_bytes=1_000)
BEGUN = (
    b"",
    b"GET / HTTP/1.1\r\nX: ",
    b"POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\n{",
)
SOON_S = 30.0  # for what is due after a second, on a busy machine


@dataclass(eq=False)
class Fake:
    """A connection in whatever state."""

    network: str = "192.0.2.1"
    idle: float | None = 0.0
    never: bool = True
    arriving: float | None = None
    blocked: float | None = None
    aborted: bool = False

    def idle_since_s(self) -> float | None:
        return self.idle

    def never_asked(self) -> bool:
        return self.never

    def arriving_since_s(self) -> float | None:
        return self.arriving

    def blocked_since_s(self, _now_s: float) -> float | None:
        return self.blocked

    def abort(self) -> None:
        self.aborted = True


@dataclass
class Register:
    """A register whose clock is set."""

    time_s: float = 0.0
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        proxies = Proxies("127.0.0.1, ::1,10.0.0.0/8")
        self.connections = Connections(LIMITS, proxies, self.metrics, lambda: self.time_s)

    def figure(self, name: str, **labels: str) -> float:
        return self.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.fixture
def register() -> Register:
    return Register()


def test_of_one_address_the_longest_idle_gives_way_and_the_busy_stay(register: Register) -> None:
    admit = register.connections.admit
    kept, older, newer = Fake(idle=1.0, never=False), Fake(idle=3.0), Fake(idle=4.0)
    assert admit(kept)
    assert admit(older)
    assert admit(newer)
    assert [one.aborted for one in (kept, older, newer)] == [False, True, False]
    kept.idle = newer.idle = None  # both are answering
    assert not admit(Fake())
    assert admit(Fake(network="192.0.2.2"))
    register.connections.leave(kept)
    assert admit(Fake())
    assert register.figure("skysieve_connections") == 3
    assert register.figure("skysieve_connections_cut_total", reason="too many") == 2


@pytest.mark.parametrize("network", ["127.0.0.1", "10.1.2.3"])
def test_a_proxy_may_have_more_than_an_address(register: Register, network: str) -> None:
    together = [Fake(network=network, idle=None) for _ in range(5)]
    assert [register.connections.admit(one) for one in together] == [True] * 4 + [False]


def test_when_full_the_address_with_most_connections_gives_way(register: Register) -> None:
    many = [Fake(network="127.0.0.1", idle=9.0) for _ in range(3)]
    lonely = Fake(network="192.0.2.7", idle=1.0)
    for one in (*many, lonely):
        assert register.connections.admit(one)
    assert register.connections.admit(Fake(network="192.0.2.8"))
    assert sum(one.aborted for one in many) == 1
    assert not lonely.aborted


def test_what_takes_too_long_is_ended(register: Register) -> None:
    slow, unread = Fake(arriving=0.0), Fake(network="b", blocked=0.0, idle=None)
    for one in (slow, unread):
        assert register.connections.admit(one)
    for time_s, ended in ((20.0, []), (20.1, [slow]), (30.0, [slow]), (30.1, [slow, unread])):
        register.time_s = time_s
        register.connections.sweep()
        assert [one for one in (slow, unread) if one.aborted] == ended
    assert register.figure("skysieve_connections") == 0


def test_of_answers_that_hold_too_much_the_longest_unread_end(register: Register) -> None:
    with ExitStack() as sending:
        holders = [Fake(network=str(number), blocked=float(number), idle=None) for number in range(3)]
        for holder in holders:
            sending.enter_context(register.connections.unsent(holder, 400))
        assert [one.aborted for one in holders] == [True, False, False]
        sending.enter_context(register.connections.unsent(Fake(network="9"), 100))
        assert [one.aborted for one in holders] == [True, False, False]
    assert register.connections._unsent == {}


def test_what_an_answer_holds_is_released_when_it_breaks_off(register: Register) -> None:
    with pytest.raises(OSError, match="gone"), register.connections.unsent(Fake(), 900):
        raise OSError("gone")
    assert register.connections._unsent == {}


def test_it_is_logged_once_a_minute(register: Register, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for second in range(119):
        register.time_s = float(second)
        for _ in range(100):
            register.connections.admit(Fake(idle=second))
        register.connections.sweep()
    assert [record.getMessage() for record in caplog.records] == [
        "connections closed by the service: 98 (too many); 2 are open",
        "connections closed by the service: 6000 (too many); 2 are open",
    ]


# --- The service as a process.


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("connections") / "store"
    publish(store, make_run(conjunctions=3000, objects=200))
    return store


@pytest.fixture(scope="module")
def secret(store: Path) -> dict[str, str]:
    return header("bearer", create_credential(store, "bearer", "test", NOW, per_minute=1000).secret)


@contextmanager
def connected(service: Running, count: int = 1, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """Give so many connections that read no more than their small buffers take."""
    address = httpx.URL(service.url)
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.settimeout(SOON_S)
            one.bind((source, 0))
            one.connect((address.host, address.port))
            found.append(one)
        yield found


def is_closed(one: socket.socket) -> bool:
    """Return whether the other side has ended a connection, or does within its time-out."""
    try:
        while one.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def ask_for_much(one: socket.socket, secret: dict[str, str]) -> None:
    lines = ["GET /conjunctions?limit=3000 HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in secret.items()]
    one.sendall("\r\n".join([*lines, "", ""]).encode())


def figure(service: Running, name: str) -> float:
    text = httpx.get(f"{service.url}/metrics", timeout=SOON_S).text
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.processes
def test_260_idle_connections_at_256_open_files_keep_nobody_out(store: Path) -> None:
    """They did: no answers, 428 MB of log in 105 s, and none was closed."""
    with running(store, open_files=256) as service, connected(service, 260):
        for _ in range(20):
            assert httpx.get(f"{service.url}/health", timeout=SOON_S).status_code == 200
        assert figure(service, 'skysieve_connections_cut_total{reason="too many"}') > 100
    assert len(service.log) < 20_000
    assert service.log.count(b"connections closed by the service") <= 2


@pytest.mark.processes
def test_the_soft_limit_of_open_files_is_raised(store: Path) -> None:
    with running(store, limits="connections=700") as service:
        limits = Path(f"/proc/{service.process.pid}/limits").read_text()
    found = re.search(r"Max open files\s+(\d+)", limits)
    assert found is not None
    assert int(found[1]) >= 700 + 512


@pytest.mark.slow
def test_requests_that_do_not_arrive_are_ended(store: Path) -> None:
    with (
        running(store, limits="request_s=1") as service,
        connected(service, len(BEGUN)) as slow,
        httpx.Client(base_url=service.url, timeout=SOON_S) as other,
    ):
        for one, begun in zip(slow, BEGUN, strict=True):
            one.sendall(begun)
            one.settimeout(0.1)
        still_open = dict(zip(slow, BEGUN, strict=True))
        pieces = 0
        while still_open and pieces < 100:
            pieces += 1
            for one in [one for one in still_open if is_closed(one)]:
                del still_open[one]
            for one in (one for one, begun in still_open.items() if begun):
                with suppress(OSError):  # it is closed, as the next look tells
                    one.sendall(b"x")  # a byte now and then does not help
        assert still_open == {}
        assert other.get("/health").status_code == 200
        Event().wait(2.0)  # longer than a request may take: a connection kept alive may be idle
        sent = figure(service, 'skysieve_connections_cut_total{reason="request too slow"}')
        assert sent == len(BEGUN)
        assert other.get("/health").status_code == 200


@pytest.mark.slow
def test_who_does_not_read_is_ended(store: Path, secret: dict[str, str]) -> None:
    """240 unread pages held 4.2 GB, and none was ever closed."""
    with running(store, limits="send_s=1") as service, connected(service, 8) as unread:
        for one in unread:
            ask_for_much(one, secret)
        name = 'skysieve_connections_cut_total{reason="answer not read"}'
        wait_until(lambda: figure(service, name) == 8, SOON_S)
        answer = httpx.get(f"{service.url}/conjunctions?limit=3000", headers=secret, timeout=SOON_S)
        assert len(answer.json()["conjunctions"]) == 3000


@pytest.mark.processes
def test_an_address_has_its_share_and_idle_ones_give_way(store: Path, secret: dict[str, str]) -> None:
    with (
        running(store, limits="per_network=3", FORWARDED_ALLOW_IPS="192.0.2.1") as service,
        connected(service, 3) as busy,
    ):
        for one in busy:
            ask_for_much(one, secret)
            assert one.recv(12) == b"HTTP/1.1 200"
        with connected(service) as (refused,):
            assert is_closed(refused)
        with connected(service, 2, source="127.0.0.2") as (asked, silent):
            asked.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert asked.recv(12) == b"HTTP/1.1 200"
            with connected(service, 3, source="127.0.0.2") as newer:
                assert is_closed(silent)
                newer[-1].sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert newer[-1].recv(12) == b"HTTP/1.1 200"
