"""Answers about the newest snapshot that cost more than others, each made once."""

from collections.abc import Callable
from threading import Lock
from weakref import WeakKeyDictionary

from api.http.json_answers import json_bytes
from storage.disk.layout import FORECAST_TALLIES, catalogue_change_file
from storage.in_memory.snapshot import Snapshot


class MadeOnce:
    """Keeps an answer about each snapshot that is served; any number of threads may ask at once."""

    def __init__(
        self, answer: Callable[[Snapshot], object], version: Callable[[Snapshot], object] = lambda _one: None
    ) -> None:
        """`version`: of what else the answer rests on; another makes it anew."""
        self._answer, self._version = answer, version
        self._making = Lock()
        # Weak: an old snapshot takes 80 MB. Each organisation has a snapshot of its own.
        self._kept: WeakKeyDictionary[Snapshot, tuple[object, bytes]] = WeakKeyDictionary()

    def kept(self, snapshot: Snapshot) -> bytes | None:
        """Return the answer about a snapshot if it is made already; never wait for one that is being made."""
        version, body = self._kept.get(snapshot, (None, None))
        return body if version == self._version(snapshot) else None

    def body(self, snapshot: Snapshot) -> bytes:
        """Return the answer about a snapshot as JSON. Raises StoreError if a file cannot be read."""
        with self._making:
            made = self.kept(snapshot)
            if made is None:
                version = self._version(snapshot)
                made = json_bytes(self._answer(snapshot))
                self._kept[snapshot] = version, made
            return made


# What they import, numba and SciPy, an idle service does not need.


def overview_of(snapshot: Snapshot) -> object:
    """Return the overview of a snapshot."""
    from api.answers.drawn.overview import overview

    return overview(snapshot)


def verification_of(snapshot: Snapshot) -> object:
    """Return how the forecasts of the snapshot's store did."""
    from storage.verification.record import verification

    return verification(snapshot.store)


def catalogue_of(snapshot: Snapshot) -> object:
    """Return how the catalogue of the newest run differs from an earlier one."""
    from storage.sky.catalogue import catalogue_changes

    return catalogue_changes(snapshot.store)


def is_compared(snapshot: Snapshot) -> bool:
    """Return whether the run of a snapshot has compared its catalogue, which it does soon after it came."""
    return catalogue_change_file(snapshot.store, snapshot.run.run_id).is_file()


def counted_at(snapshot: Snapshot) -> int:
    """Return when the forecasts of the snapshot's store were last counted, ns; a run does so at its end."""
    path = snapshot.store / FORECAST_TALLIES
    return path.stat().st_mtime_ns if path.is_file() else 0
