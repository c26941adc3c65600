"""Write an ephemeris as an orbit comprehensive message for TraCSS, OCM 3.0 in KVN (CCSDS 502.0-B-3, 6.2)."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.texts.printable import ascii_line
from screening.orbits.timegrid import FloatArray

# Whether its operator flies the path, or asks what would be if it did: words of TraCSS for TRAJ_BASIS. The
# standard has others (PREDICTED, ...), which do not tell the two apart.
Basis = Literal["OPERATIONAL", "CANDIDATE"]

_UNITS = "[km,km,km,km/s,km/s,km/s]"
_LOWER = np.tril_indices(6)


def write_ocm(
    ephemeris: Ephemeris,
    v_teme_km_s: Sequence[FloatArray],
    *,
    basis: Basis,
    frame: FrameName,
    originator: str,
    message_id: str,
    created: np.datetime64,
) -> str:
    """Return the text of a message: states in `frame`, a block for each segment; covariances in RTN.

    `v_teme_km_s`: the velocities (n, 3) of each segment, which an `Ephemeris` has not.
    """
    first, last = ephemeris.segments[0], ephemeris.segments[-1]
    lines = [
        "CCSDS_OCM_VERS = 3.0",
        f"CREATION_DATE = {_text(created)}",
        f"ORIGINATOR = {ascii_line(originator)}",
        f"MESSAGE_ID = {ascii_line(message_id)}",
        "META_START",
        f"OBJECT_NAME = {ascii_line(ephemeris.name) or ephemeris.norad_id}",
        *([f"INTERNATIONAL_DESIGNATOR = {ascii_line(ephemeris.object_id)}"] if ephemeris.object_id else []),
        "CATALOG_NAME = SATCAT",
        f"OBJECT_DESIGNATOR = {ephemeris.norad_id}",
        "TIME_SYSTEM = UTC",
        f"EPOCH_TZERO = {_text(first.epochs[0])}",
        f"START_TIME = {_text(first.epochs[0])}",
        f"STOP_TIME = {_text(last.epochs[-1])}",
        "META_STOP",
    ]
    for number, (segment, v_km_s) in enumerate(zip(ephemeris.segments, v_teme_km_s, strict=True), start=1):
        lines += _trajectory(segment, v_km_s, number, basis, frame)
    for segment in ephemeris.segments:
        lines += _covariances(segment)
    return "\n".join([*lines, ""])


def _trajectory(
    segment: Segment, v_teme_km_s: FloatArray, number: int, basis: Basis, frame: FrameName
) -> Iterator[str]:
    yield from (
        "TRAJ_START",
        f"TRAJ_ID = {number}",
        f"TRAJ_BASIS = {basis}",
        "CENTER_NAME = EARTH",
        f"TRAJ_REF_FRAME = {'ITRF2020' if frame == 'ITRF' else frame}",
        f"USEABLE_START_TIME = {_text(segment.usable_from)}",
        f"USEABLE_STOP_TIME = {_text(segment.usable_to)}",
        "TRAJ_TYPE = CARTPV",
        f"TRAJ_UNITS = {_UNITS}",
    )
    r_km, v_km_s = rotations_to_teme(frame, segment.epochs).from_teme(segment.r_teme_km, v_teme_km_s)
    for epoch, state in zip(segment.epochs, np.hstack([r_km, v_km_s]).tolist(), strict=True):
        yield " ".join([_text(epoch), *map(repr, state)])
    yield "TRAJ_STOP"


def _covariances(segment: Segment) -> Iterator[str]:
    if not len(segment.covariance_epochs):
        return
    yield from (
        "COV_START",
        "COV_REF_FRAME = RSW_INERTIAL",
        "COV_TYPE = CARTPV",
        "COV_ORDERING = LTM",
        f"COV_UNITS = {_UNITS}",
    )
    for epoch, matrix in zip(segment.covariance_epochs, segment.covariance_rtn, strict=True):
        yield " ".join([_text(epoch), *map(repr, matrix[_LOWER].tolist())])
    yield "COV_STOP"


def _text(instant: np.datetime64) -> str:
    return str(np.datetime_as_string(instant, unit="us"))
