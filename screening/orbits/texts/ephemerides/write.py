"""Write an ephemeris as an orbit ephemeris message: OEM 3.0, KVN or XML (CCSDS 502.0-B-3)."""

import re
from collections.abc import Sequence
from typing import Literal

import ccsds_ndm
import numpy as np

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.texts.ephemerides.objects import NUMBER_COMMENT
from screening.orbits.texts.printable import ascii_line
from screening.orbits.timegrid import FloatArray, UtcArray

OemForm = Literal["kvn", "xml"]

_WRITTEN_AS = {"ITRF": "ITRF2020"}  # the tables of the Earth's orientation refer to it
_ON_A_LINE = re.compile(r"(?=<(?:header|segment|metadata|stateVector|covarianceMatrix)>)")


def write_oem(
    ephemeris: Ephemeris,
    v_teme_km_s: Sequence[FloatArray],
    form: OemForm,
    *,
    frame: FrameName,
    originator: str,
    created: np.datetime64,
    comments: Sequence[Sequence[str]] = (),
) -> str:
    """Return the text of a message: states in `frame`, covariances in RTN.

    `v_teme_km_s`: the velocities (n, 3) of each segment, which an OEM must have and an `Ephemeris` has not.
    `comments`: lines on each segment; none: no comments.
    """
    number = [f"{NUMBER_COMMENT}{ephemeris.norad_id}"] if ephemeris.norad_id else []
    header = ccsds_ndm.OdmHeader(creation_date=_text(created), originator=originator)
    segments = [
        _segment(ephemeris, segment, v, frame, [*number, *said])
        for segment, v, said in zip(
            ephemeris.segments, v_teme_km_s, comments or [()] * len(ephemeris.segments), strict=True
        )
    ]
    message = ccsds_ndm.Oem(header=header, segments=segments)
    message.version = "3.0"
    text = str(message.to_str(form))
    return _ON_A_LINE.sub("\n", text) if form == "xml" else text


def _segment(
    ephemeris: Ephemeris, segment: Segment, v_teme_km_s: FloatArray, frame: FrameName, comments: list[str]
) -> ccsds_ndm.OemSegment:
    r_km, v_km_s = rotations_to_teme(frame, segment.epochs).from_teme(segment.r_teme_km, v_teme_km_s)
    metadata = ccsds_ndm.OemMetadata(
        object_name=ascii_line(ephemeris.name) or str(ephemeris.norad_id),
        object_id=ascii_line(ephemeris.object_id) or str(ephemeris.norad_id),
        start_time=_text(segment.epochs[0]),
        stop_time=_text(segment.epochs[-1]),
        center_name="EARTH",
        ref_frame=_WRITTEN_AS.get(frame, frame),
        time_system="UTC",
        useable_start_time=_text(segment.usable_from),
        useable_stop_time=_text(segment.usable_to),
        comment=[ascii_line(comment) for comment in comments],
    )
    count = len(segment.covariance_epochs)
    data = ccsds_ndm.OemData.from_numpy(
        _texts(segment.epochs),
        np.hstack([r_km, v_km_s]),
        _texts(segment.covariance_epochs) if count else None,
        np.ascontiguousarray(segment.covariance_rtn) if count else None,
        ["RTN"] * count if count else None,
    )
    return ccsds_ndm.OemSegment(metadata=metadata, data=data)


def _texts(instants: UtcArray) -> list[str]:
    return [str(text) for text in np.datetime_as_string(instants, unit="us")]


def _text(instant: np.datetime64) -> str:
    return _texts(np.array([instant], "M8[us]"))[0]
