"""The search: rows of CelesTrak's SOCRATES."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.encounters import EncounterArray, ProximityArray
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import catalogue_of, rows_of, understood
from tests.validation.orbits.independent_detector import by_pair

ELEMENT_SETS, REPORT = "socrates_20260911/gp.csv", "socrates_20260911/socrates_top27_minrange.csv"
START, HOURS, THRESHOLD_KM = np.datetime64("2026-09-11T19:00:00", "us"), 7 * 24.0, 5.0
FORMATION_KM_S = 0.01  # rows of slower pairs are minima of a formation, which we report as one proximity
ABOUT = About(
    title="Search: SOCRATES",
    source="CelesTrak, SOCRATES Plus, the 27 nearest approaches of its report of 2026-09-11, and the "
    "element sets of that day, https://celestrak.org/SOCRATES/.",
    what="The rows whose two element sets are there, against a search of these sets over SOCRATES' own "
    "seven days and 5 km. Pairs slower than 10 m/s fly together: SOCRATES lists each minimum of their "
    "distance, we one proximity with the least, so the nearest row of each pair is compared.",
    limits="SOCRATES prints milliseconds, metres and metres per second; its element sets have gone through "
    "the digits of a web page. The minimum of a formation is flat: 0.1 s.",
    files=(ELEMENT_SETS, REPORT),
    command='make test ARGS="tests/screening/search/all_pairs/test_screen_real.py"',
)
COLUMNS = ("NORAD_CAT_ID_1", "NORAD_CAT_ID_2", "TCA", "TCA_RANGE", "TCA_RELATIVE_SPEED")


class Row(NamedTuple):
    """A row of the report."""

    pair: tuple[int, int]
    tca_s: float  # from the start of the window
    range_km: float
    speed_km_s: float


class Off(NamedTuple):
    """How far our approach is from a row; NaN where it was not found."""

    tca_s: float
    range_km: float
    speed_km_s: float


def read_report(data: Path, span: TimeWindow) -> list[Row]:
    """Read the rows, nearest first."""
    rows = rows_of(data, REPORT, COLUMNS)
    return understood(data, REPORT, lambda: [_row(row, span) for row in rows])


def _row(row: dict[str, str], span: TimeWindow) -> Row:
    first, second = sorted((int(row["NORAD_CAT_ID_1"]), int(row["NORAD_CAT_ID_2"])))
    tca_s = (np.datetime64(row["TCA"].replace(" ", "T"), "us") - span.start) / np.timedelta64(1, "s")
    return Row((first, second), float(tca_s), float(row["TCA_RANGE"]), float(row["TCA_RELATIVE_SPEED"]))


def compare(data: Path) -> Comparison:
    """Search the element sets and look for each row."""
    span = window(START, HOURS)
    report = read_report(data, span)
    elements = catalogue_of(data, ELEMENT_SETS)
    screening = screen_catalogue(elements, span, THRESHOLD_KM)
    found = by_pair(screening.encounters, elements)
    here = [row for row in report if np.isin(row.pair, elements["norad_id"]).all()]
    passing = [row for row in here if row.speed_km_s >= FORMATION_KM_S]
    together = [row for row in here if row.speed_km_s < FORMATION_KM_S]
    nearest = {row.pair: row for row in reversed(together)}  # the report begins with the nearest
    offs = [_passing(row, found) for row in passing]
    formations = [_together(row, screening.proximities, elements) for row in nearest.values()]
    return Comparison(
        len(here),
        "rows",
        (
            Measure("rows without both element sets, left out", len(report) - len(here)),
            Measure("passing pairs", len(passing)),
            *_measures(offs, "of a passing pair", (0.01, 1.0, 1.0)),
            Measure("rows of pairs that fly together", len(together)),
            *_measures(formations, "of a pair that flies together", (0.1, 1.0, None)),
        ),
    )


def _measures(offs: list[Off], whose: str, limits: tuple[float, float, float | None]) -> list[Measure]:
    tca_s, range_km, speed_km_s = np.abs(np.array(offs).reshape(-1, 3)).T
    missing = int(np.isnan(tca_s).sum())
    measures = [
        Measure(f"not found, {whose[3:]}", missing, limit=0),
        Measure(f"largest difference of the TCA {whose}", 1e3 * _worst(tca_s), "ms", 1e3 * limits[0]),
        Measure(f"largest difference of the range {whose}", 1e3 * _worst(range_km), "m", limits[1]),
    ]
    if limits[2] is not None:
        speed_m_s = 1e3 * _worst(speed_km_s)
        measures.append(Measure(f"largest difference of the speed {whose}", speed_m_s, "m/s", limits[2]))
    return measures


def _worst(values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    return float(known.max()) if len(known) else np.nan


def _passing(row: Row, found: dict[tuple[int, int], EncounterArray]) -> Off:
    ours = found.get(row.pair)
    if ours is None:
        return Off(np.nan, np.nan, np.nan)
    one = ours[int(np.abs(ours["tca_s"] - row.tca_s).argmin())]
    speed_km_s = float(one["relative_speed_km_s"]) - row.speed_km_s
    return Off(float(one["tca_s"]) - row.tca_s, float(one["miss_distance_km"]) - row.range_km, speed_km_s)


def _together(row: Row, proximities: ProximityArray, elements: ElementArray) -> Off:
    numbers = elements["norad_id"]
    for one in proximities:
        if (numbers[one["primary_index"]], numbers[one["secondary_index"]]) == row.pair:
            return Off(float(one["tca_s"]) - row.tca_s, float(one["min_distance_km"]) - row.range_km, 0.0)
    return Off(np.nan, np.nan, np.nan)
