"""A Dask scheduler and workers as processes of their own, as on several machines."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from flows.remote_cluster import Certificates

REPOSITORY = Path(__file__).resolve().parents[2]


class DaskProcesses:
    """A cluster on loopback; use it as a context manager."""

    def __init__(self, folder: Path, certificates: Certificates | None = None) -> None:
        self._file = folder / "scheduler.json"
        self._options: tuple[str, ...] = ("--no-dashboard",)
        if certificates is not None:
            authority, certificate, key = map(str, certificates)
            self._options += ("--tls-ca-file", authority, "--tls-cert", certificate, "--tls-key", key)
        self._protocol = "tcp" if certificates is None else "tls"
        self._until_done = ExitStack()
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "dask_scheduler",
            *("--scheduler-file", str(self._file), "--port", "0", "--protocol", self._protocol),
            *("--host", "127.0.0.1"),
        )
        self.address = self._address()

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker with one thread."""
        options = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--protocol", self._protocol)
        self.workers.append(self._start("dask_worker", self.address, *options))
        return self.workers[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
        self._until_done.close()

    def _start(self, command: str, *options: str) -> subprocess.Popen[bytes]:
        return self._until_done.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{command}", *options, *self._options],
                env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
                cwd=REPOSITORY,
                stderr=subprocess.DEVNULL,
            )
        )

    def _address(self) -> str:
        pause = Event()
        while self.scheduler.poll() is None:
            if self._file.exists() and self._file.read_text():
                return str(json.loads(self._file.read_text())["address"])
            pause.wait(0.05)
        raise AssertionError("the scheduler has ended")
