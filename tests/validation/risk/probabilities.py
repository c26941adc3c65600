"""The exact 2-D probability against every published value."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from screening.risk.messages.score import score_message
from screening.risk.probability.exact_2d import exact_2d
from tests.validation.comparison import About, Comparison, Measure, Picture, largest
from tests.validation.files import understood
from tests.validation.one_message import one_message
from tests.validation.risk.truth import (
    DIGITS,
    MESSAGES,
    TRUTH,
    Row,
    expected,
    geometry_given,
    is_over_the_disk,
    message_file,
    truth_rows,
)
from tests.validation.style import COLOURS, tidy

# The largest relative difference allowed. CARA's messages rest on a TCA adjusted to their own arithmetic.
LIMITS = {
    "NASA CARA, Pc2D of its messages": 1e-6,
    "NASA CARA, other cases": DIGITS,
    "Alfano (2009), linear": DIGITS,
    "Orekit's tests": DIGITS,
}
CARA, OTHER_CARA, ALFANO, OREKIT = LIMITS
MARKERS = {CARA: "o", OTHER_CARA: "D", ALFANO: "^", OREKIT: "s"}

ABOUT = About(
    title="Probability of collision, 2-D",
    source="NASA CARA Analysis Tools (https://github.com/nasa/CARA_Analysis_Tools): test conjunctions and "
    "unit tests; Alfano (2009), Satellite conjunction Monte Carlo analysis; tests of Orekit "
    "(https://github.com/CS-SI/Orekit).",
    what="Every published value of the exact 2-D integral over a disk whose inputs are in the folder: "
    "messages are read and scored as `skysieve score` does, errors independent; planes and states "
    "are integrated as given.",
    limits="CARA's messages have all digits; the other values are printed with three to five, so a "
    "thousandth is allowed. Series (Chan), squares, and a value that a 30-digit integration shows to "
    "be 5 % low are left out or replaced, as the table notes. A value with fewer digits counts by "
    "its own tolerance.",
    files=(TRUTH, MESSAGES),
    command='make test ARGS="tests/screening/risk/probability"',
)


class Compared(NamedTuple):
    """One published value beside ours."""

    group: str  # of LIMITS
    published: float
    computed: float
    allowed: float  # absolute

    @property
    def difference(self) -> float:
        """The relative difference."""
        return abs(self.computed / self.published - 1.0)

    @property
    def has_digits(self) -> bool:
        """Whether the value is printed with enough digits to say anything relative."""
        return self.allowed <= DIGITS * self.published


def compare(data: Path) -> Comparison:
    """Compute every value, and take the largest difference of each group."""
    found = compared(data)
    measures = [
        Measure(f"{group}: largest relative difference of {len(own)}", largest(own), "", limit, group == CARA)
        for group, limit in LIMITS.items()
        if (own := [one.difference for one in found if one.group == group and one.has_digits])
    ]
    beyond = sum(not abs(one.computed - one.published) <= one.allowed for one in found if not one.has_digits)
    few = sum(not one.has_digits for one in found)
    absent = sum(map(is_over_the_disk, truth_rows(data))) - len(found)
    measures.append(Measure(f"printed with fewer digits: beyond these, of {few}", beyond, "", 0))
    measures.append(Measure("not compared: the message is not in the folder", absent))
    caption = "Relative difference of every published probability from ours"
    picture = Picture("probabilities", caption, partial(draw, found=found))
    return Comparison(len(found), "probabilities", tuple(measures), picture)


def compared(data: Path) -> list[Compared]:
    """Return every published value over a disk whose inputs are in the folder, beside ours."""
    found = []
    for row in filter(is_over_the_disk, truth_rows(data)):
        value, allowed = understood(data, TRUTH, partial(expected, row))
        computed = _computed(row, data)
        if computed is not None:
            found.append(Compared(_group(row), value, computed, allowed))
    return found


def _computed(row: Row, data: Path) -> float | None:
    geometry = geometry_given(row, data)
    if geometry is not None:
        return float(exact_2d(*np.array(geometry)[:, np.newaxis])[0][0])
    name = message_file(row, data)
    if name is None:
        return None
    radius_m = understood(data, TRUTH, lambda: float(row["hbr_m"]))
    return score_message(one_message(data, name), radius_m, samples=0, seed=1).probability_2d_unchecked


def _group(row: Row) -> str:
    if row["id"].startswith("orekit"):
        return OREKIT
    if row["id"].startswith("alfano2009"):
        return ALFANO
    return CARA if row["method"].startswith("Pc2D") else OTHER_CARA


def draw(figure: Figure, found: list[Compared]) -> None:
    """Draw the differences against the probabilities."""
    axes = figure.subplots()
    for (group, marker), colour in zip(MARKERS.items(), COLOURS, strict=True):
        own = [one for one in found if one.group == group and one.has_digits]
        differences = np.maximum([one.difference for one in own], 1e-16)  # of those that are equal
        axes.loglog(
            [one.published for one in own], differences, marker, color=colour, markersize=4, label=group
        )
    for limit in sorted(set(LIMITS.values())):
        axes.axhline(limit, color="#98a2b0", linewidth=0.8, linestyle="--")
    axes.legend(frameon=False, fontsize=8)
    tidy(axes, "published probability", "relative difference")
