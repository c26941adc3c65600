"""What the workers of a cluster can do: how many threads, how fast, with how much memory."""

import logging
import math
import time
from statistics import median

from distributed import Client, Future, wait

from flows.cluster.remote import Cluster
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.chosen_plan import Workers
from screening.search.all_pairs.rates import RATES
from screening.search.all_pairs.screen import screen_window

# An adaptive cluster has as many workers as tasks ask for: with fewer tasks it would never grow.
GROWS_TO_THREADS = 32
# A worker that is busy, or that compiles its kernels first, is taken to be like the others.
PATIENCE_S = 5.0
PIECE_OBJECTS, PIECE_S = 1000, 3600.0
FASTEST, SLOWEST, HALF = 20.0, 0.02, 0.5  # a piece so short may be measured far off

log = logging.getLogger("skysieve")


def capacity_of_workers(cluster: Cluster, elements: ElementArray, span: TimeWindow) -> Workers:
    """Return the threads of a cluster, for a plan.

    The speed of each worker is measured on a piece of the search. A cluster that had no workers when it was
    asked is taken to start them as tasks arrive.
    """
    info = cluster.client.scheduler_info(n_workers=-1)["workers"]
    threads = {address: int(worker["nthreads"]) for address, worker in info.items()}
    bytes_per_thread = min(
        (_bytes_per_thread(worker["memory_limit"], worker["nthreads"]) for worker in info.values()),
        default=math.inf,
    )
    told = _measured_speeds(cluster.client, list(threads), elements, span)
    speeds = [told.get(address, 1.0) for address, count in threads.items() for _ in range(count)]
    if cluster.starts_workers:
        speeds += [1.0] * (GROWS_TO_THREADS - len(speeds))
    slow = sum(speed < HALF for speed in told.values())
    if slow:
        log.info("%d of %d workers are less than half as fast as most: tasks are shorter", slow, len(told))
    return Workers(tuple(speeds or [1.0]), bytes_per_thread)


def _bytes_per_thread(memory_limit: int | None, threads: int) -> float:
    if not memory_limit:
        return math.inf
    return max(1.0, (memory_limit - RATES.worker_bytes) / threads)


def _measured_speeds(
    client: Client, addresses: list[str], elements: ElementArray, span: TimeWindow
) -> dict[str, float]:
    """Return the speeds of the workers that answer in time; 1 is that of half of them."""
    piece = elements[:: max(1, len(elements) // PIECE_OBJECTS)]
    pieces: dict[str, Future[float]] = {
        address: client.submit(
            timed_piece, piece, span, workers=[address], allow_other_workers=False, pure=False, priority=1
        )
        for address in addresses
    }
    try:
        wait(list(pieces.values()), timeout=PATIENCE_S)
    except TimeoutError:
        log.info("some workers do not answer yet: their speed is taken as that of the others")
    told = {address: one.result() for address, one in pieces.items() if one.status == "finished"}
    client.cancel(list(pieces.values()))
    usual_s = median(told.values()) if told else 1.0
    return {address: min(max(usual_s / seconds, SLOWEST), FASTEST) for address, seconds in told.items()}


def timed_piece(elements: ElementArray, span: TimeWindow) -> float:
    """Return the seconds of a short piece of a search, once its kernels are loaded."""
    seconds = []
    for _ in range(2):
        began_s = time.perf_counter()
        screen_window(elements, span, 0.0, min(PIECE_S, span.seconds), 1.0)
        seconds.append(time.perf_counter() - began_s)
    return min(seconds)
