"""The position error of an element set that says nothing about its own: by regime, class, drag and age.

    sigma^2 = sigma_at_epoch^2 + (growth x age)^2 + (share x D)^2,    each axis of the object's own RTN

D is how far drag has moved the object along its orbit since the epoch, as SGP4 itself has it: what is unknown
is a share of what is known. So low orbits need no growth of their own in-track.

The numbers are fitted, by least squares of the logarithms, to errors of public element sets against precise
orbits and operators' ephemerides, from October 2025 to March 2026 (open study orbit-accuracy-experiments), up
to an age of 7 days; docs/probability.md has them beside the law.

    leo            Swarm A to C and Sentinel-1 (GPS receivers), and five laser-ranging spheres, with the drag
                   of their sets of November 2024. Both times the Sun was active; the share may be larger when
                   that changes.
    meo            GPS: at the epoch the medians of absolute errors, over 0.6745; in-track growth from the
                   median distance, 1.34 km at the epoch and 1.71 km after 7 days. Cross-track growth as that
                   of LAGEOS and Etalon.
    geo, gto, heo  no errors by age are published for drifting objects there. At the epoch the larger of
                   GPS and of Flohrer, Krag & Klinkrad (2008), Assessment and categorization of TLE orbit
                   errors for the US SSN catalogue, AMOS Conference, table 1, who compare SGP4 with an orbit
                   fitted to SGP4's own positions: lower bounds. Growth as in meo, drag as in leo.
    geodetic       LAGEOS 1 and 2, Etalon 1 and 2.
    constellation  Starlink's medians against SpaceX's ephemerides, over 0.6745. No other constellation's are
                   published. Objects whose sets contradict each other take the same, for lack of better data.
    geostationary  Intelsat's medians, over 0.6745.
    manoeuvred     root mean squares of GPS, which a few manoeuvres dominate.

Objects that manoeuvre have no law, only such statistics, and never less than a drifting object.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.drag_lag import DragLag, drag_lag
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_classes import (
    ERROR_CLASSES,
    BoolArray,
    ClassArray,
    manoeuvring,
)
from screening.risk.objects.regimes import REGIMES, regime, semi_major_axis_km

IndexArray = npt.NDArray[np.integer]
METRES_PER_KM = 1000.0


class ErrorLaw(NamedTuple):
    """1-sigma position error at the epoch, m, and its growth, m/day: radial, in-track, cross-track."""

    at_epoch_m: tuple[float, float, float]
    growth_m_day: tuple[float, float, float]


_MEO_GROWTH_M_DAY = (22.0, 200.0, 27.0)

# Of objects that are left to themselves; in the order of REGIMES.
BALLISTIC_LAWS = {
    "leo": ErrorLaw((122.0, 480.0, 148.0), (22.0, 0.0, 36.0)),
    "meo": ErrorLaw((187.0, 1788.0, 136.0), _MEO_GROWTH_M_DAY),
    "geo": ErrorLaw((359.0, 1788.0, 136.0), _MEO_GROWTH_M_DAY),
    "gto": ErrorLaw((1960.0, 3897.0, 1808.0), _MEO_GROWTH_M_DAY),
    "heo": ErrorLaw((824.0, 1788.0, 1059.0), _MEO_GROWTH_M_DAY),
}
_STARLINK = ErrorLaw((242.0, 5140.0, 248.0), (183.0, 20000.0, 180.0))
# Of the other classes, whatever the regime.
CLASS_LAWS = {
    "geodetic": ErrorLaw((130.0, 690.0, 125.0), (0.0, 0.0, 27.0)),
    "constellation": _STARLINK,
    "geostationary": ErrorLaw((1360.0, 2570.0, 2860.0), (265.0, 6230.0, 2270.0)),
    "manoeuvred": ErrorLaw((210.0, 2200.0, 200.0), (130.0, 2880.0, 36.0)),
    "contradictory": _STARLINK,
}
# What the numbers rest on, for someone who asks about one object.
LAW_SOURCES = {
    "leo": "Swarm, Sentinel-1 and laser-ranging spheres against precise orbits, 2025-10 to 2026-03",
    "meo": "GPS against precise orbits, medians, 2025-10 to 2026-03",
    "geo": "at the epoch Flohrer et al. (2008) and GPS; growth as GPS, not measured there",
    "gto": "at the epoch Flohrer et al. (2008); growth as GPS and drag, not measured there",
    "heo": "at the epoch Flohrer et al. (2008) and GPS; growth as GPS and drag, not measured there",
    "geodetic": "LAGEOS and Etalon against precise orbits, 2025-10 to 2026-03",
    "constellation": "Starlink against SpaceX's own ephemerides, medians, 2026",
    "geostationary": "Intelsat against the operator's own ephemerides, medians, 2026",
    "manoeuvred": "GPS against precise orbits, root mean squares, which a few manoeuvres dominate",
    "contradictory": "Starlink's, for lack of better data: its own element sets contradict each other",
}
# Of D in-track; of that, radially.
DRAG_SHARE = 0.093
RADIAL_SHARE = 0.028

# An object that may be anywhere on its orbit: a length evenly distributed over a circumference.
_ANYWHERE = np.pi / np.sqrt(3.0)


class ErrorLaws(NamedTuple):
    """The error laws of objects (n,), ready to be asked."""

    at_epoch_m: FloatArray  # (n, 3), RTN
    growth_m_day: FloatArray  # (n, 3)
    lag: DragLag
    largest_m: FloatArray  # (n,), beyond which nothing is known
    mean_speed_km_s: FloatArray  # (n,)
    differenced: BoolArray  # (n,), whether a factor from the object's own history is in the numbers
    factors_rtn: FloatArray  # (n, 3), of at least 1

    def sigma_rtn_m(
        self, index: IndexArray, age_days: FloatArray, speed_rt_km_s: FloatArray | None = None
    ) -> FloatArray:
        """Return 1-sigma position errors (k, 3) in m, in the object's own RTN, of objects `index` (k,).

        age_days (k,) counts from the epoch, negative before it. speed_rt_km_s (k, 2), radial and along the
        track: drag shifts an object in time, which is the further the faster it is; by default the speed of
        a circular orbit. On an eccentric orbit part of that is radial; its correlation with the part
        in-track is left out.
        """
        sigma_m = np.hypot(self.at_epoch_m[index], self.growth_m_day[index] * age_days[:, np.newaxis])
        if speed_rt_km_s is None:
            speed_rt_km_s = np.stack([np.zeros(len(index)), self.mean_speed_km_s[index]], axis=1)
        with np.errstate(over="ignore"):
            shift_m = DRAG_SHARE * self.lag.seconds(index, age_days) * METRES_PER_KM
            by_drag_m = shift_m[:, np.newaxis] * np.abs(speed_rt_km_s)
        largest_m = self.largest_m[index]
        radial_m, in_track_m = (np.minimum(column, largest_m) for column in by_drag_m.T)
        sigma_m[:, 0] = np.sqrt(sigma_m[:, 0] ** 2 + radial_m**2 + (RADIAL_SHARE * in_track_m) ** 2)
        sigma_m[:, 1] = np.hypot(sigma_m[:, 1], in_track_m)
        return np.minimum(sigma_m * self.factors_rtn[index], largest_m[:, np.newaxis])


def error_laws(elements: ElementArray, classes: ClassArray, factors_rtn: FloatArray) -> ErrorLaws:
    """Return the error laws of element sets (n,) of objects of these classes (n,).

    factors_rtn (n, 3) are those of the objects' own histories, NaN where there are none. They never shrink
    the law, since sets of one object share errors that their differences do not show; statistics of objects
    that manoeuvre take none.
    """
    thrusts = manoeuvring(classes)
    ballistic_law, class_law = _numbers(list(BALLISTIC_LAWS.values())), _numbers(_laws_by_class())
    ballistic = ballistic_law[:, regime(elements)]
    own = class_law[:, classes]
    left_alone = classes == ERROR_CLASSES.index("ballistic")
    numbers = np.where(left_alone[:, np.newaxis], ballistic, own)
    numbers = np.where(thrusts[:, np.newaxis], np.maximum(numbers, ballistic), numbers)
    usable = np.isfinite(factors_rtn).all(axis=1) & ~thrusts
    factors = np.where(usable[:, np.newaxis], np.maximum(factors_rtn, 1.0), 1.0)
    semi_major_km = semi_major_axis_km(elements)
    return ErrorLaws(
        at_epoch_m=numbers[0],
        growth_m_day=numbers[1],
        lag=drag_lag(elements),
        largest_m=_ANYWHERE * semi_major_km * METRES_PER_KM,
        mean_speed_km_s=np.sqrt(MU_KM3_S2 / semi_major_km),
        differenced=np.any(factors > 1.0, axis=1),
        factors_rtn=factors,
    )


def ballistic_laws(elements: ElementArray) -> ErrorLaws:
    """Return the error laws of element sets (n,) of objects that are left to themselves."""
    count = len(elements)
    return error_laws(elements, np.zeros(count, np.int8), np.ones((count, 3)))


def difference_sigma_rtn_m(laws: ErrorLaws, older: IndexArray, age_days: FloatArray) -> FloatArray:
    """Return 1-sigma differences (k, 3) in m between a set at its epoch and one older by `age_days`.

    Both have the error at the epoch, and the older one (k,), an index into the laws, what it grew.
    """
    sigma: FloatArray = np.hypot(laws.at_epoch_m[older], laws.sigma_rtn_m(older, age_days))
    return sigma


def _laws_by_class() -> list[ErrorLaw]:
    """Return a law for each class; that of the ballistic one, which has a law a regime, is never asked."""
    return [CLASS_LAWS.get(name, BALLISTIC_LAWS[REGIMES[0]]) for name in ERROR_CLASSES]


def _numbers(laws: list[ErrorLaw]) -> FloatArray:
    """Return errors at the epoch and growth, (2, laws, 3)."""
    return np.array(laws).transpose(1, 0, 2)
