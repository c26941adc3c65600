"""Listening where no file can be opened any more: no busy loop, and one line in the log."""

import selectors
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests.api.running import environment

pytestmark = pytest.mark.processes

# As the service listens, with few files; says how often the loop went round meanwhile.
PROCESS = """
import asyncio, logging, os, resource, sys
from api.server.listening import listening_socket
logging.basicConfig(level=logging.INFO)

class Kept(asyncio.Protocol):
    pass

async def main():
    loop = asyncio.get_running_loop()
    listening = listening_socket("127.0.0.1", 0)
    await loop.create_server(Kept, sock=listening, backlog=2048)
    files = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (files + 10, files + 10))
    print(listening.getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    rounds = 0
    select = loop._selector.select
    def counted(timeout):
        nonlocal rounds
        rounds += 1
        return select(timeout)
    loop._selector.select = counted
    await loop.run_in_executor(None, sys.stdin.readline)
    print(rounds, flush=True)
    os._exit(0)

asyncio.run(main())
"""


def test_60_connections_where_10_files_are_left_are_refused_with_one_line() -> None:
    with (
        subprocess.Popen(
            [sys.executable, "-c", PROCESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        ) as process,
        ExitStack() as stack,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        port = int(process.stdout.readline())
        waiting = stack.enter_context(selectors.DefaultSelector())
        for _ in range(60):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            waiting.register(one, selectors.EVENT_READ)
        while len(waiting.get_map()) > 20:
            for key, _ in waiting.select():  # of a connection without an answer only the end can be read
                waiting.unregister(key.fileobj)
        process.stdin.write("full\n")
        process.stdin.flush()
        refused = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        assert refused.recv(1) == b""
        process.stdin.write("enough\n")
        process.stdin.flush()
        rounds, errors = process.communicate()
    assert errors.count("\n") == 1, errors
    assert "too many open files" in errors
    assert int(rounds) < 50
