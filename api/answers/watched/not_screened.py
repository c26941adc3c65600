"""Which objects of encounters the newest run did not screen, so that its silence about them says nothing."""

from collections.abc import Sequence
from pathlib import Path

from storage.fleets.encounters import Look
from storage.reading.newest_run import unknown_objects


def not_screened(store: Path, looks: Sequence[Look]) -> frozenset[int]:
    """Return the objects of encounters that the last look has no more, and the newest run did not screen.

    Raises:
        StoreError: the newest run cannot be read.
    """
    still = {row["event_id"] for look in looks[-1:] for row in look.rows}
    numbers = {
        int(row[side])
        for look in looks[:-1]
        for row in look.rows
        if row["event_id"] not in still
        for side in ("primary_norad_id", "secondary_norad_id")
    }
    return frozenset(unknown_objects(store, sorted(numbers))) if numbers else frozenset()
