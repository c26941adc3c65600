"""The events that are served now: a snapshot of the store, replaced when the store changes."""

import logging
from pathlib import Path
from threading import Lock

from api.problems import NotReady
from screening.errors import SkysieveError
from storage.analyses import analysis_files, read_analysis
from storage.snapshot import Snapshot, Stamp, stamp

LOG = logging.getLogger("skysieve.api")

NOT_KNOWN = 0  # no event has this id


class LiveSnapshot:
    """The newest snapshot. Any thread may refresh it, one at a time; any number ask for it."""

    def __init__(self, store: Path) -> None:
        self.stale = False  # an analysis of this process is stored, and not yet served
        self._store = store
        self._refreshing = Lock()
        self._snapshot: Snapshot | None = None
        self._stamp: Stamp | None = None  # of the store when the snapshot was loaded
        self._files: dict[str, int] = {}  # of the analyses in the snapshot: when they were written
        self._ids: dict[str, set[int]] = {}  # of those that came after it was loaded: their events
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
        """Serve what the store holds now; until that is loaded the old snapshot is served.

        What prevents it goes to the log, once, and the next call tries again: the old snapshot stays.
        """
        with self._refreshing:
            self.stale = False
            try:
                found = stamp(self._store)
                if found != self._stamp and not self._add_analyses(found):
                    self._load(found)
            except SkysieveError as error:
                self._report(str(error))

    def _load(self, found: Stamp | None) -> None:
        files = {} if found is None else analysis_files(self._store)
        snapshot = None if found is None else Snapshot.load(self._store)
        if found is not None and snapshot is None:
            return  # a run is just being put in place
        self._snapshot, self._stamp, self._reported = snapshot, found, ""
        self._files, self._ids = files, {}
        if snapshot is not None:
            LOG.info("serving run %s of %s", snapshot.run.run_id, self._store)

    def _add_analyses(self, found: Stamp | None) -> bool:
        """Add what has been analysed since; return False if that is not all that has changed.

        A file that replaces another one may lack events of that: then all is to be loaded.
        """
        snapshot, before = self._snapshot, self._stamp
        if snapshot is None or found is None or before is None or found[:-1] != before[:-1]:
            return False
        files = analysis_files(self._store)
        if self._files.keys() - files.keys():
            return False
        for name in sorted(name for name, written in files.items() if self._files.get(name) != written):
            rows = read_analysis(self._store, name)
            ids = set(rows["event_id"].to_pylist())
            if name in self._files and not self._ids.get(name, {NOT_KNOWN}) <= ids:
                return False
            snapshot = snapshot.with_analyses(rows)
            self._ids[name] = ids
        self._snapshot, self._stamp, self._files, self._reported = snapshot, found, files, ""
        return True

    def _report(self, text: str) -> None:
        if text != self._reported:
            LOG.error("the served events cannot be renewed: %s", text)
            self._reported = text
