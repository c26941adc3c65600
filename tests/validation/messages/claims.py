"""Real conjunction data messages: what they say of themselves, and what follows from their states."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.encounter import encounter, relative_rtn
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.score import score_message
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.one_message import one_message

FOLDER = "cdm"
REAL = "0*.cdm"  # the others are test cases that somebody made up
# Half of the last digit given, and what rounding adds.
COMPONENTS, LENGTHS, TCA_MS = 0.0501, 0.501, 0.501

ABOUT = About(
    title="Conjunction data messages",
    source="Real messages that NASA CARA publishes with its Analysis Tools "
    "(https://github.com/nasa/CARA_Analysis_Tools).",
    what="Each message states miss distance, relative speed, and relative position and velocity in the "
    "primary's RTN; the same from the two states in it, as our reader has them. At TCA both objects "
    "must be closest. The probability that it claims must be the 2-D integral over the disk, within "
    "1 %.",
    limits="Half of the last digit that messages give: 0.1 of components, 1 of lengths, 1 ms of TCA.",
    files=(FOLDER,),
    command='make test ARGS="tests/screening/risk/messages/test_encounter.py"',
)


class Apart(NamedTuple):
    """How far what a message states is from what its states give."""

    position_m: float  # the component that is furthest off
    velocity_m_s: float
    miss_m: float
    speed_m_s: float
    tca_ms: float  # from the instant at which the objects are closest


def compare(data: Path) -> Comparison:
    """Compare every real message with itself."""
    names = sorted(f"{FOLDER}/{path.name}" for path in (data / FOLDER).glob(REAL))
    if not names:
        raise InputError(f"{(data / FOLDER).absolute()} has no messages ({REAL}).")
    messages = [one_message(data, name) for name in names]
    worst = Apart(*np.max([apart(message) for message in messages], axis=0).tolist())
    scores = (score_message(one, one.hard_body_radius_m, samples=0, seed=1) for one in messages)
    other_claims = sum(score.claimed_as != "disk" for score in scores)
    measures = (
        Measure("relative position, largest difference of a component", worst.position_m, "m", COMPONENTS),
        Measure(
            "relative velocity, largest difference of a component", worst.velocity_m_s, "m/s", COMPONENTS
        ),
        Measure("miss distance, largest difference", worst.miss_m, "m", LENGTHS),
        Measure("relative speed, largest difference", worst.speed_m_s, "m/s", LENGTHS),
        Measure("TCA, largest difference", worst.tca_ms, "ms", TCA_MS),
        Measure("claimed probabilities that are not that of the disk", other_claims, "", 0),
    )
    return Comparison(len(messages), "messages", measures)


def apart(message: ConjunctionMessage) -> Apart:
    """Compare what a message states with what follows from its states."""
    position, velocity = relative_rtn(encounter(message))
    return Apart(
        _largest(position - message.relative_position_rtn_m),
        _largest(velocity - message.relative_velocity_rtn_m_s),
        abs(float(np.linalg.norm(position)) - message.miss_distance_m),
        abs(float(np.linalg.norm(velocity)) - message.relative_speed_m_s),
        1e3 * abs(float(position @ velocity) / float(velocity @ velocity)),
    )


def _largest(difference: FloatArray) -> float:
    return float(np.abs(difference).max())
