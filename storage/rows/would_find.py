"""What a run has not found is gone only if the run would have found it: the one rule for that."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Instants = npt.NDArray[np.datetime64]
Told = TypeVar("Told", bool, Mask)


def would_find(begins: Any, ends: Any, since: Any, until: Any, *, screened: Told, near: Told) -> Told:
    """Tell whether a run would have found an encounter, or which of several (n,). Times are of one kind.

    Args:
        begins: TCA, or when a visit comes inside the threshold.
        ends: TCA, or when it leaves.
        since: what had passed by then is no longer looked for.
        until: end of what the run has searched, exclusive.
        screened: the run has screened both objects, and could propagate them.
        near: it passes inside the run's threshold, or volume.
    """
    found: Told = screened & near & (ends > since) & (begins < until)
    return found
