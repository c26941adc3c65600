"""What a run will take before it begins: time, memory, disk, what limits it, and whether it fits.

Tasks search in parallel. Starting, reading, and what is done for each object and for each event found is done
by the process that starts the run, alone, so it sets the time that no number of workers can shorten.
"""

import math
from typing import NamedTuple

from screening.errors import SkysieveError
from screening.search.all_pairs.chosen_plan import Planned, Workers, chosen_plan
from screening.search.all_pairs.population import Population, meetings
from screening.search.all_pairs.rates import RATES, Rates

GB = 1e9
# Through it all elements go out and all events come in: a slow Ethernet.
NETWORK_BYTES_S = 1.0e8
# Expected numbers of events are right within a quarter.
CERTAINLY_TOO_MANY = 1.5
_HALVINGS = 12


class DoesNotFit(SkysieveError):
    """A run needs more than there is; refused before it begins."""


class Machine(NamedTuple):
    """What the process that starts a run may use, and where its tasks run."""

    memory_bytes: float = math.inf  # available, and not yet used
    disk_bytes: float = math.inf
    remote: bool = False  # the tasks have the memory of other machines


class Forecast(NamedTuple):
    """The expected course of a run."""

    crowd: Population
    hours: float
    threshold_km: float
    threads: int
    planned: Planned
    sent_s: float  # over the network of the process that starts the run
    start_s: float  # in that process alone, whatever is found
    objects_s: float  # for all objects
    events_s: float  # for all events
    ephemeris_s: float  # by which the ephemeris delays a search on this machine
    worker_bytes: float  # of a worker with one thread; of a thread on this machine
    process_bytes: float  # of the process that starts the run, at most
    disk_bytes: float

    @property
    def objects(self) -> int:
        """Return how many objects are searched."""
        return self.crowd.objects

    @property
    def events(self) -> float:
        """Return how many events are expected."""
        return self.planned.events

    @property
    def search_cpu_s(self) -> float:
        """Return the CPU seconds of all tasks."""
        return sum(self.planned.seconds)

    @property
    def alone_s(self) -> float:
        """Return the seconds that no number of workers shortens."""
        return self.start_s + self.objects_s + self.events_s

    @property
    def published_s(self) -> float:
        """Return the seconds to the published run."""
        return self.alone_s + max(self.planned.search_s + self.ephemeris_s, self.sent_s)

    @property
    def limit(self) -> str:
        """Name what takes the largest part of the time."""
        parts = {
            "search": self.planned.search_s,
            "network": self.sent_s,
            "start": self.start_s,
            "objects, in one process": self.objects_s,
            "events, in one process": self.events_s,
        }
        return max(parts, key=parts.__getitem__)


def forecast(
    crowd: Population,
    hours: float,
    threshold_km: float,
    workers: Workers,
    machine: Machine,
    rates: Rates = RATES,
    ephemeris_bytes: float = 0.0,
) -> Forecast:
    """Return the expected course of a run."""
    threads = len(workers.speeds)
    expected = float(meetings(crowd, threshold_km).per_s.sum()) * hours * 3600.0
    own_bytes = (
        rates.process_bytes
        + crowd.objects * rates.catalogue_object_bytes
        + expected * rates.found_event_bytes
    )
    room = workers.bytes_per_thread
    if not machine.remote:
        room = min(room, (machine.memory_bytes - own_bytes) / threads)
    planned = chosen_plan(crowd, hours * 3600.0, threshold_km, workers._replace(bytes_per_thread=room), rates)
    events = planned.events
    searching_bytes, sent_bytes = threads * planned.task_bytes, 0.0
    if machine.remote:
        # Workers pass the elements on to each other.
        passes = 2.0 + math.log2(threads)
        sent_bytes = passes * crowd.objects * rates.sent_object_bytes + events * rates.sent_event_bytes
        searching_bytes = 0.0
    return Forecast(
        crowd=crowd,
        hours=hours,
        threshold_km=threshold_km,
        threads=threads,
        planned=planned,
        sent_s=sent_bytes / NETWORK_BYTES_S,
        start_s=rates.start_s,
        objects_s=crowd.objects * rates.catalogue_object_s,
        events_s=events * rates.found_event_s,
        ephemeris_s=0.0 if machine.remote else ephemeris_bytes * rates.ephemeris_byte_s / threads,
        worker_bytes=planned.task_bytes + (rates.worker_bytes if machine.remote else 0.0),
        process_bytes=own_bytes + max(searching_bytes, rates.publication_bytes),
        disk_bytes=events * rates.stored_event_bytes
        + crowd.objects * rates.stored_object_bytes
        + ephemeris_bytes,
    )


def problems(told: Forecast, machine: Machine, max_events: int) -> list[str]:
    """Return why a run does not fit, with the numbers; empty if it does."""
    found = []
    if told.events > CERTAINLY_TOO_MANY * max_events:
        found.append(f"about {told.events:,.0f} events, and SKYSIEVE_MAX_EVENTS allows {max_events:,}")
    if not told.planned.fits:
        found.append(
            f"{_gb(told.planned.task_bytes)} of memory for a task, however it is divided; there is less for "
            f"each of {told.threads} threads"
        )
    if told.process_bytes > machine.memory_bytes:
        found.append(
            f"{_gb(told.process_bytes)} of memory in the process that starts the run, and "
            f"{_gb(machine.memory_bytes)} are available"
        )
    if told.disk_bytes > machine.disk_bytes:
        found.append(f"{_gb(told.disk_bytes)} of disk, and {_gb(machine.disk_bytes)} are free")
    return found


def what_would_fit(told: Forecast, machine: Machine, max_events: int, rates: Rates = RATES) -> str:
    """Say which threshold, or which hours, would fit; or what else is needed if none would."""
    # Tasks of another cut may be a little larger.
    searching_bytes = 0.0 if machine.remote else 1.5 * told.threads * told.planned.task_bytes
    own_bytes = (
        rates.process_bytes
        + told.objects * rates.catalogue_object_bytes
        + max(searching_bytes, rates.publication_bytes)
    )
    on_disk = told.disk_bytes - told.events * rates.stored_event_bytes
    allowed = min(
        float(max_events),
        (machine.memory_bytes - own_bytes) / rates.found_event_bytes,
        (machine.disk_bytes - on_disk) / rates.stored_event_bytes,
    )
    if allowed <= 0.0:
        return (
            f"The catalogue alone, {told.objects:,} objects, needs {_gb(own_bytes)} of memory and "
            f"{_gb(on_disk)} of disk: use a larger machine, or screen a part of it (`--primary`)."
        )
    if told.events <= allowed:
        return "Use fewer threads (SKYSIEVE_WORKERS), or workers with more memory for each thread."
    return (
        f"This would fit: --threshold-km {_rounded_down(_threshold_for(told, allowed))}, or "
        f"--hours {_rounded_down(told.hours * allowed / told.events)}, or, with memory and disk enough, a "
        "larger SKYSIEVE_MAX_EVENTS."
    )


def _threshold_for(told: Forecast, events: float) -> float:
    """Return the threshold, km, below which this many events are expected."""
    low_km, high_km = 0.0, told.threshold_km
    for _ in range(_HALVINGS):
        middle_km = 0.5 * (low_km + high_km)
        expected = float(meetings(told.crowd, middle_km).per_s.sum()) * told.hours * 3600.0
        low_km, high_km = (low_km, middle_km) if expected > events else (middle_km, high_km)
    return low_km


def refuse_what_does_not_fit(told: Forecast, machine: Machine, max_events: int) -> None:
    """Raise DoesNotFit, with the numbers and what would fit, if a run needs more than there is."""
    found = problems(told, machine, max_events)
    if found:
        raise DoesNotFit(
            f"{told.objects:,} objects, {told.hours:g} h, {told.threshold_km:g} km need "
            f"{'; '.join(found)}. {what_would_fit(told, machine, max_events)} "
            "Nothing was done; the store is unchanged."
        )


def _gb(amount: float) -> str:
    return f"{max(amount, 0.0) / GB:,.1f} GB"


def _rounded_down(number: float) -> str:
    """Return a number with two digits."""
    if number <= 0.0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return f"{math.floor(number / unit + 1e-9) * unit:.6g}"
