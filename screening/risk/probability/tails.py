"""What the sigmas of objects leave out of their errors."""

from typing import NamedTuple

from screening.orbits.timegrid import FloatArray


class Tails(NamedTuple):
    """The other parts of the errors of objects (k,): tails of their sets, and burns since their epochs."""

    tail_share: FloatArray  # (k,)
    tail_scale_rtn: FloatArray  # (k, 3), on the sigmas
    burn_share: FloatArray  # (k,)
    burn_in_track_m: FloatArray  # (k,), 1-sigma displacement if there was a burn
