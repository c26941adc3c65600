"""Latency and memory of the HTTP service on a store, with 100 requests a second from this process.

.venv/bin/python tests/benchmarks/bench_http.py [STORE]      default: a run of ../shared/data made for it

Requests are sent on a fixed schedule, whether or not the ones before are answered, for 10 s each kind, to a
server of its own on 127.0.0.1. Both share the machine's cores.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time

import httpx
from service import made_run, secret, serving

PER_SECOND, SECONDS = 100, 10


async def latencies_ms(client: httpx.AsyncClient, urls: list[str], per_second: float) -> list[float]:
    """Request each address on schedule and return how long the answers took, from the scheduled instant."""
    begun = time.perf_counter()

    async def one(number: int, url: str) -> float:
        due = begun + number / per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        answer = await client.get(url)
        answer.raise_for_status()
        return 1e3 * (time.perf_counter() - due)

    return list(await asyncio.gather(*(one(number, url) for number, url in enumerate(urls))))


async def measure(address: str, store: str) -> None:
    """Print the latencies of every kind of request."""
    headers = {
        "Authorization": f"Bearer {secret(store, 'bearer')}",
        "X-API-Key": secret(store, "api-key"),
    }
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=30.0) as client:
        some = (await client.get("/conjunctions?limit=10000")).json()["conjunctions"]
        numbers = [event["primary_norad_id"] for event in some]
        count = PER_SECOND * SECONDS
        draw = random.Random(1)
        # Each at an instant of its own, so that no answer is kept from before.
        instants = [f"/positions?at=2024-11-01T{k // 60 % 24:02d}:{k % 60:02d}:00Z" for k in range(40)]
        kinds = {
            "100 events": (["/conjunctions?limit=100"] * count, PER_SECOND),
            "100 events of one object": (
                [f"/conjunctions?limit=100&norad_id={draw.choice(numbers)}" for _ in range(count)],
                PER_SECOND,
            ),
            "100 positions": ([f"{instant}&limit=100" for instant in instants], 10),
            "all positions": (instants, 2),
            "all positions, the same second": ([instants[0]] * 200, 20),
        }
        for kind, (urls, per_second) in kinds.items():
            measured = await latencies_ms(client, urls, per_second)
            p99 = statistics.quantiles(measured, n=100)[98]
            median = statistics.median(measured)
            print(f"{kind:<32} p50 {median:7.1f} ms   p99 {p99:7.1f} ms   {len(measured)} requests")
        begun, as_csv = time.perf_counter(), await client.get("/conjunctions", headers={"Accept": "text/csv"})
        took = time.perf_counter() - begun
        print(f"{'all events as CSV':<32} {took:11.1f} s    {len(as_csv.content) / 1e6:.0f} MB")


def main() -> None:
    """Make a run if none is given, serve it, and measure."""
    with tempfile.TemporaryDirectory() as folder:
        store = sys.argv[1] if len(sys.argv) > 1 else made_run(folder)
        with serving(store) as service:
            asyncio.run(measure(service.url, store))
            print(f"memory {service.resident_mb():.0f} MB, at most {service.peak_mb():.0f} MB")


if __name__ == "__main__":
    main()
