"""What 100,000 received messages cost, beside a run of 130,000 events: imported, then listed.

    .venv/bin/python tests/benchmarks/bench_messages.py [--count 100000] [--rounds 200]

The messages are real ones of NASA CARA with the objects and TCAs of the run's events, a hundred in a file.
`skysieve messages import` takes the folder, then once more; then the service lists 100 messages and 100
events in turn, one request at a time. docs/performance.md has the result.
"""

import argparse
import random
import re
import statistics
import time
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb
import httpx
from measured import REAL_CATALOGUE, SKYSIEVE, Used, command, machine, write
from service import made_run, secret, serving

CARA = REAL_CATALOGUE.parent / "cdm"
IN_A_FILE = 100


class Waits(NamedTuple):
    """How long answers took, ms."""

    p50: float
    p99: float


def write_messages(folder: Path, store: str, count: int) -> None:
    """Write messages about events of a run."""
    with duckdb.connect(Path(store) / "skysieve.duckdb", read_only=True) as connection:
        events = connection.execute(
            "SELECT primary_norad_id, secondary_norad_id, tca FROM events ORDER BY event_id"
        ).fetchall()
    draw = random.Random(1)
    originals = [path.read_text() for path in sorted(CARA.glob("0*.cdm"))]
    for first in range(0, count, IN_A_FILE):
        with (folder / f"{first:06d}.cdm").open("w") as file:
            for number in range(first, min(first + IN_A_FILE, count)):
                one, other, tca = draw.choice(events)
                moved = tca + timedelta(seconds=draw.gauss(0.0, 2.0))
                file.write(about(draw.choice(originals), number, moved.isoformat(), (one, other)))


def about(text: str, number: int, tca: str, pair: tuple[int, int]) -> str:
    """Return a message with another id, TCA and pair."""
    numbers = iter(pair)
    text = re.sub(r"(?m)^(MESSAGE_ID\s*=\s*).*$", rf"\g<1>{number}", text)
    text = re.sub(r"(?m)^(TCA\s*=\s*).*$", rf"\g<1>{tca}", text)
    text = re.sub(r"(?m)^(OBJECT_DESIGNATOR\s*=\s*).*$", lambda found: f"{found[1]}{next(numbers):09d}", text)
    return text.rstrip("\n") + "\n"


def waits(client: httpx.Client, urls: tuple[str, ...], rounds: int) -> list[Waits]:
    """Request the addresses in turn, and return how long each took."""
    took: list[list[float]] = [[] for _ in urls]
    for _ in range(rounds):
        for url, of_it in zip(urls, took, strict=True):
            begun = time.perf_counter()
            client.get(url).raise_for_status()
            of_it.append(1e3 * (time.perf_counter() - begun))
    return [Waits(statistics.median(of_it), statistics.quantiles(of_it, n=100)[98]) for of_it in took]


def imported(folder: Path, store: str) -> Used:
    return command(*SKYSIEVE, "messages", "import", folder, "--store", store)


def main() -> None:
    """Make the run and the messages, measure, and write the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with TemporaryDirectory() as made_in, TemporaryDirectory() as written_in:
        store, inbox = made_run(made_in), Path(written_in)
        write_messages(inbox, store, given.count)
        size_mb = sum(path.stat().st_size for path in inbox.iterdir()) / 1e6
        imports = [("the first time", imported(inbox, store)), ("again", imported(inbox, store))]
        kept_mb = sum(path.stat().st_size for path in (Path(store) / "messages").iterdir()) / 1e6
        with serving(store) as service:
            headers = {"Authorization": f"Bearer {secret(store, 'bearer')}"}
            with httpx.Client(base_url=service.url, headers=headers, timeout=60.0) as client:
                begun = time.perf_counter()
                page = client.get("/messages").raise_for_status().json()
                first_s = time.perf_counter() - begun
                one, number = page["messages"][0], page["messages"][0]["primary_norad_id"]
                urls = (
                    "/messages",
                    "/conjunctions",
                    f"/messages?norad_id={number}",
                    f"/conjunctions?norad_id={number}",
                    f"/messages/{one['id']}",
                )
                client.get("/conjunctions").raise_for_status()
                took = waits(client, urls, given.rounds)
            memory_mb = service.resident_mb()
    what = (
        f"{page['total']:,} messages of NASA CARA's form, {size_mb:,.0f} MB of text ({kept_mb:,.0f} MB in "
        f"the store), about events of a run of {REAL_CATALOGUE.name}; {machine()}.\n"
    )
    lines = [
        what,
        "| import | wall s | CPU-s | ms a message | peak GB |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {used.wall_s:.0f} | {used.cpu_s:.0f} | {1e3 * used.cpu_s / given.count:.2f} "
            f"| {used.peak_gb:.2f} |"
            for name, used in imports
        ),
        "",
        f"The first list after an import took {first_s:.1f} s; the service then held {memory_mb:.0f} MB.\n",
        "| 100 of a list, or one | p50, ms | p99, ms |",
        "|---|---|---|",
        *(
            f"| {name} | {each.p50:.1f} | {each.p99:.1f} |"
            for name, each in zip(
                (
                    "messages",
                    "events",
                    "messages of one object",
                    "events of one object",
                    "one message",
                ),
                took,
                strict=True,
            )
        ),
    ]
    write("received messages", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
