"""Print precision, recall and F1 of detected manoeuvres against published ones.

    .venv/bin/python tests/benchmarks/manoeuvre_truth.py

Within 12 and 24 h, for each satellite, all four low ones, each three of these, and those manoeuvres that have
no other within three days. A detection matches one published manoeuvre at most. Then what each group of a
published week does, and how many manoeuvres that are new in the last half day of what was known at some time
are not found any more at the end of the week.
"""

import csv
import gzip
import io
import sys
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.histories.burns import FEWEST_SETS, ManoeuvreArray, manoeuvres  # noqa: E402
from screening.histories.rates import rates  # noqa: E402
from screening.orbits.elements import ElementArray  # noqa: E402
from screening.orbits.texts.dated import read_dated_sets  # noqa: E402
from screening.orbits.timegrid import UtcArray  # noqa: E402
from tests.validation.orbits.burns_detected import (  # noqa: E402
    LOW_SATELLITES,
    NAMES,
    TOLERANCES_H,
    alone,
    found,
    matches,
    read_case,
)

SHARED = REPOSITORY.parent / "shared" / "data"
WEEK = SHARED / "history" / "published" / "celestrak_202605_even.csv.gz"
CUTS = np.arange("2026-05-28T00", "2026-05-30T13", 12, "M8[h]")
HALF_A_DAY, DAY = np.timedelta64(12, "h"), np.timedelta64(24, "h")
WEEK_COLUMNS = "{:<12}{:>9}{:>22}{:>12}{:>12}{:>16}{:>15}{:>20}"
COLUMNS = "{:<22}{:>10}{:>10}{:>6}{:>10}{:>10}{:>10}{:>10}"


def main() -> None:
    """Print the table."""
    cases = {name: read_case(SHARED, name) for name in NAMES}
    detected = {name: manoeuvres(case.sets)["at"] for name, case in cases.items()}
    print(COLUMNS.format("satellites", "published", "detected", "h", "matched", "precision", "recall", "F1"))
    groups = [(name, (name,)) for name in NAMES]
    groups += [("all low", LOW_SATELLITES)]
    groups += [(f"without {name}", tuple(n for n in LOW_SATELLITES if n != name)) for name in LOW_SATELLITES]
    for title, names in groups:
        for hours in TOLERANCES_H:
            counts = found([detected[n] for n in names], [cases[n].published for n in names], hours)
            numbers = (f"{value:.3f}" for value in (counts.precision, counts.recall, counts.f1))
            print(COLUMNS.format(title, counts.published, counts.detected, hours, counts.matched, *numbers))
    for name in LOW_SATELLITES:
        lone = alone(cases[name].published)
        for hours in TOLERANCES_H:
            hit = int((matches(detected[name], cases[name].published, hours) & lone).sum())
            recall = f"{hit / np.count_nonzero(lone):.3f}"
            print(COLUMNS.format(f"{name}, alone", np.count_nonzero(lone), "", hours, hit, "", recall, ""))
    week()


def week() -> None:
    """Print what the groups of the published week do."""
    text = gzip.decompress(WEEK.read_bytes()).decode()
    group = {int(row["norad_id"]): row["group"] for row in csv.DictReader(io.StringIO(text))}
    pieces = list(read_dated_sets(text, source_name=WEEK.name))
    sets = np.concatenate([piece.elements for piece in pieces])
    known_at = np.concatenate([piece.known_at for piece in pieces])
    found = manoeuvres(sets)
    each = rates(sets, found)
    new, gone, days = np.array([cut_at(sets, known_at, found, cut) for cut in CUTS]).sum(axis=0)
    groups = np.array([group[number] for number in each["norad_id"]])
    of_number = np.array([group.get(number, "") for number in range(len(new))])
    print()
    titles = ("objects", "a day, of 1,000", "median m/s", "that thrust", "median m/s/day")
    print(WEEK_COLUMNS.format("group", *titles, "new, of 1,000", "found no more"))
    for name in np.unique(groups):
        own, here = each[groups == name], of_number == name
        steady = own["steady_dv_m_s_day"][own["steady_dv_m_s_day"] > 0.0]
        dv = own["typical_dv_m_s"][np.isfinite(own["typical_dv_m_s"])]
        numbers = (
            f"{1e3 * own['per_day'].mean():.1f}",
            f"{np.median(dv):.3f}" if len(dv) else "",
            f"{len(steady) / len(own):.2f}",
            f"{np.median(steady):.4f}" if len(steady) else "",
            f"{1e3 * new[here].sum() / days[here].sum():.1f}",
            f"{1e3 * gone[here].sum() / days[here].sum():.1f}",
        )
        print(WEEK_COLUMNS.format(name, len(own), *numbers))


def cut_at(
    sets: ElementArray, known_at: UtcArray, found: ManoeuvreArray, cut: np.datetime64
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by object, how many manoeuvres half a day adds, how many are wrong, and judged days."""
    now, before = (manoeuvres(sets[known_at <= until]) for until in (cut, cut - HALF_A_DAY))
    added = now[~near(now, before)]
    numbers, sizes = np.unique(sets["norad_id"][known_at <= cut], return_counts=True)
    most = int(sets["norad_id"].max()) + 1
    wrong = added[~near(added, found)]["norad_id"]
    judged = np.bincount(numbers[sizes >= FEWEST_SETS], minlength=most) * (HALF_A_DAY / DAY)
    return np.bincount(added["norad_id"], minlength=most), np.bincount(wrong, minlength=most), judged


def near(some: ManoeuvreArray, others: ManoeuvreArray) -> np.ndarray:
    """Return which have one of the same object within a day among others."""
    apart = np.abs(some["at"][:, None] - others["at"][None, :])
    same = some["norad_id"][:, None] == others["norad_id"][None, :]
    return ((apart < DAY) & same).any(axis=1)


if __name__ == "__main__":
    main()
