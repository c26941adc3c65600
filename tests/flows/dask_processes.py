"""A Dask scheduler and workers as processes of their own, as on several machines."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from flows.cluster.certificates import Certificates
from tests.flows.hosts import THIS_MACHINE, Host

REPOSITORY = Path(__file__).resolve().parents[2]


class DaskProcesses:
    """A cluster on loopback, or on other hosts; use it as a context manager."""

    def __init__(
        self,
        folder: Path,
        certificates: Certificates | None = None,
        *,
        host: Host = THIS_MACHINE,
        config: Mapping[str, str] | None = None,
    ) -> None:
        """Start a scheduler on a host; `config` are settings of Dask, as its environment variables."""
        self._file = folder / "scheduler.json"
        self._folder, self._host = folder, host
        self._config = config or {}
        self._options: tuple[str, ...] = ("--no-dashboard", "--dashboard-address=127.0.0.1:0")
        if certificates is not None:
            authority, certificate, key = map(str, certificates)
            self._options += ("--tls-ca-file", authority, "--tls-cert", certificate, "--tls-key", key)
        self._protocol = "tcp" if certificates is None else "tls"
        self._until_done = ExitStack()
        self._done = Event()
        self._keepers: list[Thread] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start_scheduler(port=0)
        self.address = self._address()

    def start_scheduler(self, port: int | None = None) -> subprocess.Popen[bytes]:
        """Start a scheduler, by default in the place of the one that was there."""
        self.scheduler = self._start(
            self._host,
            "dask_scheduler",
            *("--scheduler-file", str(self._file), "--protocol", self._protocol),
            *("--port", str(urlsplit(self.address).port if port is None else port)),
        )
        return self.scheduler

    def add_worker(self, host: Host = THIS_MACHINE) -> subprocess.Popen[bytes]:
        """Start a worker with one thread."""
        self.workers.append(
            self._start(
                host,
                "dask_worker",
                *(self.address, "--nthreads", "1", "--no-nanny", "--protocol", self._protocol),
                *("--local-directory", str(self._folder)),
            )
        )
        return self.workers[-1]

    def keep_worker(self, host: Host = THIS_MACHINE) -> None:
        """Have a worker with one thread, and another one whenever it has ended, as systemd has it."""

        def keep() -> None:
            while not self._done.is_set():
                worker = self.add_worker(host)
                while worker.poll() is None and not self._done.wait(0.1):
                    pass

        self._keepers.append(Thread(target=keep))
        self._keepers[-1].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        for keeper in self._keepers:
            keeper.join()
        for process in (*self.workers, self.scheduler):
            process.kill()
        self._until_done.close()

    def _start(self, host: Host, command: str, *options: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", f"distributed.cli.{command}", *options, *self._options]
        return self._until_done.enter_context(
            subprocess.Popen(
                [*host.inside, *words, "--host", host.address],
                env={**os.environ, **self._config, "PYTHONPATH": str(REPOSITORY)},
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
