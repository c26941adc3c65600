"""A real burn: the space station's reboost of 2022-02-26, 01:37, published as 0.5 m/s.

NASA's ephemeris has the path before and after it. An element set is fitted to the three days before, as one
from before the burn would be; with the burn it must follow the path after it.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, least_squares

from screening.manoeuvre.displaced_path import states_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.orbits.timegrid import TimeWindow, UtcArray, julian_date, window
from screening.synthetic.inverse import elements_through
from tests.screening.risk.published import SharedFile

FloatArray = npt.NDArray[np.float64]

BURN = np.datetime64("2022-02-26T01:37:00", "us")
DAYS_BEFORE = 3
# SGP4 from before the burn is off by so much in any case: it knows no drag of the days to come.
forecast_km = 3.0
_STEPS = np.array([1e-4, 1e-5, 1e-5, 1e-4, 1e-4, 1e-3, 1e-5])


def seconds(span: TimeWindow, times: UtcArray) -> FloatArray:
    return (times - span.start) / np.timedelta64(1, "us") / 1e6


def fitted(span: TimeWindow, times_s: FloatArray, r_km: FloatArray, middle: ElementArray) -> ElementArray:
    """The element set that SGP4 flies nearest to positions, by least squares, drag term included."""
    angle = np.radians(middle["argument_of_perigee_deg"][0])
    start = np.array(
        [
            middle["mean_motion_rev_day"][0],
            middle["eccentricity"][0] * np.cos(angle),
            middle["eccentricity"][0] * np.sin(angle),
            middle["inclination_deg"][0],
            middle["raan_deg"][0],
            np.degrees(angle) + middle["mean_anomaly_deg"][0],
            1e-4,
        ]
    )

    def made(x: FloatArray) -> ElementArray:
        one = middle.copy()
        perigee_deg = np.degrees(np.arctan2(x[2], x[1]))
        values = (
            x[0],
            np.hypot(x[1], x[2]),
            x[3],
            x[4],
            perigee_deg % 360.0,
            (x[5] - perigee_deg) % 360.0,
            x[6],
        )
        names = (
            "mean_motion_rev_day", "eccentricity", "inclination_deg", "raan_deg",
            "argument_of_perigee_deg", "mean_anomaly_deg", "bstar_per_earth_radius",
        )  # fmt: skip
        for name, value in zip(names, values, strict=True):
            one[name] = value
        return one

    def differences(steps: FloatArray) -> FloatArray:
        _, found, _ = Propagator(made(start + steps * _STEPS), span).on_grid(times_s)
        return (found[:, :, 0] - r_km).ravel()

    found = least_squares(differences, np.zeros(7), x_scale="jac", max_nfev=60)
    assert np.sqrt(3.0 * np.mean(found.fun**2)) < 1.0, "km: as good as SGP4 is"
    return made(start + found.x * _STEPS)


def test_an_element_set_from_before_the_reboost_follows_the_path_after_it(shared_file: SharedFile) -> None:
    file: Path = shared_file("ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz")
    (segment,) = read_ephemerides(file.read_bytes(), file.name)[0].ephemeris.segments
    before = BURN - np.timedelta64(DAYS_BEFORE, "D")
    span = window(before, 24.0 * (DAYS_BEFORE + 4))
    taken = (segment.epochs >= before) & (segment.epochs <= BURN)
    times_s, r_km = seconds(span, segment.epochs[taken])[::4], segment.r_teme_km[taken][::4]
    middle_s = times_s[[len(times_s) // 2]]
    path = Interpolated(tracks_of([segment], span), span, np.zeros(1, np.int32))
    _, r, v = path.at(np.zeros(1, np.int32), middle_s)
    empty = np.zeros(1, ELEMENT_DTYPE)
    empty["norad_id"], empty["bstar_per_earth_radius"] = 25544, 1e-4
    jd, fraction = julian_date(np.array([BURN]))
    empty["epoch_jd"], empty["epoch_day_fraction"] = jd, fraction
    guess, met = elements_through(empty, span, middle_s, r, v)
    assert met.all()
    paths = Propagator(fitted(span, times_s, r_km, guess), span)

    def off_km(hours: int, dv_m_s: float) -> tuple[float, float]:
        """How far the computed path is from the flown one, and how far ahead of it along its track."""
        at = np.array([BURN + np.timedelta64(hours, "h")], "M8[us]")
        _, flown_r, flown_v = path.at(np.zeros(1, np.int32), seconds(span, at))
        burns = [Impulse(BURN, (0.0, dv_m_s, 0.0))] if dv_m_s else []
        found = states_after(paths, 0, burns, at, Execution()).r_teme_km
        difference = (found - flown_r)[0]
        return float(np.linalg.norm(difference)), float(difference @ flown_v[0] / np.linalg.norm(flown_v))

    burnt_m_s = brentq(lambda dv: off_km(24, dv)[1], 0.3, 0.7)
    assert round(burnt_m_s, 1) == 0.5, "as published, to the digit given"
    for hours in (6, 12, 24, 48, 72):
        without, _ = off_km(hours, 0.0)
        assert without > 5.0 * hours
        assert off_km(hours, burnt_m_s)[0] < forecast_km
