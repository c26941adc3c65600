"""66 days unattended in fast motion, with faults: every blindness is told once and in time, and little grows.

python tests/benchmarks/rehearse_66_days.py [--runs 264]

From 2027-12-28 to 2028-03-03, past the year's end and 29 February: a run every six hours of a synthetic
catalogue whose source fails as sources do, a fleet with an alert whose receiver counts, the service, and ten
processes that are killed in the middle of a run. It takes half an hour on two cores, and ends with exit
code 1 if a check fails.
"""

import argparse
import io
import json
import logging
import random
import resource
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from storage.times import datetime64_us

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from flows.alerts.outbox import note_published  # noqa: E402 - as a script, the repository is not on the path
from flows.alerts.worker import deliver_what_is_due  # noqa: E402
from flows.runs import run as runs  # noqa: E402
from flows.runs.fleet_look import fleet_look  # noqa: E402
from flows.scheduled.tasks import shows_the_present  # noqa: E402
from flows.settings import FlowSettings  # noqa: E402
from flows.sources.catalogues import fetch_catalogue  # noqa: E402
from flows.sources.download import Web  # noqa: E402
from screening.orbits.texts.omm.csv_writer import write_omm_csv  # noqa: E402
from screening.synthetic.catalogue import synthetic_catalogue  # noqa: E402
from storage.analyses.around_fleets import look as fleet_looks  # noqa: E402
from storage.reading.check import check, parts  # noqa: E402
from storage.state.database import begin_attempt, end_attempt  # noqa: E402
from storage.state.fleet_rules import FleetObject, NewFleet  # noqa: E402
from storage.state.fleets import create_fleet  # noqa: E402
from tests.api.conftest import Clock, serving  # noqa: E402
from tests.api.waiting import wait_until  # noqa: E402
from tests.flows.alerts.alerting import alert_to, means_of  # noqa: E402
from tests.flows.misbehaving_server import Answer, MisbehavingServer, status, text  # noqa: E402

FIRST = datetime(2027, 12, 28, tzinfo=UTC)
INTERVAL = timedelta(hours=6)
LAG = timedelta(hours=2)  # of the newest element sets behind the clock
OBJECTS, FLEET = 300, 60
HOURS, THRESHOLD_KM = 24.0, 10.0
BACK, CUT, EMPTY, HTML, DOWN = "back in time", "cut", "empty", "html", "down"
FAULTS = {45: BACK, 46: HTML, 47: HTML, 60: CUT, 70: EMPTY, 80: HTML}
FAULTS |= dict.fromkeys(range(100, 108), DOWN) | dict.fromkeys(range(150, 158), BACK)
# From the first run of a fault that lasts to the first one after it.
BLIND = ((45, 48), (100, 108), (150, 158))
KILLED = frozenset(range(20, 264, 25))
MOST_FILES_A_RUN, MOST_KB_A_RUN = 5.0, 60.0  # once runs expire: elements grow until day 90
MOST_MB = 150.0  # by which the process may grow after its first twenty runs


class Seen(NamedTuple):
    """What was to be seen after a run."""

    decision: str
    epoch_age_h: float  # of /metrics
    health: str
    historic: bool
    told: tuple[str, ...]  # kinds of messages that arrived, but those of conjunctions
    store_kb: float
    files: int
    memory_mb: float


def main() -> int:
    """Rehearse, print what was seen, and return the number of checks that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=264)
    parser.add_argument("--one", type=int, help="make this run only (for a process that is killed)")
    parser.add_argument("--store", type=Path)
    parser.add_argument("--url", help="of the source")
    chosen = parser.parse_args()
    if chosen.one is not None:
        print("begun", flush=True)
        make_run(settings_of(chosen.store, chosen.url), chosen.one)
        return 0
    with TemporaryDirectory() as folder:
        seen = rehearsed(Path(folder) / "store", chosen.runs)
        found = [check(part) for part in parts(Path(folder) / "store")]
    return failed_checks(seen, sum(bool(one and one.damage) for one in found))


def rehearsed(store: Path, count: int) -> list[Seen]:
    """Make the runs, and return what was to be seen after each."""
    chance, clock, seen = random.Random(5), Clock(FIRST), []
    logging.getLogger("skysieve").setLevel(logging.WARNING)
    with ExitStack() as until_done:
        source = until_done.enter_context(MisbehavingServer())
        receiver = until_done.enter_context(MisbehavingServer())
        receiver.answer = status("200 OK")
        settings = settings_of(store, source.url)
        numbers = catalogue_of(FIRST)["norad_id"][:FLEET].tolist()
        create_fleet(store, NewFleet("mine", tuple(map(FleetObject, numbers)), volume="sphere:20"), FIRST)
        alert_to(store, f"http://receiver.test:{receiver.port}/")
        client = None
        for number in range(count):
            clock.time = due(number)
            source.answer = answer_of(number)
            if number in KILLED:
                kill_a_run(settings, number, chance.uniform(2.0, 12.0))
            decision, run_id = make_run(settings, number)
            receiver.requests.clear()
            for later in (timedelta(minutes=5), INTERVAL / 2):
                clock.time = due(number) + later
                deliver_what_is_due(settings, means_of(store, clock))
            client = client or until_done.enter_context(serving(store, clock))
            wait_until_served(client, run_id)
            bodies = [json.loads(request.body) for request in receiver.requests]
            seen.append(seen_now(client, decision, bodies, store))
            if number % 20 == 0 or seen[-1].told or FAULTS.get(number):
                said = f"{number:4} {due(number):%Y-%m-%d %H}h {FAULTS.get(number, ''):13}"
                print(said, *seen[-1], flush=True)
    return seen


def wait_until_served(client: Any, run_id: str) -> None:
    wait_until(lambda: client.get("/runs/current").json()["run_id"] == run_id)


def due(number: int) -> datetime:
    return FIRST + number * INTERVAL


def settings_of(store: Path, url: str) -> FlowSettings:
    return FlowSettings(store=store, celestrak_url=url, workers=1, alerts_allow_private=True)


def catalogue_of(at: datetime) -> Any:
    return synthetic_catalogue(OBJECTS, 9, datetime64_us(at)).elements


def answer_of(number: int) -> Answer:
    """Return what the source answers at the time of a run."""
    fault = FAULTS.get(number, "")
    stream = io.StringIO()
    write_omm_csv(catalogue_of(due(number) - LAG - timedelta(days=10 if fault == BACK else 0)), stream)
    whole = stream.getvalue().encode()
    return {
        DOWN: status("503 Service Unavailable"),
        HTML: text(b"<!DOCTYPE html><html><body>Back soon</body></html>"),
        EMPTY: text(b""),
        CUT: text(whole[: len(whole) // 2]),
    }.get(fault, text(whole))


def make_run(settings: FlowSettings, number: int) -> tuple[str, str]:
    """Make a run at its time, as the flow does; return what was decided about its catalogue, and its id."""
    now = due(number)

    class ThatTime(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return now

    runs.datetime = fleet_looks.datetime = ThatTime  # type: ignore[attr-defined,misc]
    attempt = begin_attempt(settings.store, now, settings.source, "fetch")
    source = fetch_catalogue(settings.source, settings, now, Web(wait=lambda _seconds: None))
    present = shows_the_present(settings.store)
    # The objects are synthetic, but this rehearses a store of real ones.
    source.content.elements["name"] = [f"REHEARSED {one}" for one in source.content.elements["norad_id"]]
    request = runs.Request(None, HOURS, THRESHOLD_KM, may_be_historic=not present)
    silent = runs.Reporter(lambda _name: None, lambda _plan: None, lambda _done, _of: None)
    outcome = runs.run_catalogue(source, request, settings, runs.Stages(silent.stage), silent)
    fleet_look(outcome, settings)
    note_published(settings, outcome.run_id, now)
    end_attempt(settings.store, attempt, now, "published", decision=source.decision, run_id=outcome.run_id)
    return source.decision, outcome.run_id


def kill_a_run(settings: FlowSettings, number: int, after_s: float) -> None:
    """Begin a run in a process of its own, and kill it if it does not end before."""
    command = [sys.executable, __file__, "--one", str(number), "--store", str(settings.store)]
    with subprocess.Popen([*command, "--url", settings.celestrak_url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            process.kill()


def seen_now(client: Any, decision: str, bodies: list[dict[str, Any]], store: Path) -> Seen:
    figures = dict(
        line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if not line.startswith("#")
    )
    files = [path for path in store.rglob("*") if path.is_file()]
    return Seen(
        decision,
        float(figures["skysieve_newest_epoch_age_seconds"]) / 3600,
        client.get("/health").json()["element_sets"],
        figures["skysieve_run_historic"] != "0.0",
        tuple(body["type"] for body in bodies if not body["type"].startswith("conjunctions")),
        sum(path.stat().st_size for path in files) / 1e3,
        len(files),
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    )


def failed_checks(seen: list[Seen], damaged: int) -> int:
    """Print every check, and return how many failed."""
    checks = {"no file is damaged": damaged == 0, "no run is historic": not any(one.historic for one in seen)}
    # The run after a killed one may find that it has asked already.
    wrong = [
        n
        for n, one in enumerate(seen)
        if one.decision != ("last_good" if n in FAULTS else "downloaded")
        and not (n in KILLED and one.decision == "too_soon")
    ]
    checks[f"the last good catalogue is used for each fault, and for nothing else ({wrong})"] = not wrong
    told = [(number, kind) for number, one in enumerate(seen) for kind in one.told]
    expected = []
    for first, after in BLIND:
        if after < len(seen):
            expected += [(first + 2, "element_sets.old"), (after, "element_sets.recovered")]
    checks[f"each blindness and its end are told once, the first within 24 h and a run: {told}"] = (
        told == expected
    )
    old = [number for number, one in enumerate(seen) if one.health == "old"]
    shown = [number for first, after in BLIND for number in range(first + 2, min(after, len(seen)))]
    checks[f"/health says so all the time, and only then: {old}"] = old == shown
    if len(seen) > 200:
        from_, to, span = seen[160], seen[-1], len(seen) - 161
        files, kb = (to.files - from_.files) / span, (to.store_kb - from_.store_kb) / span
        checks[f"a run leaves {files:.1f} files of {MOST_FILES_A_RUN:g}"] = files <= MOST_FILES_A_RUN
        checks[f"and {kb:.1f} kB of {MOST_KB_A_RUN:g}"] = kb <= MOST_KB_A_RUN
        grown = to.memory_mb - seen[20].memory_mb
        checks[f"memory has grown by {grown:.0f} MB of {MOST_MB:g}"] = grown <= MOST_MB
    for said, holds in checks.items():
        print("ok    " if holds else "FAILED", said)
    return sum(not holds for holds in checks.values())


if __name__ == "__main__":
    began = time.monotonic()
    failed = main()
    if "--one" not in sys.argv:
        print(f"{time.monotonic() - began:.0f} s")
    sys.exit(bool(failed))
