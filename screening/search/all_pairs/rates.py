"""How long a run's pieces take and how large they are: the constants of its model, in one table.

`tests/benchmarks/bench_scaling.py --write` measures times, fits them anew and writes them here. CPU seconds
are those of one thread of the machine that docs/performance.md names; others are faster or slower as a whole.
"""

from typing import NamedTuple


class Rates(NamedTuple):
    """CPU seconds, wall seconds where that is said, and bytes."""

    # Of a task.
    near_state_s: float = 5.26e-08  # propagation to a knot, near the Earth
    deep_state_s: float = 7.49e-08  # in deep space
    object_s: float = 0.0  # an object of a task, however short its window
    interval_s: float = 2.45e-07  # an object and interval between knots
    low_zone: float = 0.738  # of what `layout.py` expects
    high_pair_s: float = 3.36e-12  # a pair of objects above the low zone, in an interval
    event_s: float = 1.21e-05  # its minimum, its final TCA and its rating
    task_s: float = 0.0119  # a task, whatever is in it
    # Of the process that starts the run, alone: wall seconds, since it publishes with two threads.
    start_s: float = 1.85  # starting, loading, an empty publication
    catalogue_object_s: float = 2.93e-05  # reading, knowledge, tables
    found_event_s: float = 8.97e-06  # its place in the order, its id, its publication
    # Beside it, in a thread of its own: CPU seconds.
    ephemeris_byte_s: float = 7.11e-09
    # Memory, bytes.
    task_object_bytes: float = 1700.0
    task_knot_bytes: float = 55.0  # an object and knot of a chunk
    task_event_bytes: float = 700.0  # an encounter, its copy in order, and what it becomes
    worker_bytes: float = 2.5e8  # a worker without a task
    process_bytes: float = 2.2e8  # the process that starts the run
    publication_bytes: float = 4.0e8  # in it, after the search
    catalogue_object_bytes: float = 2000.0
    found_event_bytes: float = 280.0  # what orders and identifies it
    # Sent and kept, bytes.
    sent_object_bytes: float = 104.0
    sent_event_bytes: float = 379.0
    stored_event_bytes: float = 810.0  # in the store, and once more until it is published
    stored_object_bytes: float = 300.0


RATES = Rates()
