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
        self._rows: pa.Table | None = None

    def rows(self) -> pa.Table:
        """Return all messages as rows of `storage.messages.kept.received`; 100,000 take 40 MB.

        Raises StoreError if the store cannot be read.
        """
        with self._reading:
            found = stamp(self._store)
            if self._rows is None or found != self._stamp:
                self._rows = received(self._store).combine_chunks()
                self._stamp = found
            return self._rows
