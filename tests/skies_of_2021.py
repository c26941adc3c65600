"""Five published catalogues around the destruction of Cosmos 1408, or some launches of them, as runs."""

import gzip
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from screening.encounters import PROXIMITY_DTYPE
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.risk.conjunctions import unrated
from storage.sky.note import note_changes
from tests.made_up_run import MadeUpRun, make_run, publish_anew

DAYS = ("20211109", "20211126", "20211222", "20220105", "20220118")
EVENT = np.datetime64("2021-11-15T02:47")  # published
PARENT, PIECES = 13552, "82092"
# Beside it: Starlink, OneWeb, rideshares, and old clouds of which pieces were catalogued late.
LAUNCHES = (
    *(PIECES, "21102", "21104", "21115", "21125", "21132", "22001", "22003"),
    *("02032", "14028", "20046", "97084", "87011", "94074"),
)


def sky(shared_file: Callable[[str], Path], day: str, launches: Collection[str] = ()) -> ElementArray:
    """Return the catalogue of a day; of some launches alone, of which it is read in 0.1 s."""
    text = gzip.decompress(shared_file(f"fragmentations/{day}.tle.gz").read_bytes()).decode()
    if launches:
        lines = text.splitlines()
        records = (lines[at : at + 3] for at in range(0, len(lines), 3))
        text = "\n".join(line for record in records if record[1][9:14] in launches for line in record)
    return parse_catalogue(text).elements if text else np.zeros(0, ELEMENT_DTYPE)


def note_sky(store: Path, elements: ElementArray, hours_later: float, repeated: int = 0) -> str:
    """Publish a run with a catalogue and no events, note what changed with it, and return its id."""
    made_up = make_run(0, hours_later=hours_later, synthetic=False)
    run = replace(made_up.run, failed_by_code={}, historic=True)
    none = unrated(0), np.zeros(0, PROXIMITY_DTYPE)
    run_id = publish_anew(store, MadeUpRun(run, *none, elements, []))
    note_changes(store, run_id, elements, repeated)
    return run_id


def hours_between(time: datetime, other: np.datetime64) -> float:
    """Return how far a time is from another, in hours, without a sign."""
    apart: timedelta = time - other.astype("M8[us]").item().replace(tzinfo=UTC)
    return abs(apart / timedelta(hours=1))
