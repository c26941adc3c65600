"""Threads and processes read at the same time, while runs are published; Ctrl-C ends a query."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import skysieve
from tests.made_up_run import make_run, publish

pytestmark = pytest.mark.processes

READERS = 4
RUNS = 4
ROWS = 200


def read_all(store: skysieve.Store) -> set[str]:
    """Read a store in every way; return the runs that were found, each of which must be whole."""
    found = store.conjunctions()
    (run_id,) = found["run_id"].unique()
    assert len(found) == ROWS
    assert len(store.conjunctions(run_id)) == ROWS
    counted = store.sql("SELECT run_id, count(*) AS n FROM conjunctions GROUP BY 1")
    assert counted["n"].tolist() == [ROWS]
    assert set(store.history(int(found["event_id"].iloc[0]))["run_id"]) >= {run_id}
    assert len(store.objects()) == 30
    assert run_id in set(store.runs()["run_id"])
    return {str(run_id), str(counted["run_id"].iloc[0])}


@pytest.mark.slow
def test_threads_read_whole_runs_while_others_are_published(tmp_path: Path) -> None:
    path = tmp_path / "store"
    run_ids = [publish(path, make_run(conjunctions=ROWS))]
    store = skysieve.open_store(path)
    published = threading.Event()
    reading = threading.Barrier(READERS + 1)

    def read() -> set[str]:
        seen: set[str] = set()
        reading.wait()
        while not published.is_set():
            seen |= read_all(store)
        return seen | read_all(store)

    with ThreadPoolExecutor(READERS) as pool:
        readers = [pool.submit(read) for _ in range(READERS)]
        reading.wait()
        try:
            run_ids += [publish(path, make_run(conjunctions=ROWS, hours_later=n)) for n in range(1, RUNS)]
        finally:
            published.set()
        seen = [reader.result() for reader in readers]
    assert all(run_ids[-1] in found for found in seen)
    assert set().union(*seen) <= set(run_ids)


@pytest.mark.parametrize(
    "method", ["spawn", *(pytest.param(way, marks=pytest.mark.slow) for way in ("fork", "forkserver"))]
)
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_processes_read_what_this_one_reads(two_runs: Path, method: str) -> None:
    # With fork, after this process has read and while none of its threads does.
    store = skysieve.open_store(two_runs)
    expected = len(store.conjunctions())
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert [len(frame) for frame in pool.map(skysieve.Store.conjunctions, [store] * 4)] == [expected] * 4


INTERRUPTED = """
import os, signal, sys, threading, time
import skysieve
from storage.disk import connections

def interrupt_when_under_way():
    begun, pause = time.process_time(), threading.Event()
    while time.process_time() < begun + UNDER_WAY_S:
        pause.wait(0.01)
    os.kill(os.getpid(), signal.SIGINT)

def work_begins(connection, work):
    def working():
        if UNDER_WAY_S:
            threading.Thread(target=interrupt_when_under_way).start()
        else:
            os.kill(os.getpid(), signal.SIGINT)
        return work()
    return interruptible(connection, working)

store = skysieve.open_store(sys.argv[1])
store.sql("SELECT 1")
from storage.reading import read_only_sql
interruptible, read_only_sql.interruptible = read_only_sql.interruptible, work_begins
endless = "SELECT count(*) FROM range(10_000_000) a(i), range(10_000_000) b(j) WHERE (a.i * b.j) % 7 = 1"
try:
    store.sql(endless)
except KeyboardInterrupt:
    read_only_sql.interruptible = interruptible
    n = store.sql("SELECT 2 AS n")["n"][0]
    for thread in set(threading.enumerate()) - {threading.main_thread()}:
        thread.join(10.0)
    print("interrupted", [thread.name for thread in threading.enumerate()], n)
"""


@pytest.mark.parametrize("under_way_s", [0.0, 0.3])
def test_ctrl_c_ends_a_query_and_the_next_one_works(
    two_runs: Path, repository: Path, under_way_s: float
) -> None:
    # DuckDB itself may go on to the end: this query would take days. Python 3.11 takes a thread for ended
    # whose join is interrupted: the query went on, and its connection could not be closed.
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("UNDER_WAY_S", str(under_way_s)), str(two_runs)],
        env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout == "interrupted ['MainThread'] 2\n", done.stderr


@pytest.mark.parametrize("under_way_s", [0.0, 0.3])
def test_ctrl_c_ends_skysieve_sql(two_runs: Path, repository: Path, under_way_s: float) -> None:
    program = INTERRUPTED.replace("UNDER_WAY_S", str(under_way_s)).split("store = ")[0] + (
        "from storage.reading import read_only_sql\n"
        "interruptible, read_only_sql.interruptible = read_only_sql.interruptible, work_begins\n"
        "from skysieve.command_line import start\nstart()\n"
    )
    sql = "SELECT count(*) FROM range(10000000) a(i), range(10000000) b(j) WHERE (a.i * b.j) % 7 = 1"
    done = subprocess.run(
        [sys.executable, "-c", program, "sql", "--store", str(two_runs), sql],
        env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGINT, "interrupted\n")
