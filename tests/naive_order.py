"""The order of lists, the most dangerous first, written without the code under test."""

from collections.abc import Mapping
from math import inf


def naive_key(event: Mapping[str, object]) -> tuple[object, ...]:
    """Return what to sort an event by, a row of the store or a record of JSON."""
    plane = [p for p in (event["probability"], event["probability_2d"]) if p is not None]
    decisive = max(plane) if plane else event["probability_mc"]
    return (
        ["critical", "high", "medium", "low"].index(str(event["risk_level"])),
        inf if decisive is None else -decisive,  # type: ignore[operator]
        event["miss_distance_m"],
        event["event_id"] if "event_id" in event else event["id"],
    )
