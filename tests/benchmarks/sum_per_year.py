"""Compare the sum of a run's probabilities with the collisions that have happened, and say what explains it.

    .venv/bin/python tests/benchmarks/sum_per_year.py

A sum of probabilities is the number of collisions expected in the run's window. Writes the table `history` of
docs/probability.md, takes a minute, and fails if the pairs that nobody steers, with radii as measured, add up
to more than LARGEST_A_YEAR: then errors or radii are wrong.
"""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))  # for what the tests know of the real catalogue

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.orbits.elements import ElementArray  # noqa: E402
from screening.orbits.texts.catalogue import parse_catalogue  # noqa: E402
from screening.orbits.timegrid import window  # noqa: E402
from screening.risk.conjunctions import HARD_BODY_SOURCES, ConjunctionArray  # noqa: E402
from screening.risk.objects.error_classes import manoeuvring  # noqa: E402
from screening.risk.objects.knowledge import ObjectKnowledge  # noqa: E402
from screening.risk.score import score  # noqa: E402
from screening.search.all_pairs.assemble import screen_catalogue  # noqa: E402
from screening.vocabulary import OBJECT_TYPES  # noqa: E402
from storage.rows.marks import GUESSED_RADII  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from storage.writing.objects_table import objects_of  # noqa: E402
from tests.benchmarks.documents import Rows, table, write_tables  # noqa: E402
from tests.screening.risk.real_run import known  # noqa: E402

DATA = REPOSITORY.parent / "shared" / "data"
DOCUMENT = REPOSITORY / "docs" / "probability.md"
START, HOURS, THRESHOLD_KM = np.datetime64("2024-11-01T00:00:00", "us"), 24.0, 10.0
HOURS_A_YEAR = 8766.0

# Known accidental collisions of catalogued objects, December 1991 to March 2021: Cosmos 1934, Cerise, a Thor
# Burner 2A stage (NASA, Orbital Debris Quarterly News 9-2, 2005), Iridium 33 and Cosmos 2251 (Wang 2010,
# Science & Global Security 18, 87), Yunhai 1-02 (18 SPCS in the catalogue of Space-Track, 2021-08).
COLLISIONS, YEARS = 5, 30
# What is left may be ten times as many: not every collision is noticed, the catalogue has more than doubled
# since (pairs grow as its square), and one day is one sample.
LARGEST_A_YEAR = 10 * COLLISIONS / YEARS

# For objects of unknown size, in release 0.1.0.
OLD_RADIUS_M = {"payload": 5.0, "rocket_body": 5.0, "debris": 1.5}
UNNAMED = ("UNKNOWN", "TBA")

Numbers = npt.NDArray[np.float64]


def sums_per_year(rows: ConjunctionArray, elements: ElementArray, facts: ObjectKnowledge) -> dict[str, float]:
    """Return the sums of `probability_2d`, scaled to a year, by what explains them.

    The disks are small, so another radius changes a probability by the square of the radii's ratio.
    """
    rows = rows[np.isfinite(rows["probability_2d"])]
    index = [
        np.searchsorted(elements["norad_id"], rows[f"{who}_norad_id"]) for who in ("primary", "secondary")
    ]
    radius_m = facts.bodies.radius_m
    guessed = np.isin(
        facts.bodies.source,
        [HARD_BODY_SOURCES.index(word) for word in GUESSED_RADII if word in HARD_BODY_SOURCES],
    )
    kinds = _kinds(elements)
    a_year = rows["probability_2d"] * HOURS_A_YEAR / HOURS

    def with_radii(of_kind: dict[str, float]) -> Numbers:
        of_kind_m = np.array([of_kind.get(kind, np.nan) for kind in kinds])
        others_m = np.where(guessed & np.isfinite(of_kind_m), of_kind_m, radius_m)
        ratio = (others_m[index[0]] + others_m[index[1]]) / rows["hard_body_radius_m"]
        return a_year * ratio**2

    sized = kinds[~guessed]
    medians_m = {str(kind): float(np.median(radius_m[~guessed][sized == kind])) for kind in np.unique(sized)}
    steered = manoeuvring(facts.error_classes)
    passive = ~(steered[index[0]] | steered[index[1]])
    on_a_guess = guessed[index[0]] | guessed[index[1]]
    old = with_radii(OLD_RADIUS_M | {"unknown": OLD_RADIUS_M["payload"]})
    measured = with_radii(medians_m)
    return {
        "with spheres of 5 m (debris 1.5 m) where no size is known": float(old.sum()),
        "with the radii of today": float(a_year.sum()),
        "of these with an object that thrusts, so may steer clear": float(a_year[~passive].sum()),
        "of these with a radius guessed from the kind of object": float(a_year[on_a_guess].sum()),
        "with the median of NASA CARA's table in place of guesses": float(measured.sum()),
        "of these where nobody steers": float(measured[passive].sum()),
    }


def history(rows: ConjunctionArray, elements: ElementArray, facts: ObjectKnowledge) -> Rows:
    """Tell the collisions a year that a run expects, beside those that have happened."""
    yield "collisions", "a year"
    for name, value in sums_per_year(rows, elements, facts).items():
        yield name, f"{value:.2f}"
    yield f"known, {YEARS} years to 2021: {COLLISIONS}", f"{COLLISIONS / YEARS:.2f}"
    alarming = rows["risk_level"] == 0
    holds = np.isfinite(rows["probability_2d"])
    yield "events without a probability (`slow`, `long`), which no sum has", f"{np.count_nonzero(~holds):,}"
    diluted = np.count_nonzero(rows["diluted"][alarming & holds] == 1)
    yield (
        "`critical` events with a probability that are `diluted`",
        f"{diluted} of {np.count_nonzero(alarming & holds)}",
    )


def _kinds(elements: ElementArray) -> npt.NDArray[np.str_]:
    """Return the types of objects (n,) by their names, and `unknown` for those without one."""
    kinds = np.array(OBJECT_TYPES)[objects_of(elements)["object_type"]].astype("U11")
    for begin in UNNAMED:
        kinds[np.char.startswith(elements["name"], begin)] = "unknown"
    return kinds


def main() -> None:
    """Screen and rate the real catalogue's day, and write the table."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    catalogue = DATA / "gp_onorbit_20241101.csv"
    if not catalogue.exists():
        sys.exit(f"{catalogue} is missing.")
    elements = parse_catalogue(catalogue.read_bytes()).elements
    span, facts = window(START, HOURS), known(elements, DATA)
    rows = score(screen_catalogue(elements, span, THRESHOLD_KM).encounters, elements, span, facts)
    write_tables(DOCUMENT, {"history": table(history(rows, elements, facts))})
    left = list(sums_per_year(rows, elements, facts).values())[-1]
    if left > LARGEST_A_YEAR:
        sys.exit(f"{left:.2f} collisions a year where nobody steers; {LARGEST_A_YEAR:.2f} can be explained.")


if __name__ == "__main__":
    main()
