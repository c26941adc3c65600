"""Fifty clients at once while two runs are published: every request is answered, each from one run."""

import asyncio
import csv
import io
import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import pytest

from storage.state.credentials import create_credential
from tests.api.conftest import NOW, header, plausible
from tests.api.running import running
from tests.made_up_run import MadeUpRun, make_run, publish

CLIENTS = 50
SPAN_S = 60.0
# For an answer, where 50 clients, the service and whatever else runs share the cores.
LONGEST_S = 120.0

Seen = Counter[tuple[str, str]]  # path and run


def run_of_page(answer: httpx.Response) -> tuple[set[str], int]:
    page = answer.json()
    assert page["total"] == len(page["conjunctions"])
    return {event["run_id"] for event in page["conjunctions"]}, page["total"]


def run_of_csv(answer: httpx.Response) -> tuple[set[str], int]:
    rows = list(csv.DictReader(io.StringIO(answer.text), strict=True))
    return {row["run_id"] for row in rows}, len(rows)


def run_of_proximities(answer: httpx.Response) -> tuple[set[str], int]:
    pairs = answer.json()["proximities"]
    return {pair["run_id"] for pair in pairs}, len(pairs)


def run_of_record(answer: httpx.Response) -> tuple[set[str], int]:
    run = answer.json()
    return {run["run_id"]}, run["conjunctions"] + run["slow"]


def run_of_positions(answer: httpx.Response) -> tuple[set[str], int]:
    return {answer.json()["run_id"]}, answer.json()["omitted"] + len(answer.json()["satellites"])


def run_of_readiness(answer: httpx.Response) -> tuple[set[str], int]:
    return {answer.json()["run_id"]}, 0


# Path, further headers, what reads the run from an answer, how many rows an answer from a run has.
ASKED: list[
    tuple[
        str, Mapping[str, str], Callable[[httpx.Response], tuple[set[str], int]], Callable[[MadeUpRun], int]
    ]
] = [
    ("/conjunctions?limit=1000", {}, run_of_page, lambda run: len(run.conjunctions)),
    ("/conjunctions", {"Accept": "text/csv"}, run_of_csv, lambda run: len(run.conjunctions)),
    ("/proximities", {}, run_of_proximities, lambda run: len(run.proximities)),
    ("/runs/current", {}, run_of_record, lambda run: len(run.conjunctions)),
    ("/positions", {}, run_of_positions, lambda run: len(run.elements)),
    ("/ready", {}, run_of_readiness, lambda _: 0),
]


class Progress:
    """What all clients together were answered."""

    def __init__(self) -> None:
        self.seen: Seen = Counter()
        self.ended = False
        self._answered = asyncio.Event()

    def answered(self, path: str, run_id: str) -> None:
        self.seen[path, run_id] += 1
        self._answered.set()

    async def until_all_come_from(self, run_id: str) -> None:
        """Return when every path was answered from this run."""
        while not all(self.seen[path, run_id] for path, *_ in ASKED):
            self._answered.clear()
            await self._answered.wait()


async def ask(
    client: httpx.AsyncClient, number: int, progress: Progress, runs: Mapping[str, MadeUpRun]
) -> None:
    """Ask one thing after the other; fail at the first answer that is none, or is of more than one run."""
    for path, headers, read, rows in itertools.islice(itertools.cycle(ASKED), number % len(ASKED), None):
        if progress.ended:
            return
        answer = await client.get(path, headers=headers)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        (run_id,), count = read(answer)
        assert count == rows(runs[run_id])
        progress.answered(path, run_id)


async def load(
    url: str, headers: Mapping[str, str], store: Path, runs: dict[str, MadeUpRun], span_s: float
) -> None:
    """Publish two more runs, at a third and two thirds of the span, while all clients ask."""
    progress = Progress()

    async def publish_two() -> None:
        for number in (1, 2, 3):
            await asyncio.sleep(span_s / 3)
            await progress.until_all_come_from(max(runs))
            if number < 3:
                made_up = plausible(make_run(100 + 50 * number, 40 + number, hours_later=number / 10))
                # Its id is known before any client can see it.
                runs[made_up.run.started.strftime("%Y%m%dT%H%M%SZ")] = made_up
                await asyncio.to_thread(publish, store, made_up)
        progress.ended = True

    limits = httpx.Limits(max_connections=CLIENTS)
    async with (
        httpx.AsyncClient(base_url=url, headers=headers, limits=limits, timeout=LONGEST_S) as client,
        asyncio.TaskGroup() as group,
    ):
        for number in range(CLIENTS):
            group.create_task(ask(client, number, progress, runs))
        group.create_task(publish_two())


@pytest.mark.slow
def test_no_request_fails_and_no_answer_mixes_runs(store: Path) -> None:
    first = plausible(make_run(100, 40))
    runs = {publish(store, first): first}
    headers = {
        name: value
        for kind in ("bearer", "api-key")
        for name, value in header(
            kind, create_credential(store, kind, "load", NOW, per_minute=1_000_000).secret
        ).items()
    }
    with running(store, SKYSIEVE_REFRESH_HOURS="100000") as service:
        asyncio.run(load(service.url, headers, store, runs, SPAN_S))
    assert len(runs) == 3
