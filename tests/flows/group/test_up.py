"""`skysieve up` as a whole: an empty store, killed parts, a run that was left running, and the end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import NamedTuple

import httpx
import pytest

from storage.state.database import Attempt, newest_attempts
from tests.api.waiting import wait_until
from tests.flows.foreign_folder import imported_from, make_foreign_folder
from tests.flows.processes import assert_ended, command_line, descendants, handles

pytestmark = pytest.mark.processes


class Up(NamedTuple):
    """A running group, whose first run is served."""

    process: subprocess.Popen[str]
    store: Path
    log: list[str]
    url: str = ""
    ready_before_a_run: int = 0  # the status of `/ready`
    first_run: str = ""

    def until(self, pattern: str) -> str:
        """Read what is said until something matches; return the first group of the match, or all of it."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(pattern, line):
                return found[1] if found.groups() else found[0]
        raise AssertionError(f"nothing said {pattern!r}:\n{''.join(self.log)}")

    def part(self, command: str) -> int:
        """Return the id of the part with that in its command line."""
        for process in descendants(self.process.pid):
            if command in command_line(process):
                return process
        raise AssertionError(f"no part runs {command!r}:\n{''.join(self.log)}")


@pytest.fixture(scope="module")
def up(small_catalogue: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """Everything, on an empty store, started in a folder with code of somebody else."""
    with running_up(small_catalogue, tmp_path_factory.mktemp("up") / "store") as begun:
        yield begun


@contextmanager
def running_up(catalogue: Path, store: Path) -> Iterator[Up]:
    settings = {"SKYSIEVE_PORT": "0", "SKYSIEVE_WORKERS": "1", "SKYSIEVE_LOOK_AHEAD_HOURS": "1"}
    environment = {**os.environ, **settings}
    for name in ("PREFECT_API_URL", "PYTHONPATH", "PYTHONSAFEPATH"):
        environment.pop(name, None)
    program = Path(sys.executable).with_name("skysieve")
    command = [program, "up", "--source", catalogue, "--store", store]
    foreign = make_foreign_folder(store.with_name("somewhere"))
    with subprocess.Popen(
        command, cwd=foreign, env=environment, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        begun = Up(process, store, [])
        url = begun.until(r"listening on (http://[^\s\"]+)")
        ready = httpx.get(f"{url}/ready").status_code
        yield begun._replace(url=url, ready_before_a_run=ready, first_run=begun.until(r"serving run (\S+)"))
        process.kill()


def prefect_address(up: Up) -> str:
    """Return the address of the group's Prefect server."""
    environment = Path(f"/proc/{up.part('skysieve schedule')}/environ").read_text()
    found = re.search(r"PREFECT_API_URL=([^\0]+)", environment)
    assert found is not None
    return found[1]


def prefect(up: Up, path: str, content: dict[str, object]) -> object:
    """Ask the Prefect server of the group, as one of its clients does."""
    url, pause = prefect_address(up), Event()
    token = httpx.get(f"{url}/csrf-token", params={"client": "test"}, timeout=60).json()["token"]
    allowed = {"Prefect-Csrf-Token": token, "Prefect-Csrf-Client": "test"}
    for _ in range(60):
        answer = httpx.post(f"{url}{path}", json=content, headers=allowed, timeout=60)
        if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
            break
        pause.wait(0.5)  # its database is busy, and its own clients ask again too
    answer.raise_for_status()
    return answer.json()


def ended_attempts(store: Path) -> list[Attempt]:
    """Return the attempts once all have ended: a run is served before it has removed what expired."""
    pause = Event()
    for _ in range(600):
        attempts = newest_attempts(store, 5)
        if all(attempt.outcome for attempt in attempts):
            return attempts
        pause.wait(0.1)
    raise AssertionError(f"an attempt does not end: {attempts}")


def test_the_api_answers_and_a_run_is_made_without_another_command(up: Up) -> None:
    assert httpx.get(f"{up.url}/health").status_code == 200
    assert up.ready_before_a_run == 503
    assert httpx.get(f"{up.url}/ready").json()["run_id"] == up.first_run
    (attempt,) = ended_attempts(up.store)
    assert (attempt.outcome, attempt.run_id) == ("published", up.first_run)


def test_between_runs_prefect_is_there_as_soon_as_it_is_asked(up: Up) -> None:
    up.until("schedule: at rest until shortly before")
    schedule = up.part("skysieve schedule")
    wait_until(lambda: "flows.scheduled.at_rest" in command_line(schedule))
    assert httpx.get(f"{prefect_address(up)}/health", timeout=60).status_code == 200
    assert "flows.scheduled.at_rest" not in command_line(schedule)
    assert up.part("skysieve schedule") == schedule


def test_a_page_of_another_origin_may_not_ask_prefect(up: Up) -> None:
    api = prefect_address(up)
    own = api.removesuffix("/api")
    for origin, allowed in (("https://elsewhere.example", None), (own, own)):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answer = httpx.options(f"{api}/deployments/filter", headers=asked, timeout=60)
        assert answer.headers.get("Access-Control-Allow-Origin") == allowed


@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({"Host": "rebound.example:4200"}, "answers to 127.0.0.1"),
        ({"Origin": "https://elsewhere.example"}, "other origins"),
        ({"Origin": "null"}, "other origins"),
        ({}, "CSRF"),  # a form of a page needs no permission of CORS
    ],
)
def test_prefect_refuses_what_a_page_can_make_a_browser_send(
    up: Up, headers: dict[str, str], refusal: str
) -> None:
    url = f"{prefect_address(up)}/deployments/filter"
    answer = httpx.post(url, json={}, headers=headers, timeout=60)
    assert (answer.status_code, refusal in answer.text) == (403, True)


def test_prefect_gets_no_source_and_its_folder_is_private(up: Up) -> None:
    (deployment,) = prefect(up, "/deployments/filter", {})  # type: ignore[misc]
    assert deployment["parameters"] == {"store": str(up.store)}
    home = up.store / "prefect"
    assert home.stat().st_mode & 0o077 == 0
    kept = list(home.glob("prefect.db*"))
    assert kept
    assert [path for path in kept if path.stat().st_mode & 0o077] == []


def test_a_run_that_was_left_running_is_closed_by_the_next_schedule(up: Up) -> None:
    (deployment,) = prefect(up, "/deployments/filter", {})  # type: ignore[misc]
    left = prefect(
        up,
        f"/deployments/{deployment['id']}/create_flow_run",
        {"state": {"type": "RUNNING", "name": "Running"}},
    )
    os.kill(up.part("skysieve schedule"), signal.SIGKILL)
    up.until("Prefect and the schedule ended with signal SIGKILL; it restarts")
    up.until(f"the run {left['name']} was left Running; it crashed")  # type: ignore[index]
    up.until("schedule: a run every 6 h")
    (run,) = prefect(up, "/flow_runs/filter", {"flow_runs": {"id": {"any_": [left["id"]]}}})  # type: ignore[index,misc]
    assert (run["state"]["type"], run["state"]["message"]) == (
        "CRASHED",
        "Its process ended without an error, or was killed.",
    )


@pytest.mark.slow
def test_a_second_group_beside_it_makes_its_own_run(up: Up, small_catalogue: Path, store: Path) -> None:
    with running_up(small_catalogue, store) as second:
        assert prefect_address(second) != prefect_address(up)
        (deployment,) = prefect(second, "/deployments/filter", {})  # type: ignore[misc]
        assert deployment["parameters"] == {"store": str(second.store)}
        assert httpx.get(f"{second.url}/ready").json()["run_id"] == second.first_run
        assert [attempt.run_id for attempt in ended_attempts(second.store)] == [second.first_run]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name"),
    [
        pytest.param("flows.group.local_dask", "Dask", marks=pytest.mark.slow),
        ("skysieve schedule", "Prefect and the schedule"),
        pytest.param("skysieve serve", "the HTTP service", marks=pytest.mark.slow),
    ],
)
def test_a_part_that_is_killed_comes_back(up: Up, command: str, name: str) -> None:
    killed = up.part(command)
    os.kill(killed, signal.SIGKILL)
    up.until(f"{name} ended with signal SIGKILL; it restarts")
    if command.endswith("serve"):
        url = up.until(r"listening on (http://[^\s\"]+)")
        assert httpx.get(f"{url}/health").status_code == 200
    else:
        up.until(f"{name} is up again")
    assert up.part(command) != killed


@pytest.mark.slow
def test_after_all_that_a_run_is_made(up: Up) -> None:
    url = f"http://127.0.0.1:{re.findall(r'listening on http://127.0.0.1:([0-9]+)', ''.join(up.log))[-1]}"
    served = httpx.get(f"{url}/ready").json()["run_id"]
    (deployment,) = prefect(up, "/deployments/filter", {})  # type: ignore[misc]
    prefect(up, f"/deployments/{deployment['id']}/create_flow_run", {"state": {"type": "SCHEDULED"}})
    while (newest := up.until(r"serving run (\S+)")) == served:
        continue  # the service that was started again said so of the run that there was
    assert newest > served
    assert [attempt.outcome for attempt in ended_attempts(up.store)] == ["published", "published"]


def test_all_of_it_ends_when_it_is_asked_to(up: Up) -> None:
    below = handles(descendants(up.process.pid))
    assert len(below) >= 4
    up.process.terminate()
    assert_ended(below)
    assert up.process.wait() == 0


def test_nothing_was_imported_from_the_folder_it_was_started_in(up: Up) -> None:
    """A folder with `api/__init__.py` stopped it, and that code was run."""
    assert imported_from(up.store.with_name("somewhere")) == []
