"""Limits on catalogues: records are counted, and the first rejected ones are kept."""

from screening.errors import InputError
from screening.orbits.elements import Rejection

# Thirty times today's catalogue, and the most that `skysieve synth` writes.
MAX_RECORDS = 1_000_000
KEPT_REJECTIONS = 10_000


class Rejections:
    """Rejected records: all are counted, the first are kept."""

    def __init__(self) -> None:
        self.kept: list[Rejection] = []
        self.count = 0

    def append(self, rejection: Rejection) -> None:
        """Count a record, and keep it if it is one of the first. Raises InputError if there are too many."""
        self.count += 1
        check_records(self.count)
        if len(self.kept) < KEPT_REJECTIONS:
            self.kept.append(rejection)


def check_records(count: int) -> None:
    """Raise InputError if a text has more records than any catalogue."""
    if count > MAX_RECORDS:
        raise InputError(f"The text has more than {MAX_RECORDS:,} records, the most allowed in a catalogue.")
