"""The error law of element sets against measured errors."""

from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from screening.orbits.timegrid import FloatArray
from tests.validation.comparison import About, Comparison, Measure, Picture
from tests.validation.files import catalogue_of
from tests.validation.risk.measured_errors import (
    BY_AGE,
    BY_OPERATORS,
    MEASURED,
    TITLES,
    Compared,
    by_age,
    by_operators,
)
from tests.validation.style import COLOURS, tidy

CATALOGUE = "gp_onorbit_20241101.csv"
UP_TO_DAYS = 7.0
# What the law may be off by, as a factor: in-track, and radially or across the track.
IN_TRACK = {"LEO-POD": 1.4, "SLR-LEO": 1.4, "SLR-MEO": 2.2}
OTHER_AXES = 2.0
# Against operators' ephemerides. Intelsat's satellites thrust more than others, whose law theirs is too.
MEDIANS = {"spacex-starlink": 1.7, "gps-precise": 1.5, "intelsat": 5.5}

ABOUT = About(
    title="Errors of element sets",
    source="orbit-accuracy-experiments, an open study (October 2025 to March 2026): root mean squares of "
    "public element sets against precise orbits by age, and medians of the differences from "
    "operators' ephemerides.",
    what="The law's standard deviations, radial, in-track and cross-track, beside the measured ones: of "
    f"Swarm, Sentinel-1 and laser-ranging spheres up to {UP_TO_DAYS:g} days, each row over its ages; "
    "of Starlink, GPS and Intelsat the medians over 0.6745. The elements are those of November 2024.",
    limits="The laws of low, medium and geodetic orbits were fitted to these tables, with the drag of "
    "another year, so this shows how well they fit and not what they foretell. Growth and tails of the "
    "others are fitted to differences of element sets, which do not show what sets of one object share: "
    "Intelsat's satellites err more than their sets' differences, and more than the belt's others.",
    files=(BY_AGE, BY_OPERATORS, CATALOGUE),
    command='make test ARGS="tests/screening/risk/objects/test_error_law.py"',
)


def compare(data: Path) -> Comparison:
    """Compute the law for every row, and take the largest factor of each group."""
    elements = catalogue_of(data, CATALOGUE)
    whole = by_age(elements, data) + by_operators(elements, data)
    found = [row for row in whole if row.to_days <= UP_TO_DAYS]
    measures: list[Measure] = []
    for group, rows in groupby(found, lambda row: row.group):
        measures += _judged(group, factors(list(rows)))
    picture = Picture("error_law", "The law over the measured error, in-track", partial(draw, compared=found))
    return Comparison(3 * len(found), "standard deviations", tuple(measures), picture)


def factors(rows: list[Compared]) -> FloatArray:
    """Return by which factor (n, 3) the law is off, up or down."""
    ratios = np.stack([row.ratios for row in rows])
    return np.maximum(ratios, 1.0 / ratios)


def _judged(group: str, off: FloatArray) -> list[Measure]:
    measured = group in MEASURED
    along, across = float(off[:, 1].max()), float(off[:, ::2].max())
    in_track, other_axes = (IN_TRACK[group], OTHER_AXES) if measured else (MEDIANS[group],) * 2
    return [
        Measure(f"{TITLES[group]}: in-track, factor", along, "", in_track),
        Measure(f"{TITLES[group]}: radial, cross-track", across, "", other_axes),
    ]


def draw(figure: Figure, compared: list[Compared]) -> None:
    """Draw the ratios in-track against the age."""
    axes = figure.subplots()
    for group, rows in groupby(compared, lambda row: row.group):
        points = [((row.from_days + row.to_days) / 2.0, float(row.ratios[1])) for row in rows]
        colour = COLOURS[list(TITLES).index(group) % len(MEASURED)]
        look = "o-" if group in MEASURED else "o--"
        days, ratios = zip(*points, strict=True)
        axes.plot(days, ratios, look, color=colour, markersize=3.0, linewidth=1.0, label=TITLES[group])
    axes.axhline(1.0, color="#5b6673", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_yticks([0.5, 0.7, 1.0, 1.4, 2.0], ["0.5", "0.7", "1", "1.4", "2"])
    axes.yaxis.minorticks_off()
    axes.legend(frameon=False, fontsize=8, ncols=2)
    tidy(axes, "age of the element set (days)", "law / measured, in-track")
