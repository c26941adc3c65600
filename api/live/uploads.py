"""A bound on the files that are received or read at a time: each is held in memory."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.errors import Busy

MOST_AT_ONCE = 4  # of 32 MB: 128 MB, and what reading one takes
_RETRY_S = 10


class Uploads:
    """Counts the files that are held; for one event loop."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._most = most
        self._held = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place for a file. Raises Busy if all are taken."""
        if self._held >= self._most:
            raise Busy(
                f"{self._held} files are being received or read, as many as are taken at a time.", _RETRY_S
            )
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
