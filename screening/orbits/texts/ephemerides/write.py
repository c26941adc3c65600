"""Write an ephemeris as OEM or OCM 3.0, or its first state and burns as an OPM 3.0 (CCSDS 502.0-B-3)."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import ccsds_ndm
import numpy as np

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.texts.ephemerides.objects import NUMBER_COMMENT
from screening.orbits.texts.printable import ascii_line
from screening.orbits.timegrid import FloatArray, UtcArray

OemForm = Literal["kvn", "xml"]
# Whether its operator flies the path, or asks what would be if it did: words of TraCSS for TRAJ_BASIS. The
# standard has others (PREDICTED, ...), which do not tell the two apart.
OcmBasis = Literal["OPERATIONAL", "CANDIDATE"]
Burn = tuple[np.datetime64, tuple[float, float, float]]  # when, UTC; R, T, N in m/s

_OCM_UNITS = "[km,km,km,km/s,km/s,km/s]"
_KM_DECIMALS, _KM_S_DECIMALS = 9, 12  # a micrometre, and a nanometre in a second
_LOWER = np.tril_indices(6)
_WRITTEN_AS = {"ITRF": "ITRF2020"}  # the tables of the Earth's orientation refer to it
# The library holds the interpreter while it writes: two weeks of states with covariances at once held
# other threads for 1.1 s on busy cores (0.45 s of CPU time), in parts of a thousand (5 ms each) for 0.2 s.
PART_STATES = 1_000
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
    header = ccsds_ndm.OdmHeader(creation_date=_text(created), originator=originator)
    segments = [
        _parts(
            ephemeris, segment, v, frame, [*_number(ephemeris), *said], PART_STATES if form == "xml" else None
        )
        for segment, v, said in zip(
            ephemeris.segments, v_teme_km_s, comments or [()] * len(ephemeris.segments), strict=True
        )
    ]
    if form == "kvn":
        return str(_message(header, [part for parts in segments for part in parts]).to_str(form))
    begin, inside, end = "", [], ""
    for parts in segments:
        texts = [_ON_A_LINE.sub("\n", _message(header, [part]).to_str(form)) for part in parts]
        begin, _, rest = texts[0].partition("<segment>")
        end = rest.rpartition("</segment>")[2]
        inside.append(f"<segment>{_joined(texts)}</segment>")
    return begin + "\n".join(inside) + end


def write_opm(
    ephemeris: Ephemeris,
    v_teme_km_s: FloatArray,
    burns: Sequence[Burn],
    mass_kg: float | None,
    *,
    frame: FrameName,
    originator: str,
    created: np.datetime64,
    comments: Sequence[str] = (),
) -> str:
    """Return the text of a message: the first state of an ephemeris in `frame`, and impulsive burns in RTN.

    `v_teme_km_s`: the velocities (n, 3) of its first segment. `mass_kg`: the spacecraft's, which a message
    with burns must have (502.0-B-3, 3.2.4.9). MAN_DELTA_MASS is 0: the propellant is not known.
    """
    first = ephemeris.segments[0]
    metadata = ccsds_ndm.OpmMetadata(
        **_object_of(ephemeris),
        center_name="EARTH",
        ref_frame=_WRITTEN_AS.get(frame, frame),
        time_system="UTC",
        comment=[ascii_line(comment) for comment in (*_number(ephemeris), *comments)],
    )
    state = _states(first, v_teme_km_s, frame)[0].tolist()
    data = ccsds_ndm.OpmData(ccsds_ndm.StateVector(_text(first.epochs[0]), *state))
    header = ccsds_ndm.OdmHeader(creation_date=_text(created), originator=originator)
    message = ccsds_ndm.Opm(header, ccsds_ndm.OpmSegment(metadata, data))
    message.version = "3.0"
    # The library has no classes for what follows the state.
    lines = [] if mass_kg is None else [("MASS", repr(mass_kg))]
    lines += [line for burn in burns for line in _burn_lines(burn)]
    text = str(message.to_str("kvn")).rstrip()
    return "\n".join([text, *(f"{name:<20} = {value}" for name, value in lines), ""])


def write_ocm(
    ephemeris: Ephemeris,
    v_teme_km_s: Sequence[FloatArray],
    *,
    basis: OcmBasis,
    frame: FrameName,
    originator: str,
    message_id: str,
    created: np.datetime64,
) -> str:
    """Return the text of an OCM for TraCSS, KVN (502.0-B-3, 6.2): states in `frame`, covariances in RTN.

    `v_teme_km_s`: the velocities (n, 3) of each segment, which an `Ephemeris` has not.
    Each segment is a trajectory of its own.
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
    segment: Segment, v_teme_km_s: FloatArray, number: int, basis: OcmBasis, frame: FrameName
) -> Iterator[str]:
    yield from (
        "TRAJ_START",
        f"TRAJ_ID = {number}",
        f"TRAJ_BASIS = {basis}",
        "CENTER_NAME = EARTH",
        f"TRAJ_REF_FRAME = {_WRITTEN_AS.get(frame, frame)}",
        f"USEABLE_START_TIME = {_text(segment.usable_from)}",
        f"USEABLE_STOP_TIME = {_text(segment.usable_to)}",
        "TRAJ_TYPE = CARTPV",
        f"TRAJ_UNITS = {_OCM_UNITS}",
    )
    for epoch, state in zip(segment.epochs, _states(segment, v_teme_km_s, frame).tolist(), strict=True):
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
        f"COV_UNITS = {_OCM_UNITS}",
    )
    for epoch, matrix in zip(segment.covariance_epochs, segment.covariance_rtn, strict=True):
        yield " ".join([_text(epoch), *map(repr, matrix[_LOWER].tolist())])
    yield "COV_STOP"


def _burn_lines(burn: Burn) -> list[tuple[str, str]]:
    at, dv_rtn_m_s = burn
    return [
        ("MAN_EPOCH_IGNITION", _text(at)),
        ("MAN_DURATION", "0.0"),
        ("MAN_DELTA_MASS", "0.0"),
        ("MAN_REF_FRAME", "RTN"),
        *(
            (f"MAN_DV_{axis}", f"{part / 1000.0:.{_KM_S_DECIMALS}f}")
            for axis, part in enumerate(dv_rtn_m_s, 1)
        ),
    ]


def _number(ephemeris: Ephemeris) -> list[str]:
    return [f"{NUMBER_COMMENT}{ephemeris.norad_id}"] if ephemeris.norad_id else []


def _object_of(ephemeris: Ephemeris) -> dict[str, str]:
    number = str(ephemeris.norad_id)
    return {
        "object_name": ascii_line(ephemeris.name) or number,
        "object_id": ascii_line(ephemeris.object_id) or number,
    }


def _message(header: ccsds_ndm.OdmHeader, segments: list[ccsds_ndm.OemSegment]) -> ccsds_ndm.Oem:
    message = ccsds_ndm.Oem(header=header, segments=segments)
    message.version = "3.0"
    return message


def _joined(texts: list[str]) -> str:
    """Return what is in the one segment of some messages as one: all states, then all covariances."""
    bodies = [text.partition("<data>")[2].rpartition("</data>")[0] for text in texts]
    divided = [re.split(r"(?=\n<covarianceMatrix>)", body, maxsplit=1) for body in bodies]
    metadata = texts[0].partition("<segment>")[2].partition("<data>")[0]
    states = "".join(part[0] for part in divided)
    return f"{metadata}<data>{states}{''.join(part[1] for part in divided if len(part) > 1)}</data>"


def _parts(
    ephemeris: Ephemeris,
    segment: Segment,
    v_teme_km_s: FloatArray,
    frame: FrameName,
    comments: list[str],
    most: int | None,
) -> list[ccsds_ndm.OemSegment]:
    """Return a segment as several of at most this many states and covariances; None: as one."""
    metadata = ccsds_ndm.OemMetadata(
        **_object_of(ephemeris),
        start_time=_text(segment.epochs[0]),
        stop_time=_text(segment.epochs[-1]),
        center_name="EARTH",
        ref_frame=_WRITTEN_AS.get(frame, frame),
        time_system="UTC",
        useable_start_time=_text(segment.usable_from),
        useable_stop_time=_text(segment.usable_to),
        comment=[ascii_line(comment) for comment in comments],
    )
    states, size = _states(segment, v_teme_km_s, frame), most or len(segment.epochs)
    parts = []
    for first in range(0, len(states), size):
        some = slice(first, first + size)
        # Whatever is behind the last states, should there be more covariances than these.
        covered = slice(first, None if first + size >= len(states) else first + size)
        at = _texts(segment.covariance_epochs[covered])
        data = ccsds_ndm.OemData.from_numpy(
            _texts(segment.epochs[some]),
            np.ascontiguousarray(states[some]),
            at or None,
            np.ascontiguousarray(segment.covariance_rtn[covered]) if at else None,
            ["RTN"] * len(at) if at else None,
        )
        parts.append(ccsds_ndm.OemSegment(metadata=metadata, data=data))
    return parts


def _states(segment: Segment, v_teme_km_s: FloatArray, frame: FrameName) -> FloatArray:
    """Return the states (n, 6) of a segment in `frame` as they are written, km and km/s."""
    r_km, v_km_s = rotations_to_teme(frame, segment.epochs).from_teme(segment.r_teme_km, v_teme_km_s)
    return np.hstack([r_km.round(_KM_DECIMALS), v_km_s.round(_KM_S_DECIMALS)])


def _texts(instants: UtcArray) -> list[str]:
    return [str(text) for text in np.datetime_as_string(instants, unit="us")]


def _text(instant: np.datetime64) -> str:
    return _texts(np.array([instant], "M8[us]"))[0]
