"""The overview of the newest snapshot, made once."""

from threading import Lock
from weakref import ReferenceType, ref

from api.http.json_answers import json_bytes
from storage.in_memory.snapshot import Snapshot


class Overviews:
    """Keeps the overview of the snapshot last asked about; any number of threads may ask at once."""

    def __init__(self) -> None:
        self._making = Lock()
        # Weak: an old snapshot takes 130 MB. One tuple, which is replaced whole.
        self._kept: tuple[ReferenceType[Snapshot] | None, bytes] = None, b""

    def kept(self, snapshot: Snapshot) -> bytes | None:
        """Return the overview of a snapshot if it is made already; never wait for one that is being made."""
        of, body = self._kept
        return body if of is not None and of() is snapshot else None

    def body(self, snapshot: Snapshot) -> bytes:
        """Return the overview of a snapshot as JSON. Raises StoreError if a file cannot be read."""
        # Imports numba, which an idle service does not need.
        from api.answers.drawn.overview import overview

        with self._making:
            made = self.kept(snapshot)
            if made is None:
                made = json_bytes(overview(snapshot))
                self._kept = ref(snapshot), made
            return made
