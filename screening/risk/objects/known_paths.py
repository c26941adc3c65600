"""The paths of objects in a window: by element sets, and by the ephemerides that replace these."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.pieces import BY_ELEMENTS, ObjectPaths, Pieces, paths_of, pieces_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, UtcArray
from screening.risk.objects.ephemeris_errors import EphemerisErrors, errors_of
from screening.vocabulary import TRAJECTORY_KINDS


class OnEphemerides(NamedTuple):
    """Which objects are on ephemerides when, and what their operators say of the errors."""

    pieces: Pieces  # of the objects (n,)
    begins: UtcArray  # (s,) the first state of the ephemeris of each segment
    departs_at: UtcArray  # (s,) since when that is another path than the element set's; NaT: it is not
    errors: EphemerisErrors

    def segments_at(
        self, objects: npt.NDArray[np.integer], times_s: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.int32]:
        """Return on which segments objects (k,) are at times (k,), BY_ELEMENTS: on none."""
        piece = self.pieces.active(objects, times_s)
        segments = np.append(self.pieces.segments, np.int32(BY_ELEMENTS))
        found: npt.NDArray[np.int32] = segments[piece]  # none active: the last one
        return found

    def begins_at(
        self, objects: npt.NDArray[np.integer], times_s: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.intp], UtcArray, UtcArray]:
        """Return which (m,) of objects (k,) are on an ephemeris at times (k,).

        Also its first states (m,), and since when (m,) it is another path than the element set's.
        """
        segments = self.segments_at(objects, times_s)
        rows = np.flatnonzero(segments != BY_ELEMENTS)
        return rows, self.begins[segments[rows]], self.departs_at[segments[rows]]

    def of(self, rows: npt.NDArray[np.integer]) -> "OnEphemerides":
        """Return the facts about some of the objects (m,)."""
        return self._replace(pieces=self.pieces.of_objects(rows))


class KnownPaths(NamedTuple):
    """The paths of objects (n,) in a window, and who is on an ephemeris when."""

    paths: Propagator | ObjectPaths
    on_ephemerides: OnEphemerides | None  # None: nobody is


def known_paths(elements: ElementArray, ephemerides: Ephemerides, span: TimeWindow) -> KnownPaths:
    """Return the paths of objects (n,); some have ephemerides, and some nothing else."""
    known = known_of_ephemerides(elements, ephemerides, span)
    return KnownPaths(paths_of(elements, span, known and known.pieces), known)


def known_of_ephemerides(
    elements: ElementArray, ephemerides: Ephemerides, span: TimeWindow
) -> OnEphemerides | None:
    """Return who of objects (n,) is on an ephemeris when, without propagating anything."""
    if not ephemerides and not (elements["trajectory"] == TRAJECTORY_KINDS.index("ephemeris")).any():
        return None
    pieces, used = pieces_of(elements, ephemerides, span)
    begins = np.array([one.begins for one in used], "M8[us]")
    departs_at = np.array([one.departs_at for one in used], "M8[us]")
    return OnEphemerides(pieces, begins, departs_at, errors_of([one.segment for one in used], span))
