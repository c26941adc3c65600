"""Where orbits spend their time: between which altitudes, and at which latitudes."""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.timegrid import FloatArray

# Of one hemisphere: the other is as this one.
LATITUDE_EDGES_DEG = np.arange(0.0, 90.1, 2.0)
_LEAST_ECCENTRICITY = 1e-6


class Stays(NamedTuple):
    """Where objects are: the shells (m,) that each passes, one after another."""

    place: npt.NDArray[np.intp]  # of the object
    shell: npt.NDArray[np.intp]
    share: FloatArray  # of its time

    @classmethod
    def of(cls, axis_km: FloatArray, eccentricity: FloatArray, edges_km: FloatArray) -> Self:
        """Return where Kepler orbits (n,) are, between altitudes: radii less the Earth's at the equator.

        The share of the time below a radius is M / pi, M the mean anomaly there on the way up (Kessler 1981,
        Derivation of the collision probability between orbiting objects, Icarus 48).
        """
        e, last = np.maximum(eccentricity, _LEAST_ECCENTRICITY), len(edges_km) - 2
        radii_km = edges_km + EARTH_RADIUS_KM
        lowest, highest = (
            np.clip(np.searchsorted(radii_km, axis_km * (1.0 + sign * e), "right") - 1, 0, last)
            for sign in (-1.0, 1.0)
        )
        passed = highest - lowest + 1
        place = np.repeat(np.arange(len(e)), passed)
        shell = np.arange(len(place)) - np.repeat(np.cumsum(passed) - passed, passed) + lowest[place]

        def below(edge: npt.NDArray[np.intp]) -> FloatArray:
            cosine = (1.0 - radii_km[edge] / axis_km[place]) / e[place]
            anomaly = np.arccos(np.clip(cosine, -1.0, 1.0))
            share: FloatArray = (anomaly - e[place] * np.sin(anomaly)) / np.pi
            return share

        return cls(place, shell, below(shell + 1) - below(shell))

    def among(self, some: npt.NDArray[np.bool_]) -> Self:
        """Return those of some of the objects (n,)."""
        return self._replace(share=self.share * some[self.place])

    def by_inclination(
        self, shells: int, inclination_deg: FloatArray, edges_deg: FloatArray, weights: FloatArray
    ) -> FloatArray:
        """Return the mean numbers of objects (shells, inclinations), each by its weight (n,)."""
        count = len(edges_deg) - 1
        place = np.clip(np.searchsorted(edges_deg, inclination_deg, "right") - 1, 0, count - 1)
        cells = self.shell * count + place[self.place]
        sums = np.bincount(cells, self.share * weights[self.place], shells * count)
        return sums.astype(np.float64, copy=False).reshape(shells, count)


def shares_by_latitude(inclination_deg: FloatArray) -> FloatArray:
    """Return the shares of time (n, bands) that circular orbits (n,) spend between LATITUDE_EDGES_DEG.

    North and south together, by the argument of latitude, which grows evenly.
    """
    highest = np.maximum(np.sin(np.radians(inclination_deg)), 1e-9)[:, np.newaxis]
    edges = np.sin(np.radians(LATITUDE_EDGES_DEG))
    shares: FloatArray = np.diff(np.arcsin(np.minimum(edges / highest, 1.0)), axis=1) / (np.pi / 2.0)
    return shares
