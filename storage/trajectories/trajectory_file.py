"""One trajectory in one Parquet file: its states, its covariances, and the facts about it.

A row is a state or a covariance; those of a segment follow each other, states before covariances, each in
time. Without covariances there are no columns for them: a footer that names them takes longer to read than
the states of a day. The name of the file is a hash of the content, so that the same ephemeris is stored once,
and what has been answered with it can be answered again.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from screening.answers import TimeText, answer
from screening.errors import StoreError
from screening.orbits.ephemerides import NEVER, Ephemeris, Segment
from storage.disk.checksums import DamagedFile, verify_parquet
from storage.disk.layout import replace_parquet
from storage.times import datetime64_us, parse_time, time_text
from storage.trajectories.report import TrajectoryReport, plain, report_in
from storage.vocabulary import EVERYBODY, FIRST_ORGANISATION

Kind = Literal["definitive", "hypothetical"]
KINDS: tuple[Kind, ...] = get_args(Kind)

SUFFIX = ".parquet"
_ABOUT = b"trajectory"
_LOWER = np.tril_indices(6)
_STATE = ("x_teme_km", "y_teme_km", "z_teme_km")
_COVARIANCE = tuple(f"covariance_rtn_{i + 1}{j + 1}" for i, j in zip(*_LOWER, strict=True))
_STATES_ALONE = pa.schema(
    [
        ("segment", pa.int32()),
        ("epoch", pa.timestamp("us")),
        *((name, pa.float64()) for name in _STATE),
    ]
)
# NULL: the row is of the other sort.
_WITH_COVARIANCES = pa.schema([*_STATES_ALONE, *((name, pa.float64()) for name in _COVARIANCE)])


@answer(at="2026-11-21T12:00:00Z", km=1.84, sigmas=0.7)
class DistanceFromSet:
    """How far a path is from an element set."""

    at: TimeText
    """UTC."""
    km: float
    """km."""
    sigmas: float
    """The same in 1-sigma errors of the set: the root of the sum of the variances of its law."""


@answer(element_epoch="2026-11-21T05:31:12.084Z", departs_at=None)
class TrajectoryCheck:
    """A path beside the element set that its object had when it was added, up to 7 days from its epoch."""

    element_epoch: TimeText
    """UTC, of the element set."""
    distances: list[DistanceFromSet]
    """At its beginning, then every 6 h."""
    largest: DistanceFromSet
    """The largest distance."""
    departs_at: TimeText | None
    """UTC, since when it flies another path: more than 100 km and 10 sigma from the element set; null: it
    does not."""


class About(NamedTuple):
    """Facts about a trajectory, beside its path."""

    kind: Kind
    source: str  # the file or address that it is from
    source_sha256: str
    added: datetime  # UTC
    restricted: bool  # the terms of its source forbid sharing it
    notes: tuple[str, ...] = ()  # what was repaired or flagged
    added_by: str = ""  # name of a credential, or which part of skysieve; empty: not known
    check: TrajectoryCheck | None = None  # None: no element set of that time, or of an earlier release
    organisation_id: int = FIRST_ORGANISATION  # that added it, and alone sees it if hypothetical
    report: TrajectoryReport | None = None  # None: of an earlier release

    def seen_by(self, organisation_id: int | None) -> bool:
        """Return whether an organisation sees it; None: who sees everything."""
        return (
            self.kind == "definitive"
            or organisation_id is None
            or self.organisation_id
            in (
                EVERYBODY,
                organisation_id,
            )
        )

    @property
    def departs_at(self) -> str | None:
        """UTC, since when it flies another path than its object's element set; None: not, or not checked."""
        return None if self.check is None else self.check.departs_at


class Facts(NamedTuple):
    """What a file says of its trajectory without its states."""

    id: str
    about: About
    norad_id: int
    name: str
    object_id: str
    usable_from: np.datetime64  # M8[us] UTC
    usable_to: np.datetime64
    segments: int
    states: int
    covariances: int


class Trajectory(NamedTuple):
    """A stored trajectory."""

    id: str
    about: About
    ephemeris: Ephemeris


def trajectory_id(ephemeris: Ephemeris, kind: Kind, organisation_id: int = FIRST_ORGANISATION) -> str:
    """Return 16 hexadecimal digits that follow from the object, the kind, and every number.

    Of what only its organisation sees also from that: each has its own.
    """
    about: list[object] = [kind, ephemeris.norad_id, ephemeris.name, ephemeris.object_id]
    if kind == "hypothetical" and organisation_id not in (EVERYBODY, FIRST_ORGANISATION):
        about.append(organisation_id)
    digest = hashlib.sha256(json.dumps(about).encode())
    for segment in ephemeris.segments:
        usable = np.array([segment.usable_from, segment.usable_to], "M8[us]")
        for values in (segment.epochs, usable, segment.covariance_epochs):
            digest.update(np.ascontiguousarray(values, "<M8[us]").tobytes())
        for numbers in (segment.r_teme_km, segment.covariance_rtn):
            digest.update(np.ascontiguousarray(numbers, "<f8").tobytes())
    return digest.hexdigest()[:16]


def write_trajectory(folder: Path, ephemeris: Ephemeris, about: About) -> str:
    """Write a trajectory into a folder, in one step, and return its id.

    One that is there already, with the same content, is left as it is, unless it is damaged.
    """
    name = trajectory_id(ephemeris, about.kind, about.organisation_id)
    path = folder / f"{name}{SUFFIX}"
    if not _is_whole(path):
        known = {_ABOUT: json.dumps(_told(ephemeris, about)).encode()}
        replace_parquet(_table(ephemeris).replace_schema_metadata(known), path)
    return name


def _is_whole(path: Path) -> bool:
    try:
        return verify_parquet(path)
    except (FileNotFoundError, DamagedFile):
        return False


def read_trajectory(path: Path) -> Trajectory:
    """Read a trajectory: half a millisecond for a day of states.

    Raises:
        DamagedFile: it is not what was written.
        StoreError: it is none.
    """
    verify_parquet(path)
    file = _opened(path)
    return _trajectory(file, _told_in(file.schema_arrow, path), path)


def read_if(path: Path, wanted: Callable[[Facts], bool]) -> tuple[Facts, Trajectory | None]:
    """Return the facts about a trajectory, and itself if that is wanted; the file is opened once.

    Without states it takes a tenth of a millisecond. Raises as `read_trajectory`.
    """
    verify_parquet(path, ())
    file = _opened(path)
    told = _told_in(file.schema_arrow, path)
    facts = _facts(told, path)
    if not wanted(facts):
        return facts, None
    verify_parquet(path)
    return facts, _trajectory(file, told, path)


def _opened(path: Path) -> pq.ParquetFile:
    return pq.ParquetFile(path, pre_buffer=False)  # reading ahead, in threads, costs more than it saves


def _trajectory(file: pq.ParquetFile, told: dict[str, Any], path: Path) -> Trajectory:
    some = None if any(one["covariances"] for one in told["segments"]) else ("epoch", *_STATE)
    rows = file.read(columns=some, use_threads=False).combine_chunks()
    segments, first = [], 0
    for one in told["segments"]:
        behind = first + one["states"]
        end = behind + one["covariances"]
        segments.append(
            _segment(rows.slice(first, one["states"]), rows.slice(behind, one["covariances"]), one)
        )
        first = end
    about = _about(told)
    departs_at = NEVER if about.departs_at is None else datetime64_us(parse_time(about.departs_at))
    ephemeris = Ephemeris(told["norad_id"], told["name"], told["object_id"], tuple(segments), departs_at)
    return Trajectory(path.stem, about, ephemeris)


def _facts(told: dict[str, Any], path: Path) -> Facts:
    segments = told["segments"]
    return Facts(
        path.stem,
        _about(told),
        told["norad_id"],
        told["name"],
        told["object_id"],
        np.datetime64(segments[0]["usable"][0], "us"),
        np.datetime64(segments[-1]["usable"][1], "us"),
        len(segments),
        sum(one["states"] for one in segments),
        sum(one["covariances"] for one in segments),
    )


def _told(ephemeris: Ephemeris, about: About) -> dict[str, Any]:
    segments = [
        {
            "states": len(one.epochs),
            "covariances": len(one.covariance_epochs),
            "usable": [str(one.usable_from), str(one.usable_to)],
        }
        for one in ephemeris.segments
    ]
    return {
        **about._asdict(),
        "added": time_text(about.added).removesuffix("Z"),
        "check": about.check and asdict(about.check),
        "report": plain(about.report),
        "norad_id": ephemeris.norad_id,
        "name": ephemeris.name,
        "object_id": ephemeris.object_id,
        "segments": segments,
    }


def _told_in(schema: pa.Schema, path: Path) -> dict[str, Any]:
    metadata = schema.metadata or {}
    if _ABOUT not in metadata:
        raise StoreError(f"{path} contains no trajectory: skysieve did not write it.")
    told: dict[str, Any] = json.loads(metadata[_ABOUT])
    return told


def _about(told: dict[str, Any]) -> About:
    return About(
        told["kind"],
        told["source"],
        told["source_sha256"],
        parse_time(told["added"]),
        told["restricted"],
        tuple(told["notes"]),
        told.get("added_by", ""),
        _check(told.get("check")),
        told.get("organisation_id", _whose_before(told)),
        report_in(told.get("report")),
    )


def _whose_before(told: dict[str, Any]) -> int:
    """Return whose a trajectory of an earlier release is: everybody's if a setting names its source."""
    by_a_setting = told.get("added_by", "").startswith("SKYSIEVE_")
    return EVERYBODY if by_a_setting else FIRST_ORGANISATION


def _check(told: dict[str, Any] | None) -> TrajectoryCheck | None:
    if told is None:
        return None
    distances = [DistanceFromSet(**one) for one in told["distances"]]
    return TrajectoryCheck(
        told["element_epoch"], distances, DistanceFromSet(**told["largest"]), told["departs_at"]
    )


def _table(ephemeris: Ephemeris) -> pa.Table:
    covered = any(len(one.covariance_epochs) for one in ephemeris.segments)
    columns = _WITH_COVARIANCES if covered else _STATES_ALONE
    parts = [columns.empty_table()]
    for number, one in enumerate(ephemeris.segments):
        parts.append(_rows(columns, number, one.epochs, _STATE, one.r_teme_km))
        if covered:
            covariances = one.covariance_rtn[:, *_LOWER]
            parts.append(_rows(columns, number, one.covariance_epochs, _COVARIANCE, covariances))
    return pa.concat_tables(parts)


def _rows(
    columns: pa.Schema,
    segment: int,
    epochs: npt.NDArray[np.datetime64],
    names: tuple[str, ...],
    values: npt.NDArray[np.float64],
) -> pa.Table:
    """Return the rows of one sort, of a segment."""
    given: dict[str, Any] = {
        "segment": pa.repeat(pa.scalar(segment, pa.int32()), len(epochs)),
        "epoch": pa.array(epochs.astype("M8[us]")),
    }
    given |= {name: pa.array(np.ascontiguousarray(values[:, k])) for k, name in enumerate(names)}
    nothing = pa.nulls(len(epochs), pa.float64())
    return pa.table([given.get(name, nothing) for name in columns.names], schema=columns)


def _segment(states: pa.Table, covariances: pa.Table, told: dict[str, Any]) -> Segment:
    matrices = np.zeros((len(covariances), 6, 6))
    for name, i, j in zip(_COVARIANCE, *_LOWER, strict=True) if len(covariances) else ():
        matrices[:, i, j] = matrices[:, j, i] = covariances[name].to_numpy()
    return Segment(
        states["epoch"].to_numpy(),
        np.stack([states[name].to_numpy() for name in _STATE], axis=1),
        np.datetime64(told["usable"][0], "us"),
        np.datetime64(told["usable"][1], "us"),
        covariances["epoch"].to_numpy(),
        matrices,
    )
