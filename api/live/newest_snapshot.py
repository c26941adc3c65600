"""The events that are served now: a snapshot of the store, replaced when the store changes."""

import logging
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import pyarrow as pa

from api.errors import NotReady
from screening.errors import SkysieveError
from storage.analyses.stored import analysis_files, read_analysis
from storage.in_memory.snapshot import Snapshot, Stamp, stamp
from storage.times import aware_utc

LOG = logging.getLogger("skysieve.api")


class _Rows(NamedTuple):
    """The rows of one file of analyses."""

    written: int  # ns
    rows: pa.Table


class LiveSnapshot:
    """The newest snapshot. Any thread may refresh it, one at a time; any number ask for it."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._refreshing = Lock()
        self._snapshot: Snapshot | None = None
        self._stamp: Stamp | None = None  # of the store when the snapshot was loaded
        self._run: Snapshot | None = None  # without analyses
        self._analyses: dict[str, _Rows] = {}  # by file: of those since the run
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
            try:
                found = stamp(self._store)
                if found != self._stamp and not self._renew_analyses(found):
                    self._load(found)
            except SkysieveError as error:
                self._report(str(error))

    def _load(self, found: Stamp | None) -> None:
        run = None if found is None else Snapshot.load(self._store, analyses=False)
        if found is not None and run is None:
            return  # a run is just being put in place
        analyses = {} if run is None else self._read_analyses(run, {})
        self._serve(run, analyses, found)
        if run is not None:
            LOG.info("serving run %s of %s", run.run.run_id, self._store)

    def _renew_analyses(self, found: Stamp | None) -> bool:
        """Serve the analyses as they are now with the run that is served; return False if it is another."""
        run, before = self._run, self._stamp
        if run is None or found is None or before is None or found[:-1] != before[:-1]:
            return False
        self._serve(run, self._read_analyses(run, self._analyses), found)
        return True

    def _read_analyses(self, run: Snapshot, before: Mapping[str, _Rows]) -> dict[str, _Rows]:
        """Return the rows of the analyses since a run; only files that have changed are read.

        What a former file had and no file has now is kept no longer: neither its rows nor their memory.
        """
        since_ns = 1_000_000_000 * int(aware_utc(run.run.finished).timestamp())
        found: dict[str, _Rows] = {}
        for name, written in analysis_files(self._store).items():
            known = before.get(name)
            if written >= since_ns:
                same = known is not None and known.written == written
                found[name] = known if same and known else _Rows(written, read_analysis(self._store, name))
        return found

    def _serve(self, run: Snapshot | None, analyses: dict[str, _Rows], found: Stamp | None) -> None:
        rows = [analysis.rows for analysis in analyses.values() if len(analysis.rows)]
        self._snapshot = run.with_analyses(pa.concat_tables(rows)) if run and rows else run
        self._run, self._analyses, self._stamp, self._reported = run, analyses, found, ""

    def _report(self, text: str) -> None:
        if text != self._reported:
            LOG.error("the served events cannot be renewed: %s", text)
            self._reported = text
