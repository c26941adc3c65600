"""The dearest request of every route, and how long others wait meanwhile.

.venv/bin/python tests/benchmarks/bench_hostile.py [STORE]   default: a run of ../shared/data made for it

One credential asks for the worst that the service allows. The service is a process of its own on 127.0.0.1,
and gets one request at a time, so that CPU time and memory are that request's. Meanwhile /health is asked 20
times a second: what holds the interpreter shows there alone. Then floods: what a flood costs, and how long a
second credential, which asks for 100 events as often, waits while it lasts. STORE keeps what is posted.
"""

import argparse
import asyncio
import socket
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from typing import Any

import httpx
from hostile_requests import (
    OBJECTS_OF_A_FLEET,
    Dear,
    World,
    dear_requests,
    largest_analysis,
    many_names,
)
from measured import machine, write
from others import Asked, others
from service import Served, made_run, secret, serving

PATIENCE_S = 120.0
OTHERS_PER_SECOND = 20
UNREAD_PAGES = 60
IDLE_CONNECTIONS = 400
FEW_FILES = 256
ANALYSES = 20


async def look_around(client: httpx.AsyncClient, bearer: dict[str, str], api_key: dict[str, str]) -> World:
    """Return what the dear requests need to know of the store."""
    rows = (await answered(client, "/conjunctions?limit=10000&order=miss_distance", bearer))["conjunctions"]
    numbers = [row[side] for row in rows for side in ("primary_norad_id", "secondary_norad_id")]
    run = await answered(client, "/runs/current", bearer)
    objects = sorted(set(numbers))[:1000]
    body = {"name": f"hostile {time.time_ns()}", "norad_ids": objects[:OBJECTS_OF_A_FLEET]}
    fleet = (await client.post("/fleets", headers=bearer, json=body)).raise_for_status().json()["id"]
    feed = (await client.post(f"/fleets/{fleet}/feeds", headers=bearer)).raise_for_status().json()
    return World(
        bearer,
        api_key,
        event=rows[0]["id"],
        objects=objects,
        crowded=statistics.mode(numbers),
        latest=shifted_days(run["window_end"], 29),
        fleet=fleet,
        feed=feed["atom"].partition("key=")[2],
    )


def shifted_days(moment: str, days: int) -> str:
    """Return a moment some days later."""
    return (datetime.fromisoformat(moment) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


async def answered(client: httpx.AsyncClient, path: str, headers: Mapping[str, str]) -> Any:
    """Return what a path answers as JSON."""
    return (await client.get(path, headers=headers)).raise_for_status().json()


async def table_of_routes(service: Served, client: httpx.AsyncClient, world: World) -> str:
    """Send each dear request alone, and return what it took; every documented route must be among them."""
    document = (await client.get("/openapi.json")).raise_for_status().json()
    documented = {
        f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods
    }
    requests = dear_requests(world)
    missing = documented - {dear.route for dear in requests}
    if missing:
        raise SystemExit(f"no request is known for {', '.join(sorted(missing))}")
    lines = [
        "| route | request | status | CPU-s | bytes | memory, MB | /health: p99, ms | longest, ms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for dear in requests:
        content = dear.content and dear.content()
        resident, cpu_s = service.resident_mb(), service.cpu_s()
        service.forget_peak()
        with others(service.url, OTHERS_PER_SECOND, [Asked("/health", {})]) as waits:
            status, size = await drained(client, dear, content, world)
            await asyncio.sleep(0.5)  # what takes no time is measured by some requests, too
        took, grown = service.cpu_s() - cpu_s, max(service.peak_mb() - resident, 0.0)
        _, p99_ms, longest_ms = waits.milliseconds()
        figures = f"{took:.2f} | {size:,} | {grown:.0f} | {p99_ms:.0f} | {longest_ms:.0f}"
        lines.append(f"| {dear.route} | {dear.what} | {status} | {figures} |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


async def drained(
    client: httpx.AsyncClient, dear: Dear, content: bytes | None, world: World
) -> tuple[int, int]:
    """Send a request, read its answer, and return the status and the bytes of the body as they were sent."""
    headers = {"Accept-Encoding": "identity", **world.bearer, **dear.headers}
    if dear.headers.get("X-API-Key"):
        headers.pop("Authorization")
    method = dear.route.partition(" ")[0]
    size = 0
    async with client.stream(method, dear.path, headers=headers, json=dear.json, content=content) as answer:
        async for piece in answer.aiter_raw():
            size += len(piece)
    return answer.status_code, size


Flood = Callable[[Served, httpx.AsyncClient, World], Awaitable[str]]


async def flood_of_names(_service: Served, client: httpx.AsyncClient, world: World) -> str:
    """Send 20 requests of 63 kB of distinct names, one behind the other."""
    path = "/conjunctions?" + many_names(63_000)
    answers = [await client.get(path, headers=world.bearer) for _ in range(20)]
    return statuses(answers) + f", {max(len(answer.content) for answer in answers):,} bytes at most"


async def flood_of_positions(_service: Served, client: httpx.AsyncClient, world: World) -> str:
    """Ask at once for all positions at 40 instants far from the epochs."""
    first = world.latest.partition("T")[0]
    paths = [f"/positions?at={first}T{k // 60:02d}:{k % 60:02d}:01Z" for k in range(40)]
    return statuses(await asyncio.gather(*(client.get(path, headers=world.api_key) for path in paths)))


async def flood_of_analyses(_service: Served, client: httpx.AsyncClient, world: World) -> str:
    """Ask at once for the largest full analyses of as many objects."""
    asked = [
        client.post(
            "/conjunctions/analyze/full",
            headers=world.bearer,
            json=largest_analysis(number),
        )
        for number in world.objects[:ANALYSES]
    ]
    answers = await asyncio.gather(*asked)
    total = (await answered(client, "/conjunctions?limit=1", world.bearer))["total"]
    return statuses(answers) + f", {total:,} events are listed afterwards"


async def unread_pages(service: Served, client: httpx.AsyncClient, world: World) -> str:
    """Ask for 10,000 rows on many connections, and read nothing."""
    host, port = client.base_url.host, client.base_url.port
    service.forget_peak()
    async with AsyncExitStack() as open_ones:
        for _ in range(UNREAD_PAGES):
            connection = socket.socket()
            open_ones.callback(connection.close)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((host, port))
            lines = "GET /conjunctions?limit=10000 HTTP/1.1", "Host: 127.0.0.1"
            lines += (f"Authorization: {world.bearer['Authorization']}", "", "")
            connection.sendall("\r\n".join(lines).encode())
        await asyncio.sleep(20)  # as long as they are left unread
        peak = service.peak_mb()
    await asyncio.sleep(5)
    return f"{UNREAD_PAGES} pages of 10,000 rows: at most {peak:.0f} MB, then {service.resident_mb():.0f} MB"


async def idle_connections(service: Served, client: httpx.AsyncClient, _world: World) -> str:
    """Open connections and send nothing on them; a new connection must still be answered."""
    host, port = client.base_url.host, client.base_url.port
    async with AsyncExitStack() as open_ones:
        refused = 0
        for _ in range(IDLE_CONNECTIONS):
            connection = socket.socket()
            open_ones.callback(connection.close)
            connection.settimeout(5)
            try:
                connection.connect((host, port))
            except OSError:
                refused += 1
        begun = time.perf_counter()
        async with httpx.AsyncClient(base_url=service.url, timeout=PATIENCE_S) as newcomer:
            (await newcomer.get("/health")).raise_for_status()
        return (
            f"{IDLE_CONNECTIONS} idle connections ({refused} refused); a new one is answered after "
            f"{1e3 * (time.perf_counter() - begun):.0f} ms"
        )


def statuses(answers: list[httpx.Response]) -> str:
    """Return how many answers had which status."""
    codes = [answer.status_code for answer in answers]
    return ", ".join(f"{codes.count(code)} x {code}" for code in sorted(set(codes)))


FLOODS: dict[str, Flood] = {
    "distinct parameters": flood_of_names,
    "positions far from the epochs": flood_of_positions,
    "the largest analyses": flood_of_analyses,
    "unread pages": unread_pages,
    "idle connections": idle_connections,
}


async def table_of_floods(
    service: Served, client: httpx.AsyncClient, world: World, other: dict[str, str]
) -> str:
    """Run each flood while a second credential asks; return what it cost and how long the other waited."""
    lines = [
        "| flood | answers | CPU-s | others: p50, ms | p99, ms | longest, ms |",
        "|---|---|---|---|---|---|",
    ]
    for name, flood in FLOODS.items():
        cpu_s = service.cpu_s()
        with others(service.url, OTHERS_PER_SECOND, [Asked("/conjunctions?limit=100", other)]) as waits:
            what = await flood(service, client, world)
            await asyncio.sleep(3)  # what a flood leaves behind is met by the others, too
        if waits.failures:
            what += f"; the others failed: {waits.failures[:3]}"
        figures = " | ".join(f"{wait:.0f}" for wait in waits.milliseconds())
        lines.append(f"| {name} | {what} | {service.cpu_s() - cpu_s:.1f} | {figures} |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


async def measure(service: Served, store: str) -> str:
    """Return both tables."""
    bearer = {"Authorization": f"Bearer {secret(store, 'bearer', 'hostile')}"}
    api_key = {"X-API-Key": secret(store, "api-key", "hostile")}
    other = {"Authorization": f"Bearer {secret(store, 'bearer', 'another')}"}
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=service.url, timeout=PATIENCE_S, limits=limits) as client:
        world = await look_around(client, bearer, api_key)
        await answered(client, "/positions?limit=1", api_key)  # kernels and objects are there
        routes = await table_of_routes(service, client, world)
        floods = await table_of_floods(service, client, world, other)
    return f"{machine()}.\n\n{routes}\n{floods}"


def main() -> None:
    """Make a run if none is given, serve it with few open files, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("store", nargs="?", help="default: a run of ../shared/data made for it")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = arguments.store or made_run(folder)
        with serving(store, open_files=FEW_FILES) as service:
            text = asyncio.run(measure(service, store))
    if arguments.write:
        write("hostile", text)


if __name__ == "__main__":
    main()
