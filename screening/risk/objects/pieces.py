"""Debris and rocket bodies, recognised by the markers in their names."""

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]


def pieces(names: npt.NDArray[np.str_]) -> tuple[BoolArray, BoolArray]:
    """Return which names (n,) say debris (` DEB`, ` COOLANT`), which a rocket body (` R/B`); some say both.

    COOLANT are drops of sodium and potassium out of reactors; SATCAT calls them debris.
    """
    debris = (np.char.find(names, " DEB") >= 0) | (np.char.find(names, " COOLANT") >= 0)
    return debris, np.char.find(names, " R/B") >= 0
