"""The received messages in memory, read again when the store's have changed."""

from pathlib import Path
from threading import Lock

import pyarrow as pa

from storage.messages.kept import Stamp, received, stamp


class ReceivedMessages:
    """The messages of a store; any number of threads may ask at once."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._reading = Lock()
        self._stamp: Stamp | None = None
        self._rows: dict[int | None, pa.Table] = {}

    def rows(self, organisation_id: int | None) -> pa.Table:
        """Return what an organisation sees, rows of `storage.messages.kept.received`; 100,000 take 40 MB.

        Raises StoreError if the store cannot be read.
        """
        with self._reading:
            found = stamp(self._store)
            if found != self._stamp:
                self._rows.clear()
                self._stamp = found
            if organisation_id not in self._rows:
                self._rows[organisation_id] = received(self._store, organisation_id).combine_chunks()
            return self._rows[organisation_id]
