"""How predictions of encounters move until they happen: encounters in one list of SOCRATES after another."""

from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray, UtcArray
from screening.risk.objects.error_classes import KnownOf
from screening.risk.objects.error_law import METRES_PER_KM, laws_of
from screening.risk.objects.regimes import REGIMES, regime
from storage.writing.objects_table import types_from_names
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import catalogue_of, names_in, rows_of, understood

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

FOLDER, CATALOGUE = "history/socrates", "history/catalogues/20200108.tle.gz"
OF_AN_OBJECT = ("norad", "name", "days_epoch")
OF_BOTH = ("tca_time", "extract_date", "extract_sort", "min_rng_km", "rel_velo_kms")
COLUMNS = (*(f"sat{k}_{name}" for k in (1, 2) for name in OF_AN_OBJECT), *OF_BOTH)
SAME_S = 300.0  # TCAs of one pair lie within a minute, or half a revolution apart
LEAST_LISTS, LEAST_KM_S = 4, 1.0
SAME_SET_DAYS = 0.003  # ages are printed to 0.001
LEADS_DAYS = (0, 1, 2, 3, 5, 7)
# Sigmas of one error of the law for low orbits: 15 % of six sigmas, the others normal.
MEDIAN, NINETY_PERCENT = 0.79, 2.8

ABOUT = About(
    title="Encounters listed again",
    source="CelesTrak SOCRATES, two lists a day from 2020-12-10 to 2020-12-29, each of 1,000 encounters by "
    "probability, by range and by time.",
    what=f"Encounters of objects in low orbits at {LEAST_KM_S:g} km/s or more that {LEAST_LISTS} or more "
    "lists have. How far the TCA of each listing is from that of the last one, in the error law's standard "
    "deviations: sqrt(i1² + i2² + cot²(θ/2) (c1² + c2²)) / 2v of objects that meet at an angle θ with "
    "the speed v, with i and c, in-track and cross-track, of both listings' sets. An object with the same "
    "set in both counts zero. Orbits and types are those of January 2020. What selects small ranges hardly "
    "selects TCAs, so the shifts judge the law; the ranges do not. These lists are the extremes of a day: of "
    "encounters listed last for their time alone nearly all ranges grew, because small ones had been "
    "selected. That is regression to the mean, not error. The others are still listed because their ranges "
    "are still small, or their probabilities large.",
    limits="A normal law has half of the shifts within 0.67 and 90 % within 1.64; with the tails of the law "
    f"for low orbits one error has {MEDIAN:g} and {NINETY_PERCENT:g}, which are allowed. Sets of one object "
    "share errors, most of all sets close in time, and these do not shift a TCA: small values at short leads "
    "do not show that the law is too wide. 90 % values above 1.64 show that shifts have tails.",
    files=(FOLDER, CATALOGUE),
    command='make test ARGS="tests/validation/risk/test_listed_again.py"',
)


class Listings(NamedTuple):
    """Rows of lists, those of an encounter one after another, oldest list first."""

    encounter: IntArray  # (k,), from 0
    made: UtcArray  # (k,), when the list was made
    tca: UtcArray  # (k,)
    norad_id: IntArray  # (k, 2), the smaller one first
    age_days: FloatArray  # (k, 2), of the sets at the TCA
    inactive: BoolArray  # (k, 2)
    range_km: FloatArray  # (k,)
    speed_km_s: FloatArray  # (k,)
    by_time: BoolArray  # (k,), listed for its time, not for its range or probability

    def of(self, rows: npt.NDArray[np.generic]) -> "Listings":
        """Return some of the rows."""
        return Listings._make(column[rows] for column in self)


class Shifts(NamedTuple):
    """How far the TCA of each listing is from that of the last one of its encounter."""

    lead_days: FloatArray  # (k,), from the list to the TCA
    sigmas: FloatArray  # (k,), absolute


def read_listings(data: Path) -> Listings:
    """Read all lists."""
    parts = []
    for name in names_in(data, FOLDER, "*.csv.gz"):
        rows = rows_of(data, name, COLUMNS)
        parts.append(understood(data, name, lambda rows=rows: _listings(rows)))
    return same_encounters(Listings._make(map(np.concatenate, zip(*parts, strict=True))))


def _listings(rows: list[dict[str, str]]) -> Listings:
    tca = [datetime.strptime(row["tca_time"], "%Y %b %d %H:%M:%S.%f") for row in rows]  # noqa: DTZ007
    made = [datetime.fromisoformat(row["extract_date"]) for row in rows]
    numbers, names, ages = (
        np.array([[row[f"sat{k}_{name}"] for k in (1, 2)] for row in rows]) for name in OF_AN_OBJECT
    )
    norad_id = numbers.astype(np.int64)
    order = np.argsort(norad_id, axis=1)
    return Listings(
        encounter=np.zeros(len(rows), np.int64),
        made=np.array(made, "M8[us]"),
        tca=np.array(tca, "M8[us]"),
        norad_id=np.sort(norad_id, axis=1),
        age_days=np.take_along_axis(ages.astype(np.float64), order, axis=1),
        inactive=np.char.endswith(np.take_along_axis(names, order, axis=1), "[-]"),
        range_km=np.array([float(row["min_rng_km"]) for row in rows]),
        speed_km_s=np.array([float(row["rel_velo_kms"]) for row in rows]),
        by_time=np.array([row["extract_sort"] == "TIMEIN" for row in rows]),
    )


def same_encounters(rows: Listings) -> Listings:
    """Number encounters: rows of a pair with TCAs within SAME_S of the next. One row of each in a list."""
    rows = rows.of(np.lexsort((rows.tca, rows.norad_id[:, 1], rows.norad_id[:, 0])))
    other = (np.diff(rows.norad_id, axis=0) != 0).any(axis=1)
    later = np.diff(rows.tca) / np.timedelta64(1, "s") > SAME_S
    rows = rows._replace(encounter=np.append(0, np.cumsum(other | later)))
    rows = rows.of(np.lexsort((rows.by_time, rows.made, rows.encounter)))
    new = (np.diff(rows.encounter) != 0) | (np.diff(rows.made) != np.timedelta64(0))
    return rows.of(np.append(True, new))


def compare(data: Path) -> Comparison:
    """Compare the listings of each encounter with its last one."""
    elements = catalogue_of(data, CATALOGUE)
    elements = elements[np.argsort(elements["norad_id"])]
    rows = read_listings(data)
    rows = rows.of(judged(rows, elements))
    lead_days, sigmas = shifts(rows, elements)
    measures = [Measure("encounters", len(np.unique(rows.encounter))), *_measures("all leads", sigmas)]
    for start, end in pairwise(LEADS_DAYS):
        here = (lead_days >= start) & (lead_days < end)
        measures += _measures(f"{start} to {end} days before the TCA", sigmas[here])
    return Comparison(len(sigmas), "listings before the last", (*measures, *_ranges(rows)))


def _measures(name: str, sigmas: FloatArray) -> list[Measure]:
    half, most = np.percentile(sigmas, [50.0, 90.0]) if len(sigmas) else (np.nan, np.nan)
    return [
        Measure(f"shift of the TCA, {name}: median, sigmas", float(half), "", MEDIAN),
        Measure(f"shift of the TCA, {name}: 90 %, sigmas", float(most), "", NINETY_PERCENT),
    ]


def _ranges(rows: Listings) -> list[Measure]:
    last = np.unique(last_listings(rows.encounter))
    before_km, after_km = rows.range_km[np.append(0, last[:-1] + 1)], rows.range_km[last]
    by_time = rows.by_time[last]
    grown = after_km[by_time] > before_km[by_time]
    return [
        Measure("range, first listing: median", float(np.median(before_km)), "km"),
        Measure("range, last listing: median", float(np.median(after_km)), "km"),
        Measure("encounters listed last for their time alone", 100.0 * float(by_time.mean()), "%"),
        Measure("their range, first listing: median", float(np.median(before_km[by_time])), "km"),
        Measure("their range, last listing: median", float(np.median(after_km[by_time])), "km"),
        Measure("of these with a larger range: selection", 100.0 * float(grown.mean()), "%"),
    ]


def judged(rows: Listings, elements: ElementArray) -> BoolArray:
    """Return which rows (k,) are of encounters listed often enough, fast, of objects known in low orbits."""
    often = np.bincount(rows.encounter)[rows.encounter] >= LEAST_LISTS
    index = _index(rows, elements)
    known = (elements["norad_id"][index] == rows.norad_id).all(axis=1)
    low = (regime(elements) == REGIMES.index("leo"))[index].all(axis=1)
    return often & known & low & (rows.speed_km_s >= LEAST_KM_S)


def shifts(rows: Listings, elements: ElementArray) -> Shifts:
    """Return the shifts of listings made with other sets than the last one.

    The objects of all rows must be in `elements`, sorted by their numbers.
    """
    index, last = _index(rows, elements), last_listings(rows.encounter)
    status = np.full(len(elements), "unknown", "U8")
    status[index[rows.inactive]] = "inactive"
    laws = laws_of(elements, KnownOf.without_history(types_from_names(elements["name"]), status))
    later_days = (rows.tca - rows.tca[last]) / np.timedelta64(1, "D")
    other_set = np.abs(later_days[:, np.newaxis] - rows.age_days + rows.age_days[last]) > SAME_SET_DAYS
    sigma_m = np.stack([laws.sigma_rtn_m(index[:, k], rows.age_days[:, k]) for k in (0, 1)], axis=1)
    both_m = np.hypot(sigma_m, sigma_m[last]) * other_set[..., np.newaxis]
    speed_m_s = METRES_PER_KM * laws.mean_speed_km_s[index].mean(axis=1)
    sigma_s = tca_sigma_s(both_m[..., 1], both_m[..., 2], speed_m_s, METRES_PER_KM * rows.speed_km_s)
    new = other_set.any(axis=1)
    lead_days = (rows.tca - rows.made) / np.timedelta64(1, "D")
    off_s = np.abs(later_days) * (np.timedelta64(1, "D") / np.timedelta64(1, "s"))
    return Shifts(lead_days[new], off_s[new] / sigma_s[new])


def tca_sigma_s(
    in_track_m: FloatArray, cross_track_m: FloatArray, speed_m_s: FloatArray, relative_m_s: FloatArray
) -> FloatArray:
    """Return the 1-sigma shift (k,) of the TCA of two objects that fly equally fast.

    In-track errors x1, x2 (k, 2) shift it by (x1 + x2) / 2v at any angle, cross-track errors c1, c2 (k, 2) by
    (c1 - c2) cot(θ/2) / 2v.
    """
    sine = np.clip(relative_m_s / (2.0 * speed_m_s), 0.0, 1.0)
    cot_squared = 1.0 / sine**2 - 1.0
    variance = (in_track_m**2).sum(axis=1) + cot_squared * (cross_track_m**2).sum(axis=1)
    sigma: FloatArray = np.sqrt(variance) / (2.0 * speed_m_s)
    return sigma


def last_listings(encounter: IntArray) -> IntArray:
    """Return where the last row of each row's encounter is (k,)."""
    return np.searchsorted(encounter, encounter, side="right") - 1


def _index(rows: Listings, elements: ElementArray) -> IntArray:
    """Return where the objects (k, 2) are in sorted elements; those that are not there: anywhere."""
    return np.minimum(np.searchsorted(elements["norad_id"], rows.norad_id), len(elements) - 1)
