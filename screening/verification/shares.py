"""How sure a share is that was counted."""

from math import sqrt

_NORMAL_95 = 1.6448536  # 5 % of a standard normal variable lie above


def share_interval(share: float, count: float) -> tuple[float, float]:
    """Return the 90 % interval of a share found in `count` trials, more than 0: Wilson, JASA 22 (1927) 209.

    The count may have a fraction. The interval includes the share.
    """
    spread = _NORMAL_95**2 / count
    middle = (share + spread / 2.0) / (1.0 + spread)
    half = sqrt(spread * (share * (1.0 - share) + spread / 4.0)) / (1.0 + spread)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
