"""Write paths for others: as orbit ephemeris messages or as CSV, with their covariances."""

import io
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.texts.ephemerides.covariances import states_between
from screening.orbits.texts.ephemerides.velocities import velocities_km_s
from screening.orbits.texts.ephemerides.write import Burn, write_ocm, write_oem, write_opm
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.sampled_path import PathPart
from screening.risk.objects.state_errors import with_velocities
from storage.times import datetime64_us
from storage.trajectories.refusals import restricted
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import OemPathForm, PathForm, PathFrame

ORIGINATOR = "SKYSIEVE"


class ExportedPath(NamedTuple):
    """The path of an object, with what it rests on."""

    norad_id: int
    name: str
    object_id: str  # international designator; empty: not known
    parts: tuple[PathPart, ...]
    sources: tuple[str, ...]  # a word for each part, for a table
    comments: tuple[tuple[str, ...], ...]  # of each part


def export_trajectory(
    one: Trajectory, form: OemPathForm, frame: PathFrame, created: datetime, *, allow_restricted: bool
) -> str:
    """Return a stored trajectory as an orbit ephemeris message.

    Raises Restricted if the terms of its source do not allow sharing it, unless that is allowed.
    """
    if one.about.restricted and not allow_restricted:
        raise restricted(
            f"{one.id} is from {one.about.source}",
        )
    velocities = [velocities_km_s(segment) for segment in one.ephemeris.segments]
    segments = tuple(map(_with_velocities, one.ephemeris.segments, velocities))
    comments = (f"Trajectory {one.id}, {one.about.kind}, from {one.about.source}", *one.about.notes)
    return write_oem(
        one.ephemeris._replace(segments=segments),
        velocities,
        "kvn" if form == "oem-kvn" else "xml",
        frame=frame,
        originator=ORIGINATOR,
        created=datetime64_us(created),
        comments=[comments] * len(segments),
    )


def ocm_text(one: Trajectory, frame: PathFrame, created: datetime, *, allow_restricted: bool) -> str:
    """Return a stored trajectory as an orbit comprehensive message; raises Restricted as the other.

    One that counts is operational; a hypothetical one is a candidate.
    """
    if one.about.restricted and not allow_restricted:
        raise restricted(f"{one.id} is from {one.about.source}")
    velocities = [velocities_km_s(segment) for segment in one.ephemeris.segments]
    segments = tuple(map(_with_velocities, one.ephemeris.segments, velocities))
    return write_ocm(
        one.ephemeris._replace(segments=segments),
        velocities,
        basis="OPERATIONAL" if one.about.kind == "definitive" else "CANDIDATE",
        frame=frame,
        originator=ORIGINATOR,
        message_id=f"{one.id}_{created:%Y%m%dT%H%M%SZ}",
        created=datetime64_us(created),
    )


def parameters_text(
    path: ExportedPath,
    burns: Sequence[Burn],
    mass_kg: float | None,
    frame: PathFrame,
    created: datetime,
    comments: Sequence[str],
) -> str:
    """Return the first state of a path, and burns, as an orbit parameter message; `created` is now, UTC."""
    one = path.parts[0]
    segment = Segment(one.epochs, one.r_teme_km, one.epochs[0], one.epochs[-1], *one[4:])
    return write_opm(
        Ephemeris(path.norad_id, path.name, path.object_id, (segment,)),
        one.v_teme_km_s,
        burns,
        mass_kg,
        frame=frame,
        originator=ORIGINATOR,
        created=datetime64_us(created),
        comments=comments,
    )


def path_text(path: ExportedPath, form: PathForm, frame: PathFrame, created: datetime) -> str:
    """Return a path as a text, which is not an OPM; `created` is now, UTC."""
    if form == "csv":
        return _csv(path, frame)
    segments = tuple(
        _with_velocities(
            Segment(one.epochs, one.r_teme_km, one.epochs[0], one.epochs[-1], *one[4:]), one.v_teme_km_s
        )
        for one in path.parts
    )
    return write_oem(
        Ephemeris(path.norad_id, path.name, path.object_id, segments),
        [one.v_teme_km_s for one in path.parts],
        "kvn" if form == "oem-kvn" else "xml",
        frame=frame,
        originator=ORIGINATOR,
        created=datetime64_us(created),
        comments=path.comments,
    )


def _with_velocities(segment: Segment, v_teme_km_s: FloatArray) -> Segment:
    """Return a segment whose covariances all have errors of the velocity too.

    Where only sigmas of the position were given, those that follow from them: zeros mean certainty.
    """
    without = ~segment.covariance_rtn[:, 3:, 3:].any(axis=(1, 2))
    if not without.any():
        return segment
    at = segment.covariance_epochs[without]
    states = states_between(segment.epochs, segment.r_teme_km, v_teme_km_s, at)
    stated = segment.covariance_rtn.copy()
    stated[without] = with_velocities(stated[without, :3, :3], *states)
    return segment._replace(covariance_rtn=stated)


def _csv(path: ExportedPath, frame: PathFrame) -> str:
    """Return a line a state: time, position, velocity, 1-sigma errors of position in RTN, and the source."""
    names = [f"{axis}_{frame.lower()}_{unit}" for axis, unit in _STATE]
    text = io.BytesIO()
    text.write((",".join(["time", *names, *_SIGMAS, "trajectory"]) + "\n").encode())
    options = csv.WriteOptions(include_header=False, quoting_style="none")
    for part, source in zip(path.parts, path.sources, strict=True):
        states = rotations_to_teme(frame, part.epochs).from_teme(part.r_teme_km, part.v_teme_km_s)
        sigma_m = _sigmas_m(part)
        times = [f"{time}Z" for time in np.datetime_as_string(part.epochs, unit="us")]
        columns = [
            pa.array(times),
            *(pa.array(np.ascontiguousarray(column)) for column in np.hstack(states).T),
            *(pa.array(np.ascontiguousarray(column), from_pandas=True) for column in sigma_m.T),
            pa.array([source] * len(times)),
        ]
        csv.write_csv(pa.table(columns, names=["time", *names, *_SIGMAS, "trajectory"]), text, options)
    return text.getvalue().decode()


_STATE = (("x", "km"), ("y", "km"), ("z", "km"), ("vx", "km_s"), ("vy", "km_s"), ("vz", "km_s"))
_SIGMAS = ("sigma_r_m", "sigma_t_m", "sigma_n_m")


def _sigmas_m(part: PathPart) -> FloatArray:
    sigma_m = np.full((len(part.epochs), 3), np.nan)
    known = np.searchsorted(part.epochs, part.covariance_epochs)
    sigma_m[known] = np.sqrt(np.einsum("kii->ki", part.covariance_rtn[:, :3, :3])) * 1e3
    return sigma_m
