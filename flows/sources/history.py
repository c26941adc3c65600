"""Take a catalogue of the past from a store's history, as that of any other source."""

import hashlib
from datetime import datetime
from pathlib import Path

from flows.sources.files import Source
from screening.orbits.elements import Catalogue
from storage.histories.as_of import catalogue_at
from storage.times import time_text


def read_history(store: Path, as_of: datetime) -> Source:
    """Return the element sets that were known at a time (naive UTC); the hash is that of the sets.

    Raises InputError if there are none, StoreError if the store cannot be read.
    """
    elements = catalogue_at(store, as_of)
    name = f"history as of {time_text(as_of)}"
    sha256 = hashlib.sha256(elements.tobytes()).hexdigest()
    return Source(name, sha256, Catalogue(elements, [], 0, "history"), "history")
