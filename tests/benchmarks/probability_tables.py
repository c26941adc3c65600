"""Validate the probabilities anew and write the tables of docs/probability.md.

    .venv/bin/python tests/benchmarks/probability_tables.py

Takes about two minutes, most of it integration with 30 digits and the search of a whole day's approaches.
"""

import csv
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))  # for what the tests read published cases with

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.orbits.texts.catalogue import parse_catalogue  # noqa: E402
from screening.orbits.timegrid import window  # noqa: E402
from screening.risk import score as scoring  # noqa: E402
from screening.risk.conjunctions import PROBABILITY_FLAGS, ConjunctionArray  # noqa: E402
from screening.risk.geometry.joint_root import joint_root  # noqa: E402
from screening.risk.messages.score import score_message  # noqa: E402
from screening.risk.monte_carlo.three_dimensional import monte_carlo_3d  # noqa: E402
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d  # noqa: E402
from screening.risk.probability.exact_2d import exact_2d  # noqa: E402
from screening.search.all_pairs.assemble import screen_catalogue  # noqa: E402
from screening.vocabulary import RISK_LEVELS  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from tests.benchmarks.documents import Rows, table, write_tables  # noqa: E402
from tests.screening.risk.probability import test_exact_2d, test_formula, test_validity  # noqa: E402
from tests.screening.risk.published import (  # noqa: E402
    integral_rows,
    message_of,
    read_message,
    truth_rows,
)
from tests.screening.risk.real_run import AidaAndKirschner, known  # noqa: E402
from tests.screening.risk.thirty_digits import log_probability  # noqa: E402
from tests.validation.one_message import one_message  # noqa: E402
from tests.validation.risk.probabilities import LIMITS, compared  # noqa: E402

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

DATA = REPOSITORY.parent / "shared" / "data"
DOCUMENT = REPOSITORY / "docs" / "probability.md"
START = np.datetime64("2024-11-01T00:00:00", "us")
THRESHOLD_KM = 10.0
SEEDS = 7
SMALL_M = 2000.0  # three sigmas of both are less than the threshold
SIZES = (0.05, 0.1, 0.28, 0.5, 1.0)


def shared(name: str) -> Path:
    """Return a file of the data beside the repository."""
    return DATA / name


def exact() -> Rows:
    """Compare the integral with published values, and with 30 digits."""
    yield "truth", "cases", "largest relative difference"
    published = [one for one in compared(DATA) if one.has_digits]
    for source in LIMITS:
        differences = [one.difference for one in published if one.group == source]
        yield source, len(differences), f"{max(differences):.1e}"
    geometries = test_exact_2d._geometries(150)
    logarithms = exact_2d(*geometries)[1]
    worst = max(
        abs(float(log - log_probability(*event))) for log, event in zip(logarithms, geometries.T, strict=True)
    )
    smallest = f"{logarithms.min() / np.log(10):.0f}"
    wide = f"30 digits, aspect ratios to 1000, R to 100 sigmas, P to 1e{smallest}"
    yield wide, len(logarithms), f"{worst:.1e}"


def formula() -> Rows:
    """Tell how far the formula is from the integral."""
    size, ratio = test_formula._against_exact()
    yield "R max(1, h) / s_minor below", "formula / exact, least", "most", "bound size² / 8"
    for limit in SIZES:
        here = ratio[size < limit]
        yield limit, f"{here.min():.4f}", f"{here.max():.4f}", f"± {limit**2 / 8:.4f}"


def flags() -> Rows:
    """Count on the CARA messages what the flags catch."""
    yield "2-D value against 3-D and Monte Carlo values of CARA", "messages", "flagged"
    bad, good = [], []
    for row in truth_rows(shared):
        published = re.search(r"Nc3D (\S+); SDMC (\S+)", row["note"])
        message = message_of(row, shared) if published else None
        if message is None or published is None:
            continue
        off = max(abs(float(value) / float(row["expected_pc"]) - 1) for value in published.groups())
        (bad if off > test_validity.bad else good).append(test_validity._flags(message) != 0)
    yield "off by more than 25 %", len(bad), sum(bad)
    yield "within 25 %", len(good), sum(good)


def methods() -> Rows:
    """Compare all methods with CARA's simulated orbits, drag errors taken as independent."""
    yield "objects", "m/s", "SDMC", "2-D", "Nc3D of CARA", "`probability_best`", "method"
    with shared("pc/cara_3d.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        primary, _, secondary = row["message"].split("_")[:3]
        true = float(row["sdmc"])
        found = score_message(
            one_message(DATA, f"cdm/{row['message']}.cdm"),
            float(row["hard_body_radius_m"]),
            samples=0,
            seed=1,
            shared_drag=False,
        )
        plane, best = found.probability_2d_unchecked / true, found.probability_best / true
        speed = f"{float(row['vrel_m_s']):,.0f}"
        ratios = (
            f"{plane:.3f}" if plane > 1e-3 else f"{plane:.0e}",
            f"{float(row['nc3d']) / true:.3f}",
            f"{best:.3f}",
        )
        pair = f"{int(primary)} and {int(secondary)}"
        yield pair, speed, f"{true:.2e}", *ratios, f"`{found.probability_method}`"


def plane_sampling() -> Rows:
    """Count how often the intervals of the Monte Carlo in the plane hold the exact value."""
    yield "samples", "intervals", "hold the exact value", "half width, median", "largest"
    geometries = np.unique([geometry for _, geometry in integral_rows(shared)], axis=0).T
    true, _ = exact_2d(*geometries)
    geometries, true = geometries[:, true > 1e-7], true[true > 1e-7]
    for samples in (10_000, 100_000):
        held, half = [], []
        for first in range(SEEDS):
            seeds = first * len(true) + np.arange(len(true))
            run = monte_carlo_2d(*geometries, seeds, largest_samples=samples, relative_half_width=0.0)
            held.append((run.low <= true) & (true <= run.high))
            half.append(0.5 * (run.high - run.low) / true)
        wide = np.array(half)
        share = f"{np.mean(held):.1%}"
        yield f"{samples:,}", np.size(held), share, f"{np.median(wide):.2%}", f"{wide.max():.1%}"


def trajectories() -> Rows:
    """Compare the Monte Carlo of trajectories with Alfano's."""
    yield "Alfano (2009), case", "2-D / published", "3-D / published", "95 % interval", "window, s"
    published = {row["id"]: row for row in truth_rows(shared)}
    for case in range(1, 12):
        message = read_message(shared(f"cdm/AlfanoTestCase{case:02}.cdm"))
        row = published[f"alfano2009/case{case:02}/montecarlo1e8"]
        true, linear = float(row["expected_pc"]), published.get(f"alfano2009/case{case:02}/linear2d")
        root = joint_root(*message.covariances_rtn, None)
        run = monte_carlo_3d(message.states, root, float(row["hbr_m"]), seed=1)
        flat = f"{float(linear['expected_pc']) / true:.2f}" if linear else ""
        half = 0.5 * (run.high - run.low) / true
        begin_s, end_s = run.window_s
        yield case, flat, f"{run.probability / true:.3f}", f"± {half:.3f}", f"{begin_s:,.0f} to {end_s:,.0f}"


def rated() -> tuple[ConjunctionArray, ConjunctionArray]:
    """Rate the real catalogue's day with the error law, and with the errors that were used before."""
    elements = parse_catalogue(shared("gp_onorbit_20241101.csv").read_bytes()).elements
    span, facts = window(START, 24.0), known(elements, DATA)
    encounters = screen_catalogue(elements, span, THRESHOLD_KM).encounters
    by_law = scoring.score(encounters, elements, span, facts)
    own = scoring.error_laws
    scoring.error_laws = AidaAndKirschner  # type: ignore[assignment]
    before = scoring.score(encounters, elements, span, facts)
    scoring.error_laws = own
    return by_law, before


def tiers(by_law: ConjunctionArray, before: ConjunctionArray) -> Rows:
    """Count levels and flags with both."""
    flags_counted = ("long", "curved")
    yield "errors", *RISK_LEVELS, *(f"`{flag}`" for flag in flags_counted)
    for name, rows in (("Aida & Kirschner (2013), everywhere", before), ("the law", by_law)):
        levels = np.bincount(rows["risk_level"], minlength=len(RISK_LEVELS))
        bits = (rows["probability_flag"] >> PROBABILITY_FLAGS.index(flag) & 1 for flag in flags_counted)
        yield name, *(f"{n:,}" for n in levels), *(f"{np.count_nonzero(bit):,}" for bit in bits)


def whole_run(rows: ConjunctionArray) -> Rows:
    """Tell of one run what its probabilities are like as a whole."""
    yield "of the run", ""
    holds = np.isfinite(rows["probability_2d"])
    here = rows[holds]
    yield "events", f"{len(rows):,}"
    for bit, word in enumerate(PROBABILITY_FLAGS):
        yield f"flagged `{word}`", f"{np.count_nonzero(rows['probability_flag'] >> bit & 1):,}"
    yield "with any flag", f"{np.count_nonzero(rows['probability_flag']):,}"
    yield (
        "`probability_max` below `probability_2d`",
        int((here["probability_max"] < here["probability_2d"]).sum()),
    )
    yield "`diluted`", f"{np.count_nonzero(here['diluted'] == 1):,}"
    yield "`probability_2d` above 1e-6", f"{np.count_nonzero(here['probability_2d'] > 1e-6):,}"
    yield "`probability_max` above 1e-6", f"{np.count_nonzero(here['probability_max'] > 1e-6):,}"
    small = np.maximum(here["primary_sigma_t_m"], here["secondary_sigma_t_m"]) < SMALL_M
    for name, some in (("", here), (", both in-track sigmas below 2 km", here[small])):
        yield f"sum of `probability_2d`{name}", f"{some['probability_2d'].sum():.4f}"
        for distance_m in (1e3, 2e3, 5e3, 1e4):
            near = some[some["miss_distance_m"] < distance_m]
            total = np.sum((near["hard_body_radius_m"] / distance_m) ** 2)
            yield f"sum of (R / D)² of those below D = {distance_m / 1e3:g} km{name}", f"{total:.4f}"
    some = here[here["probability_2d"] > 1e-12]
    off = np.abs(some["probability"] / some["probability_2d"] - 1)
    yield "formula against integral, 99.9 % of P > 1e-12 within", f"{np.percentile(off, 99.9):.2%}"


def main() -> None:
    """Write every table between its markers."""
    if not shared("pc/pc_truth.csv").exists():
        sys.exit(f"{shared('pc/pc_truth.csv')} is missing.")
    made: dict[str, Callable[[], Rows]] = {
        "methods": methods,
        "exact": exact,
        "formula": formula,
        "flags": flags,
        "plane": plane_sampling,
        "trajectories": trajectories,
    }
    tables = {name: table(rows()) for name, rows in made.items()}
    by_law, before = rated()
    tables |= {"tiers": table(tiers(by_law, before)), "run": table(whole_run(by_law))}
    write_tables(DOCUMENT, tables)


if __name__ == "__main__":
    main()
