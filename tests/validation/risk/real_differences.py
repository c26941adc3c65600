"""How far element sets are off later sets of the same objects: catalogues days apart, and dated histories."""

import csv
import gzip
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.dated import read_dated_sets
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow

IntArray = npt.NDArray[np.int64]

# Catalogues of quiet and of active years, and one week of published sets.
CATALOGUES = (("20140101", "20140111"), ("20160103", "20160112"), ("20200103", "20200108"))
WEEK = "history/published/celestrak_202605_even.csv.gz"
FILES = (*(f"history/catalogues/{day}.tle.gz" for pair in CATALOGUES for day in pair), WEEK)
# Ages at which sets of a history are compared with the next one, days.
AGES_DAYS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
# The published week has no names, but says which of these an object is of.
NAMES_OF_GROUPS = {"starlink": "STARLINK", "oneweb": "ONEWEB"}
_NEAREST_DAYS = 0.25  # a set so far from the age wanted is still taken, or a quarter of the age
_AT_ONCE = 200_000
_FAR_APART_DAYS = 1000.0
_MOST_BYTES = 1 << 30


class Differences(NamedTuple):
    """What older sets predict for the epochs of newer ones of the same objects, less what these say."""

    source: str
    sets: ElementArray  # (n,)
    older: IntArray  # (k,), indices of sets
    newer: IntArray  # (k,)
    age_days: FloatArray  # (k,)
    rtn_m: FloatArray  # (k, 3), in the newer one's RTN

    @classmethod
    def of(cls, source: str, sets: ElementArray, older: IntArray, newer: IntArray) -> Self:
        """Compare pairs of sets; those that SGP4 cannot fly are left out."""
        day = _days(sets)
        span = TimeWindow(float(sets["epoch_jd"].min()), 0.0, float(day.max()) * SECONDS_PER_DAY)
        propagator = Propagator(sets, span)
        parts = [np.zeros((0, 3))]
        for first in range(0, len(older), _AT_ONCE):
            theirs, ours = newer[first : first + _AT_ONCE], older[first : first + _AT_ONCE]
            at_s = day[theirs] * SECONDS_PER_DAY
            _, r_km, v_km_s = propagator.at(theirs.astype(np.int32), at_s)
            _, predicted_km, _ = propagator.at(ours.astype(np.int32), at_s)
            parts.append(np.einsum("kij,kj->ki", rtn_axes(r_km, v_km_s), predicted_km - r_km) * 1e3)
        rtn_m = np.concatenate(parts)
        there = np.isfinite(rtn_m).all(axis=1)
        older, newer = older[there], newer[there]
        return cls(source, sets, older, newer, day[newer] - day[older], rtn_m[there])


def of_catalogues(older: Path, newer: Path) -> Differences:
    """Compare the objects of two catalogues of TLEs, those that have a newer set in the second."""
    both = [parse_catalogue(gzip.decompress(path.read_bytes())).elements for path in (older, newer)]
    _, first, second = np.intersect1d(*(one["norad_id"] for one in both), return_indices=True)
    sets, second = np.concatenate(both), second + len(both[0])
    day = _days(sets)
    newer_there = day[second] > day[first]
    return Differences.of(older.name.partition(".")[0], sets, first[newer_there], second[newer_there])


def of_history(path: Path) -> Differences:
    """Compare each set of a dated table with later ones of its object, about AGES_DAYS younger."""
    text = gzip.decompress(path.read_bytes())
    pieces = list(read_dated_sets(text, source_name=path.name, max_bytes=_MOST_BYTES))
    sets = np.concatenate([piece.elements for piece in pieces])
    rows = csv.DictReader(io.StringIO(text.decode()))
    names = {int(row["norad_id"]): NAMES_OF_GROUPS.get(row["group"], "") for row in rows}
    sets["name"] = [names[int(number)] for number in sets["norad_id"]]
    sets = sets[np.lexsort((_days(sets), sets["norad_id"]))]
    day, (_, owner) = _days(sets), np.unique(sets["norad_id"], return_inverse=True)
    place = day + owner * _FAR_APART_DAYS
    pairs = []
    for age in AGES_DAYS:
        newer = np.minimum(np.searchsorted(place, place + age), len(place) - 1)
        off = np.abs(day[newer] - day - age)
        near = (owner[newer] == owner) & (day[newer] > day) & (off < np.maximum(0.25 * age, _NEAREST_DAYS))
        pairs.append(np.stack([np.flatnonzero(near), newer[near]]))
    older, newer = np.unique(np.concatenate(pairs, axis=1), axis=1)
    return Differences.of(path.name.partition(".")[0], sets, older, newer)


def all_differences(data: Path) -> Sequence[Differences]:
    """Return those of the three pairs of catalogues and of the week."""
    folder = data / "history" / "catalogues"
    pairs = [of_catalogues(folder / f"{one}.tle.gz", folder / f"{other}.tle.gz") for one, other in CATALOGUES]
    return [*pairs, of_history(data / WEEK)]


def _days(sets: ElementArray) -> FloatArray:
    days: FloatArray = (sets["epoch_jd"] - sets["epoch_jd"].min()) + sets["epoch_day_fraction"]
    return days
