"""Drag errors that both objects share: NASA CARA's unit tests."""

from pathlib import Path
from typing import NamedTuple

from screening.risk.messages.score import score_message
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.one_message import one_message

FOLDER = "ndm/cara"
WITHIN = 0.5  # %


class Case(NamedTuple):
    """A message, and the probability that is asked for."""

    file: str
    probability: float
    radius_m: float = 6.0


CASES = (
    Case(f"{FOLDER}/DensityDecorrelationTestCaseCDM01.txt", 8.16e-6),
    Case(f"{FOLDER}/DensityDecorrelationTestCaseCDM03.txt", 3.20e-5),
)

ABOUT = About(
    title="Shared drag errors",
    source="NASA CARA Analysis Tools (https://github.com/nasa/CARA_Analysis_Tools), unit tests of its "
    "implementation of Casali et al. (2018), Effect of cross-correlation of orbital error on "
    "probability of collision determination.",
    what="Messages whose comments tell how an error of the forecast density moves both objects: the 2-D "
    "probability with that error correlated.",
    limits="The published values have three digits; CARA's tests ask for 0.5 %.",
    files=tuple(case.file for case in CASES),
    command='make test ARGS="tests/screening/risk/messages/test_drag.py"',
)


def compare(data: Path) -> Comparison:
    """Score both messages."""
    measures = []
    for case in CASES:
        score = score_message(one_message(data, case.file), case.radius_m, samples=0, seed=1)
        off = 100.0 * abs(score.probability_2d_correlated / case.probability - 1.0)
        name = f"{Path(case.file).stem}: difference from {case.probability:.2e}"
        measures.append(Measure(name, off, "%", WITHIN))
        independent = 100.0 * abs(score.probability_2d_unchecked / case.probability - 1.0)
        measures.append(Measure("the same with independent errors", independent, "%"))
    return Comparison(len(CASES), "messages", tuple(measures))
