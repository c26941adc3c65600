"""The path of one object after burns, with its errors, as an ephemeris."""

from collections.abc import Sequence

import numpy as np

from screening.manoeuvre.displaced_path import segments_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.pieces import BY_ELEMENTS
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, seconds_since
from screening.risk.geometry.rtn import speed_rt_km_s
from screening.risk.objects.error_law import ErrorLaws
from screening.risk.objects.known_paths import KnownPaths


def path_after(
    known: KnownPaths,
    moved: int,
    element: ElementArray,
    laws: ErrorLaws,
    impulses: Sequence[Impulse],
    execution: Execution,
) -> Ephemeris:
    """Return the path of one object from its first burn to the end of the window; without one, no segment.

    Args:
        known: paths of objects in a window.
        moved: which of them burns.
        element: its element set (1,).
        laws: the error law of that set (1,), for where its path is not an operator's.
        impulses: the burns.
        execution: how well they are carried out.

    Raises OutOfReach, or InputError for an impossible burn.
    """
    errors = _OwnErrors(known, moved, element, laws)
    paths = known.paths
    segments = segments_after(paths, moved, impulses, paths.span.end, execution, errors.at)
    return Ephemeris(
        int(element["norad_id"][0]), str(element["name"][0]), str(element["object_id"][0]), segments
    )


class _OwnErrors:
    """The errors of an object on its own path: its operator's covariances, else by the law of its class."""

    def __init__(self, known: KnownPaths, moved: int, element: ElementArray, laws: ErrorLaws) -> None:
        self._element = element
        self._span = known.paths.span
        self._laws = laws
        self._on_ephemerides = known.on_ephemerides
        self._moved = moved

    def at(self, times_s: FloatArray, r_km: FloatArray, v_km_s: FloatArray) -> FloatArray:
        """Return covariances (k, 3, 3), m2 in its own RTN, at times (k,) from the window's start."""
        epoch = self._element["epoch_jd"], self._element["epoch_day_fraction"]
        age_days = (times_s - seconds_since(self._span, *epoch)) / SECONDS_PER_DAY
        index = np.zeros(len(times_s), np.intp)
        sigma_m = self._laws.sigma_rtn_m(index, age_days, speed_rt_km_s(r_km, v_km_s))
        covariances: FloatArray = np.einsum("ni,ij->nij", sigma_m**2, np.eye(3))
        if self._on_ephemerides is not None:
            moved = np.full(len(times_s), self._moved)
            segments = self._on_ephemerides.segments_at(moved, times_s)
            rows = np.flatnonzero(segments != BY_ELEMENTS)
            covariances[rows] = self._on_ephemerides.errors.at(segments[rows], times_s[rows])
        return covariances
