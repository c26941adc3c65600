"""One event as seen from one of its two objects, which becomes the primary."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from screening.errors import UsageError
from screening.volumes.inside import relative_rtn_km

_OTHER = {"primary": "secondary", "secondary": "primary"}
_MISS = ("miss_radial_m", "miss_in_track_m", "miss_cross_track_m")
_M_PER_KM = 1000.0


class NotOfTheEvent(UsageError):
    """The object from which an event is to be seen is neither of its two."""


def seen_from(event: Mapping[str, object], norad_id: int | None) -> dict[str, Any]:
    """Return a row of an event with the object `norad_id` as its primary; None: in the stored order.

    The components of the miss turn into that object's RTN at TCA; distances and probabilities stay. Of an
    event without states they are not known (None).

    Raises NotOfTheEvent if it is neither of the two.
    """
    numbers = event["primary_norad_id"], event["secondary_norad_id"]
    if norad_id is None or norad_id == numbers[0]:
        return dict(event)
    if norad_id != numbers[1]:
        raise NotOfTheEvent(
            f"The object {norad_id} is not part of this event: it is between {numbers[0]} and {numbers[1]}."
        )
    turned = {name: event[_turned(name, event)] for name in event}
    states = [turned[f"primary_{name}"] for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")]
    other = [turned[f"secondary_{axis}_km"] for axis in "xyz"]
    return turned | dict(zip(_MISS, _miss_m(states, other), strict=True))


def _turned(name: str, event: Mapping[str, object]) -> str:
    who, _, rest = name.partition("_")
    other = f"{_OTHER.get(who, who)}_{rest}"
    return other if who in _OTHER and other in event else name


def _miss_m(states: Sequence[object], other: Sequence[object]) -> list[float | None]:
    first, second = np.array([states], np.float64), np.array([other], np.float64)
    miss_km = relative_rtn_km(first[:, :3], first[:, 3:], second)[0]
    return [float(one) * _M_PER_KM if np.isfinite(one) else None for one in miss_km]
