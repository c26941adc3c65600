"""Convert between TEME and the frames in which operators write: EME2000, GCRF, TOD, ITRF.

TEME is reached through ITRF with the UT1 and the pole of `frames`, so that a position is the same point above
the Earth's surface in either. Precession and nutation are IAU 2006/2000A (IERS Conventions 2010) without the
observed corrections of the celestial pole, 0.3 mas, 1 cm in low orbit.
"""

from typing import Literal, NamedTuple

import erfa
import numpy as np

from screening.orbits.earth_orientation import EarthOrientation, earth_orientation
from screening.orbits.frames import EARTH_ROTATION_RAD_S, itrf_rotation
from screening.orbits.reference.leap_seconds import tai_minus_utc_s
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, UtcArray, julian_date

FrameName = Literal["TEME", "EME2000", "GCRF", "TOD", "ITRF"]

_NODE = np.timedelta64(3_600_000_000, "us")  # rotations are linear between nodes within 1e-10: 4 mm at GEO
_TT_MINUS_TAI_S = 32.184


class Rotations(NamedTuple):
    """What turns states into TEME: r = turn r', v = turn v' + rate x r."""

    turn: FloatArray  # (n, 3, 3)
    rate_rad_s: FloatArray  # (n, 3) in TEME; zeros for a frame that does not rotate

    def states(self, r: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return states (n, 3) in TEME."""
        r_teme = np.einsum("nij,nj->ni", self.turn, r)
        return r_teme, np.einsum("nij,nj->ni", self.turn, v) + np.cross(self.rate_rad_s, r_teme)

    def from_teme(self, r_teme: FloatArray, v_teme: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return states (n, 3) of TEME in the other frame."""
        back = self.turn.transpose(0, 2, 1)
        v = v_teme - np.cross(self.rate_rad_s, r_teme)
        return np.einsum("nij,nj->ni", back, r_teme), np.einsum("nij,nj->ni", back, v)

    def states_turn(self) -> FloatArray:
        """Return the matrices (n, 6, 6) that turn states, and covariances of states, into TEME."""
        both = np.zeros((len(self.turn), 6, 6))
        both[:, :3, :3] = both[:, 3:, 3:] = self.turn
        both[:, 3:, :3] = np.cross(self.rate_rad_s[:, :, None], self.turn, axis=1)
        return both


def rotations_to_teme(frame: FrameName, utc: UtcArray, frozen_at: np.datetime64 | None = None) -> Rotations:
    """Return what turns states of `frame` into TEME of their instants (n,).

    `frozen_at`: TOD or TEME of that one instant, and not of date. Others have no epoch: it is ignored.
    """
    still = np.zeros((len(utc), 3))
    if frame == "ITRF":
        jd, day_fraction = julian_date(utc)
        fixed = itrf_rotation(jd, day_fraction, earth_orientation(jd, day_fraction)).transpose(0, 2, 1)
        return Rotations(fixed, still + np.array([0.0, 0.0, EARTH_ROTATION_RAD_S]))
    if frame == "TEME" and frozen_at is None:
        return Rotations(np.broadcast_to(np.eye(3), (len(utc), 3, 3)), still)
    return Rotations(_interpolated(frame, utc, frozen_at), still)


def _interpolated(frame: FrameName, utc: UtcArray, frozen_at: np.datetime64 | None) -> FloatArray:
    """Return the rotations of a frame that turns slowly, computed an hour apart."""
    start = utc.min()
    count = int((utc.max() - start) / _NODE) + 2
    if count >= len(utc):
        return _exact(frame, utc, frozen_at)
    turns = _exact(frame, start + np.arange(count) * _NODE, frozen_at)
    whole, rest = np.divmod(utc - start, _NODE)
    part = (rest / _NODE)[:, None, None]
    between: FloatArray = turns[whole] * (1.0 - part) + turns[whole + 1] * part
    return between


def _exact(frame: FrameName, utc: UtcArray, frozen_at: np.datetime64 | None) -> FloatArray:
    teme_from_gcrf, true_from_gcrf = _celestial(utc)
    if frame in ("TOD", "TEME") and frozen_at is not None:
        teme_then, true_then = _celestial(np.array([frozen_at], "M8[us]"))
        from_gcrf = teme_then if frame == "TEME" else true_then
    elif frame == "TOD":
        from_gcrf = true_from_gcrf
    elif frame == "EME2000":
        bias, _, _ = erfa.bp06(2451545.0, 0.0)
        from_gcrf = bias[None]
    else:
        from_gcrf = np.eye(3)[None]
    turns: FloatArray = teme_from_gcrf @ from_gcrf.transpose(0, 2, 1)
    return turns


def _celestial(utc: UtcArray) -> tuple[FloatArray, FloatArray]:
    """Return the rotations (n, 3, 3) from GCRF into TEME and into the true equator and equinox of date."""
    jd, day_fraction = julian_date(utc)
    orientation = earth_orientation(jd, day_fraction)
    terrestrial = day_fraction + (tai_minus_utc_s(utc) + _TT_MINUS_TAI_S) / SECONDS_PER_DAY
    itrf_from_gcrf = _itrf_from_gcrf(jd, day_fraction, terrestrial, orientation)
    teme_from_itrf = itrf_rotation(jd, day_fraction, orientation).transpose(0, 2, 1)
    return teme_from_itrf @ itrf_from_gcrf, erfa.pnm06a(jd, terrestrial)


def _itrf_from_gcrf(
    jd: FloatArray, day_fraction: FloatArray, terrestrial: FloatArray, orientation: EarthOrientation
) -> FloatArray:
    ut1 = day_fraction + orientation.ut1_minus_utc_s / SECONDS_PER_DAY
    turns: FloatArray = erfa.c2t06a(jd, terrestrial, jd, ut1, orientation.pole_x_rad, orientation.pole_y_rad)
    return turns
