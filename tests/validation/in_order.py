"""All comparisons, in the order of the page."""

from tests.validation.comparison import Subject
from tests.validation.messages import claims, ephemerides_read, messages_read, operators, written_xml
from tests.validation.orbits import (
    burns_detected,
    burns_integrated,
    derelicts,
    independent_detector,
    iridium_cosmos,
    official_sgp4,
    published_frames,
    python_sgp4,
    reboost,
    skyfield_frames,
    socrates,
)
from tests.validation.risk import (
    drag,
    error_law,
    flags,
    listed_again,
    one_covariance,
    probabilities,
    radii,
    tracss,
    trajectories,
    volumes,
)

ORBITS: tuple[Subject, ...] = (
    official_sgp4,
    python_sgp4,
    published_frames,
    skyfield_frames,
    independent_detector,
    derelicts,
    socrates,
    iridium_cosmos,
    burns_detected,
    burns_integrated,
    reboost,
)
RISK: tuple[Subject, ...] = (
    probabilities,
    flags,
    trajectories,
    tracss,
    drag,
    one_covariance,
    error_law,
    listed_again,
    radii,
    volumes,
)
MESSAGES: tuple[Subject, ...] = (claims, messages_read, ephemerides_read, written_xml, operators)
SUBJECTS = ORBITS + RISK + MESSAGES
