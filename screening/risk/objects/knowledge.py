"""What scoring needs to know about objects besides their element sets."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.pieces import BY_ELEMENTS, Pieces, Used
from screening.orbits.timegrid import FloatArray, TimeWindow, UtcArray
from screening.risk.objects.ephemeris_errors import EphemerisErrors, errors_of
from screening.risk.objects.error_classes import ClassArray
from screening.risk.objects.hard_body import HardBodies

FactorArray = npt.NDArray[np.void]

# How well an object's element sets agree with each other. NaN: too few sets; NaT: no manoeuvre seen.
FACTOR_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("element_sets", "i8"),  # used in a difference
        ("factor_r", "f8"),  # on the sigmas of the error law
        ("factor_t", "f8"),
        ("factor_n", "f8"),
        ("last_manoeuvre", "M8[us]"),  # UTC, epoch of the first element set after it
    ]
)


class OnEphemerides(NamedTuple):
    """Which objects are on ephemerides when, and what their operators say of the errors."""

    pieces: Pieces  # of the objects (n,)
    begins: UtcArray  # (s,) the first state of the ephemeris of each segment
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
    ) -> tuple[npt.NDArray[np.intp], UtcArray]:
        """Return which (m,) of objects (k,) are on an ephemeris at times (k,), and its first states (m,)."""
        segments = self.segments_at(objects, times_s)
        rows = np.flatnonzero(segments != BY_ELEMENTS)
        return rows, self.begins[segments[rows]]

    def of(self, rows: npt.NDArray[np.integer]) -> "OnEphemerides":
        """Return what is known about some of the objects (m,)."""
        return self._replace(pieces=self.pieces.of_objects(rows))


def on_ephemerides(pieces: Pieces, used: Sequence[Used], span: TimeWindow) -> OnEphemerides:
    """Return what is known from segments, those of the pieces in the order of their tracks."""
    begins = np.array([one.begins for one in used], "M8[us]")
    return OnEphemerides(pieces, begins, errors_of([one.segment for one in used], span))


class ObjectKnowledge(NamedTuple):
    """What scoring needs to know about objects (n,), in the order of their element sets."""

    bodies: HardBodies
    error_classes: ClassArray  # (n,), codes into ERROR_CLASSES
    factors_rtn: FloatArray  # (n, 3) on the sigmas of the error law, NaN where there are none
    complex_ids: npt.NDArray[np.int64]  # (n,) of what stays together as one body; negative: alone
    on_ephemerides: OnEphemerides | None = None  # None: nothing is

    def of(self, rows: npt.NDArray[np.integer]) -> "ObjectKnowledge":
        """Return what is known about some of the objects (m,)."""
        bodies = HardBodies(self.bodies.radius_m[rows], self.bodies.source[rows])
        return ObjectKnowledge(
            bodies,
            self.error_classes[rows],
            self.factors_rtn[rows],
            self.complex_ids[rows],
            self.on_ephemerides and self.on_ephemerides.of(rows),
        )
