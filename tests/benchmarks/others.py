"""Clients that ask at a steady rate from a process of their own, and note how long each answer took.

Whoever attacks the service must not slow down the clock of those who wait, so the two share no process.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

PATIENCE_S = 120.0


class Asked(NamedTuple):
    """One kind of request: its path, and the header fields that it brings."""

    path: str
    headers: dict[str, str]


class Waits:
    """What the clients were answered; complete when they have ended."""

    def __init__(self) -> None:
        self.waits_s: list[float] = []  # from when a request was due to its answer's last byte
        self.failures: list[str] = []

    def milliseconds(self) -> tuple[float, float, float]:
        """Return the median, the 99th percentile and the longest wait, ms."""
        p99 = statistics.quantiles(self.waits_s, n=100, method="inclusive")[98]
        return 1e3 * statistics.median(self.waits_s), 1e3 * p99, 1e3 * max(self.waits_s)


@contextmanager
def others(url: str, per_second: float, asked: Sequence[Asked]) -> Iterator[Waits]:
    """Ask while the block runs, one kind of request after the other, at that rate in all."""
    waits = Waits()
    question = {"url": url, "per_second": per_second, "asked": asked}
    with subprocess.Popen(
        [sys.executable, str(Path(__file__))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        try:
            yield waits
        finally:
            found = json.loads(process.communicate()[0])  # closes its input, at which it ends
    waits.waits_s, waits.failures = found["waits_s"], found["failures"]


async def ask_until_closed(question: dict[str, object]) -> dict[str, object]:
    """Ask at the rate of the question until the standard input is closed."""
    asked = [Asked(*one) for one in question["asked"]]  # type: ignore[attr-defined]
    interval_s = 1 / float(str(question["per_second"]))
    waits_s: list[float] = []
    failures: list[str] = []

    async def ask(client: httpx.AsyncClient, one: Asked, due: float) -> None:
        try:
            answer = await client.get(one.path, headers=one.headers)
        except httpx.HTTPError as error:
            failures.append(f"{one.path}: {error!r}")
            return
        waits_s.append(time.perf_counter() - due)
        if not answer.is_success:
            failures.append(f"{one.path}: {answer.status_code}")

    closed = asyncio.ensure_future(asyncio.to_thread(sys.stdin.read))
    limits = httpx.Limits(max_connections=1000)
    async with httpx.AsyncClient(base_url=str(question["url"]), timeout=PATIENCE_S, limits=limits) as client:
        begun, sent = time.perf_counter(), []
        while not closed.done():
            due = begun + len(sent) * interval_s
            await asyncio.wait([closed], timeout=max(due - time.perf_counter(), 0.0))
            sent.append(asyncio.ensure_future(ask(client, asked[len(sent) % len(asked)], due)))
        await asyncio.gather(*sent)
    return {"waits_s": waits_s, "failures": failures}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(ask_until_closed(json.loads(sys.stdin.readline())))))
