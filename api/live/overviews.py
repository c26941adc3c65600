"""The overview of the newest snapshot, made once."""

from threading import Lock
from weakref import ReferenceType, ref

from api.http.json_answers import json_bytes
from storage.in_memory.snapshot import Snapshot


class Overviews:
    """Keeps the overview of the snapshot last asked about; any number of threads may ask at once."""

    def __init__(self) -> None:
        self._making = Lock()
        self._of: ReferenceType[Snapshot] | None = None  # weak: an old snapshot takes 130 MB
        self._body = b""

    def body(self, snapshot: Snapshot) -> bytes:
        """Return the overview of a snapshot as JSON. Raises StoreError if a file cannot be read."""
        # Imports numba, which an idle service does not need.
        from api.answers.drawn.overview import overview

        with self._making:
            if self._of is None or self._of() is not snapshot:
                self._body = json_bytes(overview(snapshot))
                self._of = ref(snapshot)
            return self._body
