"""Encounters of which one covariance is known: the largest probability, against NASA CARA's unit tests."""

from pathlib import Path
from typing import NamedTuple

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.score import score_message
from tests.validation.comparison import About, Comparison, Measure, largest
from tests.validation.one_message import one_message

WITHIN = 1.0  # %


class Case(NamedTuple):
    """A message and a radius, and the maxima without the covariance of either object."""

    file: str
    radius_m: float
    without_primary: float
    without_secondary: float


CASES = (
    Case("ndm/cara/SingleCovTestCase1-1.cdm", 70.0, 3.1394e-6, 3.1860e-4),
    Case("ndm/cara/SingleCovTestCase1-1.cdm", 20.0, 2.5628e-7, 2.6520e-5),
    Case("ndm/cara/SingleCovTestCase1-5.cdm", 70.0, 9.8187e-7, 3.3912e-4),
    Case("ndm/cara/SingleCovTestCase1-5.cdm", 20.0, 8.0154e-8, 2.8746e-5),
    Case("ndm/cara/SingleCovTestCase1-9.cdm", 70.0, 1.3853e-4, 6.7446e-4),
    Case("ndm/cara/SingleCovTestCase1-9.cdm", 20.0, 1.1309e-5, 5.5064e-5),
)

ABOUT = About(
    title="One covariance missing",
    source="NASA CARA Analysis Tools (https://github.com/nasa/CARA_Analysis_Tools), unit tests of Frisbee's "
    'maximum probability (2015), "previously validated case to Frisbee\'s data".',
    what="Three messages with two radii, of which either covariance is withheld: the largest probability "
    "that any covariance in its place would give.",
    limits="CARA integrates over a square of the disk's area and searches the maximum in steps, so 1 % is "
    "allowed.",
    files=tuple(dict.fromkeys(case.file for case in CASES)),
    command='make test ARGS="tests/screening/risk/messages/test_missing_covariance.py"',
)


def compare(data: Path) -> Comparison:
    """Withhold either covariance of every case, and take the largest difference."""
    off = []
    for case in CASES:
        message = one_message(data, case.file)
        for which, published in (("primary", case.without_primary), ("secondary", case.without_secondary)):
            found = score_message(withheld(message, which), case.radius_m, samples=0, seed=1)
            off.append(100.0 * abs(found.probability_2d / published - 1.0))
    measure = Measure("largest difference", largest(off), "%", WITHIN)
    return Comparison(len(off), "maxima", (measure,))


def withheld(message: ConjunctionMessage, which: str) -> ConjunctionMessage:
    """Return a message without the covariance of its `primary` or `secondary`."""
    return message._replace(**{which: getattr(message, which)._replace(covariance_rtn=None)})
