"""The rated events of a run, collected part by part and read in their final order.

Memory holds 60 bytes an event, what orders and identifies it; the records (538 bytes) wait in a file without
a name, which is gone with the process, whatever ends it. Each part is sorted by danger before it is written,
so that the order of the run is a merge, which reads every part from its beginning to its end.
"""

import tempfile
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from screening.errors import StoreError
from screening.risk.conjunctions import (
    CONJUNCTION_DTYPE,
    ENCOUNTERS,
    NO_CODE,
    WORDS_OF_CODED_FIELDS,
    ConjunctionArray,
)
from storage.disk.faults import store_faults
from storage.rows.danger import danger_keys
from storage.rows.over_runs.event_ids import EVENT_DTYPE, EventArray, joined
from storage.rows.row_order import row_order

# Records held in memory at a time: 9 MB, and as much again for their order and for their copy in it.
AT_A_TIME = 16_384

# What orders events, beside their pair and TCA: see storage/rows/danger.py.
_DANGER_DTYPE = np.dtype([("danger", "f8"), ("miss_distance_m", "f8")])

LEVELS = ("risk_level", "probability_level", "near_level")

Places = npt.NDArray[np.intp]


class FoundEvents:
    """A context manager: at its end the records are gone. For one thread."""

    def __init__(self, folder: Path) -> None:
        """Collect events; their file, if they need one, lies in a folder, which is made for it."""
        self._folder = folder
        self._file: FileIO | None = None
        self._waiting: list[ConjunctionArray] = []  # not sorted yet
        self._sizes: list[int] = []  # of the sorted parts
        self._events: list[EventArray] = []  # of the sorted parts, one after the other
        self._danger: list[npt.NDArray[np.void]] = []
        self._levels = {name: np.zeros(len(WORDS_OF_CODED_FIELDS[name]), np.int64) for name in LEVELS}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        return sum(self._sizes) + sum(map(len, self._waiting))

    def add(self, rated: ConjunctionArray) -> None:
        """Add some conjunctions (n,) of CONJUNCTION_DTYPE, which must not change afterwards.

        Raises:
            StoreError: the folder cannot be written, or its disk is full.
        """
        for begin in range(0, len(rated), AT_A_TIME):
            self._waiting.append(rated[begin : begin + AT_A_TIME])
            if sum(map(len, self._waiting)) >= AT_A_TIME:
                self._sort_waiting()

    def events(self) -> EventArray:
        """Return the fields by which events are matched, EVENT_DTYPE (n,), each in its place."""
        self._sort_waiting()
        self._events = [joined(self._events, EVENT_DTYPE)]
        return self._events[0]

    def by_level(self, name: str) -> dict[str, int]:
        """Return how many events there are of each level, of a column of LEVELS, without those of none."""
        self._sort_waiting()
        return dict(zip(WORDS_OF_CODED_FIELDS[name], self._levels[name].tolist(), strict=True))

    def most_dangerous_first(
        self, rows_at_a_time: int = AT_A_TIME
    ) -> Iterator[tuple[ConjunctionArray, Places]]:
        """Yield the conjunctions in the order of MOST_DANGEROUS_FIRST, some rows (k,) at a time.

        What is equal in danger is sorted by TCA, then by pair: the order does not depend on the parts. With
        each come the places (k,) of its events among `events()`.

        Raises:
            StoreError: the file cannot be read.
        """
        self._sort_waiting()
        order = self._order()
        starts = np.cumsum([0, *self._sizes])
        read = np.zeros(len(self._sizes), np.int64)  # rows of each part
        for begin in range(0, len(order), rows_at_a_time):
            places = order[begin : begin + rows_at_a_time]
            part = np.searchsorted(starts, places, "right") - 1
            by_part = np.argsort(part, kind="stable")
            counts = np.bincount(part, minlength=len(read))
            rows = np.empty(len(places), CONJUNCTION_DTYPE)
            ends = np.cumsum(counts)
            for of in np.flatnonzero(counts):
                self._read(rows[ends[of] - counts[of] : ends[of]], int(starts[of] + read[of]))
            read += counts
            back = np.empty(len(places), np.intp)
            back[by_part] = np.arange(len(places))
            yield rows.take(back), places

    def _order(self) -> Places:
        events = self.events()
        ties = [events[name] for name in ("tca", "primary_norad_id", "secondary_norad_id")]
        danger = [self._column(name) for name in _DANGER_DTYPE.names or ()]
        return row_order([*danger, *ties])

    def _column(self, name: str) -> npt.NDArray[np.generic]:
        return np.concatenate([np.zeros(0, _DANGER_DTYPE)[name], *(part[name] for part in self._danger)])

    def _sort_waiting(self) -> None:
        """Sort the records that wait as a part, and write them."""
        if not any(map(len, self._waiting)):
            return
        records = joined(self._waiting, CONJUNCTION_DTYPE)
        keys = danger_keys(records.__getitem__)
        ties = [records[name] for name in ("tca", "primary_norad_id", "secondary_norad_id")]
        order = row_order([*keys, *ties])
        records = records.take(order)  # indexing with brackets takes five times as long
        danger = np.empty(len(records), _DANGER_DTYPE)
        for name, key in zip(_DANGER_DTYPE.names or (), keys, strict=True):
            danger[name] = key[order]
        self._write(records)
        self._waiting = []
        self._sizes.append(len(records))
        self._events.append(events_of(records))
        self._danger.append(danger)
        for name, counts in self._levels.items():
            counts += np.bincount(records[name][records[name] != NO_CODE], minlength=len(counts))

    def _write(self, records: ConjunctionArray) -> None:
        with store_faults(self._folder):
            if self._file is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115
            self._file.seek(0, 2)
            left = memoryview(records.view(np.uint8).data)
            while left:
                left = left[self._file.write(left) :]

    def _read(self, rows: ConjunctionArray, first: int) -> None:
        """Read records (n,) from the file, beginning with one."""
        assert self._file is not None
        with store_faults(self._folder):
            self._file.seek(first * CONJUNCTION_DTYPE.itemsize)
            left = memoryview(rows.view(np.uint8).data)
            while left:
                count = self._file.readinto(left)
                if not count:
                    raise StoreError(
                        f"The events of this run cannot be read back from their temporary file in "
                        f"{self._folder}: it is shorter than what was written. Nothing was published."
                    )
                left = left[count:]


def events_of(records: ConjunctionArray) -> EventArray:
    """Return the fields by which rated conjunctions (n,) of CONJUNCTION_DTYPE are matched."""
    events = np.zeros(len(records), EVENT_DTYPE)
    for name in ("primary_norad_id", "secondary_norad_id", "tca"):
        events[name] = records[name]
    events["slow"] = records["encounter"] == ENCOUNTERS.index("slow")
    for name, inside in (("begin", "inside_from"), ("end", "inside_to")):
        events[name] = np.where(np.isnat(records[inside]), records["tca"], records[inside])
    return events
