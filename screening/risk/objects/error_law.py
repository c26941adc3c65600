"""The position error of an element set that says nothing about its own: by regime, class, drag and age.

    sigma^2 = sigma_at_epoch^2 + (growth x age)^2 + (bend x age^2)^2 + (share x D)^2

on each axis of the object's own RTN. D is how far drag has moved the object along its orbit since the epoch,
as SGP4 itself has it: what is unknown is a share of what is known. So low orbits need no growth of their own
in-track.

That is the quiet part of a mixture. Some sets err by more than most: with probability `tail_share` each sigma
is `tail_scale_rtn` times as large. An object that thrusts may have done so since its set was made: then it is
displaced along its orbit (`Burns`).

LAWS are fitted to differences of real element sets from later ones of the same objects
(`tests/benchmarks/fit_errors.py` prints them): catalogues of 2014, 2016 and 2020, five to ten days apart, and
a week of May 2026. What sets of one object share does not show there, so at the epoch precise orbits count:

    leo            drifting objects. At the epoch, and growth, as Swarm A to C, Sentinel-1 (GPS receivers) and
                   five laser-ranging spheres against precise orbits, October 2025 to March 2026 (open study
                   orbit-accuracy-experiments). The share of drag is between theirs, 0.093, and that of
                   debris, 0.13; by the Sun that is 0.07 to 0.35, which the tail takes up.
    fragment       debris with a perigee above 1,000 km: light pieces that sunlight pushes.
    meo            at the epoch radially and cross-track GPS, medians of absolute errors over 0.6745; in-track
                   0.7 of GPS, as the sets of others agree better.
    geo            not kept on station. At the epoch the larger of GPS and of Flohrer, Krag & Klinkrad (2008),
                   Assessment and categorization of TLE orbit errors for the US SSN catalogue, AMOS
                   Conference, table 1.
    gto, heo       all from the differences.
    geodetic       LAGEOS 1 and 2, Etalon 1 and 2, against precise orbits.
    starlink, oneweb, geostationary (on station)
                   from the differences, burns included: they thrust too often to tell them apart. At the
                   epoch Starlink as against its operator's ephemerides (medians), the belt half of what
                   Intelsat is, OneWeb as receivers are.
    constellation  other constellations: as Starlink, for lack of data.
    contradictory  sets that contradict each other: as Starlink, for lack of better data.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.drag_lag import DragLag, drag_lag
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray
from screening.risk.objects.burn_rates import Burns, burns_of
from screening.risk.objects.error_classes import (
    ERROR_CLASSES,
    BoolArray,
    ClassArray,
    KnownOf,
    error_classes,
)
from screening.risk.objects.regimes import REGIMES, regime, semi_major_axis_km
from screening.risk.probability.tails import Tails
from screening.vocabulary import ERROR_LAWS

IndexArray = npt.NDArray[np.integer]
METRES_PER_KM = 1000.0

Rtn = tuple[float, float, float]


class ErrorLaw(NamedTuple):
    """1-sigma position error of most sets, radial, in-track, cross-track, and how much more of the others."""

    at_epoch_m: Rtn
    growth_m_day: Rtn
    bend_m_day2: Rtn
    drag_share: float  # of D in-track
    tail_share: float  # of the sets
    tail_scale_rtn: Rtn  # their sigmas, in those of the others


# Of D in-track, where nothing else is fitted.
DRAG_SHARE = 0.11
# Of what drag leaves unknown in-track, radially.
RADIAL_SHARE = 0.028
_NONE = (0.0, 0.0, 0.0)

# fmt: off
_STARLINK = ErrorLaw((140.0, 2500.0, 120.0), (130.0, 7800.0, 160.0), _NONE, DRAG_SHARE, 0.4, (14.0, 9.0, 2.0))
LAWS = {
    "leo": ErrorLaw((122.0, 480.0, 148.0), (22.0, 0.0, 36.0), _NONE, DRAG_SHARE, 0.15, (4.0, 6.0, 3.0)),
    "fragment": ErrorLaw((122.0, 480.0, 148.0), (17.0, 10.0, 25.0), _NONE, 0.25, 0.12, (7.0, 9.0, 2.0)),
    "meo": ErrorLaw((187.0, 1250.0, 136.0), (0.0, 110.0, 24.0), _NONE, DRAG_SHARE, 0.15, (16.0, 16.0, 6.0)),
    "geo": ErrorLaw(
        (359.0, 1788.0, 136.0), (22.0, 20.0, 2.0), (24.0, 30.0, 1.0), DRAG_SHARE, 0.12, (3.0, 14.0, 6.0)),
    "gto": ErrorLaw(
        (187.0, 600.0, 300.0), (5.0, 310.0, 100.0), (28.0, 50.0, 3.0), 0.2, 0.25, (18.0, 5.0, 5.0)),
    "heo": ErrorLaw(
        (187.0, 600.0, 136.0), (50.0, 430.0, 37.0), (28.0, 50.0, 3.0), 0.03, 0.4, (25.0, 20.0, 15.0)),
    "geodetic": ErrorLaw((130.0, 690.0, 125.0), (0.0, 0.0, 27.0), _NONE, DRAG_SHARE, 0.05, (2.0, 2.0, 2.0)),
    "starlink": _STARLINK,
    "oneweb": ErrorLaw((40.0, 235.0, 20.0), (101.0, 340.0, 32.0), _NONE, DRAG_SHARE, 0.1, (1.0, 7.0, 1.2)),
    "constellation": _STARLINK,
    "geostationary": ErrorLaw(
        (350.0, 800.0, 700.0), (230.0, 300.0, 800.0), (0.0, 480.0, 0.0), DRAG_SHARE, 0.2, (3.0, 6.0, 7.0)),
    "contradictory": _STARLINK,
}
# fmt: on
# What the numbers rest on, for someone who asks about one object.
_DIFFERENCES = "differences of element sets five to ten days apart, 2014, 2016 and 2020"
_A_WEEK = "differences of the element sets of a week, May 2026"
LAW_SOURCES = {
    "leo": "Swarm, Sentinel-1 and laser-ranging spheres against precise orbits, 2025-10 to 2026-03; "
    + _DIFFERENCES,
    "fragment": _DIFFERENCES,
    "meo": f"at the epoch GPS against precise orbits; {_DIFFERENCES}",
    "geo": f"at the epoch Flohrer et al. (2008) and GPS; {_DIFFERENCES}",
    "gto": _DIFFERENCES,
    "heo": _DIFFERENCES,
    "geodetic": "LAGEOS and Etalon against precise orbits, 2025-10 to 2026-03",
    "starlink": _A_WEEK,
    "oneweb": _A_WEEK,
    "constellation": "Starlink's, as its own is not measured",
    "geostationary": f"{_A_WEEK}; {_DIFFERENCES}",
    "contradictory": "Starlink's, for lack of better data: its own element sets contradict each other",
}

# An object that may be anywhere on its orbit: a length evenly distributed over a circumference.
_ANYWHERE = np.pi / np.sqrt(3.0)
# A burn at any time since the epoch, evenly distributed, by dv displaces along the orbit by 3 dv times the
# time since: by sqrt(3) dv age as a root mean square. Radially it is 2 dv over the mean motion, 0.1 km for
# 0.05 m/s in a low orbit, and left out.
_BY_A_BURN = np.sqrt(3.0)


class ErrorLaws(NamedTuple):
    """The error laws of objects (n,), ready to be asked."""

    codes: npt.NDArray[np.int8]  # (n,), positions in ERROR_LAWS
    at_epoch_m: FloatArray  # (n, 3), RTN
    growth_m_day: FloatArray  # (n, 3)
    bend_m_day2: FloatArray  # (n, 3)
    drag_share: FloatArray  # (n,)
    lag: DragLag
    largest_m: FloatArray  # (n,), beyond which nothing is known
    mean_speed_km_s: FloatArray  # (n,)
    own: BoolArray  # (n,), whether a factor from the object's own history is in the numbers
    factors_rtn: FloatArray  # (n, 3), on all if above 1, on what grows if below
    burns: Burns

    def sigma_rtn_m(
        self, index: IndexArray, age_days: FloatArray, speed_rt_km_s: FloatArray | None = None
    ) -> FloatArray:
        """Return 1-sigma position errors (k, 3) in m, in the object's own RTN, of objects `index` (k,).

        age_days (k,) counts from the epoch, negative before it. speed_rt_km_s (k, 2), radial and along the
        track: drag shifts an object in time, which is the further the faster it is; by default the speed of
        a circular orbit. On an eccentric orbit part of that is radial; its correlation with the part
        in-track is left out.
        """
        # Taken, not indexed with brackets, which takes five times as long for rows of three.
        factors = self.factors_rtn.take(index, axis=0)
        age = age_days[:, np.newaxis]
        grown_m = np.abs(self.growth_m_day.take(index, axis=0) * age)
        bend_m_day2 = self.bend_m_day2.take(index, axis=0)
        bent = np.flatnonzero(bend_m_day2 @ np.ones(3))  # few are
        grown_m[bent] = np.hypot(grown_m[bent], bend_m_day2[bent] * age[bent] ** 2)
        by_drag_m = self._by_drag_m(index, age_days, speed_rt_km_s)
        grown_m[:, 0] = np.sqrt(grown_m[:, 0] ** 2 + by_drag_m[0] ** 2 + (RADIAL_SHARE * by_drag_m[1]) ** 2)
        grown_m[:, 1] = np.hypot(grown_m[:, 1], by_drag_m[1])
        at_epoch_m = self.at_epoch_m.take(index, axis=0)
        sigma_m = np.hypot(at_epoch_m * np.maximum(factors, 1.0), grown_m * factors)
        return np.minimum(sigma_m, self.largest_m[index][:, np.newaxis])

    def tails(self, index: IndexArray, age_days: FloatArray) -> Tails:
        """Return what the sigmas of objects `index` (k,) at these ages (k,) leave out."""
        code, age = self.codes[index], np.maximum(age_days, 0.0)
        displaced_m = _BY_A_BURN * self.burns.dv_m_s[index] * age * SECONDS_PER_DAY
        return Tails(
            TAIL_SHARES[code],
            TAIL_SCALES_RTN.take(code, axis=0),
            -np.expm1(-self.burns.per_day[index] * age),
            np.minimum(displaced_m, self.largest_m[index]),
        )

    def _by_drag_m(
        self, index: IndexArray, age_days: FloatArray, speed_rt_km_s: FloatArray | None
    ) -> list[FloatArray]:
        """Return what drag leaves unknown, radially and in-track (k,)."""
        if speed_rt_km_s is None:
            speed_rt_km_s = np.stack([np.zeros(len(index)), self.mean_speed_km_s[index]], axis=1)
        with np.errstate(over="ignore"):
            shift_m = self.drag_share[index] * self.lag.seconds(index, age_days) * METRES_PER_KM
            by_drag_m = shift_m[:, np.newaxis] * np.abs(speed_rt_km_s)
        return [np.minimum(column, self.largest_m[index]) for column in by_drag_m.T]


_OF_THE_REGIME = -1
TAIL_SHARES = np.array([law.tail_share for law in LAWS.values()])
TAIL_SCALES_RTN = np.array([law.tail_scale_rtn for law in LAWS.values()])


def law_codes(elements: ElementArray, classes: ClassArray) -> npt.NDArray[np.int8]:
    """Return which law holds for element sets (n,) of objects of these classes (n,): codes into ERROR_LAWS.

    A class has its own law, or that of the regime.
    """
    code: dict[str, int] = {name: code for code, name in enumerate(ERROR_LAWS)}
    of_class = np.array([code.get(name, _OF_THE_REGIME) for name in ERROR_CLASSES])[classes]
    of_regime = np.array([code[name] for name in REGIMES])[regime(elements)]
    return np.where(of_class == _OF_THE_REGIME, of_regime, of_class).astype(np.int8)


def error_laws(
    elements: ElementArray,
    classes: ClassArray,
    factors_rtn: FloatArray,
    burns: Burns | None = None,
    law_factors_rtn: FloatArray | None = None,
) -> ErrorLaws:
    """Return the error laws of element sets (n,) of objects of these classes (n,).

    factors_rtn (n, 3) are those of the objects' own histories, NaN where there are none; without `burns`
    nothing thrusts. law_factors_rtn (n, 3) are those of the refitted laws, NaN, None: the shipped law.
    """
    codes = law_codes(elements, classes)
    at_epoch, growth, bend = (np.array([law[k] for law in LAWS.values()])[codes] for k in range(3))
    drag_share = np.array([law.drag_share for law in LAWS.values()])[codes]
    if law_factors_rtn is not None:
        refitted = np.nan_to_num(law_factors_rtn, nan=1.0)
        at_epoch, growth, bend = at_epoch * np.maximum(refitted, 1.0), growth * refitted, bend * refitted
        drag_share = drag_share * refitted[:, 1]
    usable = np.isfinite(factors_rtn.sum(axis=1))
    semi_major_km = semi_major_axis_km(elements)
    return ErrorLaws(
        codes=codes,
        at_epoch_m=at_epoch,
        growth_m_day=growth,
        bend_m_day2=bend,
        drag_share=drag_share,
        lag=drag_lag(elements),
        largest_m=_ANYWHERE * semi_major_km * METRES_PER_KM,
        mean_speed_km_s=np.sqrt(MU_KM3_S2 / semi_major_km),
        own=usable & np.any(factors_rtn != 1.0, axis=1),
        factors_rtn=np.where(usable[:, np.newaxis], factors_rtn, 1.0),
        burns=Burns.none(len(elements)) if burns is None else burns,
    )


def laws_of(elements: ElementArray, known: KnownOf) -> ErrorLaws:
    """Return the error laws of element sets (n,) of objects of which so much is known."""
    classes = error_classes(elements, known)
    return error_laws(elements, classes, known.factors_rtn, burns_of(classes, known), known.law_factors_rtn)


def difference_sigma_rtn_m(laws: ErrorLaws, older: IndexArray, age_days: FloatArray) -> FloatArray:
    """Return 1-sigma differences (k, 3) in m between a set at its epoch and one older by `age_days`.

    Both have the error at the epoch, and the older one (k,), an index into the laws, what it grew.
    """
    sigma: FloatArray = np.hypot(laws.at_epoch_m[older], laws.sigma_rtn_m(older, age_days))
    return sigma
