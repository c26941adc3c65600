"""The HTTP service as a process of its own, for benchmarks that look at it from outside."""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
from measured import REAL_CATALOGUE, REPOSITORY

_LISTENING = re.compile(r"listening on (http://[0-9.]+:[0-9]+)")
_RESET_PEAK = "5"  # proc_pid_clear_refs(5): the peak resident set size becomes the present one


class Served(NamedTuple):
    """A service that listens, with what it costs."""

    url: str
    process: psutil.Process

    def cpu_s(self) -> float:
        """Return the CPU time that it has used, s."""
        times = self.process.cpu_times()
        return times.user + times.system

    def resident_mb(self) -> float:
        """Return the memory that it holds, MB (1e6 bytes)."""
        return self.process.memory_info().rss / 1e6

    def forget_peak(self) -> None:
        """Begin to look for the peak of its memory anew."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text(_RESET_PEAK)

    def peak_mb(self) -> float:
        """Return the most memory that it held since `forget_peak`, MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024 / 1e6


def command(*arguments: str) -> list[str]:
    """Return a command line of skysieve in this environment."""
    return [sys.executable, "-P", "-m", "skysieve", *arguments]


def secret(
    store: str,
    kind: str,
    name: str = "benchmark",
    per_minute: int | None = 1_000_000,
    source: Path = REPOSITORY,
) -> str:
    """Make a credential and return its secret; with `per_minute` None it has the service's own limit."""
    made = command("tokens", "create", "--kind", kind, "--name", name, "--json", "--store", store)
    if per_minute is not None:
        made += ["--per-minute", str(per_minute)]
    return str(json.loads(_run(made, source))["secret"])


def made_run(store: str, source: Path = REPOSITORY) -> str:
    """Screen the real catalogue into a store with the code in `source`, and return the store."""
    _run(command("screen", str(REAL_CATALOGUE), "--start", "2024-11-01T00:00:00Z", "--store", store), source)
    return store


@contextmanager
def serving(store: str, open_files: int | None = None, source: Path = REPOSITORY) -> Iterator[Served]:
    """Serve a store with the code in `source` at a free port of 127.0.0.1.

    If asked so, with that soft limit on open files.
    """

    def limit_files() -> None:
        if open_files is not None:
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, hard))

    with subprocess.Popen(
        command("serve", "--port", "0", "--store", store),
        env=_environment(source),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit_files,
    ) as server:
        assert server.stderr is not None
        found = next((match for line in server.stderr if (match := _LISTENING.search(line))), None)
        assert found is not None, "the service did not start"
        log_reader = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
        try:
            yield Served(found[1], psutil.Process(server.pid))
        finally:
            server.terminate()
            server.wait()
            log_reader.wait()


def _run(arguments: list[str], source: Path = REPOSITORY) -> str:
    done = subprocess.run(arguments, env=_environment(source), stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _environment(source: Path = REPOSITORY) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(source)}
