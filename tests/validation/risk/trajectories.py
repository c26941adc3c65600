"""The Monte Carlo of whole trajectories against published Monte Carlo values: Alfano's and NASA CARA's."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from screening.risk.messages.beyond_the_plane import joint_errors
from screening.risk.messages.encounter import encounter
from screening.risk.messages.errors import errors_of
from screening.risk.monte_carlo.three_dimensional import SAMPLES, TrajectoryEstimate, monte_carlo_3d
from tests.validation.comparison import About, Comparison, Measure, Picture, largest
from tests.validation.files import understood
from tests.validation.one_message import one_message
from tests.validation.risk.truth import MESSAGES, TRUTH, Row, better_values, message_file, truth_rows
from tests.validation.style import COLOURS, tidy

SEED = 1
ALFANO, CARA = "Alfano (2009)", "NASA CARA"
WITHIN = 5.0  # %
COLOUR_OF = {ALFANO: COLOURS[1], CARA: COLOURS[0]}

ABOUT = About(
    title="Probability by Monte Carlo",
    source="Alfano (2009), Satellite conjunction Monte Carlo analysis, 1e8 samples each; NASA CARA Analysis "
    "Tools, test conjunctions (https://github.com/nasa/CARA_Analysis_Tools), values of its Monte "
    "Carlo (SDMC).",
    what="Every message in the folder for which a Monte Carlo value is published, with our own of whole "
    f"trajectories (at most {SAMPLES:,} samples, errors independent), also where messages get another "
    "number.",
    limits="Ours has a 95 % interval of 1 to 2.5 % of the value, CARA's one of 2 to 7 %. So 5 % is allowed.",
    files=(TRUTH, MESSAGES),
    command='make test ARGS="tests/screening/risk/monte_carlo"',
)


class Sampled(NamedTuple):
    """One published Monte Carlo value beside ours."""

    name: str
    group: str
    published: float
    estimate: TrajectoryEstimate

    @property
    def ratio(self) -> float:
        """Ours over the published."""
        return self.estimate.probability / self.published


def compare(data: Path) -> Comparison:
    """Sample every encounter, and take the largest difference of each group."""
    found = sampled(data)
    measures = []
    for group in COLOUR_OF:
        off = [100.0 * abs(one.ratio - 1.0) for one in found if one.group == group]
        if off:
            measures.append(Measure(f"{group}: largest difference of {len(off)}", largest(off), "%", WITHIN))
    picture = Picture(
        "trajectories", "Our Monte Carlo over the published, 95 % of ours", partial(draw, given=found)
    )
    return Comparison(len(found), "encounters", tuple(measures), picture)


def sampled(data: Path) -> list[Sampled]:
    """Return every published Monte Carlo value whose message is in the folder, beside ours."""
    found = []
    for row in truth_rows(data):
        name, published = message_file(row, data), understood(data, TRUTH, partial(_published, row))
        if name is not None and published is not None:
            group, value, radius_m = published
            found.append(Sampled(Path(name).stem, group, value, estimate(data, name, radius_m)))
    return found


def _published(row: Row) -> tuple[str, float, float] | None:
    better, radius_m = better_values(row), float(row["hbr_m"])
    if row["method"].startswith("Monte Carlo"):
        return ALFANO, float(row["expected_pc"]), radius_m
    return None if better is None else (CARA, better.monte_carlo, radius_m)


def estimate(data: Path, name: str, radius_m: float) -> TrajectoryEstimate:
    """Sample the trajectories of a message, with the errors of both objects independent."""
    message = one_message(data, name)
    states = encounter(message)
    root_rtn = joint_errors(states, errors_of(message, states, radius_m, shared_drag=False))
    assert root_rtn is not None, "published messages have covariances"
    both = np.concatenate([states.r_m, states.v_m_s], axis=1)
    return monte_carlo_3d(both, root_rtn, radius_m, SEED)


def draw(figure: Figure, given: list[Sampled]) -> None:
    """Draw the ratios with their intervals."""
    axes = figure.subplots()
    for place, one in enumerate(given):
        low, high = one.estimate.low / one.published, one.estimate.high / one.published
        axes.plot([place, place], [low, high], color=COLOUR_OF[one.group], linewidth=1.2)
        axes.plot(place, one.ratio, "o", color=COLOUR_OF[one.group], markersize=3.5)
    for group, colour in COLOUR_OF.items():
        axes.plot([], [], "o", color=colour, markersize=3.5, label=group)
    axes.axhline(1.0, color="#5b6673", linewidth=0.8)
    axes.legend(frameon=False, fontsize=8)
    tidy(axes, "encounter, in the order of the table", "ours / published")
