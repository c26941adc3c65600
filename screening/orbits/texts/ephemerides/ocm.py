"""Read trajectories of orbit comprehensive messages: OCM 3.0, KVN and XML (CCSDS 502.0-B-3)."""

import re
from collections.abc import Sequence
from itertools import pairwise

import ccsds_ndm
import numpy as np
import numpy.typing as npt

from screening.orbits.texts.ephemerides.checks import Refuse, Written, WrittenCovariance, segment_of
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris, unreadable
from screening.orbits.texts.ephemerides.frames import FRAMES, frame_of, local_frame_of
from screening.orbits.texts.ephemerides.messages import Blocks
from screening.orbits.texts.ephemerides.objects import (
    AsWritten,
    Block,
    ReadObject,
    catalogue_number,
    normal_designator,
)
from screening.orbits.texts.ephemerides.times import TIME_SYSTEMS, WrongEpoch, read_epochs, to_utc
from screening.orbits.timegrid import FloatArray, UtcArray

_COLUMNS = {"CARTP": 3, "CARTPV": 6, "CARTPVA": 9}
_RELATIVE = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
_LONGEST_S = 1e10  # three centuries
_LOWER = np.tril_indices(6)
_UPPER = np.triu_indices(6)


def read_ocm(message: ccsds_ndm.Ocm, text: str, source_name: str) -> list[Block]:
    """Return the trajectories of a message, each with its object. Raises UnreadableEphemeris."""
    return _Reader(message, text, source_name).read()


class _Reader:
    def __init__(self, message: ccsds_ndm.Ocm, text: str, source_name: str) -> None:
        self._metadata, self._data = message.segment.metadata, message.segment.data
        self._text, self._name, self._blocks = text, source_name, Blocks(text)
        self._system = str(self._metadata.time_system or "").strip().upper()

    def read(self) -> list[Block]:
        if self._system not in TIME_SYSTEMS:
            allowed = ", ".join(TIME_SYSTEMS)
            raise self._wrong("TIME_SYSTEM", 0, self._system, allowed).of_rule("time_system")
        trajectories = list(self._data.traj or [])
        if not trajectories:
            raise unreadable(self._name, "it has no trajectory (TRAJ_START)")
        covariances, notes = self._covariances()
        instants = np.array([one.epoch for one in covariances], "M8[us]")
        blocks = []
        for index, trajectory in enumerate(trajectories):
            written = self._written(index, trajectory)
            # Each of several takes those of its time: all for each would take time quadratic in their number.
            its = slice(None)
            if len(trajectories) > 1 and len(written.epochs):
                first, last = np.sort(written.epochs)[[0, -1]]
                its = slice(np.searchsorted(instants, first), np.searchsorted(instants, last, side="right"))
            written = written._replace(covariances=tuple(covariances[its]))
            refuse = self._at(index)
            segment, velocities, repaired, more = segment_of(written, self._what(index), refuse, refuse)
            as_written = AsWritten(
                "OCM",
                trajectory.traj_ref_frame.strip(),
                self._system,
                str(written.covariances[0].frame) if written.covariances else "",
                velocities,
                repaired,
                lambda _, index=index: self._line(index),  # type: ignore[misc]
            )
            blocks.append(Block(self._object(), "", segment, (*notes, *more), as_written))
            notes = []
        in_time = all(
            before.segment.usable_to <= after.segment.usable_from for before, after in pairwise(blocks)
        )
        if in_time:
            return blocks
        return [
            block._replace(candidate=trajectory.traj_id or f"trajectory {index + 1}")
            for index, (block, trajectory) in enumerate(zip(blocks, trajectories, strict=True))
        ]

    def _written(self, index: int, trajectory: ccsds_ndm.OcmTrajState) -> Written:
        kind, frame = trajectory.traj_type.strip().upper(), frame_of(trajectory.traj_ref_frame)
        if trajectory.center_name.strip().upper() != "EARTH":
            raise self._wrong("CENTER_NAME", index, trajectory.center_name, "EARTH")
        if frame is None:
            unknown = self._wrong("TRAJ_REF_FRAME", index, trajectory.traj_ref_frame, FRAMES)
            raise unknown.of_rule("frame")
        if kind not in _COLUMNS:
            raise self._wrong("TRAJ_TYPE", index, kind, ", ".join(_COLUMNS))
        lines = trajectory.traj_lines
        wrong = [i for i, line in enumerate(lines) if len(line.values) != _COLUMNS[kind]]
        if wrong:
            count = len(lines[wrong[0]].values)
            raise self._at(index)(f"{count} numbers after the time, {kind} has {_COLUMNS[kind]}", wrong[0])
        values = np.array([line.values for line in lines], float).reshape(-1, _COLUMNS[kind])
        return Written(
            epochs=self._epochs([line.epoch for line in lines], self._at(index)),
            r_km=values[:, :3],
            v_km_s=None if kind == "CARTP" else values[:, 3:6],
            frame=frame,
            frozen_at=self._instant(trajectory.traj_frame_epoch, "TRAJ_FRAME_EPOCH"),
            usable=(
                self._instant(trajectory.useable_start_time, "USEABLE_START_TIME"),
                self._instant(trajectory.useable_stop_time, "USEABLE_STOP_TIME"),
            ),
            covariances=(),
        )

    def _covariances(self) -> tuple[list[WrittenCovariance], list[str]]:
        """Return the covariances of all blocks in time, and notes on those that are left out."""
        read: list[WrittenCovariance] = []
        notes = []
        for index, block in enumerate(self._data.cov or []):
            frame = local_frame_of(block.cov_ref_frame) or frame_of(block.cov_ref_frame)
            ordering = str(block.cov_ordering).rsplit(".", 1)[-1].upper()
            matrices = [_matrix(line.values, ordering) for line in block.cov_lines]
            why = _left_out(block, frame is None, [m is None for m in matrices])
            if why or frame is None:
                notes.append(f"covariance {index + 1} is left out: {why}")
                continue
            epochs = self._epochs([line.epoch for line in block.cov_lines], self._at(0))
            read += [
                WrittenCovariance(epoch, matrix, frame)
                for epoch, matrix in zip(epochs, matrices, strict=True)
                if matrix is not None
            ]
        return sorted(read, key=lambda one: one.epoch), notes

    def _epochs(self, texts: Sequence[str], refuse: Refuse) -> UtcArray:
        """Read times: absolute, or seconds from EPOCH_TZERO."""
        zero = self._metadata.epoch_tzero
        try:
            if not all(_RELATIVE.fullmatch(text.strip()) for text in texts):
                return read_epochs(texts, self._system)
            # Counted before the change to UTC, so that a leap second in between counts too.
            start = read_epochs([zero or ""], "UTC")[0]
            return to_utc(start + _offsets(texts), self._system)
        except WrongEpoch as error:
            raise refuse(str(error), error.index) from None

    def _instant(self, text: str | None, keyword: str) -> np.datetime64 | None:
        def refuse(why: str, _: int | None) -> UnreadableEphemeris:
            line = self._blocks.line_of_keyword(keyword, 0)
            return unreadable(self._name, f"{keyword}: {why}", line, self._text)

        return None if text is None else np.datetime64(self._epochs([text], refuse)[0], "us")

    def _object(self) -> ReadObject:
        number = catalogue_number(str(self._metadata.object_designator or ""))
        catalogue = str(self._metadata.catalog_name or "SATCAT").upper()
        return ReadObject(
            number if "SATCAT" in catalogue or "NORAD" in catalogue else 0,
            str(self._metadata.object_name or "").strip(),
            normal_designator(str(self._metadata.international_designator or "")),
        )

    def _line(self, index: int) -> int | None:
        """Return the line at which a trajectory begins."""
        return self._blocks.line_of_match(r"^[ \t]*TRAJ_START\b|<traj>", index)

    def _what(self, index: int) -> str:
        return f"trajectory {index + 1}"

    def _wrong(self, keyword: str, index: int, value: str, allowed: str) -> UnreadableEphemeris:
        line = self._blocks.line_of_keyword(keyword, index)
        return unreadable(self._name, f"{keyword} is {value!r}; allowed: {allowed}", line, self._text)

    def _at(self, index: int) -> Refuse:
        def refuse(why: str, state: int | None) -> UnreadableEphemeris:
            line = self._line(index)
            where = self._what(index) + ("" if state is None else f", line of data {state + 1}")
            return unreadable(self._name, f"{where}: {why}", line, self._text)

        return refuse


def _offsets(texts: Sequence[str]) -> npt.NDArray[np.timedelta64]:
    """Read seconds from EPOCH_TZERO. Raises WrongEpoch if one is centuries away."""
    seconds = np.array(texts, float)
    far = ~(np.abs(seconds) <= _LONGEST_S)
    if far.any():
        raise WrongEpoch(int(np.argmax(far)), texts[int(np.argmax(far))])
    offsets: npt.NDArray[np.timedelta64] = np.rint(seconds * 1e6).astype("m8[us]")
    return offsets


def _left_out(block: ccsds_ndm.OcmCovarianceMatrix, unknown_frame: bool, unread: list[bool]) -> str:
    if block.cov_type.strip().upper() != "CARTPV":
        return f"COV_TYPE is {block.cov_type!r}, and not CARTPV"
    if unknown_frame:
        return f"COV_REF_FRAME {block.cov_ref_frame!r} is not known"
    if block.cov_units and "km" not in block.cov_units.lower():
        return f"COV_UNITS is {block.cov_units!r}, and not km**2"
    if any(unread):
        return f"line {unread.index(True) + 1} does not hold a time and a whole 6 x 6 matrix"
    return ""


def _matrix(values: Sequence[float], ordering: str) -> FloatArray | None:
    """Return a 6 x 6 covariance from one line, None if its numbers are not as many as its ordering says."""
    whole = np.zeros((6, 6))
    numbers = np.array(values, float)
    if ordering in ("LTM", "UTM") and len(numbers) == 21:
        whole[_LOWER if ordering == "LTM" else _UPPER] = numbers
    elif ordering in ("FULL", "LTMWCC", "UTMWCC") and len(numbers) == 36:
        square = numbers.reshape(6, 6)  # with correlations in the other triangle, which are not needed
        part = _UPPER if ordering == "UTMWCC" else _LOWER
        whole[part] = square[part]
    else:
        return None
    symmetric: FloatArray = np.where(whole != 0.0, whole, whole.T)
    return symmetric
