"""Generate a catalogue as large, crowded and varied as the real one, or more so."""

from typing import NamedTuple

import numpy as np

from screening.errors import UsageError
from screening.orbits.elements import FIRST_EPOCH_YEAR, LAST_EPOCH_YEAR, ElementArray
from screening.synthetic.draw import draw, set_epochs
from screening.synthetic.marks import FIRST_SYNTHETIC_ID, NAME_PREFIX
from screening.synthetic.planted import PlantedArray, plant_encounters, planted_pairs
from screening.synthetic.population import Population
from screening.synthetic.populations import OBJECTS_IN_TABLES, POPULATIONS
from screening.vocabulary import SYNTHETIC_OBJECTS_RANGE

# Element sets, up to two days older, must lie in the years that a catalogue may have.
EPOCH_RANGE = (np.datetime64(f"{FIRST_EPOCH_YEAR}-01-03"), np.datetime64(f"{LAST_EPOCH_YEAR}-12-31"))


class Synthetic(NamedTuple):
    """A synthetic catalogue and its known encounters."""

    elements: ElementArray  # (n,), sorted by norad_id
    planted: PlantedArray  # (k,), the encounters built into the 24 h after the catalogue's epoch, by TCA


def synthetic_catalogue(objects: int, seed: int, epoch: np.datetime64) -> Synthetic:
    """Make a catalogue of `objects` whose element sets are up to two days old at `epoch` (UTC).

    The same seed gives the same objects whatever the epoch; only their epochs move with it, and the
    secondaries of the planted encounters change slightly with the positions of Sun and Moon. SGP4 propagates
    every object for at least 10 days. Raises UsageError if a number or the epoch is out of range.
    """
    _check(objects, seed, epoch)
    random = np.random.default_rng(seed)
    pairs = planted_pairs(objects)
    counts = _apportioned(objects - pairs)
    elements, ages_days = draw(POPULATIONS, counts, objects / OBJECTS_IN_TABLES, random)
    elements["name"] = _numbered(counts)
    elements["norad_id"] = FIRST_SYNTHETIC_ID + np.arange(len(elements))
    elements["classification"] = "U"
    elements["element_set_number"] = 999
    set_epochs(elements, ages_days, epoch)
    secondaries, planted = plant_encounters(elements, pairs, epoch, random)
    return Synthetic(np.concatenate([elements, secondaries]), planted)


def _check(objects: int, seed: int, epoch: np.datetime64) -> None:
    low, high = SYNTHETIC_OBJECTS_RANGE
    if not low <= objects <= high:
        raise UsageError(
            f"A synthetic catalogue of {objects} objects cannot be made; allowed are {low} to {high}."
        )
    if seed < 0:
        raise UsageError(f"The seed is {seed}; it must be 0 or more.")
    first, last = EPOCH_RANGE
    if not first <= epoch <= last:  # also catches NaT
        raise UsageError(f"The epoch is {epoch}; it must be from {first} to {last}.")


def _apportioned(objects: int) -> list[int]:
    """Divide `objects` among the populations by largest remainders."""
    shares = objects * np.array([population.objects for population in POPULATIONS]) / OBJECTS_IN_TABLES
    whole = np.floor(shares)
    largest = np.argsort(whole - shares, kind="stable")[: objects - int(whole.sum())]
    whole[largest] += 1
    return [int(count) for count in whole]


def _numbered(counts: list[int]) -> list[str]:
    """Name every object, numbered across populations of the same name and kind."""
    names = []
    used: dict[tuple[str, str], int] = {}
    for population, count in zip(POPULATIONS, counts, strict=True):
        before = used.get((population.name, population.kind), 0)
        used[population.name, population.kind] = before + count
        names += [_name(population, before + 1 + i) for i in range(count)]
    return names


def _name(population: Population, number: int) -> str:
    return f"{NAME_PREFIX} {population.name} {number:04d}{population.kind}"
