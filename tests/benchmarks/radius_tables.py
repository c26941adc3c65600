"""Count where radii come from, with and without NASA CARA's table, for docs/probability.md.

    .venv/bin/python tests/benchmarks/radius_tables.py

The catalogue of 2024-11-01, 24 h, 10 km; takes about a minute, most of it the search. SATCAT is not among the
test data, so the rung `rcs` stays empty.
"""

import sys
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.orbits.elements import ElementArray  # noqa: E402
from screening.orbits.texts.catalogue import parse_catalogue  # noqa: E402
from screening.orbits.timegrid import window  # noqa: E402
from screening.risk.conjunctions import HARD_BODY_SOURCES, ConjunctionArray  # noqa: E402
from screening.risk.objects.hard_body import DEFAULT_RADIUS_M  # noqa: E402
from screening.risk.score import score  # noqa: E402
from screening.search.all_pairs.assemble import screen_catalogue  # noqa: E402
from screening.vocabulary import PROBABILITY_LEVELS  # noqa: E402
from storage.bodies.table import shipped_bodies  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from storage.state.object_facts import NO_FACTS, ObjectFacts  # noqa: E402
from storage.writing.objects_table import ObjectArray, objects_of, set_complexes  # noqa: E402
from tests.benchmarks.documents import Rows, table, write_tables  # noqa: E402
from tests.screening.risk.real_run import knowledge  # noqa: E402
from tests.validation.risk.radii import by_type, cara_facts  # noqa: E402

DATA = REPOSITORY.parent / "shared" / "data"
DOCUMENT = REPOSITORY / "docs" / "probability.md"
START = np.datetime64("2024-11-01T00:00:00", "us")
THRESHOLD_KM = 10.0


def types(elements: ElementArray, facts: ObjectFacts) -> Rows:
    """Compare the values of types with the radii that the table has."""
    yield (
        "type",
        "objects",
        "in the table",
        "lower quartile, m",
        "median, m",
        "upper quartile, m",
        "equivalent radius, m",
        "value, m",
    )
    for one in by_type(elements, facts):
        quartiles = (f"{radius_m:.3g}" for radius_m in np.quantile(one.known_m, [0.25, 0.5, 0.75]))
        counts = f"{one.objects:,}", f"{len(one.known_m):,}"
        yield one.name, *counts, *quartiles, f"{one.same_m:.3g}", DEFAULT_RADIUS_M[one.name]


def rungs(objects: list[ObjectArray], events: list[ConjunctionArray]) -> Rows:
    """Count the rungs of objects and events, and the levels, without and with the table."""
    yield "", "objects without the table", "with it", "events without the table", "with it"
    of_objects = [
        np.bincount(found["hard_body_source"], minlength=len(HARD_BODY_SOURCES)) for found in objects
    ]
    of_events = [np.bincount(found["hard_body_source"], minlength=len(HARD_BODY_SOURCES)) for found in events]
    for code, word in enumerate(HARD_BODY_SOURCES):
        if word != "cdm":
            yield f"`{word}`", *(f"{counts[code]:,}" for counts in (*of_objects, *of_events))
    levels = [np.bincount(found["probability_level"], minlength=len(PROBABILITY_LEVELS)) for found in events]
    for code, word in enumerate(PROBABILITY_LEVELS):
        yield f"{word} by probability", "", "", *(f"{counts[code]:,}" for counts in levels)
    yield (
        "sum of `probability_best`",
        "",
        "",
        *(f"{np.nansum(found['probability_best']):.4f}" for found in events),
    )
    together = [np.count_nonzero(found["complex_id"] >= 0) for found in objects]
    rows = [
        np.count_nonzero((found["primary_complex_id"] >= 0) | (found["secondary_complex_id"] >= 0))
        for found in events
    ]
    yield "of a complex", *together, *rows


def main() -> None:
    """Write both tables."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    elements = parse_catalogue((DATA / "gp_onorbit_20241101.csv").read_bytes()).elements
    span, facts = window(START, 24.0), cara_facts(DATA)
    made = {"radii of types": table(types(elements, facts))}
    screening = screen_catalogue(elements, span, THRESHOLD_KM)
    bodies = shipped_bodies()
    objects = [objects_of(elements, known._replace(bodies=bodies)) for known in (NO_FACTS, facts)]
    for found in objects:
        set_complexes(found, screening.proximities)
    events = [score(screening.encounters, elements, span, knowledge(found)) for found in objects]
    write_tables(DOCUMENT, made | {"rungs": table(rungs(objects, events))})


if __name__ == "__main__":
    main()
