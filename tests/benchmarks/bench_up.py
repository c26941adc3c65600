"""How soon `skysieve up` is of use on an empty store, and what it keeps in memory.

    .venv/bin/python tests/benchmarks/bench_up.py [CATALOGUE]

With the catalogue as its source and compiled kernels. Memory is the proportional set size of all its
processes, in which what several share counts once: while nothing happens, a minute after the first run.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import psutil
from measured import REAL_CATALOGUE, REPOSITORY, machine, write

LONGEST_S = 180.0
SETTLED_AFTER_S = 60.0


def memory_mb(process: int) -> dict[str, float]:
    """Return the proportional set size of a process and of all below it, by command."""
    sizes: dict[str, float] = {}
    group = psutil.Process(process)
    for one in [group, *group.children(recursive=True)]:
        words = (word for word in one.cmdline()[1:5] if not word.startswith("/") and not word.isdigit())
        name = " ".join(word for word in words if word not in ("-m", ""))
        sizes[name] = sizes.get(name, 0.0) + one.memory_full_info().pss / 1e6
    return sizes


def seconds_until(address: str, began: float) -> float:
    """Return when an address was first answered with success."""
    while time.perf_counter() < began + LONGEST_S:
        try:
            if httpx.get(address).is_success:
                return time.perf_counter() - began
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError(f"{address} does not answer")


def main() -> None:
    """Start everything, look at it, end it."""
    catalogue = Path(sys.argv[1]) if len(sys.argv) > 1 else REAL_CATALOGUE
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as store:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "skysieve", "up", "--source", str(catalogue), "--store", f"{store}/store"],
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "SKYSIEVE_PORT": str(port)},
            stderr=subprocess.DEVNULL,
        )
        try:
            up_s = seconds_until(f"http://127.0.0.1:{port}/health", began)
            ready_s = seconds_until(f"http://127.0.0.1:{port}/ready", began)
            time.sleep(SETTLED_AFTER_S)
            sizes = memory_mb(process.pid)
        finally:
            asked = time.perf_counter()
            process.send_signal(signal.SIGTERM)
            process.wait()
    ended_s = time.perf_counter() - asked
    rows = [f"| {name} | {size:.0f} |" for name, size in sizes.items()]
    text = (
        f"{catalogue.name}, empty store; {machine()}. The HTTP service answers after {up_s:.1f} s, the first "
        f"run is served after {ready_s:.1f} s, all has ended {ended_s:.1f} s after SIGTERM.\n\n"
        "| process | memory at rest, MB |\n|---|---|\n"
        + "\n".join(rows)
        + f"\n| all | {sum(sizes.values()):.0f} |\n"
    )
    print(text)
    write("up", text)


if __name__ == "__main__":
    main()
