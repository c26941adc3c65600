"""24 runs, one every six hours, with the clock and CelesTrak faked: what is decided, and what becomes of it.

Half the objects of a real catalogue get a new element set between two runs, which errs as real ones do.
"""

import io
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from flows.runs.attempt import remember_skipped
from flows.runs.run import Request, prepare, remove_expired
from flows.scheduled.due_times import why_skipped
from flows.settings import FlowSettings
from flows.sources.catalogues import fetch_catalogue
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from storage.disk.current import newest_start
from storage.reading.known_objects import known_objects
from storage.reading.newest_run import connect
from storage.state.database import newest_attempts
from tests.flows.misbehaving_server import Answer, MisbehavingServer, tagged, text
from tests.runs import screen_and_publish

pytestmark = pytest.mark.slow

RUNS, INTERVAL = 24, timedelta(hours=6)
FIRST_DUE = datetime(2024, 11, 1, 6, tzinfo=UTC)
HOURS, THRESHOLD_KM = 24.0, 50.0
CHANGED_SHARE = 0.5
LOW_REV_DAY = 11.5
EPOCH_JD, FIRST_EPOCH_DAY, MINUTES_A_DAY = 2460615.5, 0.0, 1440.0  # 2024-11-01
# 120 m and, after a day, 1 km along an orbit of 7,000 km.
ANGLE_ERROR_DEG, MOTION_ERROR_REV_DAY = 0.001, 2.3e-5
# Of the runs whose source or clock is not as usual: what happens, and what must be decided.
UNCHANGED, BROKEN, SHRUNK, LATE, TOO_LATE = "unchanged", "broken", "shrunk", "late", "too late"
TROUBLE = {4: UNCHANGED, 7: BROKEN, 8: BROKEN, 11: SHRUNK, 14: LATE, 17: TOO_LATE, 20: UNCHANGED, 22: SHRUNK}
DECISIONS = {UNCHANGED: "unchanged", BROKEN: "last_good", SHRUNK: "last_good", LATE: "downloaded"}
LATENESS = {LATE: timedelta(hours=5), TOO_LATE: timedelta(hours=7)}
# Of an encounter whose two objects have new element sets, the TCA moves by seconds.
SAME_ENCOUNTER_S = 60.0

Event = tuple[int, int, datetime, int]  # two objects, TCA, id


class Seen(NamedTuple):
    """What one due run led to."""

    due: datetime
    decision: str
    events: list[Event]
    own: float  # share of the events whose covariances both are
    disk_kb: float


@pytest.fixture(scope="module")
def sets(catalogue_lines: list[str]) -> ElementArray:
    """Element sets (objects, RUNS) of low orbits without drag, half of them new at each run."""
    elements = parse_catalogue("\n".join(catalogue_lines).encode()).elements
    truth = elements[elements["mean_motion_rev_day"] > LOW_REV_DAY]
    truth["bstar_per_earth_radius"] = 0.0
    random = np.random.default_rng(5)
    fitted = np.stack([fitted_at(truth, number, random) for number in range(RUNS)], axis=1)
    for number in range(1, RUNS):
        old = random.random(len(truth)) > CHANGED_SHARE
        fitted[old, number] = fitted[old, number - 1]
    return fitted


def fitted_at(truth: ElementArray, number: int, random: np.random.Generator) -> ElementArray:
    """Return element sets with epochs in the six hours before a run, with errors of some hundred metres.

    Without drag, SGP4's mean elements move at constant rates, which it has computed.
    """
    new = truth.copy()
    day = FIRST_EPOCH_DAY + (number + random.random(len(truth))) * (INTERVAL / timedelta(days=1))
    new["epoch_jd"], new["epoch_day_fraction"] = EPOCH_JD + np.floor(day), day % 1.0
    records = satrecs(truth)
    minutes = (
        (new["epoch_jd"] - truth["epoch_jd"]) + (day % 1.0 - truth["epoch_day_fraction"])
    ) * MINUTES_A_DAY
    for angle, speed in (("raan_deg", "nodedot"), ("argument_of_perigee_deg", "argpdot"),
                        ("mean_anomaly_deg", "mdot")):  # fmt: skip
        moved = np.degrees(np.array([getattr(record, speed) for record in records])) * minutes
        new[angle] = (truth[angle] + moved + random.normal(0.0, ANGLE_ERROR_DEG, len(truth))) % 360.0
    new["mean_motion_rev_day"] += random.normal(0.0, MOTION_ERROR_REV_DAY, len(truth))
    return new


@pytest.fixture(scope="module")
def seen(sets: ElementArray, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Seen]]:
    """The store after all runs, and what each of them led to."""
    store = tmp_path_factory.mktemp("days") / "store"
    found = []
    with MisbehavingServer() as server:
        settings = FlowSettings(store=store, celestrak_url=server.url, retention_days=3)
        for number in range(RUNS):
            due = FIRST_DUE + number * INTERVAL
            trouble = TROUBLE.get(number, "")
            if trouble != UNCHANGED:
                server.answer = answer(trouble, sets[:, number], number)
            now = due + LATENESS.get(trouble, timedelta(seconds=5))
            let_the_analyst_files_age(store)
            before_kb = disk_kb(store)
            decision = make_if_due(settings, due, now)
            found.append(Seen(due, decision, *what_is_shown(store), disk_kb(store) - before_kb))
    return store, found


def answer(trouble: str, elements: ElementArray, number: int) -> Answer:
    if trouble == BROKEN:
        return text(b"<!DOCTYPE html><html><body>Back soon</body></html>")
    stream = io.StringIO()
    write_omm_csv(elements[: len(elements) * 4 // 5] if trouble == SHRUNK else elements, stream)
    return tagged(stream.getvalue().encode(), f'"{number}"')


def make_if_due(settings: FlowSettings, due: datetime, now: datetime) -> str:
    """Make the run that was due, as the flow does; return what was decided."""
    reason = why_skipped(due, now, INTERVAL, newest_start(settings.store))
    if reason is not None:
        remember_skipped(settings, reason, now)
        return "skipped"
    source = fetch_catalogue("celestrak", settings, now)
    prepared = prepare(source, Request(None, HOURS, THRESHOLD_KM), settings.store, now)
    screen_and_publish(prepared, known_objects(settings.store, source.content.elements), settings.store)
    assert remove_expired(settings, now) == ""
    return source.decision


def what_is_shown(store: Path) -> tuple[list[Event], float]:
    with connect(store) as connection:
        events = connection.execute(
            "SELECT primary_norad_id, secondary_norad_id, tca, event_id FROM conjunctions "
            "WHERE relative_speed_m_s >= 10"
        ).fetchall()
        ((own,),) = connection.execute(
            "SELECT avg(CASE WHEN primary_covariance_source = 'own' AND "
            "secondary_covariance_source = 'own' THEN 1 ELSE 0 END) FROM conjunctions"
        ).fetchall()
    return events, own


def let_the_analyst_files_age(store: Path) -> None:
    """Put back when they were written by six hours: a replaced one stays for seconds of the true clock."""
    for path in (store / "shown").glob("*.duckdb"):
        written = path.stat().st_mtime - 6 * 3600.0
        os.utime(path, (written, written))


def disk_kb(store: Path) -> float:
    return sum(path.lstat().st_size for path in store.rglob("*") if path.is_file()) / 1e3


def test_the_right_thing_is_decided_each_time(seen: tuple[Path, list[Seen]]) -> None:
    store, runs = seen
    expected = [
        "skipped" if TROUBLE.get(number) == TOO_LATE else DECISIONS.get(TROUBLE.get(number, ""), "downloaded")
        for number in range(RUNS)
    ]
    expected[15] = "too_soon"  # the late run before it has asked an hour ago
    assert [run.decision for run in runs] == expected
    (skipped,) = newest_attempts(store, RUNS)
    assert (skipped.outcome, skipped.reason) == (
        "skipped",
        "It was due at 2024-11-05T12:00:00Z; a later run has come due since.",
    )
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchall() == [(RUNS - 1,)]


def test_an_encounter_that_goes_on_keeps_its_id(seen: tuple[Path, list[Seen]]) -> None:
    """Going on is told here by the nearest TCA of the same pair alone."""
    continuing = kept = 0
    for before, after in zip(seen[1], seen[1][1:], strict=False):
        if after.decision == "skipped":
            continue
        later: dict[tuple[int, int], list[Event]] = {}
        for event in after.events:
            later.setdefault(pair(event), []).append(event)
        for event in before.events:
            near = [
                (abs((other[2] - event[2]).total_seconds()), other[3]) for other in later.get(pair(event), [])
            ]
            if near and min(near)[0] < SAME_ENCOUNTER_S:
                continuing += 1
                kept += min(near)[1] == event[3]
    print(f"{kept:,} of {continuing:,} encounters that go on keep their id")  # noqa: T201
    assert continuing > 5_000
    assert kept >= 0.999 * continuing


def pair(event: Event) -> tuple[int, int]:
    return min(event[:2]), max(event[:2])


def test_no_id_is_given_twice(seen: tuple[Path, list[Seen]]) -> None:
    owners: dict[int, set[tuple[int, int]]] = {}
    for run in seen[1]:
        assert len({event[3] for event in run.events}) == len(run.events)
        for event in run.events:
            owners.setdefault(event[3], set()).add(pair(event))
    assert {len(pairs) for pairs in owners.values()} == {1}


def test_covariances_of_their_own_appear_as_history_grows(seen: tuple[Path, list[Seen]]) -> None:
    shares = [run.own for run in seen[1]]
    print("share of events with covariances of their own:", [f"{share:.2f}" for share in shares])  # noqa: T201
    assert shares[3] == 0.0
    assert shares[-1] > 0.3  # a factor is at its floor for the others, which is no more than the law


def test_the_disk_grows_evenly_and_old_runs_shrink(seen: tuple[Path, list[Seen]]) -> None:
    grown = [run.disk_kb for run in seen[1]]
    print("growth of the store, kB:", [round(one) for one in grown])  # noqa: T201
    made = [run.disk_kb for run in seen[1] if run.decision != "skipped"]
    assert max(made[1:]) < made[0], "what is known is not stored again"
    assert sum(made[16:]) < sum(made[1:9]), "rows of runs older than three days go"
