"""Velocities of an ephemeris, which a message must have and a stored ephemeris has not."""

import numpy as np

from screening.orbits.burns import arcs_km_s
from screening.orbits.ephemerides import Segment
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.timegrid import FloatArray, window

_HOUR_S = 3600.0
# At its ends a polynomial through states farther apart is off by more than an arc of gravity with J2: in a
# low orbit by 0.3 m/s, where they are 240 s apart, instead of 0.04 m/s.
_FAR_APART_S = 150.0


def velocities_km_s(segment: Segment) -> FloatArray:
    """Return the velocities (n, 3) at the states of a segment that can be interpolated, TEME."""
    seconds = (segment.epochs - segment.epochs[0]) / np.timedelta64(1, "us") / 1e6
    span = window(segment.epochs[0], float(seconds[-1]) / _HOUR_S)
    whole = segment._replace(usable_from=segment.epochs[0], usable_to=segment.epochs[-1])
    between = Interpolated(tracks_of([whole], span), span, np.zeros(1, np.int32))
    _, _, velocities = between.at(np.zeros(len(seconds), np.int32), seconds)
    if seconds[1] - seconds[0] > _FAR_APART_S:
        velocities[:1], _ = arcs_km_s(seconds[:2], segment.r_teme_km[:2])
    if seconds[-1] - seconds[-2] > _FAR_APART_S:
        _, velocities[-1:] = arcs_km_s(seconds[-2:], segment.r_teme_km[-2:])
    return velocities
