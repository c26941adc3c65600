"""Read orbit ephemeris messages: OEM 1.0 to 3.0, KVN and XML (CCSDS 502.0)."""

import ccsds_ndm
import numpy as np

from screening.orbits.texts.ephemerides.checks import Refuse, Written, WrittenCovariance, segment_of
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris, unreadable
from screening.orbits.texts.ephemerides.frames import FRAMES, LOCAL_FRAMES, frame_of, local_frame_of
from screening.orbits.texts.ephemerides.messages import Blocks
from screening.orbits.texts.ephemerides.objects import (
    NUMBER_COMMENT,
    AsWritten,
    Block,
    ReadObject,
    catalogue_number,
    normal_designator,
)
from screening.orbits.texts.ephemerides.times import TIME_SYSTEMS, WrongEpoch, read_epochs
from screening.orbits.timegrid import UtcArray

_STATE = r"^[ \t]*\d{4}-\d[\d-]*T|<stateVector\b"
_COVARIANCE = r"^[ \t]*EPOCH[ \t]*=|<covarianceMatrix\b"


def read_oem(message: ccsds_ndm.Oem, text: str, source_name: str) -> list[Block]:
    """Return the segments of a message, each with its object. Raises UnreadableEphemeris."""
    read, states, covariances = [], 0, 0
    for index, segment in enumerate(message.segments):
        reader = _SegmentReader(segment, index, text, source_name, (states, covariances))
        read.append(reader.read())
        states += len(segment.data.state_vector_epochs)
        covariances += len(segment.data.covariance_matrix_epochs)
    return read


class _SegmentReader:
    """One segment; `before` counts states and covariances of the segments before it."""

    def __init__(
        self, segment: ccsds_ndm.OemSegment, index: int, text: str, source_name: str, before: tuple[int, int]
    ) -> None:
        self._metadata, self._data = segment.metadata, segment.data
        self._index, self._text, self._name = index, text, source_name
        self._before, self._blocks = before, Blocks(text)

    def read(self) -> Block:
        frame = frame_of(self._metadata.ref_frame)
        if self._metadata.center_name.strip().upper() != "EARTH":
            raise self._wrong("CENTER_NAME", self._metadata.center_name, "EARTH")
        if self._metadata.time_system.strip().upper() not in TIME_SYSTEMS:
            allowed = ", ".join(TIME_SYSTEMS)
            raise self._wrong("TIME_SYSTEM", self._metadata.time_system, allowed).of_rule("time_system")
        if frame is None:
            raise self._wrong("REF_FRAME", self._metadata.ref_frame, FRAMES).of_rule("frame")
        states = self._data.state_vector_numpy
        written = Written(
            epochs=self._epochs(self._data.state_vector_epochs, self._at(_STATE, self._before[0])),
            r_km=np.ascontiguousarray(states[:, :3]),
            v_km_s=np.ascontiguousarray(states[:, 3:6]),
            frame=frame,
            frozen_at=self._instant("REF_FRAME_EPOCH", self._metadata.ref_frame_epoch),
            usable=(
                self._instant("USEABLE_START_TIME", self._metadata.useable_start_time),
                self._instant("USEABLE_STOP_TIME", self._metadata.useable_stop_time),
            ),
            covariances=self._covariances(),
        )
        what = f"segment {self._index + 1}"
        segment, velocities, repaired, notes = segment_of(
            written, what, self._at(_STATE, self._before[0]), self._at(_COVARIANCE, self._before[1])
        )
        stop = self._instant("STOP_TIME", self._metadata.stop_time)
        if stop is not None and stop - segment.epochs[-1] > 2 * np.diff(segment.epochs).max():
            notes.append(f"{what}: its states end at {segment.epochs[-1]}Z, STOP_TIME is {stop}Z; cut off?")
        as_written = AsWritten(
            "OEM",
            self._metadata.ref_frame.strip(),
            self._metadata.time_system.strip().upper(),
            str(written.covariances[0].frame) if written.covariances else "",
            velocities,
            repaired,
            lambda index: self._blocks.line_of_match(_STATE, self._before[0] + index),
        )
        return Block(self._object(), "", segment, tuple(notes), as_written)

    def _covariances(self) -> tuple[WrittenCovariance, ...]:
        if len(self._data.covariance_matrix_epochs) == 0:
            return ()
        refuse = self._at(_COVARIANCE, self._before[1])
        epochs = self._epochs(self._data.covariance_matrix_epochs, refuse)
        matrices = self._data.covariance_matrix_numpy  # made anew each time it is asked for
        out = []
        for i, one in enumerate(self._data.covariance_matrix):
            given = one.cov_ref_frame or self._metadata.ref_frame
            frame = local_frame_of(given) or frame_of(given)
            if frame is None:
                raise refuse(f"COV_REF_FRAME is {given!r}; allowed are {LOCAL_FRAMES}, {FRAMES}", i)
            out.append(WrittenCovariance(epochs[i], matrices[i], frame))
        return tuple(out)

    def _epochs(self, texts: list[str], refuse: Refuse) -> UtcArray:
        try:
            return read_epochs(texts, self._metadata.time_system.strip().upper())
        except WrongEpoch as error:
            raise refuse(str(error), error.index) from None

    def _instant(self, keyword: str, text: str | None) -> np.datetime64 | None:
        if text is None:
            return None
        try:
            return np.datetime64(read_epochs([text], self._metadata.time_system.strip().upper())[0], "us")
        except WrongEpoch as error:
            line = self._blocks.line_of_keyword(keyword, self._index)
            raise unreadable(self._name, f"{keyword}: {error}", line, self._text) from None

    def _object(self) -> ReadObject:
        given = (self._metadata.object_id or "").strip()
        said = [c.strip() for c in self._metadata.comment or [] if c.strip().startswith(NUMBER_COMMENT)]
        number = catalogue_number(said[0].removeprefix(NUMBER_COMMENT) if said else given)
        return ReadObject(number, (self._metadata.object_name or "").strip(), normal_designator(given))

    def _wrong(self, keyword: str, value: str, allowed: str) -> UnreadableEphemeris:
        line = self._blocks.line_of_keyword(keyword, self._index)
        why = f"segment {self._index + 1} has {keyword} {value!r}; allowed: {allowed}"
        return unreadable(self._name, why, line, self._text)

    def _at(self, pattern: str, before: int) -> Refuse:
        def refuse(why: str, index: int | None) -> UnreadableEphemeris:
            line = None if index is None else self._blocks.line_of_match(pattern, before + index)
            return unreadable(self._name, f"segment {self._index + 1}: {why}", line, self._text)

        return refuse
