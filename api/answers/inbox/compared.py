"""Messages beside our event: the miss along its axes, and how far apart the two are in sigmas."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from api.answers.stored_events import StoredEvent, told_by, typed
from storage.in_memory.seen_from import NotOfTheEvent, seen_from
from storage.messages.apart import apart
from storage.messages.as_events import AsEvent, as_events

MISS = ("miss_radial_m", "miss_in_track_m", "miss_cross_track_m")


def compared(
    store: Path, told: Sequence[dict[str, Any]], event: StoredEvent | None, first: int | None
) -> list[dict[str, Any]]:
    """Return messages with their miss along the axes of the object `first`, and how far they are from ours.

    `told`: as `messages_about` returns them; `event`: ours of the same encounter; None: no run has it.
    `first` None: as each message orders its objects.
    """
    rows = as_events(store, [one["id"] for one in told])
    return [one | _beside(one, rows.get(one["id"], {}), event, first) for one in told]


def _beside(
    message: dict[str, Any], row: AsEvent, ours: StoredEvent | None, first: int | None
) -> dict[str, Any]:
    try:
        theirs = typed(seen_from(told_by(message, row), first))
    except NotOfTheEvent:  # a number of its own for the same object
        return {**dict.fromkeys(MISS), "sigmas_apart": None, "apart": ""}
    sigmas, words = (None, "") if ours is None else apart(message, row, ours.row)
    return {**{name: getattr(theirs, name) for name in MISS}, "sigmas_apart": sigmas, "apart": words}
