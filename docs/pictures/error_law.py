"""Draw the error law beside the measured errors of public element sets, and write its table.

Run from the repository: python docs/pictures/error_law.py. Reads the catalogue of 2024-11-01 and the tables
of measured errors in ../shared/data; writes error_law.png and the tables `errors` and `sigmas` of
docs/probability.md.
"""

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path.insert(0, str(REPOSITORY))

from screening.orbits.elements import ElementArray  # noqa: E402
from screening.orbits.texts.catalogue import parse_catalogue  # noqa: E402
from screening.risk.objects.error_law import LAWS  # noqa: E402
from tests.benchmarks.documents import table, write_tables  # noqa: E402
from tests.validation.risk.coverage import held, samples  # noqa: E402
from tests.validation.risk.measured_errors import (  # noqa: E402
    MEASURED,
    TITLES,
    Compared,
    by_age,
    by_operators,
    laws_of,
)
from tests.validation.risk.real_differences import all_differences  # noqa: E402

PICTURE = HERE / "error_law.png"
DOCUMENT = REPOSITORY / "docs" / "probability.md"
DATA = REPOSITORY.parent / "shared" / "data"

FEWEST_OBJECTS = 100
AXES = ("radial", "in-track", "cross-track")
COLOURS = ("#0f766e", "#c2410c", "#374151")
AGES_DAYS = (0.0, 1.0, 3.0, 7.0)
# Of whom the sigmas are shown, as they were on 2024-11-01.
SHOWN = {
    8820: "LAGEOS 1, 5,900 km",
    7646: "Starlette, 800 to 1,100 km",
    39634: "Sentinel-1A, 700 km",
    39451: "Swarm B, 500 km",
    25544: "space station, 420 km",
    24876: "GPS",
    44714: "Starlink",
    28358: "geostationary, active",
    2639: "geostationary, ballistic",
}


def main() -> None:
    """Draw the picture and write the tables."""
    if not (DATA / "errors").exists():
        sys.exit(f"{DATA / 'errors'} is missing.")
    elements = parse_catalogue((DATA / "gp_onorbit_20241101.csv").read_bytes()).elements
    compared = by_age(elements, DATA) + by_operators(elements, DATA)
    _draw(compared)
    tables = {"errors": _fit(compared), "sigmas": _sigmas(elements), "held": _held()}
    write_tables(DOCUMENT, {name: table(rows) for name, rows in tables.items()})


def _fit(compared: list[Compared]) -> Iterator[tuple[object, ...]]:
    """Yield rows of the law over the measured."""
    yield "measured on", "age, days", "radial, km", "in-track, km", "cross-track, km", "law / measured"
    for row in compared:
        ages = f"{row.from_days:.3g}"
        if row.to_days > row.from_days:
            ages += f" to {row.to_days:.3g}"
        measured = (f"{value:.2f}" for value in row.measured_km)
        yield TITLES[row.group], ages, *measured, ", ".join(f"{ratio:.2f}" for ratio in row.ratios)


def _held() -> Iterator[tuple[object, ...]]:
    """Yield rows of what the laws hold of real differences, of objects that they are not fitted to."""
    yield "law", "objects", "pairs", "measured / law", "inside 95 %", "inside 99.7 %"
    for name, sample in samples(all_differences(DATA)).items():
        other, law = sample.of(~sample.is_fitted), LAWS[name]
        if (objects := len(np.unique(other.norad_id))) >= FEWEST_OBJECTS:
            found = held(other.rtn_m, other.law_m, law.tail_share, np.array(law.tail_scale_rtn))
            columns = [", ".join(f"{value:.2f}" for value in found.ratio)]
            columns += [", ".join(f"{100.0 * share:.1f} %" for share in row) for row in found.regions]
            yield f"`{name}`", f"{objects:,}", f"{len(other.age_days):,}", *columns


def _sigmas(elements: ElementArray) -> Iterator[tuple[object, ...]]:
    """Yield rows of the law of some objects."""
    yield "in-track sigma, km, after", *(f"{age:g} d" for age in AGES_DAYS)
    laws = laws_of(elements)
    for number, name in SHOWN.items():
        index = np.full(len(AGES_DAYS), np.searchsorted(elements["norad_id"], number))
        assert elements["norad_id"][index[0]] == number
        in_track_km = laws.sigma_rtn_m(index, np.array(AGES_DAYS))[:, 1] / 1e3
        yield name, *(f"{sigma:.0f}" if sigma >= 10.0 else f"{sigma:.2g}" for sigma in in_track_km)


def _draw(compared: list[Compared]) -> None:
    mpl.rcParams.update(
        {"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}
    )
    figure, grid = plt.subplots(2, 3, figsize=(9.4, 5.6), layout="constrained", facecolor="white")
    for axes, (group, rows) in zip(grid.flat, groupby(compared, lambda row: row.group), strict=True):
        _draw_group(axes, list(rows))
        axes.set_title(TITLES[group])
        if group not in MEASURED:
            axes.set_xlim(-0.1, 3.1)
    for axes in grid[:, 0]:
        axes.set_ylabel("1-sigma error (km)")
    for axes in grid[1]:
        axes.set_xlabel("age of the element set (days)")
    grid[0, 0].legend(frameon=False, fontsize=8)
    figure.savefig(PICTURE, dpi=130, metadata={"Software": None})


def _draw_group(axes: Axes, rows: list[Compared]) -> None:
    ages = np.array([(row.from_days + row.to_days) / 2.0 for row in rows])
    measured, law = (np.array([getattr(row, name) for row in rows]) for name in ("measured_km", "law_km"))
    for axis, (name, colour) in enumerate(zip(AXES, COLOURS, strict=True)):
        axes.plot(ages, measured[:, axis], "o", markersize=3.5, color=colour)
        axes.plot(ages, law[:, axis], color=colour, linewidth=1.2, label=name)
    axes.set_yscale("log")
    axes.set_ylim(0.06, 200.0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


if __name__ == "__main__":
    main()
