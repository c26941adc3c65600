"""The served events: a snapshot of the store, replaced when the store changes."""

import logging
import zlib
from collections.abc import Hashable, Mapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import pyarrow as pa

from api.errors import NotReady
from screening.errors import SkysieveError
from storage.analyses.stored import analysis_files, read_analysis
from storage.fleets.events import seen_by
from storage.in_memory.snapshot import Snapshot, Stamp, stamp
from storage.vocabulary import EVERYBODY

LOG = logging.getLogger("skysieve.api")


class _Rows(NamedTuple):
    """The rows of one file of analyses."""

    written: int  # ns
    rows: pa.Table


class _Served(NamedTuple):
    """The newest snapshot, replaced as a whole."""

    snapshot: Snapshot  # with all that anyone sees
    parts: Mapping[Hashable, pa.Table]  # its rows of analyses; a key ends with who sees them
    seen: dict[int, Snapshot]  # by the organisations that have asked; it grows


def _view(snapshot: Snapshot, parts: Mapping[Hashable, pa.Table], organisation_id: int) -> Snapshot:
    seen = {key: rows for key, rows in parts.items() if _whose(key) in (EVERYBODY, organisation_id)}
    return snapshot.seen_by(organisation_id, seen)


def _ids_of(rows: pa.Table) -> int:
    """Return what tells parts of a file apart that has not changed, while the fleets have."""
    return zlib.crc32(rows["event_id"].to_numpy().tobytes())


def _whose(key: Hashable) -> int:
    assert isinstance(key, tuple)
    return int(key[-1])


class LiveSnapshot:
    """The newest snapshot. One thread at a time may refresh it; any number may read it."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._refreshing = Lock()
        self._served: _Served | None = None
        self._stamp: Stamp | None = None  # of the store when the snapshot was loaded
        self._analyses: dict[str, _Rows] = {}  # by file: of those since the run
        self._reported = ""

    def current(self, organisation_id: int | None = None) -> Snapshot:
        """Return the newest snapshot; snapshots never change, so a request asks once and uses one to its end.

        It has what an organisation sees; None: everything, for what does not leave the service.

        Raises:
            NotReady: the store holds no run yet.
        """
        served = self._served
        if served is None:
            raise NotReady(
                "The store holds no run yet. The service is ready within seconds of the first one: "
                "`skysieve refresh` fetches a catalogue and makes a run."
            )
        if organisation_id is None:
            return served.snapshot
        if organisation_id not in served.seen:  # 3 ms; it waits for no refresh
            served.seen[organisation_id] = _view(served.snapshot, served.parts, organisation_id)
        return served.seen[organisation_id]

    def served(self) -> list[Snapshot]:
        """Return what each organisation that has asked sees now."""
        return [] if self._served is None else list(self._served.seen.values())

    def refresh(self) -> bool:
        """Load what the store holds now; until then the old snapshot is served.

        Return whether a run was read.
        What prevents it is logged once, and the next call tries again: the old snapshot stays.
        """
        with self._refreshing:
            try:
                found = stamp(self._store)
                if found != self._stamp and not self._renew_analyses(found):
                    self._load(found)
                    return True
            except SkysieveError as error:
                self._report(str(error))
            return False

    def _load(self, found: Stamp | None) -> None:
        run = None if found is None else Snapshot.load(self._store, analyses=False)
        if found is not None and run is None:
            return  # a run is just being published
        analyses = {} if run is None else self._read_analyses(run, {})
        self._serve(run, analyses, found)
        if run is not None:
            LOG.info("serving run %s of %s", run.run.run_id, self._store)

    def _renew_analyses(self, found: Stamp | None) -> bool:
        """Add the current analyses to the served run; return False if the store's run is another."""
        run, before = self._served and self._served.snapshot, self._stamp
        if run is None or found is None or before is None or found[:-1] != before[:-1]:
            return False
        self._serve(run, self._read_analyses(run, self._analyses), found)
        return True

    def _read_analyses(self, run: Snapshot, before: Mapping[str, _Rows]) -> dict[str, _Rows]:
        """Return the rows of the analyses since a run; only files that have changed are read.

        Rows of files that no longer exist are dropped, and their memory freed.
        """
        since_ns = 1_000_000_000 * int(run.run.finished.timestamp())
        found: dict[str, _Rows] = {}
        for name, written in analysis_files(self._store).items():
            known = before.get(name)
            if written >= since_ns:
                same = known is not None and known.written == written
                found[name] = known if same and known else _Rows(written, read_analysis(self._store, name))
        return found

    def _serve(self, run: Snapshot | None, analyses: dict[str, _Rows], found: Stamp | None) -> None:
        parts: dict[Hashable, pa.Table] = {
            (name, one.written, _ids_of(rows), whose): rows
            for name, one in analyses.items()
            for whose, rows in seen_by(self._store, name, one.rows).items()
            if len(rows)
        }
        if run is None:
            self._served = None
        else:
            # All rows are in one place; what an organisation does not see is left out of its tables.
            snapshot = run.with_analyses(parts)
            asked = () if self._served is None else tuple(self._served.seen)
            self._served = _Served(snapshot, parts, {one: _view(snapshot, parts, one) for one in asked})
        self._analyses, self._stamp, self._reported = analyses, found, ""

    def _report(self, text: str) -> None:
        if text != self._reported:
            LOG.error("the served events cannot be renewed: %s", text)
            self._reported = text
