"""What a run has not found is gone only if the run would have found it: the one rule for that."""

from datetime import datetime
from typing import Any, overload

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Instants = npt.NDArray[np.datetime64]


@overload
def would_find(
    begins: datetime, ends: datetime, since: datetime, until: datetime, *, screened: bool, near: bool = True
) -> bool: ...
@overload
def would_find(
    begins: Instants,
    ends: Instants,
    since: np.datetime64,
    until: np.datetime64,
    *,
    screened: Mask,
    near: Mask,
) -> Mask: ...
def would_find(
    begins: Any, ends: Any, since: Any, until: Any, *, screened: Any, near: Any = True
) -> bool | Mask:
    """Tell whether a run would have found an encounter, or which of several (n,).

    Args:
        begins: TCA, or when a visit comes inside the threshold.
        ends: TCA, or when it leaves.
        since: what had passed by then is no longer looked for.
        until: end of what the run has searched, exclusive.
        screened: the run has screened both objects, and could propagate them.
        near: it passes inside the run's threshold, or volume.
    """
    found: bool | Mask = screened & near & (ends > since) & (begins < until)
    return found
