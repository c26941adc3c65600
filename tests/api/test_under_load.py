"""Fifty clients at once while two runs are published: every request is answered, each from one run."""

import asyncio
import csv
import io
import itertools
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import pytest

from storage.credentials import create_credential
from tests.api.conftest import NOW, header, plausible
from tests.api.running import running
from tests.made_up_run import MadeUpRun, make_run, publish

CLIENTS = 50
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


async def ask_until(client: httpx.AsyncClient, ended: asyncio.Event, runs: dict[str, MadeUpRun]) -> Seen:
    """Ask one thing after the other; fail at the first answer that is none, or is of more than one run."""
    seen: Seen = Counter()
    for path, headers, read, rows in itertools.cycle(ASKED):
        if ended.is_set():
            return seen
        answer = await client.get(path, headers=headers)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        found, count = read(answer)
        (run_id,) = found
        assert count == rows(runs[run_id])
        seen[path, run_id] += 1
    raise AssertionError("cycle has no end")


async def load(
    url: str, headers: Mapping[str, str], store: Path, runs: dict[str, MadeUpRun], span_s: float
) -> Seen:
    """Publish two more runs, at a third and two thirds of the span, while all clients ask."""
    ended = asyncio.Event()

    async def publish_two() -> None:
        for number in (1, 2):
            await asyncio.sleep(span_s / 3)
            made_up = plausible(make_run(100 + 50 * number, 40 + number, hours_later=number / 10))
            # Its id is known before any client can see it.
            runs[made_up.run.started.strftime("%Y%m%dT%H%M%SZ")] = made_up
            await asyncio.to_thread(publish, store, made_up)
        await asyncio.sleep(span_s / 3)
        ended.set()

    limits = httpx.Limits(max_connections=CLIENTS)
    async with (
        httpx.AsyncClient(base_url=url, headers=headers, limits=limits, timeout=LONGEST_S) as client,
        asyncio.TaskGroup() as group,
    ):
        asking = [group.create_task(ask_until(client, ended, runs)) for _ in range(CLIENTS)]
        group.create_task(publish_two())
    return sum((task.result() for task in asking), Counter())


@pytest.mark.parametrize("span_s", [10.0, pytest.param(60.0, marks=pytest.mark.slow)])
def test_no_request_fails_and_no_answer_mixes_runs(store: Path, span_s: float) -> None:
    first = plausible(make_run(100, 40))
    runs = {publish(store, first): first}
    headers = {
        name: value
        for kind in ("bearer", "api-key")
        for name, value in header(
            kind, create_credential(store, kind, "load", NOW, per_minute=1_000_000).secret
        ).items()
    }
    began = time.monotonic()
    with running(store, SKYSIEVE_REFRESH_HOURS="100000") as service:
        seen = asyncio.run(load(service.url, headers, store, runs, span_s))
    assert time.monotonic() - began >= span_s
    assert {path for path, _ in seen} == {path for path, *_ in ASKED}
    assert {run_id for _, run_id in seen} == set(runs)
    assert len(runs) == 3
