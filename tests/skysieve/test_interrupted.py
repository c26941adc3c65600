"""Ctrl-C while a catalogue is screened: KeyboardInterrupt, nothing left behind, and the next call works."""

import os
import signal
from pathlib import Path

import pytest

from skysieve import command_line
from storage.disk.connections import in_memory
from storage.disk.faults import store_faults
from tests.flows.processes import running

pytestmark = pytest.mark.processes

# What a cell of a notebook does: the interrupt ends the call, not the process.
PROGRAM = """
import os, sys, tempfile, threading
from pathlib import Path

tempfile.tempdir = {temporary!r}
import skysieve

catalogue = skysieve.read_catalogue({catalogue!r})
skysieve.screen(catalogue, start="2024-11-01", hours=0.1)  # kernels are loaded
stores = [None, {store!r}]
ready = True

def tell(stage, done):
    global ready
    if stage == {stage!r} and ready:
        ready = False
        print("there", flush=True)

for store in stores:
    ready = True
    try:
        run = skysieve.screen(catalogue, start="2024-11-01", hours={hours}, progress=tell, store=store)
        print("not interrupted", run, flush=True)
    except KeyboardInterrupt:
        left = sorted(path.name for path in Path({temporary!r}).iterdir())
        published = (Path({store!r}) / "current.json").exists()
        print("interrupted", left, published, flush=True)
run = skysieve.screen(catalogue, start="2024-11-01", hours=0.5)
print("again", len(run.objects), sorted(os.listdir({temporary!r})), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("stage", "hours"), [("screen", 200.0), pytest.param("publish", 24.0, marks=pytest.mark.slow)]
)
def test_an_interrupt_ends_the_call_alone(
    small_catalogue: Path, tmp_path: Path, stage: str, hours: float
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = PROGRAM.format(
        temporary=str(temporary),
        catalogue=str(small_catalogue),
        store=str(tmp_path / "store"),
        stage=stage,
        hours=hours,
    )
    with running(program, tmp_path) as (process, first):
        assert process.stdout is not None
        assert first == "there"
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline().strip() == "interrupted [] False"
        assert process.stdout.readline().strip() == "there"
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline().strip() == "interrupted [] False"
        assert process.stdout.readline().strip() == "again 600 []"
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
    remains = [
        path for path in (tmp_path / "store").rglob("*") if "publishing" in path.name or "staged" in path.name
    ]
    assert remains == []


# Interrupts at random moments of a run: also in queries, while threads start, and while all is removed.
AT_ANY_MOMENT = """
import gc, os, random, signal, tempfile, threading, time, traceback
from pathlib import Path

tempfile.tempdir = {temporary!r}
import skysieve

catalogue = skysieve.read_catalogue({catalogue!r})

def screened(store):
    return skysieve.screen(catalogue, start="2024-11-01", hours=1.0, store=store)

screened(None)
began = time.perf_counter()
expected = len(screened(None).conjunctions)
took_s = time.perf_counter() - began
random.seed(1)
interrupted = 0
for number in range({rounds}):
    timer = threading.Timer(random.uniform(0.0, took_s), os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        assert len(screened({store!r} if number % 2 else None).conjunctions) == expected
        timer.join()
    except KeyboardInterrupt:
        interrupted += 1
        where = traceback.format_exc()
    try:
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:
        interrupted += 1
    gc.collect()  # what an interrupt keeps from being entered is removed with its object
    left = [str(path) for path in Path({temporary!r}).iterdir()]
    assert not left, where
store = skysieve.open_store({store!r}) if (Path({store!r}) / "current.json").exists() else None
if store:
    assert all(len(store.conjunctions(run)) == expected for run in store.runs()["run_id"])
print("interrupted", interrupted, flush=True)
"""


@pytest.mark.slow
def test_an_interrupt_at_any_moment_leaves_nothing(small_catalogue: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    rounds = 60
    program = AT_ANY_MOMENT.format(
        temporary=str(temporary), catalogue=str(small_catalogue), store=str(tmp_path / "store"), rounds=rounds
    )
    with running(program, tmp_path) as (process, told):
        assert told.startswith("interrupted ")
        assert int(told.split()[1]) > rounds // 2
        assert process.wait(60) == 0
    assert list(temporary.iterdir()) == []


# DuckDB makes a RuntimeError of Ctrl-C during a query.
QUERY = """
import os, signal, sys, threading
from pathlib import Path

from skysieve import command_line
from storage.disk.connections import in_memory
from storage.disk.faults import store_faults

def queries():
    with in_memory() as connection:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        for _ in range(100):
            connection.execute("SELECT sum(a.range * b.range) FROM range(3000) a, range(3000) b").fetchall()

try:
    with store_faults(Path("store")):
        queries()
except KeyboardInterrupt:
    print("interrupted", flush=True)
command_line.app = lambda prog_name: queries()
command_line.main()
"""


def test_an_interrupt_during_a_query_is_one_to_the_store_and_to_commands(tmp_path: Path) -> None:
    with running(QUERY, tmp_path) as (process, told):
        assert told == "interrupted"
        assert process.wait(60) == 130


def test_an_interrupt_outside_what_typer_catches_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app(prog_name: str) -> None:
        raise KeyboardInterrupt(prog_name)

    monkeypatch.setattr(command_line, "app", app)
    with pytest.raises(SystemExit) as stopped:
        command_line.main()
    assert stopped.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"


class Interrupting:
    """A table whose reading is interrupted."""

    def __arrow_c_stream__(self, _schema: object = None) -> object:
        raise KeyboardInterrupt


def test_an_interrupt_while_duckdb_reads_a_table_of_python_is_one(tmp_path: Path) -> None:
    with in_memory() as connection, pytest.raises(KeyboardInterrupt), store_faults(tmp_path):
        connection.register("table_of_python", Interrupting())
        connection.execute("SELECT count(*) FROM table_of_python").fetchall()
