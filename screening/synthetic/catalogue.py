"""A catalogue that nobody tracks: as many objects, as crowded and as varied as the real one, or more."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import UsageError
from screening.orbits.elements import MAX_NORAD_ID, ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, julian_date
from screening.synthetic.draw import draw
from screening.synthetic.populations import POPULATIONS, Population
from screening.synthetic.planted import PlantedArray, plant_encounters, planted_pairs

# The numbers from 900000000 on are kept for uncorrelated tracks: no object is ever catalogued under one of
# them, and no published element set carries one. They have nine digits, so nothing that reads them as text of
# five columns can mistake them for a real object either.
FIRST_SYNTHETIC_ID = 900_000_001
OBJECTS_RANGE = (100, 1_000_000)
NAME_PREFIX = "SYNTH"

_SIZE_OF_TABLE = sum(population.count for population in POPULATIONS)


class Synthetic(NamedTuple):
    """A synthetic catalogue and what is known to happen in it."""

    elements: ElementArray  # (n,), sorted by norad_id
    planted: PlantedArray  # (k,), the encounters built into the 24 h after the catalogue's epoch, by TCA


def synthetic_catalogue(objects: int, seed: int, epoch: np.datetime64) -> Synthetic:
    """Make a catalogue of `objects` whose element sets are up to two days old at `epoch` (UTC).

    The same seed gives the same objects whatever the epoch; only their epochs move with it, and the
    secondaries of the planted encounters as far as Sun and Moon stand elsewhere. SGP4 propagates every
    object for at least 10 days. Raises UsageError if a number is out of range.
    """
    _check(objects, seed)
    random = np.random.default_rng(seed)
    pairs = planted_pairs(objects)
    counts = _apportioned(objects - pairs)
    elements, ages_days = draw(POPULATIONS, counts, objects / _SIZE_OF_TABLE, random)
    elements["name"] = _numbered(counts)
    elements["norad_id"] = FIRST_SYNTHETIC_ID + np.arange(len(elements))
    elements["classification"] = "U"
    elements["element_set_number"] = 999
    _set_epochs(elements, ages_days, epoch)
    secondaries, planted = plant_encounters(elements, pairs, epoch, random)
    return Synthetic(np.concatenate([elements, secondaries]), planted)


def is_synthetic(elements: ElementArray) -> bool:
    """Return whether a catalogue is made up, in part is enough: whether a number is a synthetic one."""
    return bool((elements["norad_id"] >= FIRST_SYNTHETIC_ID).any())


def _check(objects: int, seed: int) -> None:
    low, high = OBJECTS_RANGE
    if not low <= objects <= high:
        raise UsageError(f"A synthetic catalogue of {objects} objects is not made; allowed are {low} to {high}.")
    if seed < 0:
        raise UsageError(f"The seed is {seed}; it must be 0 or more.")


def _apportioned(objects: int) -> list[int]:
    """Divide `objects` among the populations by largest remainders."""
    shares = objects * np.array([population.count for population in POPULATIONS]) / _SIZE_OF_TABLE
    counts = shares.astype(int)
    largest = np.argsort(counts - shares, kind="stable")[: objects - counts.sum()]
    counts[largest] += 1
    return counts.tolist()


def _numbered(counts: list[int]) -> list[str]:
    """Name every object, populations of the same name and kind counted through."""
    names = []
    used: dict[tuple[str, str], int] = {}
    for population, count in zip(POPULATIONS, counts, strict=True):
        before = used.get((population.name, population.kind), 0)
        used[population.name, population.kind] = before + count
        names += [_name(population, before + 1 + i) for i in range(count)]
    return names


def _name(population: Population, number: int) -> str:
    return f"{NAME_PREFIX} {population.name} {number:04d}{population.kind}"
