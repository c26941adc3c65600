"""Latency of analyses on demand over HTTP, and how their events compare with those of the run.

.venv/bin/python tests/benchmarks/bench_analyses.py [--primaries 200]




"""

import argparse
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
from measured import REAL_CATALOGUE, machine, write
from service import made_run, secret, serving

from storage.reading.newest_run import connect

ISS, STARLINK = 25544, 44714
REPEATS = 15
LOW_REV_DAY = 11.25
SAME_ENCOUNTER = timedelta(minutes=10)
PATHS = {"quick": "/conjunctions/analyze", "full": "/conjunctions/analyze/full"}
# What an answer may differ by from the run, and in how many of a hundred events.
QUICK_S, QUICK_M, FULL_S, FULL_M = 0.1, 500.0, 0.01, 1.0


class Event(NamedTuple):
    """One event of a primary."""

    other: int
    tca: datetime
    miss_m: float


class Compared(NamedTuple):
    """How many events of the run were found again, within the tolerances."""

    events: int
    missing: int
    off: int


def ask(client: httpx.Client, mode: str, norad_id: int, hours: int = 24) -> tuple[float, list[Event]]:
    """Ask for an analysis; return how long it took, ms, and its events."""
    body = {"primary_norad_id": norad_id, "look_ahead_hours": hours, "threshold_km": 10}
    began = time.perf_counter()
    answer = client.post(PATHS[mode], json=body)
    took_ms = 1e3 * (time.perf_counter() - began)
    answer.raise_for_status()
    return took_ms, [
        Event(event["secondary_norad_id"], datetime.fromisoformat(event["tca"]), event["miss_distance_m"])
        for event in answer.json()["events"]
    ]


def stored(store: str) -> tuple[dict[int, list[Event]], set[int]]:
    """Return the run's fast events of each object, and the objects on low orbits."""
    events: dict[int, list[Event]] = {}
    with connect(Path(store)) as connection:
        rows = connection.execute(
            "SELECT primary_norad_id, secondary_norad_id, tca, miss_distance_m FROM conjunctions "
            "WHERE encounter = 'fast'"
        ).fetchall()
        low = connection.execute(
            "SELECT norad_id FROM elements WHERE mean_motion_rev_day > ? AND eccentricity < 0.25",
            [LOW_REV_DAY],
        ).fetchall()
    for one, other, tca, miss_m in rows:
        tca = tca.replace(tzinfo=UTC)
        events.setdefault(one, []).append(Event(other, tca, miss_m))
        events.setdefault(other, []).append(Event(one, tca, miss_m))
    return events, {norad_id for (norad_id,) in low}


def compared(expected: list[Event], found: list[Event], within: timedelta, within_m: float) -> Compared:
    """Look for each expected event among those found."""
    missing = off = 0
    for event in expected:
        same = [
            one for one in found if one.other == event.other and abs(one.tca - event.tca) < SAME_ENCOUNTER
        ]
        if not same:
            missing += 1
            continue
        nearest = min(same, key=lambda one: abs(one.tca - event.tca))
        off += abs(nearest.tca - event.tca) > within or abs(nearest.miss_m - event.miss_m) > within_m
    return Compared(len(expected), missing, off)


def latencies(client: httpx.Client) -> list[str]:
    """Ask the same again and again; return rows of a table."""
    rows = []
    for norad_id, name in ((ISS, "ISS"), (STARLINK, "a Starlink")):
        for mode, hours in (("quick", 24), ("full", 24), ("full", 168)):
            taken = [ask(client, mode, norad_id, hours)[0] for _ in range(REPEATS)]
            events = len(ask(client, mode, norad_id, hours)[1])
            middle, longest = statistics.median(taken), max(taken)
            rows.append(f"| {mode}, {hours} h, {name} | {middle:.0f} ms | {longest:.0f} ms | {events} |")
    return rows


def agreement(client: httpx.Client, store: str, primaries: int) -> list[str]:
    """Compare random primaries with the run; return rows of a table."""
    events, low = stored(store)
    chosen = np.random.default_rng(0).choice(sorted(events), primaries, replace=False).tolist()
    rows = []
    for mode, within_s, within_m in (("quick", QUICK_S, QUICK_M), ("full", FULL_S, FULL_M)):
        asked = [one for one in chosen if mode == "full" or one in low]
        taken, totals = [], [Compared(0, 0, 0)]
        for norad_id in asked:
            took_ms, found = ask(client, mode, norad_id)
            expected = [one for one in events[norad_id] if mode == "full" or one.other in low]
            taken.append(took_ms)
            totals.append(compared(expected, found, timedelta(seconds=within_s), within_m))
        all_events, missing, off = (sum(column) for column in zip(*totals, strict=True))
        rows.append(
            f"| {mode}, 24 h, {len(asked)} random primaries | {statistics.median(taken):.0f} ms "
            f"| {max(taken):.0f} ms | {all_events:,}; missing {missing}, more than {within_s:g} s or "
            f"{within_m:g} m off {off} |"
        )
    return rows


def main() -> None:
    """Make a run, serve it, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--primaries", type=int, default=200)
    given = parser.parse_args()
    if not REAL_CATALOGUE.exists():
        sys.exit(f"{REAL_CATALOGUE} is missing.")
    with tempfile.TemporaryDirectory() as store, serving(made_run(store)) as service:
        headers = {"Authorization": f"Bearer {secret(store, 'bearer')}"}
        with httpx.Client(base_url=service.url, headers=headers, timeout=60.0) as client:
            ask(client, "full", ISS)  # reads what analyses of this run rest on
            rows = [*latencies(client), *agreement(client, store, given.primaries)]
    text = (
        f"{REAL_CATALOGUE.name}, a run of 24 h at 10 km; one request after the other, from sending to "
        f"the whole answer; {machine()}.\n\n| analysis | p50 | slowest | events |\n|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )
    print(text)
    write("analyses", text)


if __name__ == "__main__":
    main()
