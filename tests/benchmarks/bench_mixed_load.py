"""Ten minutes of mixed load with three publications, while one credential does its worst within its limits.

.venv/bin/python tests/benchmarks/bench_mixed_load.py [STORE] [--minutes 10]

Forty requests a second of four credentials, over lists, single events, geometries, positions and the run. The
offender has the limits that every credential has; it analyses, downloads, asks for positions far away, leaves
pages unread and connections idle, all at once and all the time. Runs are published by `skysieve screen`.
"""

import argparse
import asyncio
import itertools
import shutil
import socket
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import httpx
from bench_hostile import World, answered, largest_analysis, look_around
from measured import REAL_CATALOGUE, machine, write
from others import Asked, others
from service import Served, command, made_run, secret, serving

PER_SECOND, CREDENTIALS, PUBLICATIONS = 40, 4, 3
OFFENDERS = 8  # requests of the offender under way at a time
UNREAD, IDLE = 20, 50
SETTLED_AFTER_S = 90.0


def polite_requests(world: World, bearer: dict[str, str], api_key: dict[str, str]) -> list[Asked]:
    """Return what one credential of each kind asks for, as people and programs do."""
    some = ",".join(map(str, world.objects[:20]))
    return [
        Asked("/conjunctions?limit=100", bearer),
        Asked(f"/conjunctions?norad_id={world.crowded}", bearer),
        Asked(f"/conjunctions/{world.event}", bearer),
        Asked("/runs/current", bearer),
        Asked(f"/positions?norad_id={world.crowded}", api_key),
        Asked("/conjunctions?risk_level=critical", bearer),
        Asked(f"/conjunctions/{world.event}/geometry", bearer),
        Asked("/positions?limit=100", api_key),
        Asked(f"/conjunctions?norad_id={some}", bearer),
        Asked("/proximities", bearer),
    ]


async def offend(service: Served, world: World, answers: Counter[int]) -> None:
    """Send the dearest requests, several at a time, until cancelled; refusals are what they are for."""
    numbers, seconds = itertools.cycle(world.objects), itertools.count()

    async def one_after_another(client: httpx.AsyncClient) -> None:
        for second in seconds:
            at = f"{world.latest[:14]}{second // 60 % 60:02d}:{second % 60:02d}Z"
            requests = [
                client.build_request(
                    "POST",
                    "/conjunctions/analyze/full",
                    headers=world.bearer,
                    json=largest_analysis(next(numbers)),
                ),
                client.build_request("GET", "/conjunctions?limit=10000", headers=world.bearer),
                client.build_request("GET", f"/positions?at={at}", headers=world.api_key),
                client.build_request("GET", "/conjunctions", headers={**world.bearer, "Accept": "text/csv"}),
            ]
            for request in requests:
                try:
                    answer = await client.send(request)
                    answers[answer.status_code] += 1
                except httpx.HTTPError:
                    answers[0] += 1

    async with httpx.AsyncClient(base_url=service.url, timeout=60.0) as client:
        await asyncio.gather(*(one_after_another(client) for _ in range(OFFENDERS)))


def unread_and_idle(service: Served, world: World) -> list[socket.socket]:
    """Open connections that read nothing of a long answer, and some that ask for nothing."""
    url = httpx.URL(service.url)
    request = (
        "GET /conjunctions?limit=10000 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: {world.bearer['Authorization']}\r\n\r\n"
    )
    connections = []
    for number in range(UNREAD + IDLE):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(5)
        try:
            connection.connect((url.host, url.port))
            if number < UNREAD:
                connection.sendall(request.encode())
        except OSError:
            connection.close()  # refused, as it may be
        else:
            connections.append(connection)
    return connections


async def publish_runs(store: str, seconds: float) -> None:
    """Publish runs, spread evenly over a time."""
    for _ in range(PUBLICATIONS):
        await asyncio.sleep(seconds / (PUBLICATIONS + 1))
        screen = command("screen", str(REAL_CATALOGUE), "--start", "2024-11-01T00:00:00Z", "--store", store)
        await asyncio.to_thread(
            subprocess.run, screen, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )


async def measure(service: Served, store: str, minutes: float) -> str:
    """Return what was measured, as a table."""
    bearer = {"Authorization": f"Bearer {secret(store, 'bearer', 'offender', None)}"}
    api_key = {"X-API-Key": secret(store, "api-key", "offender", None)}
    asked: list[Asked] = []
    async with httpx.AsyncClient(base_url=service.url, timeout=60.0) as client:
        world = await look_around(client, bearer, api_key)
        for number in range(CREDENTIALS):
            polite = f"polite {number}"
            asked += polite_requests(
                world,
                {"Authorization": f"Bearer {secret(store, 'bearer', polite)}"},
                {"X-API-Key": secret(store, "api-key", polite)},
            )
        for one in asked:  # everything has been asked once: kernels, objects, allocators
            await answered(client, one.path, one.headers)
    before_mb = service.resident_mb()
    service.forget_peak()
    answers: Counter[int] = Counter()
    with others(service.url, PER_SECOND, asked) as waits:
        offending = asyncio.ensure_future(offend(service, world, answers))
        publishing = asyncio.ensure_future(publish_runs(store, 60 * minutes))
        rounds, left_open = max(int(minutes), 1), []
        for _ in range(rounds):
            left_open += unread_and_idle(service, world)
            await asyncio.sleep(60 * minutes / rounds)
        await publishing
        offending.cancel()
        await asyncio.gather(offending, return_exceptions=True)
        for connection in left_open:
            connection.close()
    peak_mb = service.peak_mb()
    await asyncio.sleep(SETTLED_AFTER_S)
    p50, p99, longest = waits.milliseconds()
    given = ", ".join(f"{count} x {status or 'cut off'}" for status, count in sorted(answers.items()))
    failed = f"{len(waits.failures)} {'; '.join(waits.failures[:5])}".strip()
    return (
        f"{machine()}; {minutes:g} minutes, {PER_SECOND} requests a second of {CREDENTIALS} credentials, "
        f"{PUBLICATIONS} publications, one offender.\n\n"
        "| what | measured |\n|---|---|\n"
        f"| requests of the others | {len(waits.waits_s):,} |\n"
        f"| of them failed | {failed} |\n"
        f"| wait p50, p99, longest | {p50:.0f}, {p99:.0f}, {longest:.0f} ms |\n"
        f"| answers to the offender | {given} |\n"
        f"| memory before, at most, {SETTLED_AFTER_S:g} s after | "
        f"{before_mb:.0f}, {peak_mb:.0f}, {service.resident_mb():.0f} MB |\n"
    )


def main() -> None:
    """Serve a copy of a store, or a new one, and measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store", nargs="?", help="default: a run of ../shared/data made for it")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store")
        if arguments.store:
            shutil.copytree(arguments.store, store, symlinks=True)
        else:
            made_run(store)
        with serving(store) as service:
            text = asyncio.run(measure(service, store, arguments.minutes))
    print(text)
    if arguments.write:
        write("mixed load", text)


if __name__ == "__main__":
    main()
