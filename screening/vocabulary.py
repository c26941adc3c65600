"""What may be asked for, in words and numbers: the same for the command line, settings and HTTP.

Nothing slow is imported here: `--help` needs it.
"""

from typing import Literal, get_args

RiskLevel = Literal["critical", "high", "medium", "low"]  # the worst first
RISK_LEVELS: tuple[RiskLevel, ...] = get_args(RiskLevel)

ObjectType = Literal["payload", "rocket_body", "debris"]
OBJECT_TYPES: tuple[ObjectType, ...] = get_args(ObjectType)

MAX_NORAD_ID = 999_999_999  # nine digits, the most that an OMM may carry

THRESHOLD_RANGE_KM = (0.1, 100.0)
DEFAULT_THRESHOLD_KM = 10.0
LOOK_AHEAD_RANGE_HOURS = (0.1, 720.0)
DEFAULT_LOOK_AHEAD_HOURS = 24.0

# 1 cm is smaller than any object that the catalogue follows. The largest object ever in orbit, the space
# station, spans 109 m; NASA CARA's table gives it 66.1 m, and the one value above, 250 m for a satellite of
# 340 kg, is a keep-out distance and no radius.
SMALLEST_RADIUS_M, LARGEST_RADIUS_M = 0.01, 100.0

SYNTHETIC_OBJECTS_RANGE = (200, 1_000_000)


def range_text(allowed: tuple[float, float]) -> str:
    """Return a range as help texts have it."""
    low, high = allowed
    return f"{low:,.10g} to {high:,.10g}"
