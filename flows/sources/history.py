"""Take a catalogue of the past from a store's history, as any other source; when that is allowed."""

import hashlib
from datetime import datetime
from pathlib import Path

from flows.sources.files import Source
from screening.errors import UsageError
from screening.orbits.elements import Catalogue
from storage.histories.as_of import catalogue_at
from storage.times import time_text


def check_past(*, catalogue: bool, as_of: bool, primaries: bool) -> None:
    """Raise UsageError unless a catalogue or a past time is given, that without primaries."""
    if catalogue == as_of or (primaries and as_of):
        raise UsageError("Give a catalogue, or --as-of without --primary.")


def read_history(store: Path, as_of: datetime) -> Source:
    """Return the element sets that were known at a time (naive UTC); the hash is that of the sets.

    Raises InputError if there are none, StoreError if the store cannot be read.
    """
    elements = catalogue_at(store, as_of)
    name = f"history as of {time_text(as_of)}"
    sha256 = hashlib.sha256(elements.tobytes()).hexdigest()
    return Source(name, sha256, Catalogue(elements, [], 0, "history"), "history")
