"""Draw how the search works, on a synthetic catalogue: the four pictures of docs/screening.md.

Run from the repository: python docs/pictures/screening_method.py [CATALOGUE]. It prints the numbers that the
text quotes; with a catalogue, any file of element sets, it prints those of the catalogue and draws nothing.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from screening_accuracy import Errors, draw_errors, draw_sampling, measured_errors
from screening_cells import draw_cells, draw_step

from screening.encounters import EncounterArray
from screening.kernel_files import keep_kernels_in
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.request import default_start
from screening.synthetic.catalogue import synthetic_catalogue
from storage.settings import StoreSettings, load_settings

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

HERE = Path(__file__).resolve().parent
SEED = 1
OBJECTS = 26_834
EPOCH = np.datetime64("2026-11-21T06:00", "us")
THRESHOLD_KM = 10.0
HOURS = 24.0
GRID_S = 600.0

BoolArray = npt.NDArray[np.bool_]


def main() -> None:
    """Draw the pictures and print the numbers, or print those of a catalogue."""
    if len(sys.argv) > 1:
        elements = parse_catalogue(Path(sys.argv[1]).read_bytes(), source_name=sys.argv[1]).elements
        start = default_start(elements, np.datetime64("now", "us")).instant
    else:
        elements, start = synthetic_catalogue(OBJECTS, SEED, EPOCH).elements, EPOCH
    span = window(start, HOURS)
    encounters = screen_catalogue(elements, span, THRESHOLD_KM).encounters
    errors = measured_errors(elements, span)
    _print_numbers(elements, span, encounters, errors)
    if len(sys.argv) > 1:
        return
    mpl.rcParams.update(
        {"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}
    )
    for name, figure in (
        ("cells", draw_cells(elements, span, THRESHOLD_KM)),
        ("step", draw_step(elements, span, THRESHOLD_KM)),
        ("sampling", draw_sampling(elements, span, encounters, THRESHOLD_KM, GRID_S)),
        ("errors", draw_errors(errors)),
    ):
        figure.savefig(HERE / f"screening_{name}.png", dpi=130, metadata={"Software": None})


def _print_numbers(
    elements: ElementArray, span: TimeWindow, encounters: EncounterArray, errors: Errors
) -> None:
    fast = encounters[~encounters["slow"]]
    speed = fast["relative_speed_km_s"]
    seen = _seen_by_sampling(elements, span, fast)
    print(f"{len(elements):,} objects, {span.start}Z, {HOURS:g} h, {THRESHOLD_KM:g} km: {len(fast):,} fast")
    print(f"relative speed: median {np.median(speed):.1f} km/s, largest {speed.max():.1f} km/s")
    for least_km_s in (0.0, 0.1, 1.0):
        above = speed >= least_km_s
        print(
            f"seen by sampling every {GRID_S:g} s, above {least_km_s:g} km/s: {seen[above].sum():,} of "
            f"{above.sum():,}, {seen[above].mean():.2%}"
        )
    for regime in errors.regimes:
        here = errors.regime == regime
        median, most, largest = 1e3 * np.percentile(errors.true_km[here], [50, 99, 100])
        print(
            f"curve off SGP4, {regime}: {here.sum():,} objects, median {median:.2g} m, 99 % {most:.3g} m, "
            f"largest {largest:.4g} m; error to pad {(errors.true_km / errors.pads_km)[here].max():.2f}"
        )


def _seen_by_sampling(elements: ElementArray, span: TimeWindow, fast: EncounterArray) -> BoolArray:
    """Return which encounters (n,) are below the threshold at the sample before or after their TCA."""
    propagator = Propagator(elements, span)
    seen = np.zeros(len(fast), bool)
    for sample in (np.floor, np.ceil):
        times_s = sample(fast["tca_s"] / GRID_S) * GRID_S
        _, r1, _ = propagator.at(fast["primary_index"], times_s)
        _, r2, _ = propagator.at(fast["secondary_index"], times_s)
        seen |= np.linalg.norm(r2 - r1, axis=1) < THRESHOLD_KM
    return seen


if __name__ == "__main__":
    main()
