"""Compare the 3-D probability with whole orbits counted one by one, over messages and sizes of their errors.

    .venv/bin/python tests/benchmarks/trajectory_truth.py [--messages PART_OF_NAME ...] [--seed 1]

Print, for each of CARA's 25 messages and each factor on the covariances, `probability_3d`, the share of
hits of a plain Monte Carlo, their ratio, and the level that each gives. It draws until 100 hits or 100
million samples, about a microsecond each: values below 1e-5 are not counted.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.risk.probability.three_dimensional import REASONS  # noqa: E402
from screening.risk.tiers import probability_levels  # noqa: E402
from screening.vocabulary import PROBABILITY_LEVELS  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from tests.screening.risk.probability.curvilinear_oracle import count_hits  # noqa: E402
from tests.screening.risk.probability.test_three_dimensional import (  # noqa: E402
    Case,
    cara_cases,
    meetings,
)

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

SHARED = REPOSITORY.parent / "shared" / "data"
FACTORS = (0.2, 0.5, 1.0, 2.0, 5.0)  # on the covariances
LEAST_COUNTED = 1e-5
ENOUGH_HITS = 100
MOST_SAMPLES = 100_000_000
COLUMNS = "{:<56}{:>7}{:>12}{:>12}{:>8}{:>8}{:>10}{:>10}  {}"


def level(probability: float) -> str:
    """Return the level by the probability alone, as `skysieve score` gives it."""
    return str(PROBABILITY_LEVELS[probability_levels(np.array([probability]))[0]])


def row(case: Case, factor: float, seed: int) -> str:
    """Compute and count one message with one factor."""
    root = case.root_rtn * np.sqrt(factor)
    found = meetings(case.states, root, case.radius_m)
    probability = float(found.probability[0])
    begin = case.message, f"{factor:g}", f"{probability:.4g}"
    if np.isnan(probability):
        why = REASONS.get(int(found.state[0]), "an argument is not finite")
        return COLUMNS.format(*begin, "", "", "", level(probability), "", why)
    if probability < LEAST_COUNTED:
        return COLUMNS.format(*begin, "", "", "", level(probability), "", "too small to be counted")
    counted = count_hits(case.states, root, case.radius_m, MOST_SAMPLES, seed, enough_hits=ENOUGH_HITS)
    if counted.hits == 0:
        return COLUMNS.format(*begin, "0", "", "", level(probability), level(0.0), "NO HIT")
    ratio = probability / counted.probability
    levels = level(probability), level(counted.probability)
    odd = abs(ratio - 1.0) > 3.0 * counted.noise
    remarks = ["beyond three sigmas"] * odd + ["another level"] * (levels[0] != levels[1])
    numbers = f"{counted.probability:.4g}", f"{ratio:.3f}", f"{counted.noise:.3f}"
    return COLUMNS.format(*begin, *numbers, *levels, ", ".join(remarks))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", nargs="+", default=[""], help="parts of names; all without")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print(
        COLUMNS.format("message", "factor", "3-D", "counted", "ratio", "sigma", "level", "counted", "remarks")
    )
    for case in cara_cases(SHARED / "pc" / "cara_3d.csv", SHARED / "cdm"):
        if any(part in case.message for part in chosen.messages):
            for factor in FACTORS:
                print(row(case, factor, chosen.seed), flush=True)


if __name__ == "__main__":
    main()
