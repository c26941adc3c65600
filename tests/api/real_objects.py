"""Stores with real objects, for what is said of their positions."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from screening.encounters import PROXIMITY_DTYPE
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.risk.conjunctions import ConjunctionArray, unrated
from storage.rows.run_record import Run
from storage.writing.found_events import FoundEvents
from storage.writing.publish import publish_run

START = datetime(2024, 11, 1, tzinfo=UTC)


def forty_objects(catalogue_lines: list[str]) -> ElementArray:
    """Return 40 real objects of all regimes."""
    return parse_catalogue("\n".join(catalogue_lines).encode()).elements[::15]


def publish_objects(
    store: Path, elements: ElementArray, events: Iterable[np.void] = (), *, historic: bool = False
) -> None:
    """Publish a run of a day from START on over these objects, with these conjunctions."""
    conjunctions: ConjunctionArray = np.array(list(events), unrated(0).dtype)
    run = Run(
        source="made up",
        catalogue_sha256="0" * 64,
        started=START,
        finished=START + timedelta(seconds=4),
        window_start=START,
        window_end=START + timedelta(days=1),
        threshold_km=10.0,
        historic=historic,
    )
    with FoundEvents(store) as found:
        found.add(conjunctions)
        publish_run(store, run, found, np.zeros(0, PROXIMITY_DTYPE), elements)
