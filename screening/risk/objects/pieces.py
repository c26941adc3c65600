"""What names of objects tell: by how they begin, and by the markers of debris and rocket bodies."""

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]


def beginning_with(names: npt.NDArray[np.str_], *begins: str) -> BoolArray:
    """Return which names (n,) begin with one of some texts."""
    found = np.zeros(len(names), np.bool_)
    for begin in begins:
        found |= names.astype(f"U{len(begin)}") == begin  # 5 times as quick as numpy's startswith
    return found


def pieces(names: npt.NDArray[np.str_]) -> tuple[BoolArray, BoolArray]:
    """Return which names (n,) say debris (` DEB`, ` COOLANT`), which a rocket body (` R/B`); some say both.

    COOLANT are drops of sodium and potassium out of reactors; SATCAT calls them debris.
    """
    debris = (np.char.find(names, " DEB") >= 0) | (np.char.find(names, " COOLANT") >= 0)
    return debris, np.char.find(names, " R/B") >= 0
