"""The orders of lists, written without the code under test."""

from collections.abc import Mapping
from math import inf


def naive_probability(event: Mapping[str, object]) -> float | None:
    """Return the probability that counts, of a row of any release."""
    plane = [p for p in (event["probability"], event["probability_2d"]) if p is not None]
    if event.get("probability_best") is not None:
        return event["probability_best"]  # type: ignore[return-value]
    return max(plane) if plane else event["probability_mc"]  # type: ignore[return-value, type-var]


def naive_key(event: Mapping[str, object]) -> tuple[object, ...]:
    """Return what to sort an event by, a row of the store or a record of JSON."""
    decisive = naive_probability(event)
    level = next((i for i, limit in enumerate((1e-4, 1e-5, 1e-6)) if (decisive or 0.0) > limit), 4)
    return (
        3 if decisive is None else level,  # unknown, before what is low
        inf if decisive is None else -decisive,
        event["miss_distance_m"],
        event["event_id"] if "event_id" in event else event["id"],
    )


def naive_pieces_key(event: Mapping[str, object]) -> tuple[object, ...]:
    """Return what to sort an event by where the most expected pieces come first."""
    decisive, pieces = naive_probability(event), event["fragments_10cm"]
    known = decisive is not None and pieces is not None
    return (-decisive * pieces if known else inf, event["event_id"] if "event_id" in event else event["id"])  # type: ignore[operator]
