"""The interface through which the search gets states, from SGP4 or from a stored ephemeris."""

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray, TimeWindow


class Paths(Protocol):
    """Objects that can be asked one by one; times are seconds from the start of a window."""

    span: TimeWindow

    def at(
        self, index: npt.NDArray[np.int32], times_s: FloatArray
    ) -> tuple[npt.NDArray[np.uint8], FloatArray, FloatArray]:
        """Return codes (k,), positions (k, 3) and velocities (k, 3) of object `index[k]` at `times_s[k]`."""


class Trajectories(Paths, Protocol):
    """A set of objects in a window, as the search asks it."""

    def __len__(self) -> int: ...

    @property
    def is_deep_space(self) -> npt.NDArray[np.bool_]:
        """Return which objects (n,) have velocities that are not the derivative of their positions."""

    def subset(self, index: npt.NDArray[np.integer]) -> Self:
        """Return some of the objects, in the given order."""

    def on_grid(self, times_s: FloatArray) -> tuple[npt.NDArray[np.uint8], FloatArray, FloatArray]:
        """Return codes (m, n), positions (m, 3, n) km and velocities (m, 3, n) km/s, TEME; NaN on error."""
