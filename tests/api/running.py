"""The service as a process of its own."""

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "skysieve")
_LIMITED = """
from api.server import process
from skysieve.command_line import start
process.LIMITS = process.LIMITS._replace({limits})
start()
"""
_LISTENING = re.compile(rb"listening on (http://[0-9.]+:[0-9]+)")


@dataclass
class Running:
    """A service that listens."""

    process: subprocess.Popen[bytes]
    url: str
    log: bytes  # up to when it listened; all of it when it has ended


def environment(**settings: str) -> dict[str, str]:
    """Return the environment of a process that finds the packages."""
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "COLUMNS": "200", **settings}


@contextmanager
def running(
    store: Path,
    stdout: int = subprocess.DEVNULL,
    open_files: int | None = None,
    limits: str = "",
    **settings: str,
) -> Iterator[Running]:
    """Run `skysieve serve` on a free port, if asked so with few open files; stop it as a manager does.

    `limits` of its connections replace those that it has: `send_s=1, per_network=3`.
    """

    def limit_files() -> None:
        if open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))

    process = _LIMITED.format(limits=limits)
    command = [sys.executable, "-c", process, "serve", "--store", str(store), "--port", "0"]
    with (
        subprocess.Popen(
            command,
            env=environment(**settings),
            stdout=stdout,
            stderr=subprocess.PIPE,
            preexec_fn=limit_files,
        ) as process,
        ThreadPoolExecutor(1) as reading,
    ):
        assert process.stderr is not None
        try:
            log = _until_listening(process.stderr)
            rest = reading.submit(process.stderr.read)  # all the time: it would stop at a full pipe
            found = _LISTENING.search(log)
            assert found is not None, log.decode()
            service = Running(process, found[1].decode(), log)
            yield service
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
    service.log += rest.result()
    assert b"Traceback" not in rest.result(), rest.result().decode()
    assert b"leaked" not in rest.result(), rest.result().decode()


def _until_listening(stderr: BinaryIO) -> bytes:
    log = b""
    for line in stderr:
        log += line
        if _LISTENING.search(line):
            break
    return log
