"""Files that are uploaded: received on disk, a few at a time of each credential, and held by nobody else."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date, datetime
from tempfile import TemporaryFile
from typing import BinaryIO

from fastapi import Request

from api.errors import Busy, LimitReached
from api.http.request_notes import exchange_of
from api.settings import ApiSettings
from storage.disk.faults import store_faults

MOST_OF_ONE = 4  # of 32 MB on disk; in memory are as many as the queue of costly answers takes at a time
_RETRY_S = 10
_BYTES_PER_MB = 1_000_000


class Uploads:
    """Counts the files of each credential that arrive or wait for their turn, and their bytes of a day.

    For one event loop.
    """

    def __init__(self, settings: ApiSettings, now: Callable[[], datetime]) -> None:
        self._settings, self._now = settings, now
        self._held: Counter[int | None] = Counter()
        self._day: date | None = None
        self._bytes_of_day: Counter[int | None] = Counter()

    @asynccontextmanager
    async def received(self, request: Request) -> AsyncIterator[BinaryIO]:
        """Receive the body of a request into a file without a name, which is there within the block.

        Raises:
            Busy: too many of its credential are there already: slow senders wait for themselves only.
            LimitReached: its credential has sent as much as it may in a day (UTC).
        """
        whose = exchange_of(request).credential
        self._require_left_of_day(whose)
        if self._held[whose] >= MOST_OF_ONE:
            raise Busy(f"{MOST_OF_ONE} files of this credential are already arriving or waiting.", _RETRY_S)
        self._held[whose] += 1
        try:
            with store_faults(self._settings.store), TemporaryFile(dir=self._settings.store) as file:
                async for piece in request.stream():
                    file.write(piece)
                    self._bytes_of_day[whose] += len(piece)
                file.seek(0)
                yield file
        finally:
            self._held[whose] -= 1
            if not self._held[whose]:
                del self._held[whose]

    def require_room(self, folder: str) -> None:
        """Raise LimitReached if a folder of the store holds as much as may be uploaded; for any thread."""
        settings = self._settings
        with store_faults(settings.store):
            sizes = [one.stat().st_size for one in (settings.store / folder).glob("*.parquet")]
        for given, most, variable in (
            (sum(sizes) // _BYTES_PER_MB, settings.max_stored_mb, "MAX_STORED_MB"),
            (len(sizes), settings.max_stored_files, "MAX_STORED_FILES"),
        ):
            if given >= most:
                raise LimitReached(
                    f"The store's folder {folder} is full: SKYSIEVE_{variable} is {most:,}. Remove some, "
                    "or wait until they expire."
                )

    def _require_left_of_day(self, whose: int | None) -> None:
        today = self._now().date()
        if today != self._day:
            self._day = today
            self._bytes_of_day.clear()
        most = self._settings.upload_mb_per_day
        if self._bytes_of_day[whose] >= most * _BYTES_PER_MB:
            raise LimitReached(
                f"This credential has uploaded {most:,} MB today (UTC), as much as it may "
                "(SKYSIEVE_UPLOAD_MB_PER_DAY)."
            )
