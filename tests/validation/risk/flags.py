"""The flags that say where a 2-D probability does not hold, where better values are published."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

from screening.risk.messages.score import score_message
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import understood
from tests.validation.one_message import one_message
from tests.validation.risk.truth import (
    MESSAGES,
    TRUTH,
    BetterValues,
    Row,
    better_values,
    message_file,
    truth_rows,
)

WRONG = 0.25  # relative: a 2-D value further off than this must be flagged
FLAGGED_IN_VAIN = 20.0  # % of the others

ABOUT = About(
    title="Flags of the 2-D probability",
    source="NASA CARA Analysis Tools, test conjunctions (https://github.com/nasa/CARA_Analysis_Tools): "
    "values of its 3-D method (Nc3D) and of its Monte Carlo (SDMC) beside the 2-D probability.",
    what="Messages for which CARA publishes better values: where the 2-D probability is off by more than "
    "25 %, our flags must withhold it.",
    limits="None may be missed. The flags rest on linear bounds, so they may withhold a good value too: a "
    "fifth of these is allowed.",
    files=(TRUTH, MESSAGES),
    command='make test ARGS="tests/screening/risk/probability/test_validity.py"',
)


class Flagged(NamedTuple):
    """A message with better values: whether its 2-D probability is wrong, and whether it is flagged."""

    name: str
    wrong: bool
    flagged: bool


def compare(data: Path) -> Comparison:
    """Count what the flags catch."""
    found = flagged(data)
    wrong, good = [one for one in found if one.wrong], [one for one in found if not one.wrong]
    missed = sum(not one.flagged for one in wrong)
    vain = sum(one.flagged for one in good)
    measures = (
        Measure("2-D value wrong by more than 25 %: messages", len(wrong)),
        Measure("of these not flagged", missed, "", 0),
        Measure("2-D value within 25 %: messages", len(good)),
        Measure("of these flagged", vain),
        Measure("of these flagged, share", 100.0 * vain / max(len(good), 1), "%", FLAGGED_IN_VAIN),
    )
    return Comparison(len(found), "messages", measures)


def flagged(data: Path) -> list[Flagged]:
    """Return the messages in the folder that have better values."""
    found = []
    for row in truth_rows(data):
        better, name = understood(data, TRUTH, partial(better_values, row)), message_file(row, data)
        if better is not None and name is not None:
            radius_m, wrong = understood(data, TRUTH, partial(_judged, row, better))
            score = score_message(one_message(data, name), radius_m, samples=0, seed=1)
            found.append(Flagged(name, wrong, score.probability_flag != ""))
    return found


def _judged(row: Row, better: BetterValues) -> tuple[float, bool]:
    off = (abs(value / float(row["expected_pc"]) - 1.0) for value in better)
    return float(row["hbr_m"]), max(off) > WRONG
