"""What scoring needs to know of objects besides their element sets."""

from typing import NamedTuple

from screening.orbits.timegrid import FloatArray
from screening.risk.hard_body import HardBodies


class ObjectKnowledge(NamedTuple):
    """What scoring needs to know of objects (n,), in the order of their element sets."""

    bodies: HardBodies
    factors_rtn: FloatArray  # (n, 3) on the default sigmas, NaN where the default law holds
