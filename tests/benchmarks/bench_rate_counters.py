"""Cost of counting a request in service.sqlite, at 100 requests a second of one credential.

.venv/bin/python tests/benchmarks/bench_rate_counters.py
"""

import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from storage.state.rate_counters import RateCounters

PER_SECOND, REQUESTS = 100, 20_000


def main() -> None:
    """Count requests as fast as possible, by a clock that says they come 100 a second."""
    with tempfile.TemporaryDirectory() as folder:
        counters = RateCounters.of_store(Path(folder))
        now = datetime.now(UTC)
        took_us = []
        begun_cpu_s = time.process_time()
        for _ in range(REQUESTS):
            now += timedelta(seconds=1 / PER_SECOND)
            begun_s = time.perf_counter()
            counters.take("credential 1", 1_000_000, lambda: now)  # noqa: B023 - called at once
            took_us.append(1e6 * (time.perf_counter() - begun_s))
        cpu_us = 1e6 * (time.process_time() - begun_cpu_s) / REQUESTS
        counters.close()
    percentiles = statistics.quantiles(took_us, n=1000)
    print(
        f"{cpu_us:.0f} us CPU a request; p50 {percentiles[499]:.0f} us, p99 {percentiles[989]:.0f} us, "
        f"p99.9 {percentiles[998]:.0f} us; {REQUESTS:,} requests"
    )


if __name__ == "__main__":
    main()
