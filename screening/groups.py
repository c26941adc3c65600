"""Find runs of equal keys in sorted arrays."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt


def groups(*keys: npt.NDArray[np.int32]) -> list[slice]:
    """Return the runs of equal keys as slices; each key is (n,), together they are sorted."""
    count = len(keys[0])
    if count == 0:
        return []
    changes = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    borders = [0, *(1 + np.flatnonzero(changes)).tolist(), count]
    return [slice(first, last) for first, last in pairwise(borders)]
