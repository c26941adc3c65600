"""The group of processes behind `skysieve up`, tried on obedient parts."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flows.group.processes import parts_of
from flows.group.supervisor import ATTEMPTS
from flows.settings import FlowSettings
from tests.flows.processes import assert_ended, handles, wait_for_descendants

pytestmark = pytest.mark.processes

FOREVER = "import signal; signal.pause()"
STUBBORN = (
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); signal.pause()"
)
PARENT_OF_ANOTHER = f"""
import subprocess, sys, signal
subprocess.Popen([sys.executable, "-c", {FOREVER!r}])
signal.pause()
"""
# `nohup make test` and `make test &` in a script ignore one each, and what is ignored is inherited.
NO_SIGNAL_IGNORED = """
import signal
for number in (signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_DFL)
"""
GROUP = """
import json, os, sys
from flows.group.supervisor import CannotStart, Part, supervise
parts = [Part(name, (sys.executable, "-c", code), dict(os.environ)) for name, code in json.loads(sys.argv[1])]
def say(line): print(line, flush=True)
say("begun")
try:
    supervise(parts, say)
except CannotStart as error:
    say(f"error: {error}")
"""


def quicker(setting: str) -> str:
    """Return code that sets a constant of the supervisor, so that less is waited for."""
    return f"{NO_SIGNAL_IGNORED}\nimport flows.group.supervisor\nflows.group.supervisor.{setting}\n"


@contextmanager
def group(
    repository: Path, *parts: tuple[str, str], before: str = NO_SIGNAL_IGNORED
) -> Iterator[subprocess.Popen[str]]:
    """Run parts, each a name and a program, as a group in a process of its own, after some code in it."""
    with subprocess.Popen(
        [sys.executable, "-c", before + GROUP, json.dumps(parts)],
        env={**os.environ, "PYTHONPATH": str(repository)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_none_outlives_the_group_however_it_ends(repository: Path, number: signal.Signals) -> None:
    with group(repository, ("one", FOREVER), ("two", FOREVER)) as process:
        below = handles(wait_for_descendants(process.pid, 2))
        process.send_signal(number)
        assert_ended(below)
        process.wait()
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)


def test_what_is_ignored_from_the_start_ends_nothing(repository: Path) -> None:
    """`nohup skysieve up &` goes on when the terminal is gone."""
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with group(repository, ("one", FOREVER), before=ignoring) as process:
        assert process.stdout is not None
        (part,) = wait_for_descendants(process.pid, 1)
        process.send_signal(signal.SIGHUP)
        os.kill(part, signal.SIGKILL)  # that the group answers to this shows that it passed over the other
        assert "one ended with signal SIGKILL" in process.stdout.readline()
        process.terminate()
        assert process.wait() == 0


def test_what_a_part_has_started_ends_with_it(repository: Path) -> None:
    with group(repository, ("parent", PARENT_OF_ANOTHER)) as process:
        below = handles(wait_for_descendants(process.pid, 2))
        process.terminate()
        assert_ended(below)


def test_a_part_that_is_deaf_is_killed_in_time(repository: Path) -> None:
    with group(repository, ("deaf", STUBBORN), before=quicker("GRACE_S = 0.5")) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "deaf\n"
        below = handles(wait_for_descendants(process.pid, 1))
        process.terminate()
        assert_ended(below)


def test_a_part_that_is_killed_is_started_again(repository: Path) -> None:
    with group(repository, ("one", FOREVER), ("other", FOREVER)) as process:
        assert process.stdout is not None
        before = wait_for_descendants(process.pid, 2)
        os.kill(min(before), signal.SIGKILL)
        assert "ended with signal SIGKILL; it restarts in 1 s" in process.stdout.readline()
        after = wait_for_descendants(process.pid, 2)
        assert len(before & after) == 1


@pytest.mark.parametrize(
    ("code", "attempts", "restarts"),
    [
        ("raise SystemExit(2)", ATTEMPTS, 0),
        ("raise SystemExit(1)", 3, 2),
        pytest.param("raise SystemExit(1)", ATTEMPTS, 4, marks=pytest.mark.slow),
    ],
)
def test_a_part_that_cannot_start_ends_the_group(
    repository: Path, code: str, attempts: int, restarts: int
) -> None:
    before = quicker(f"ATTEMPTS = {attempts}")
    with group(repository, ("fine", FOREVER), ("broken", code), before=before) as process:
        assert process.stdout is not None
        told = process.stdout.read().splitlines()
        process.wait()
    assert [line.rsplit(" ", 2)[1] for line in told[:-1]] == ["1", "2", "4", "8"][:restarts]
    assert told[-1].startswith("error: broken cannot start: it ended with exit code")


def command_lines(settings: FlowSettings) -> dict[str, str]:
    return {part.name: " ".join(part.command[1:]) for part in parts_of(settings)}


def test_two_groups_started_at_once_get_ports_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one chose the first one's ports, which nothing listened on yet."""
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    groups = [parts_of(FlowSettings(store=tmp_path / name)) for name in ("one", "two")]
    ports = [part.port for parts in groups for part in parts if part.port]
    assert len(set(ports)) == len(ports) == 4


def test_everything_is_started_that_no_setting_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    settings = FlowSettings(store=tmp_path, source="x.csv", workers=3)
    parts = parts_of(settings)
    dask, prefect = (part.port for part in parts if part.port)
    assert {part.name: " ".join(part.command[1:]) for part in parts} == {
        "the HTTP service": "-P -m skysieve serve",
        "Dask": f"-P -m flows.group.local_dask {dask} 3",
        "the deliveries": "-P -m skysieve alerts deliver",
        "Prefect and the schedule": f"-P -m skysieve schedule --server-port={prefect}",
    }
    schedule = parts[-1].environment
    assert schedule["PREFECT_API_URL"] == f"http://127.0.0.1:{prefect}/api"
    assert schedule["SKYSIEVE_SCHEDULER"] == f"tcp://127.0.0.1:{dask}"
    assert {part.environment["SKYSIEVE_STORE"] for part in parts} == {str(tmp_path)}
    assert schedule["SKYSIEVE_SOURCE"] == "x.csv"


def test_what_settings_name_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://prefect:4200/api")
    settings = FlowSettings(store=tmp_path, scheduler="tcp://dask:8786")
    assert set(command_lines(settings)) == {"the HTTP service", "the deliveries", "the schedule"}
    schedule = parts_of(settings)[-1].environment
    assert schedule["PREFECT_API_URL"] == "http://prefect:4200/api"
    assert schedule.get("SKYSIEVE_SCHEDULER", "tcp://dask:8786") == "tcp://dask:8786"
