"""Between runs the schedule and Prefect's server are a small process, which becomes them when wanted."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psutil
import pytest

from flows.scheduled import deployment
from flows.scheduled.at_rest import EARLY_S, SCHEDULE_LOCK
from flows.scheduled.prefect_server import OtherClients
from storage.disk.lock import lock_if_free
from storage.state.database import ask_for_run

AT_REST_MB = 30  # Prefect takes 250
SAYS = "import os, sys; print(os.getpid(), *sys.argv[1:])"


@contextmanager
def resting(store: Path, due_s: float, repository: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the process at rest, with a command that says with what it is begun; yield it and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        words = [str(listening.fileno()), str(due_s), str(store), "-c", SAYS, "schedule"]
        command = [sys.executable, "-P", "-m", "flows.scheduled.at_rest", *words]
        with subprocess.Popen(
            command,
            env={"PYTHONPATH": str(repository)},
            pass_fds=[listening.fileno()],
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process, listening.getsockname()[1]
            finally:
                process.kill()


@pytest.mark.processes
@pytest.mark.parametrize("wanted_by", ["client", "asked", "due", "another schedule"])
def test_it_becomes_the_same_process_again_when_it_is_wanted(
    store: Path, repository: Path, wanted_by: str
) -> None:
    store.mkdir(exist_ok=True)
    due_s = time.time() + EARLY_S + (1.0 if wanted_by == "due" else 3600.0)
    lock = SCHEDULE_LOCK if wanted_by == "another schedule" else "any.lock"
    with lock_if_free(store, lock), resting(store, due_s, repository) as (process, port):
        if wanted_by in ("client", "asked"):
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(4)
            assert psutil.Process(process.pid).memory_info().rss / 1e6 < AT_REST_MB
        if wanted_by == "client":
            socket.create_connection(("127.0.0.1", port)).close()
        elif wanted_by == "asked":
            ask_for_run(store, datetime.now(UTC))
        said, _ = process.communicate(timeout=30)
    same, name, its_socket, due = said.split()
    assert (int(same), name, float(due.partition("=")[2])) == (process.pid, "schedule", due_s)
    assert its_socket.startswith("--server-socket=")


def test_a_client_is_other_while_it_is_served_and_for_a_while() -> None:
    others = OtherClients()
    assert others.unused_s() == float("inf")
    with others.served():
        assert others.unused_s() == 0.0
    assert 0.0 < others.unused_s() < 10.0


class Server:
    """A Prefect server with a run under way for the first looks, and one that is due."""

    def __init__(self, busy_looks: int, due: datetime) -> None:
        self.busy_looks, self.due, self.looks = busy_looks, due, 0

    async def read_flow_runs(self, *, offset: int, flow_run_filter: Any, **_filters: object) -> list[object]:
        if offset:
            return []
        if set(flow_run_filter.state.type.any_) == set(deployment._UNDER_WAY):
            self.looks += 1
            return [SimpleNamespace(id=uuid4())] if self.looks <= self.busy_looks else []
        return [SimpleNamespace(expected_start_time=self.due + timedelta(hours=h)) for h in (6, 0, 12)]


@pytest.mark.parametrize(("due_in_s", "rests"), [(3600.0, True), (EARLY_S, False), (-1.0, False)])
def test_it_rests_only_without_a_run_and_long_before_the_next(
    store: Path, monkeypatch: pytest.MonkeyPatch, due_in_s: float, rests: bool
) -> None:
    server = Server(3, datetime.now(UTC) + timedelta(seconds=due_in_s))

    @asynccontextmanager
    async def client() -> AsyncIterator[Server]:
        yield server

    monkeypatch.setattr(deployment, "get_client", client)
    monkeypatch.setattr(deployment, "LOOK_EVERY_S", 0.001)
    monkeypatch.setattr(deployment, "UNUSED_S", 0.01)

    async def unused() -> datetime:
        async with asyncio.timeout(1.0 if not rests else 30.0):
            return await deployment._until_unused(store, "any", OtherClients())

    if rests:
        assert asyncio.run(unused()) == server.due
    else:
        with pytest.raises(TimeoutError):
            asyncio.run(unused())
    assert server.looks > 3


def test_it_does_not_rest_while_another_client_is_served_or_a_run_is_asked_for(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, others = Server(0, datetime.now(UTC) + timedelta(hours=1)), OtherClients()

    @asynccontextmanager
    async def client() -> AsyncIterator[Server]:
        yield server

    monkeypatch.setattr(deployment, "get_client", client)
    monkeypatch.setattr(deployment, "LOOK_EVERY_S", 0.001)
    monkeypatch.setattr(deployment, "UNUSED_S", 0.01)

    async def unused() -> datetime:
        async with asyncio.timeout(0.5):
            return await deployment._until_unused(store, "any", others)

    with others.served(), pytest.raises(TimeoutError):
        asyncio.run(unused())
    ask_for_run(store, datetime.now(UTC))
    with pytest.raises(TimeoutError):
        asyncio.run(unused())
