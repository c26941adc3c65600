"""How far element sets are off later sets of the same objects: catalogues days apart, and dated histories."""

import csv
import gzip
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.dated import read_dated_sets
from screening.risk.objects.refit.differences import Differences, days_of, pairs_by_age

# Catalogues of quiet and of active years, and one week of published sets.
CATALOGUES = (("20140101", "20140111"), ("20160103", "20160112"), ("20200103", "20200108"))
WEEK = "history/published/celestrak_202605_even.csv.gz"
FILES = (*(f"history/catalogues/{day}.tle.gz" for pair in CATALOGUES for day in pair), WEEK)
# Ages at which sets of a history are compared with the next one, days.
AGES_DAYS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
# The published week has no names, but says which of these an object is of.
NAMES_OF_GROUPS = {"starlink": "STARLINK", "oneweb": "ONEWEB"}
_MOST_BYTES = 1 << 30


class RealDifferences(NamedTuple):
    """Differences of the sets of a source."""

    source: str
    sets: ElementArray  # (n,)
    found: Differences


def of_catalogues(older: Path, newer: Path) -> RealDifferences:
    """Compare the objects of two catalogues of TLEs, those that have a newer set in the second."""
    both = [parse_catalogue(gzip.decompress(path.read_bytes())).elements for path in (older, newer)]
    _, first, second = np.intersect1d(*(one["norad_id"] for one in both), return_indices=True)
    sets, second = np.concatenate(both), second + len(both[0])
    day = days_of(sets)
    newer_there = day[second] > day[first]
    found = Differences.of(sets, first[newer_there], second[newer_there])
    return RealDifferences(older.name.partition(".")[0], sets, found)


def of_history(path: Path) -> RealDifferences:
    """Compare each set of a dated table with later ones of its object, about AGES_DAYS younger."""
    text = gzip.decompress(path.read_bytes())
    pieces = list(read_dated_sets(text, source_name=path.name, max_bytes=_MOST_BYTES))
    sets = np.concatenate([piece.elements for piece in pieces])
    rows = csv.DictReader(io.StringIO(text.decode()))
    names = {int(row["norad_id"]): NAMES_OF_GROUPS.get(row["group"], "") for row in rows}
    sets["name"] = [names[int(number)] for number in sets["norad_id"]]
    sets = sets[np.lexsort((days_of(sets), sets["norad_id"]))]
    found = Differences.of(sets, *pairs_by_age(sets, AGES_DAYS))
    return RealDifferences(path.name.partition(".")[0], sets, found)


def all_differences(data: Path) -> Sequence[RealDifferences]:
    """Return those of the three pairs of catalogues and of the week."""
    folder = data / "history" / "catalogues"
    pairs = [of_catalogues(folder / f"{one}.tle.gz", folder / f"{other}.tle.gz") for one, other in CATALOGUES]
    return [*pairs, of_history(data / WEEK)]
