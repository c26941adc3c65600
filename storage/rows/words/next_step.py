"""The next step at an event, and by when: one sentence."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from screening.manoeuvre.impulse import latest_s
from screening.risk.views.better_data import ExpectedData
from storage.rows.danger import levels_for_a_reader
from storage.rows.words.event import is_diluted, name_of
from storage.rows.words.numbers import moment

_M_PER_KM = 1000.0
PASSED = "Nothing is left to do: the closest approach has passed."
LOW = "Nothing to do, as long as it stays at this level."
NOT_STEERED = "Nothing can be done: neither of the two can be steered."
_DO = {
    "critical": "Act now: ask {} for better data, and have a burn ready.",
    "high": "Ask {} for better data now.",
    "medium": "Wait for the next data.",
    "unknown": "Judge it by the miss, and ask {} for better data.",
    "low": "Its miss alone deserves a look: ask {} about planned burns.",
}
_NOTHING_TO_COME = "No newer data are usual before the encounter: judge it by these, or ask {} for better."
_DILUTED = "Get better data first: the errors are too large to say how near they come."


def next_step(
    row: Mapping[str, Any], expected: Sequence[ExpectedData], steered: Sequence[str], now: datetime
) -> str:
    """Say what to do next, and by when; `expected`: data that come before TCA, the first first.

    `steered`: the sides that somebody steers, first the one to give way.
    """
    if now >= row["tca"]:
        return PASSED
    level, near = levels_for_a_reader(row)
    if level == "low" and not near:
        return LOW
    if not steered:
        return NOT_STEERED
    whom = f"the operator of {name_of(row, steered[0])}" if len(steered) == 1 else "both operators"
    if level == "medium" and not near and not any(now < one.at < row["tca"] for one in expected):
        return " ".join(filter(None, (_NOTHING_TO_COME.format(whom), _decide(row, steered[0], now))))
    do = _DILUTED if is_diluted(row) and level != "critical" else _DO[level].format(whom)
    return " ".join(filter(None, (do, _look(expected, now, row["tca"]), _decide(row, steered[0], now))))


def _look(expected: Sequence[ExpectedData], now: datetime, tca: datetime) -> str:
    """Say when the first new data show before TCA: element sets with the run that follows them."""
    to_come = [one for one in expected if one.at > now]
    if not to_come:
        return ""
    first, run = to_come[0], next((one for one in to_come if one.kind == "run"), None)
    at = first.at
    if first.kind == "set" and run is not None:
        after = max(0, -(-(first.at - run.at) // timedelta(hours=run.every_hours)))
        at = run.at + after * timedelta(hours=run.every_hours)
    return f"Look again at {moment(at)}." if at < tca else ""


def _decide(row: Mapping[str, Any], side: str, now: datetime) -> str:
    state = [row[f"{side}_{part}"] for part in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")]
    if None in state:
        return ""
    before_s = latest_s(np.array(state, float) * _M_PER_KM)
    if not np.isfinite(before_s):
        return ""
    latest = row["tca"] - timedelta(seconds=before_s)
    if latest <= now:
        return "Less than half a revolution is left: only a burn that is ready still helps."
    return f"Decide by {moment(latest)}: a later burn has less than half a revolution to act."
