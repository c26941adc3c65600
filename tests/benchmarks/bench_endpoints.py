"""Every kind of request and command, compared with another revision of the project, side by side.

    .venv/bin/python tests/benchmarks/bench_endpoints.py [--against REVISION] [--only PART ...] [--rounds 3]

Without a revision, against the commit before. Takes about five minutes. The real catalogue of ../shared/data
is screened by the other revision, and each revision serves a copy of that store. Requests alternate between
both services, so that what else the machine does slows both down; the order changes with each round. CPU time
is that of the whole service, in ms a request; of commands it is that of the process. A ratio above 1 means
slower than the other revision.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from measured import REPOSITORY, machine
from service import Served, made_run, secret, serving

NOW = "now"
BEFORE = "before"
IDLE_CPU_S, SETTLED_WITHIN_S = 0.02, 60.0  # a service that has loaded all it needs uses less in a second
LEAST_S = 0.5  # of requests of a kind to each service in a round
MOST_REQUESTS = 60
COMMAND_RUNS = 3


class Side(NamedTuple):
    """One revision: where its source and its store are, its service, and a client of that."""

    source: Path
    store: str
    served: Served
    client: httpx.Client


class Spent(NamedTuple):
    """What requests or runs took."""

    cpu_ms: list[float]  # the mean of each round
    wall_ms: list[float]  # of each

    def row(self) -> tuple[float, float]:
        """Return the medians of CPU and wall time, ms."""
        return statistics.median(self.cpu_ms), statistics.median(self.wall_ms)


Ask = Callable[[httpx.Client, int], httpx.Response]


def requests(client: httpx.Client) -> dict[str, Ask]:
    """Return the kinds of requests; the number makes each of a kind different where answers are kept."""
    page = client.get("/conjunctions", params={"limit": 50}).json()["conjunctions"]
    fast = next(event for event in page if event.get("encounter", "fast") == "fast")
    event, primary = fast["id"], fast["primary_norad_id"]
    made = client.post("/fleets", json={"name": "compared", "norad_ids": [25544, primary]}).json()
    fleet = made.get("id", "none")  # an older revision without fleets answers 404, which its lines then show
    numbers = [event["primary_norad_id"] for event in page]

    def get(path: str, **parameters: Any) -> Ask:
        return lambda asked, _: asked.get(path, params=parameters)

    def post(path: str, **body: Any) -> Ask:
        return lambda asked, k: asked.post(path, json={"primary_norad_id": numbers[k % len(numbers)], **body})

    def positions(asked: httpx.Client, k: int) -> httpx.Response:
        return asked.get(f"/positions?at=2024-11-01T{k // 60 % 24:02d}:{k % 60:02d}:00Z")

    wanted = {"look_ahead_hours": 24, "threshold_km": 10}
    burn = {"object": "primary", "burns": [{"before_hours": 0.2, "dv_t_m_s": 0.05}], "days": 0.5}
    return {
        "GET /health": get("/health"),
        "GET /conjunctions, 100": get("/conjunctions", limit=100),
        "GET /conjunctions, 10,000": get("/conjunctions", limit=10_000),
        "GET /conjunctions of one object": lambda asked, k: asked.get(
            "/conjunctions", params={"norad_id": numbers[k % len(numbers)]}
        ),
        "GET /conjunctions, high and worse": get("/conjunctions", risk_level=["critical", "high"]),
        "GET /conjunctions, complexes collapsed": get("/conjunctions", complexes="collapse"),
        "GET /conjunctions/{id}": get(f"/conjunctions/{event}"),
        "GET /conjunctions/{id}/geometry": get(f"/conjunctions/{event}/geometry"),
        "GET /conjunctions/{id}/trend": get(f"/conjunctions/{event}/trend"),
        "GET /conjunctions/{id}/report": get(f"/conjunctions/{event}/report"),
        "GET /conjunctions/{id}/cdm": get(f"/conjunctions/{event}/cdm"),
        "GET /conjunctions/{id}/calendar.ics": get(f"/conjunctions/{event}/calendar.ics"),
        "POST /conjunctions/analyze": post("/conjunctions/analyze", **wanted),
        "POST /conjunctions/analyze/full": post("/conjunctions/analyze/full", **wanted),
        "POST /conjunctions/{id}/manoeuvres": lambda asked, _: asked.post(
            f"/conjunctions/{event}/manoeuvres", json=burn
        ),
        "GET /positions": positions,
        "GET /positions, the same second": get("/positions", at="2024-11-01T12:00:00Z"),
        "GET /objects": get("/objects"),
        "GET /objects/{id}/ephemeris": get(f"/objects/{primary}/ephemeris"),
        "GET /objects/{id}/orbit": get(f"/objects/{primary}/orbit"),
        "GET /proximities": get("/proximities"),
        "GET /runs/current": get("/runs/current"),
        "GET /runs/current/overview": get("/runs/current/overview"),
        "GET /fleets": get("/fleets"),
        "GET /fleets/{id}/conjunctions": get(f"/fleets/{fleet}/conjunctions"),
        "GET /fleets/{id}/satellites": get(f"/fleets/{fleet}/satellites"),
        "GET /fleets/{id}/changes": get(f"/fleets/{fleet}/changes"),
        "GET /fleet-standings": get("/fleet-standings"),
        "GET /messages": get("/messages"),
        "GET /alerts": get("/alerts"),
        "GET /metrics": get("/metrics"),
    }


COMMANDS: dict[str, list[str]] = {
    "skysieve --help": ["--help"],
    "skysieve status": ["status"],
    "skysieve events": ["events"],
    "skysieve events of one object": ["events", "--norad-id", "25544"],
    "skysieve objects show": ["objects", "show", "25544"],
    "skysieve sql": ["sql", "SELECT count(*) FROM conjunctions"],
    "skysieve check": ["check"],
}


def asked(side: Side, ask: Ask, first: int) -> tuple[float, list[float], str]:
    """Ask for half a second; return CPU per request, each one's wall time, ms, and what went wrong."""
    walls: list[float] = []
    cpu_s, began = side.served.cpu_s(), time.perf_counter()
    while len(walls) < MOST_REQUESTS and (time.perf_counter() - began < LEAST_S or len(walls) < 2):
        sent = time.perf_counter()
        answer = ask(side.client, first + len(walls))
        walls.append(1e3 * (time.perf_counter() - sent))
        if answer.status_code != 200:
            return 0.0, walls, f"{answer.status_code} {answer.text[:100]}"
    return 1e3 * (side.served.cpu_s() - cpu_s) / len(walls), walls, ""


def settle(side: Side) -> None:
    """Wait until a service has loaded what it prepares in the background after the first requests."""
    for _ in range(round(SETTLED_WITHIN_S)):
        cpu_s = side.served.cpu_s()
        time.sleep(1.0)
        if side.served.cpu_s() - cpu_s < IDLE_CPU_S:
            return


def ran(side: Side, words: list[str]) -> tuple[float, list[float], str]:
    """Run a command; return CPU and wall time, ms, and what went wrong."""
    arguments = [sys.executable, "-P", "-m", "skysieve", *words]
    environment = {**os.environ, "PYTHONPATH": str(side.source), "SKYSIEVE_STORE": side.store}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    wall_ms = 1e3 * (time.perf_counter() - began)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    failed = "" if done.returncode == 0 else done.stderr.decode(errors="replace")[-100:]
    return 1e3 * cpu_s, [wall_ms], failed


def compare(kind: str, sides: dict[str, Side], spend: Callable[[Side, int], Any], rounds: int) -> str:
    """Return the line of one kind."""
    spent = {name: Spent([], []) for name in sides}
    for number in range(rounds + 1):  # the first one warms up
        order = list(sides) if number % 2 else list(sides)[::-1]
        for name in order:
            cpu_ms, walls, wrong = spend(sides[name], MOST_REQUESTS * number)
            if wrong:
                return f"{kind:<42} {name}: {wrong}"
            if number > 0:
                spent[name].cpu_ms.append(cpu_ms)
                spent[name].wall_ms.extend(walls)
    (cpu, wall), (cpu_before, wall_before) = spent[NOW].row(), spent[BEFORE].row()
    ratio = f"{cpu / cpu_before:8.2f}" if cpu_before > 0.5 else f"{'':>8}"
    walls = f"{wall_before:12.1f}{wall:10.1f}{wall / wall_before:8.2f}"
    return f"{kind:<42}{cpu_before:10.1f}{cpu:10.1f}{ratio}{walls}"


@contextmanager
def revision(name: str, folder: Path) -> Iterator[Path]:
    """Lay out the source of a revision in a folder."""
    source = folder / "source"
    git = ["git", "-C", str(REPOSITORY)]
    subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(source), name], check=True)
    try:
        yield source
    finally:
        subprocess.run([*git, "worktree", "remove", "--force", str(source)], check=True)


def sides_of(folder: Path, source: Path, stack: ExitStack) -> dict[str, Side]:
    """Screen with the other revision, and serve a copy of the store with each."""
    made_run(str(folder / "made"), source)
    sides = {}
    for name, here in ((BEFORE, source), (NOW, REPOSITORY)):
        store = str(folder / name)
        shutil.copytree(folder / "made", store)
        headers = {
            "Authorization": f"Bearer {secret(store, 'bearer', source=here)}",
            "X-API-Key": secret(store, "api-key", source=here),
        }
        served = stack.enter_context(serving(store, source=here))
        client = stack.enter_context(httpx.Client(base_url=served.url, headers=headers, timeout=120.0))
        sides[name] = Side(here, store, served, client)
    return sides


def main() -> None:
    """Print a line for each kind of request and command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", default="HEAD^", metavar="REVISION", help="a commit, tag or branch")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of names; all without")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    print(f"{machine()}; against {chosen.against}\n")
    heads = f"{'CPU before':>10}{'now, ms':>10}{'ratio':>8}{'wall before':>12}{'now, ms':>10}{'ratio':>8}"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        source = stack.enter_context(revision(chosen.against, folder))
        sides = sides_of(folder, source, stack)
        kinds = {name: requests(side.client) for name, side in sides.items()}
        for side in sides.values():
            settle(side)
        print(f"{'':<42}{heads}")
        for kind in kinds[NOW]:
            if any(part in kind for part in chosen.only):
                of = {side: kinds[name][kind] for name, side in sides.items()}
                print(
                    compare(kind, sides, lambda side, k, of=of: asked(side, of[side], k), chosen.rounds),
                    flush=True,
                )
        for kind, words in COMMANDS.items():
            if any(part in kind for part in chosen.only):
                print(
                    compare(kind, sides, lambda side, _, words=words: ran(side, words), COMMAND_RUNS),
                    flush=True,
                )
        for name, side in sides.items():
            print(f"memory of the service {name}: {side.served.resident_mb():.0f} MB")


if __name__ == "__main__":
    main()
