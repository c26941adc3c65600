"""Debris and rocket bodies, told by the markers in their names."""

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]


def pieces(names: npt.NDArray[np.str_]) -> tuple[BoolArray, BoolArray]:
    """Return which names (n,) say debris (` DEB`), and which a rocket body (` R/B`); some say both."""
    return np.char.find(names, " DEB") >= 0, np.char.find(names, " R/B") >= 0
