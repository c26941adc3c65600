"""Burns: a real one, the space station's reboost of 2022-02-26, published as 0.5 m/s."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from scipy.optimize import brentq, least_squares

from screening.manoeuvre.displaced_path import states_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.ephemerides import Segment
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.orbits.timegrid import TimeWindow, UtcArray, julian_date, window
from screening.synthetic.inverse import elements_through
from tests.validation.comparison import About, Comparison, Measure, Picture
from tests.validation.files import bytes_of, understood
from tests.validation.style import curves, tidy

FloatArray = npt.NDArray[np.float64]

FILE = "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz"
ABOUT = About(
    title="Burns: a real reboost",
    source="NASA's ephemeris of the International Space Station of 2022-02-14, public: 15 days, in whose "
    "comments a reboost stands on 2022-02-26 at 01:37 UTC of 0.5 m/s.",
    what="An element set is fitted to the three days before the reboost, as one from before it would be. "
    "With a burn along its track, of the size that fits after 24 hours, it must follow the ephemeris for "
    "three days more.",
    limits="The size as published, to the digit given. An element set from before the burn knows no drag of "
    "the days to come: 3 km.",
    files=(FILE,),
    command='make test ARGS="tests/screening/manoeuvre/test_real_burn.py"',
)
BURN = np.datetime64("2022-02-26T01:37:00", "us")
DAYS_BEFORE, DAYS_AFTER = 3, 3
PUBLISHED_M_S, HALF_A_DIGIT_M_S, FORECAST_KM = 0.5, 0.05, 3.0
FIT_KM = 1.0  # as good as SGP4 is, root mean square
FITTED = (
    "mean_motion_rev_day", "eccentricity", "inclination_deg", "raan_deg", "argument_of_perigee_deg",
    "mean_anomaly_deg", "bstar_per_earth_radius",
)  # fmt: skip
_STEPS = np.array([1e-4, 1e-5, 1e-5, 1e-4, 1e-4, 1e-3, 1e-5])
_FIRST = np.zeros(1, np.int32)


class Off(NamedTuple):
    """How far a computed path is from the flown one, and how far ahead of it along its track."""

    km: float
    ahead_km: float


class Reboost(NamedTuple):
    """The flown path, and the path by an element set from before the burn."""

    span: TimeWindow
    flown: Interpolated
    paths: Propagator
    fit_km: float  # root mean square over the days before

    def off(self, hours: float, dv_m_s: float) -> Off:
        """Compare the paths some hours after the burn, which is along the track."""
        at = np.array([BURN + np.timedelta64(round(hours * 3600), "s")], "M8[us]")
        _, r, v = self.flown.at(_FIRST, _seconds(self.span, at))
        burns = [Impulse(BURN, (0.0, dv_m_s, 0.0))] if dv_m_s else []
        difference = (states_after(self.paths, 0, burns, at, Execution()).r_teme_km - r)[0]
        return Off(float(np.linalg.norm(difference)), float(difference @ v[0] / np.linalg.norm(v)))

    def fitting_dv_m_s(self) -> float:
        """Return the size of burn after which both paths are equally far along at 24 hours, or NaN."""
        least, most = 0.3, 0.7
        if self.off(24.0, least).ahead_km * self.off(24.0, most).ahead_km > 0.0:
            return np.nan
        return float(brentq(lambda dv_m_s: self.off(24.0, dv_m_s).ahead_km, least, most))


def read_reboost(data: Path) -> Reboost:
    """Read the ephemeris and fit an element set to the days before the burn."""
    segment = read_ephemerides(bytes_of(data, FILE), FILE)[0].ephemeris.segments[0]
    before = BURN - np.timedelta64(DAYS_BEFORE, "D")
    span = window(before, 24.0 * (DAYS_BEFORE + DAYS_AFTER + 1))
    understood(data, FILE, lambda: _check(segment, before))
    taken = (segment.epochs >= before) & (segment.epochs <= BURN)
    times_s, r_km = _seconds(span, segment.epochs[taken])[::4], segment.r_teme_km[taken][::4]
    flown = Interpolated(tracks_of([segment], span), span, _FIRST)
    elements, fit_km = _fitted(span, times_s, r_km, _guess(span, flown, times_s[[len(times_s) // 2]]))
    return Reboost(span, flown, Propagator(elements, span), fit_km)


def _check(segment: Segment, before: np.datetime64) -> None:
    until = BURN + np.timedelta64(DAYS_AFTER, "D")
    if not segment.usable_from <= before < until <= segment.usable_to:
        raise ValueError(f"states from {segment.usable_from} to {segment.usable_to}")


def _seconds(span: TimeWindow, times: UtcArray) -> FloatArray:
    return np.asarray((times - span.start) / np.timedelta64(1, "us") / 1e6, np.float64)


def _guess(span: TimeWindow, flown: Interpolated, middle_s: FloatArray) -> ElementArray:
    """Return an element set through one state, with the burn's time as epoch."""
    empty = np.zeros(1, ELEMENT_DTYPE)
    empty["norad_id"], empty["bstar_per_earth_radius"] = 25544, 1e-4
    empty["epoch_jd"], empty["epoch_day_fraction"] = julian_date(np.array([BURN]))
    _, r, v = flown.at(_FIRST, middle_s)
    return elements_through(empty, span, middle_s, r, v)[0]


def _fitted(
    span: TimeWindow, times_s: FloatArray, r_km: FloatArray, guess: ElementArray
) -> tuple[ElementArray, float]:
    """Return the element set that SGP4 flies nearest to positions, drag included, and how near that is."""
    made = _maker(guess)

    def differences(steps: FloatArray) -> FloatArray:
        _, found, _ = Propagator(made(steps), span).on_grid(times_s)
        return np.asarray((found[:, :, 0] - r_km).ravel())

    found = least_squares(differences, np.zeros(len(_STEPS)), x_scale="jac", max_nfev=60)
    return made(found.x), float(np.sqrt(3.0 * np.mean(found.fun**2)))


def _maker(guess: ElementArray) -> Callable[[FloatArray], ElementArray]:
    """Return how steps from a guess become an element set; a circle's perigee has no direction to fit."""
    angle = np.radians(guess["argument_of_perigee_deg"][0])
    e = guess["eccentricity"][0]
    start = np.array(
        [
            guess["mean_motion_rev_day"][0],
            e * np.cos(angle),
            e * np.sin(angle),
            guess["inclination_deg"][0],
            guess["raan_deg"][0],
            np.degrees(angle) + guess["mean_anomaly_deg"][0],
            guess["bstar_per_earth_radius"][0],
        ]
    )

    def made(steps: FloatArray) -> ElementArray:
        motion, e_cos, e_sin, inclination, raan, along, bstar = start + steps * _STEPS
        perigee_deg = np.degrees(np.arctan2(e_sin, e_cos))
        angles = (inclination, raan, perigee_deg % 360.0, (along - perigee_deg) % 360.0)
        one = guess.copy()
        for name, value in zip(FITTED, (motion, np.hypot(e_cos, e_sin), *angles, bstar), strict=True):
            one[name] = value
        return one

    return made


def compare(data: Path) -> Comparison:
    """Fly the element set with the burn that fits and without one."""
    reboost = read_reboost(data)
    dv_m_s = reboost.fitting_dv_m_s()
    hours = np.arange(0.0, 24.0 * DAYS_AFTER + 1.0, 2.0)
    with_it, without = (np.array([reboost.off(at, dv).km for at in hours]) for dv in (dv_m_s, 0.0))
    told = [
        Measure(f"distance {name}", float(km), "km", limit)
        for name, km, limit in (
            ("6 h after, without the burn", without[hours == 6][0], None),
            ("3 days after, without the burn", without[-1], None),
            ("within a day, with it, largest", with_it[hours <= 24].max(), FORECAST_KM),
            ("2 days after, with it", with_it[hours == 48][0], FORECAST_KM),
            ("3 days after, with it", with_it[-1], FORECAST_KM),
        )
    ]
    return Comparison(
        len(hours),
        "positions",
        (
            Measure("fit of the days before, root mean square", reboost.fit_km, "km", FIT_KM),
            Measure("burn that fits", dv_m_s, "m/s"),
            Measure(
                "its difference from the published", abs(dv_m_s - PUBLISHED_M_S), "m/s", HALF_A_DIGIT_M_S
            ),
            *told,
        ),
        Picture("reboost", "Distance with and without the burn", lambda f: _draw(f, hours, with_it, without)),
    )


def _draw(figure: Figure, hours: FloatArray, with_it: FloatArray, without: FloatArray) -> None:
    axes = figure.subplots()
    curves(axes, hours, (("with the burn", with_it), ("without it", without)))
    axes.set_yscale("log")
    tidy(axes, "hours after the reboost", "distance from NASA's ephemeris (km)")
