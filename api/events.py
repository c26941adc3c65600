"""The events that are served now: a snapshot of the store, replaced when the store changes."""

import logging
from pathlib import Path

from api.problems import NotReady
from screening.errors import SkysieveError
from storage.snapshot import Snapshot, Stamp, stamp

LOG = logging.getLogger("skysieve.api")


class LiveSnapshot:
    """The newest snapshot. One thread refreshes it; any number ask for it."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._snapshot: Snapshot | None = None
        self._stamp: Stamp | None = None  # of the store when the snapshot was loaded
        self._reported = ""

    def current(self) -> Snapshot:
        """Return the newest snapshot; it stays as it is, so a request asks once and uses that to its end.

        Raises:
            NotReady: the store holds no run yet.
        """
        snapshot = self._snapshot
        if snapshot is None:
            raise NotReady(
                "The store holds no run yet. The first run makes it ready, within seconds of its end: "
                "`skysieve refresh` fetches a catalogue and makes one."
            )
        return snapshot

    def refresh(self) -> None:
        """Load a new snapshot if the store has changed; until it is loaded the old one is served.

        What prevents it goes to the log, once, and the next call tries again: the old snapshot stays.
        """
        try:
            found = stamp(self._store)
            if found == self._stamp:
                return
            snapshot = None if found is None else Snapshot.load(self._store)
        except SkysieveError as error:
            self._report(str(error))
            return
        if found is not None and snapshot is None:
            return  # a run is just being put in place
        self._snapshot, self._stamp, self._reported = snapshot, found, ""
        if snapshot is not None:
            LOG.info("serving run %s of %s", snapshot.run.run_id, self._store)

    def _report(self, text: str) -> None:
        if text != self._reported:
            LOG.error("the served events cannot be renewed: %s", text)
            self._reported = text
