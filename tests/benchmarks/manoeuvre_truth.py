"""Print precision, recall and F1 of detected manoeuvres against published ones.

    .venv/bin/python tests/benchmarks/manoeuvre_truth.py

Within 12 and 24 h, for each satellite, all four low ones, each three of these, and those manoeuvres that have
no other within three days. A detection matches one published manoeuvre at most.
"""

import sys
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.histories.burns import manoeuvres  # noqa: E402
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


if __name__ == "__main__":
    main()
