"""Marks by which a synthetic catalogue is recognised, wherever it comes from."""

import numpy as np

from screening.orbits.elements import ElementArray

# Far from the numbers assigned today; and with nine digits they do not fit into a TLE, where they could be
# truncated to the number of a real object.
FIRST_SYNTHETIC_ID = 900_000_001
NAME_PREFIX = "SYNTH"


def is_synthetic(elements: ElementArray) -> bool:
    """Return whether any object of a catalogue is synthetic by its name and number."""
    names = elements["name"][elements["norad_id"] >= FIRST_SYNTHETIC_ID]
    return bool(np.char.startswith(names, f"{NAME_PREFIX} ").any())
