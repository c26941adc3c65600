"""A store with a run of real objects, some of which have numbers and names that are hard to write."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from flows.runs.run import Request, prepare
from flows.sources.catalogues import Source, read_file
from storage.reading.known_objects import known_objects
from tests.runs import START, screen_and_publish

# Objects of the most dangerous events of 2024-11-01, and of slow and flagged ones.
ODD = (17842, 270293, 2874, 42268, 1292, 7490, 52649, 53826, 45360, 57172, 56193, 60508, 60946, 61617, 36581)
NAMES = ('R&D "ONE"', "O'NEILL <TWO>", "STARLINK-11073 [DTC]", "]]> = [km]", "ÉTOILE", " & ")
NINE_DIGITS = 900_000_000


def made(shared_file: Callable[[str], Path], store: Path, one_in: int, hours: float) -> Path:
    """Make the store; of every second object the number has nine digits, of every third the name is odd."""
    source = read_file(shared_file("gp_onorbit_20241101.csv"))
    every = source.content.elements
    chosen = np.arange(len(every)) % one_in == 1
    elements = every[chosen | np.isin(every["norad_id"], ODD)].copy()
    elements["norad_id"][::2] += NINE_DIGITS
    elements["name"][::3] = np.resize(NAMES, len(elements[::3]))
    elements = elements[np.argsort(elements["norad_id"])]
    content = source.content._replace(elements=elements)
    source = Source(source.name, source.sha256, content, source.decision)
    now = datetime(2024, 11, 1, 0, 30, tzinfo=UTC)
    prepared = prepare(source, Request(START, hours, 10.0), store, now)
    screen_and_publish(prepared, known_objects(store, elements), store)
    return store
