"""Runs, the service and workers that are killed at random moments: nothing is lost, torn or unreadable."""

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from flows.cluster.fan_out import cluster
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from screening.search.all_pairs.plan import cut
from storage.disk.current import read_current
from storage.reading.newest_run import connect, status
from tests.api.running import running
from tests.flows.dask_processes import DaskProcesses
from tests.flows.doomed_run import make_run
from tests.flows.small_screening import assert_identical, screened_in_one_thread, screened_on_cluster
from tests.runs import START
from tests.storage.doomed import pipe, start

pytestmark = pytest.mark.processes

EXPECTED_FILES = re.compile(
    r"current\.json|ephemeris\.lock|skysieve\.duckdb|service\.sqlite(-wal|-shm)?|publisher\.lock"
    r"|runs/run_id=[^/]+/(conjunctions|proximities|rejections|run|kept|screened)\.parquet"
    r"|elements/[^/]+\.parquet|(analyses|fleets|forecasts|manoeuvres|messages)/0\.parquet"
    r"|(decays|sky/(catalogue|fragmentations))/(0|[0-9]{8}T[0-9]{6}Z(-[0-9]+)?)\.parquet"
    r"|environment/(0|[0-9]{6})\.parquet|ephemeris/[0-9]{8}T[0-9]{6}Z(-[0-9]+)?/[^/]+"
    r"|shown/[0-9]{8}T[0-9]{6}Z(-[0-9]+)?\.[0-9]+\.duckdb"
    r"|expired/month=[^/]+/(run|kept)\.parquet"
    r"|catalogues/([0-9a-f]{64}\.gz|[^/]+\.json|publisher\.lock)"
)


class Seen(NamedTuple):
    """What a store shows of its newest run, and which runs it has."""

    events: int
    runs: frozenset[str]
    with_rows: frozenset[str]


@pytest.fixture(scope="module")
def url(small_catalogue: Path) -> Iterator[str]:
    """A server that has the catalogue."""

    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *_: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Silent, directory=str(small_catalogue.parent))
    ) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/{small_catalogue.name}"
        server.shutdown()


def seen(store: Path) -> Seen:
    with connect(store) as connection:
        runs = connection.execute("SELECT run_id FROM runs").fetchall()
        with_rows = connection.execute("SELECT DISTINCT run_id FROM conjunction_history").fetchall()
        connection.execute("SELECT count(*) FROM element_history").fetchall()
        ((events,),) = connection.execute("SELECT count(*) FROM events").fetchall()
    return Seen(events, frozenset(r for (r,) in runs), frozenset(r for (r,) in with_rows))


def run_until(store: Path, url: str, seconds: float | None) -> str:
    """Make a run, kill it after so many seconds; return the stage it died in, empty if it was done."""
    told, stages_told = pipe()
    process = start(make_run, store, url, stages_told)
    stages_told.close()
    process.join(seconds)
    process.kill()
    process.join()
    stage = "start"
    while told.poll():
        try:
            stage = told.recv()
        except EOFError:
            break
    return stage


@pytest.mark.parametrize("kills", [3, pytest.param(90, marks=pytest.mark.slow)])
def test_runs_killed_at_random_moments(tmp_path: Path, url: str, kills: int) -> None:
    store = tmp_path / "store"
    assert run_until(store, url, None) == ""
    complete = seen(store)
    assert complete.events > 3
    began = time.monotonic()
    assert run_until(store, url, None) == ""
    usual_s = time.monotonic() - began
    rng = random.Random(7)
    died: Counter[str] = Counter()
    known = seen(store).runs
    for _ in range(kills):
        died[run_until(store, url, rng.uniform(0, usual_s))] += 1
        found, current = seen(store), read_current(store)
        assert current is not None
        assert known <= found.runs, "a run is lost"
        assert found.events == complete.events, "the newest run is torn"
        assert current.run_id in found.with_rows
        assert status(store).run.run_id == current.run_id
        known = found.runs
    assert run_until(store, url, None) == ""
    assert len(seen(store).runs) == len(known) + 1
    files = {str(path.relative_to(store)) for path in store.rglob("*") if path.is_file()}
    assert {file for file in files if not EXPECTED_FILES.fullmatch(file)} == set()
    assert len(died) > min(3, kills // 4), f"they all died in the same stages: {died}"
    print(dict(died))  # noqa: T201


@pytest.mark.slow
def test_a_service_that_is_killed_five_times_answers_again(store_with_run: Path) -> None:
    before = seen(store_with_run)
    rng = random.Random(8)
    for _ in range(5):
        with pytest.raises(BrokenPipeError), running(store_with_run) as service:
            for _ in range(rng.randrange(20)):
                assert httpx.get(f"{service.url}/ready").status_code == 200
            service.process.kill()
            service.process.wait()
            raise BrokenPipeError
    assert seen(store_with_run) == before


@pytest.mark.parametrize("kills", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_workers_that_are_killed_change_no_event(small_catalogue: Path, tmp_path: Path, kills: int) -> None:
    elements, span = parse_catalogue(small_catalogue.read_bytes()).elements, window(START, 3.0)
    expected = screened_in_one_thread(elements, span)
    rng = random.Random(9)
    with DaskProcesses(tmp_path) as processes:
        processes.add_worker()
        with cluster(processes.address, 1) as client:
            for _ in range(kills):
                processes.add_worker()
                client.client.wait_for_workers(2)
                fatal = rng.randrange(8)

                def on_progress(done: int, _of: int, fatal: int = fatal) -> None:
                    if done == fatal:
                        processes.workers[-2].kill()

                found = screened_on_cluster(client, elements, span, cut(span.seconds, 1, 9), on_progress)
                assert_identical(found, expected)
