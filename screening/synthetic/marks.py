"""How a synthetic catalogue is recognised, wherever it comes from."""

import numpy as np

from screening.orbits.elements import ElementArray

# Far from the numbers that are handed out today; and with nine digits they fit into no TLE, where they could
# be cut short to the number of a real object.
FIRST_SYNTHETIC_ID = 900_000_001
NAME_PREFIX = "SYNTH"


def is_synthetic(elements: ElementArray) -> bool:
    """Return whether a catalogue is made up, in part is enough: whether name and number say so."""
    named = np.char.startswith(elements["name"], f"{NAME_PREFIX} ")
    return bool((named & (elements["norad_id"] >= FIRST_SYNTHETIC_ID)).any())
