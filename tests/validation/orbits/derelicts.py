"""The search: conjunctions of derelict objects, listed by an independent commercial tool."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.results import Screening
from tests.validation.comparison import About, Comparison, Measure, largest
from tests.validation.files import catalogue_of, names_in, rows_of, understood
from tests.validation.orbits.independent_detector import SAME_S, by_pair

FOLDER, HOURS, THRESHOLD_KM = "history/stk", 7 * 24.0, 5.0
SLOW_KM_S = 0.01  # slower pairs fly together: a visit or a proximity, whose minimum is flat
TCA_MS, RANGE_M, ROUNDED_RANGE_MM = 15.0, 0.3, 5.0
COLUMNS = ("made", "a", "b", "tca", "range_km", "speed_km_s")
ABOUT = About(
    title="Search: derelict objects",
    source="Conjunctions of derelict objects below 5 km over seven days, listed by an independent commercial "
    "tool (project MCMA), with the catalogue of TLEs of the day.",
    what="Each catalogue, as the product reads it, is searched all against all for seven days from midnight "
    "(UTC) of the day on which a row was made, within 5 km. Every row of 10 m/s or more must be there.",
    limits="The list cuts TCAs to milliseconds. Its tool keeps an epoch as one float64 Julian date, "
    "which resolves 40 us: up to 0.15 m of each object, 0.3 m of a range. With "
    "epochs rounded as theirs the ranges agree to millimetres. Both use the constants of WGS-72.",
    files=(FOLDER,),
    command='make test ARGS="tests/skysieve/test_derelicts.py"',
)


class Row(NamedTuple):
    """A row of a list."""

    made: np.datetime64  # midnight, when its week begins
    pair: tuple[int, int]
    tca: np.datetime64  # UTC
    range_km: float
    speed_km_s: float


class Off(NamedTuple):
    """How far our encounter is from a row."""

    tca_s: float
    range_km: float
    rounded_range_km: float  # with the epochs rounded as theirs


def read_rows(data: Path, name: str) -> list[Row]:
    """Read a list."""
    rows = rows_of(data, name, COLUMNS)
    return understood(data, name, lambda: [_row(row) for row in rows])


def _row(row: dict[str, str]) -> Row:
    first, second = sorted((int(row["a"]), int(row["b"])))
    tca = np.datetime64(row["tca"].replace(" ", "T"), "us")
    made = np.datetime64(row["made"], "us")
    return Row(made, (first, second), tca, float(row["range_km"]), float(row["speed_km_s"]))


def compare(data: Path) -> Comparison:
    """Search each catalogue and look for the rows of its list."""
    offs: list[Off] = []
    rows = slow = not_found = slow_not_found = 0
    names = names_in(data, FOLDER, "*.csv")
    for name in names:
        elements = catalogue_of(data, f"{name.removesuffix('.csv')}.tle.gz")
        for span, screening, here in _weeks(elements, read_rows(data, name)):
            fast = [row for row in here if row.speed_km_s >= SLOW_KM_S]
            found = by_pair(screening.encounters, elements)
            there = list(_offs(fast, found, elements, span))
            together = {*found, *by_pair(screening.proximities, elements)}
            missing = [row for row in here if row.speed_km_s < SLOW_KM_S and row.pair not in together]
            offs += there
            rows, slow = rows + len(fast), slow + len(here) - len(fast)
            not_found, slow_not_found = not_found + len(fast) - len(there), slow_not_found + len(missing)
    tca_s, range_km, rounded_km = np.abs(np.array(offs).reshape(-1, 3)).T
    return Comparison(
        rows,
        "rows of 10 m/s or more",
        (
            Measure("lists", len(names)),
            Measure("rows of 10 m/s or more found", len(offs)),
            Measure("rows of 10 m/s or more not found", not_found, limit=0),
            Measure("largest difference of a TCA", 1e3 * largest(tca_s), "ms", TCA_MS),
            Measure("largest difference of a range", 1e3 * largest(range_km), "m", RANGE_M),
            Measure("the same, epochs rounded as theirs", 1e6 * largest(rounded_km), "mm", ROUNDED_RANGE_MM),
            Measure("slower rows", slow),
            Measure("slower rows whose pair is not found", slow_not_found),
        ),
    )


def _weeks(elements: ElementArray, rows: list[Row]) -> Iterator[tuple[TimeWindow, Screening, list[Row]]]:
    for made in sorted({row.made for row in rows}):
        span = window(made, HOURS)
        yield span, screen_catalogue(elements, span, THRESHOLD_KM), [row for row in rows if row.made == made]


def _offs(
    rows: list[Row],
    found: dict[tuple[int, int], EncounterArray],
    elements: ElementArray,
    span: TimeWindow,
) -> Iterator[Off]:
    """Yield how far our encounters are off the rows that are found: the same pair, within a second."""
    late_s, none = _rounding_s(elements), np.zeros(0, ENCOUNTER_DTYPE)
    for row in rows:
        ours = found.get(row.pair, none)
        off_s = ours["tca_s"] - (row.tca - span.start) / np.timedelta64(1, "s")
        for one in np.flatnonzero(np.abs(off_s) < SAME_S)[:1]:
            range_km = float(ours["miss_distance_km"][one]) - row.range_km
            yield Off(float(off_s[one]), range_km, range_km + _by_rounding_km(ours[one], late_s))


def _rounding_s(elements: ElementArray) -> FloatArray:
    """Return by how much (n,) an epoch is later as one float64 Julian date."""
    whole = elements["epoch_jd"] + elements["epoch_day_fraction"]
    late: FloatArray = (whole - elements["epoch_jd"] - elements["epoch_day_fraction"]) * SECONDS_PER_DAY
    return late


def _by_rounding_km(one: EncounterArray, late_s: FloatArray) -> float:
    """Return how much longer the range is with later epochs: objects are then where they were before."""
    apart_km = one["secondary_r_teme_km"] - one["primary_r_teme_km"]
    moved_km = (
        one["primary_v_teme_km_s"] * late_s[one["primary_index"]]
        - one["secondary_v_teme_km_s"] * late_s[one["secondary_index"]]
    )
    return float(apart_km @ moved_km / np.linalg.norm(apart_km))
