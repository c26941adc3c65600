"""Plan a run for the workers and the memory that there are, or refuse it before any work is done."""

import numpy as np

from flows.runs.ephemeris import REFRESH_INTERVALS
from flows.runs.forecast import Forecast, Machine, forecast
from flows.runs.resources import available_memory_bytes, free_disk_bytes
from flows.settings import FlowSettings
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import IndexArray, Propagator
from screening.orbits.timegrid import TimeWindow
from screening.search.all_pairs.chosen_plan import Workers
from screening.search.all_pairs.population import population, sample_of
from screening.search.all_pairs.rates import RATES
from storage.disk.ephemeris_bound import MB
from storage.disk.ephemeris_states import ephemeris_bytes


def this_machine(settings: FlowSettings, *, remote: bool, processes: int = 0) -> Machine:
    """Return what a run in this process may use now, beside its own worker processes."""
    of_processes = 0.0 if remote else processes * RATES.worker_bytes
    return Machine(available_memory_bytes() - of_processes, free_disk_bytes(settings.store), remote)


def forecast_of(
    elements: ElementArray,
    firsts: IndexArray,
    span: TimeWindow,
    threshold_km: float,
    workers: Workers,
    machine: Machine,
    settings: FlowSettings,
) -> Forecast:
    """Return the expected course of a run of elements (n,), whose `firsts` differ and are searched."""
    some = elements[firsts[sample_of(len(firsts))]]
    crowd = population(some, Propagator(some, span), len(firsts))
    hours = span.seconds / 3600.0
    kept_bytes = ephemeris_bytes(len(elements), hours + REFRESH_INTERVALS * settings.refresh_hours)
    return forecast(
        crowd,
        hours,
        threshold_km,
        workers,
        machine,
        ephemeris_bytes=float(np.minimum(kept_bytes, settings.ephemeris_max_mb * MB)),
    )
