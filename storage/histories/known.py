"""Which element sets a store has, and when each was first seen: 21 bytes for each in memory."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.orbits.texts.dated import Instants
from storage.disk.checksums import DamagedFile, verify_parquet
from storage.disk.current import expiry_of, read_current
from storage.disk.layout import ELEMENT_FILES, IMPORTED_PREFIX
from storage.disk.run_ids import is_run_id, start_of

_MEMBER = np.dtype([("hash", "i8"), ("first_seen", "M8[us]"), ("run", "i4"), ("imported", "?")])
_NO_RUN = -1


class Found(NamedTuple):
    """What is known of some sets, in their order."""

    known: npt.NDArray[np.bool_]
    imported: npt.NDArray[np.bool_]  # in a file of an import, which never expires
    first_seen: Instants  # NaT: not known
    run_ids: pa.Array  # of the run that had it first; NULL: none


class KnownSets:
    """The sets of a store's files, of which new ones are read when asked."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._files: set[str] = set()
        self._run_ids: list[str] = []
        self._parts: list[npt.NDArray[np.void]] = []  # each sorted by hash, each larger than twice the next

    def refresh(self) -> None:
        """Read the files that are new since the last time; those that have expired are left out.

        Raises StoreError if one is damaged.
        """
        border = expiry_of(read_current(self._store)).elements_from
        found = sorted(path for path in self._store.glob(ELEMENT_FILES) if path.stem >= border)
        new = [path for path in found if path.name not in self._files]
        self._files.update(path.name for path in new)
        self.add([self._read(path) for path in new])

    def note(self, file: str, hashes: npt.NDArray[np.int64], first_seen: Instants) -> None:
        """Take over what an import has just written."""
        self._files.add(file)
        rows = np.zeros(len(hashes), _MEMBER)
        rows["hash"], rows["first_seen"], rows["run"], rows["imported"] = hashes, first_seen, _NO_RUN, True
        self.add([rows])

    def add(self, rows: list[npt.NDArray[np.void]]) -> None:
        """Keep rows of _MEMBER; parts of about the same size are merged, so that there are few."""
        part = np.concatenate(rows) if rows else np.zeros(0, _MEMBER)
        self._parts.append(part[np.argsort(part["hash"], kind="stable")])
        while len(self._parts) > 1 and len(self._parts[-2]) < 2 * len(self._parts[-1]):
            joined = np.concatenate(self._parts[-2:])
            self._parts[-2:] = [joined[np.argsort(joined["hash"], kind="stable")]]

    def of(self, hashes: npt.NDArray[np.int64]) -> Found:
        """Look up sets by the hash of their content."""
        count = len(hashes)
        known, imported = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        first_seen, run = np.full(count, np.datetime64("NaT", "us")), np.full(count, _NO_RUN, "i4")
        for part in self._parts:
            start, end = (np.searchsorted(part["hash"], hashes, side=side) for side in ("left", "right"))
            for place in range(int((end - start).max(initial=0))):  # a set may be in several files
                here = np.flatnonzero(start + place < end)
                rows = part[start[here] + place]
                known[here] = True
                imported[here] |= rows["imported"]
                earlier = ~(first_seen[here] <= rows["first_seen"])
                first_seen[here[earlier]] = rows["first_seen"][earlier]
                from_run = rows["run"] >= 0
                run[here[from_run]] = rows["run"][from_run]
        return Found(known, imported, first_seen, self._words(run))

    def _words(self, run: npt.NDArray[np.int32]) -> pa.Array:
        words = pa.array(self._run_ids, pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(run, mask=run < 0), words)

    def _read(self, path: Path) -> npt.NDArray[np.void]:
        try:
            verify_parquet(path, ("content_hash", "first_seen", "run_id"))
            file = pq.ParquetFile(path)
            wanted = {"content_hash", "first_seen", "run_id"} & set(file.schema_arrow.names)
            table = file.read(columns=sorted(wanted), use_threads=False)
        except pa.ArrowException as error:
            raise DamagedFile(path, str(error)) from error
        rows = np.zeros(len(table), _MEMBER)
        rows["hash"] = table["content_hash"]
        rows["imported"] = path.name.startswith(IMPORTED_PREFIX)
        rows["run"] = _NO_RUN
        if "run_id" in wanted and len(table):
            rows["run"] = self._run_codes(table["run_id"])
        rows["first_seen"] = _first_seen(table, wanted)
        return rows

    def _run_codes(self, column: pa.ChunkedArray) -> npt.NDArray[np.int32]:
        coded = column.cast(pa.string()).combine_chunks().dictionary_encode()
        before = len(self._run_ids)
        self._run_ids += coded.dictionary.to_pylist()
        codes: npt.NDArray[np.int32] = pc.fill_null(coded.indices, _NO_RUN - before).to_numpy() + before
        return codes


def _first_seen(table: pa.Table, has: set[str]) -> Instants:
    """Return when each set of a file was first seen: as it says, else when its run began."""
    seen = np.full(len(table), np.datetime64("NaT", "us"))
    if "run_id" in has:
        coded = table["run_id"].cast(pa.string()).combine_chunks().dictionary_encode()
        starts = [start_of(one) if one and is_run_id(one) else None for one in coded.dictionary.to_pylist()]
        began = pa.array(starts, pa.timestamp("us"))
        seen = began.take(coded.indices).to_numpy(zero_copy_only=False).astype("M8[us]")
    if "first_seen" in has:
        said = table["first_seen"].to_numpy().astype("M8[us]")
        seen = np.where(np.isnat(said), seen, said)
    return seen
