"""Files that are uploaded: received on disk, a few at a time of each credential, and held by no one else."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from tempfile import TemporaryFile
from typing import BinaryIO

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from api.errors import Busy
from api.settings import ApiSettings
from screening.errors import TooMany
from storage.disk.faults import store_faults
from storage.disk.layout import TRAJECTORIES
from storage.state.credentials import record_upload, uploaded_bytes
from storage.state.records import Credential
from storage.trajectories.kept import count_of

MB_PER_DAY = 2000  # of one credential: some sixty of the largest files
MOST_FILES = 50_000  # in each folder
MOST_OF_ONE = 4  # of 32 MB on disk; in memory are as many as the queue of costly answers takes at a time
_RETRY_S = 10
_BYTES_PER_MB = 1_000_000


class Uploads:
    """Counts the files of each credential that arrive or wait for their turn; in the store, bytes of a day.

    For one event loop.
    """

    def __init__(self, settings: ApiSettings, now: Callable[[], datetime]) -> None:
        self._settings, self._now = settings, now
        self._held: Counter[int] = Counter()

    @asynccontextmanager
    async def received(self, request: Request, whose: Credential) -> AsyncIterator[BinaryIO]:
        """Receive the body of a request into a file without a name, which is there within the block.

        Raises:
            Busy: too many of its credential are there already: slow senders wait for themselves only.
            TooMany: its credential has sent as much as it may in a day (UTC).
        """
        if self._held[whose.id] >= MOST_OF_ONE:
            raise Busy(f"{MOST_OF_ONE} files from this credential are already arriving or waiting.", _RETRY_S)
        self._held[whose.id] += 1
        store, today = self._settings.store, self._now().date()
        try:
            self._require_left_of_day(await run_in_threadpool(uploaded_bytes, store, whose.id, today))
            with store_faults(store), TemporaryFile(dir=store) as file:
                try:
                    async for piece in request.stream():
                        file.write(piece)
                finally:
                    await run_in_threadpool(record_upload, store, whose.id, today, file.tell())
                file.seek(0)
                yield file
        finally:
            self._held[whose.id] -= 1
            if not self._held[whose.id]:
                del self._held[whose.id]

    def require_room(self, folder: str, whose: Credential) -> None:
        """Raise TooMany if a folder of the store holds as much as may be uploaded; for any thread.

        Of trajectories, which stay one file each, a credential may have half.
        """
        settings = self._settings
        with store_faults(settings.store):
            sizes = [one.stat().st_size for one in (settings.store / folder).glob("*.parquet")]
        for full, limit in (
            (
                sum(sizes) >= settings.max_stored_mb * _BYTES_PER_MB,
                f"SKYSIEVE_MAX_STORED_MB is {settings.max_stored_mb:,}",
            ),
            (len(sizes) >= MOST_FILES, f"it may hold {MOST_FILES:,} files"),
        ):
            if full:
                raise TooMany(
                    f"The store's folder {folder} is full: {limit}. Remove some, or wait until they expire."
                )
        most_of_one = MOST_FILES // 2
        if folder != TRAJECTORIES or len(sizes) < most_of_one:
            return
        if count_of(settings.store, whose.organisation_id, whose.name) >= most_of_one:
            raise TooMany(
                f"{whose.name} has reached its limit of {most_of_one:,} stored trajectories. Remove some, or "
                "wait until they expire."
            )

    def _require_left_of_day(self, given: int) -> None:
        if given >= MB_PER_DAY * _BYTES_PER_MB:
            raise TooMany(f"This credential has uploaded {MB_PER_DAY:,} MB today (UTC), its limit.")
