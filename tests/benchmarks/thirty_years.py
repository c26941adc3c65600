"""Compare the collisions that past catalogues expect with those that have happened.

    .venv/bin/python tests/benchmarks/thirty_years.py [CATALOGUE ...]

A sum of probabilities is the number of collisions expected in a run's window. Each catalogue (elements as TLE
with names or as OMM; by default those of the test data) is screened for the day that follows its newest
element sets, with the radii of the product, and its rate a year is divided by the square of the number of
objects, as pairs grow. With the numbers of objects in orbit in SATCAT, that gives what thirty years expect.
Writes the table `history` of docs/probability.md if no catalogue is named; half a minute each. Fails if the
thirty years expect less than LEAST or more than MOST collisions: then errors or radii are wrong.
"""

import csv
import gzip
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))  # for what the tests know of the real catalogue

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.orbits.texts.catalogue import parse_catalogue  # noqa: E402
from screening.orbits.timegrid import instants, window  # noqa: E402
from screening.risk.objects.error_classes import manoeuvring  # noqa: E402
from screening.risk.score import score  # noqa: E402
from screening.search.all_pairs.assemble import screen_catalogue  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from tests.benchmarks.documents import Rows, table, write_tables  # noqa: E402
from tests.screening.risk.real_run import known  # noqa: E402

DATA = REPOSITORY.parent / "shared" / "data"
SATCAT = DATA / "satcat" / "spacetrack_satcat_20210119.csv.gz"
DOCUMENT = REPOSITORY / "docs" / "probability.md"
HOURS, THRESHOLD_KM = 24.0, 10.0
HOURS_A_YEAR, DAYS_A_YEAR = 8766.0, 365.25
NEWEST_PERCENTILE = 99.0  # of epochs: some are ahead of their time

# Known accidental collisions of catalogued objects: Cosmos 1934 (1991), Cerise (1996), a Thor Burner 2A stage
# (2005) (NASA, Orbital Debris Quarterly News 9-2, 2005), Iridium 33 and Cosmos 2251 (2009; Wang 2010, Science
# & Global Security 18, 87), Yunhai 1-02 (2021; 18 SPCS in the catalogue of Space-Track, 2021-08).
COLLISIONS = 5
SINCE, UNTIL = date(1991, 4, 1), date(2021, 4, 1)
LEAST, MOST = 2.0, 12.0

Numbers = npt.NDArray[np.float64]


class Expected(NamedTuple):
    """What a day of one catalogue expects."""

    day: date
    objects: int
    a_year: float  # collisions
    unsteered_a_year: float  # of these with no object that thrusts, so may steer clear


def expected(catalogue: Path) -> Expected:
    """Screen and rate the day after the newest element sets of a catalogue."""
    text = catalogue.read_bytes()
    elements = parse_catalogue(gzip.decompress(text) if catalogue.suffix == ".gz" else text).elements
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    newest = np.percentile(epochs.astype(np.int64), NEWEST_PERCENTILE).astype("M8[us]")
    span, facts = window(newest, HOURS), known(elements, DATA)
    rows = score(screen_catalogue(elements, span, THRESHOLD_KM).encounters, elements, span, facts)
    places = [
        np.searchsorted(elements["norad_id"], rows[f"{who}_norad_id"]) for who in ("primary", "secondary")
    ]
    steered = manoeuvring(facts.error_classes)
    unsteered = ~(steered[places[0]] | steered[places[1]])
    a_year = np.nan_to_num(rows["probability_best"]) * HOURS_A_YEAR / HOURS
    return Expected(newest.item().date(), len(elements), a_year.sum(), a_year[unsteered].sum())


def in_orbit(days: list[date]) -> list[int]:
    """Return how many catalogued objects were in orbit on these days."""
    with gzip.open(SATCAT, "rt", newline="") as file:
        spans = [(row["LAUNCH"], row["DECAY"] or "9999") for row in csv.DictReader(file)]
    began, ended = (np.sort(np.array(texts)) for texts in zip(*spans, strict=True))
    texts = [day.isoformat() for day in days]
    return (np.searchsorted(began, texts, "right") - np.searchsorted(ended, texts, "right")).tolist()


def of_thirty_years(found: list[Expected], name: str) -> float:
    """Return the collisions expected from SINCE to UNTIL, from the rates `name` of catalogues."""
    days = [SINCE + timedelta(days=30 * step) for step in range((UNTIL - SINCE).days // 30 + 1)]
    pairs = np.array(in_orbit(days), np.float64) ** 2
    ordered = sorted(found)
    ordinals = [one.day.toordinal() for one in ordered]
    of_a_pair = [getattr(one, name) / one.objects**2 for one in ordered]
    rates = np.interp([day.toordinal() for day in days], ordinals, of_a_pair) * pairs
    return float(np.trapezoid(rates, [day.toordinal() / DAYS_A_YEAR for day in days]))


def history(found: list[Expected]) -> Rows:
    """Tell the collisions that catalogues expect, beside those that have happened."""
    yield "catalogue", "objects", "collisions a year", "of these, between objects that do not manoeuvre"
    for one in sorted(found):
        yield str(one.day), f"{one.objects:,}", f"{one.a_year:.2f}", f"{one.unsteered_a_year:.2f}"
    sums = (f"{of_thirty_years(found, name):.1f}" for name in ("a_year", "unsteered_a_year"))
    yield f"expected from {SINCE:%Y-%m} to {UNTIL:%Y-%m}", "", *sums
    yield "known", "", str(COLLISIONS), ""


def main(names: list[str]) -> None:
    """Screen and rate the catalogues, and write or print the table."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    if not SATCAT.exists():
        sys.exit(f"{SATCAT} is missing.")
    by_default = [
        *sorted((DATA / "history" / "catalogues").glob("*.tle.gz")),
        DATA / "gp_onorbit_20241101.csv",
    ]
    found = []
    for catalogue in [Path(name) for name in names] or by_default:
        found.append(expected(catalogue))
        print(f"{catalogue.name}: {found[-1].a_year:.2f} a year", flush=True)
    shown = table(history(found))
    if names:
        print(shown)
    else:
        write_tables(DOCUMENT, {"history": shown})
    total = of_thirty_years(found, "a_year")
    if not LEAST <= total <= MOST:
        sys.exit(
            f"{total:.1f} collisions expected in thirty years; {LEAST:g} to {MOST:g} agree with history."
        )


if __name__ == "__main__":
    main(sys.argv[1:])
