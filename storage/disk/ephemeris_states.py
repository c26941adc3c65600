"""The content of a run's ephemeris: states of its objects every ten minutes.

Three numpy arrays and a description, for analyses to read. If all objects would take more than is allowed, it
has those of payloads only, or is the description alone; the description says so.
"""

import io
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from screening.errors import StoreError
from screening.orbits.elements import ElementArray, narrowed
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.pieces import paths_of, pieces_of
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray, utc, window
from screening.orbits.trajectories import Trajectories
from screening.search.all_pairs.screen import chunks_of_knots, intervals_at_a_time
from screening.search.few_objects.curves import Ephemeris
from screening.search.few_objects.ephemeris import FIELDS_OF_CHUNKS, Chunk, chunk_of, order_in_tiles
from screening.search.one_step.pair_tests import LANES
from screening.search.radial_range import RadialRange, radial_range
from storage.disk.checksums import crc_of, crc_of_file, opened_json, sealed_json
from storage.disk.ephemeris import (
    ABOUT,
    FILES_CRC32,
    ephemeris_folder,
    is_being_written,
    new_staging_folder,
)
from storage.disk.ephemeris_bound import KEPT_OBJECTS, Kept, kept_of
from storage.disk.whole_files import synced, write_text

LAYOUT_VERSION = 1
# 27,000 objects take 3.9 MB an hour.
LONGEST_HOURS = 48.0
_STATES, _SLACK, _OBJECTS = "states.npy", "slack_km.npy", "objects.npy"
# Memory for so many is used again: that for all at once, new in each chunk, costs more CPU time than SGP4.
_OBJECTS_AT_A_TIME = 512 * LANES
_OBJECT_DTYPE = np.dtype([("norad_id", "i8"), ("low_km", "f8"), ("high_km", "f8")])


class NotKept(StoreError):
    """A run left no ephemeris: it would have been larger than allowed, or was given up."""


class Missing(StoreError):
    """There is no ephemeris of a run, or not yet."""


class NotYet(Missing):
    """There is no ephemeris of a run, and one is being written."""


def ephemeris_bytes(objects: int, hours: float) -> int:
    """Return the size of the arrays of an ephemeris, bytes; the description beside them has under 1 kB."""
    times_s = _chunks(hours, objects)
    places = objects + -objects % LANES
    knots = sum(len(knots_s) - 1 for knots_s in times_s) + 1
    of_places = places * np.dtype(np.float32).itemsize * (knots * 6 + len(times_s))
    headers = (
        _header_bytes("<f4", (knots, 6, places)),
        _header_bytes("<f4", (len(times_s), places)),
        _header_bytes(_OBJECT_DTYPE.descr, (objects,)),
    )
    return sum(headers) + of_places + objects * _OBJECT_DTYPE.itemsize


def _header_bytes(descr: object, shape: tuple[int, ...]) -> int:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.tell()


def stage_ephemeris(
    store: Path,
    elements: ElementArray,
    start: np.datetime64,
    hours: float,
    kept: Kept | None = None,
    ephemerides: Ephemerides | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> Path:
    """Propagate objects and stage their ephemeris; return the folder, for publish_run.

    `elements` (n,) sorted by norad_id; the ephemeris begins shortly before `start` (UTC) and goes on for
    `hours`, at most LONGEST_HOURS. 26,834 objects over 36 h take 143 MB. `kept`: which part of the run's
    objects they are, by default all; of none only the description is staged. `go_on` is called again and
    again, and raises to end it. `ephemerides` replace element sets. Nothing is left if it fails.
    """
    kept = Kept("all", len(elements), len(elements)) if kept is None else kept
    folder = new_staging_folder(store)
    try:
        about = (
            {} if kept.what == "none" else _write_states(folder, elements, ephemerides, start, hours, go_on)
        )
        written = {"layout_version": LAYOUT_VERSION, KEPT_OBJECTS: kept._asdict(), **about}
        write_text(folder / ABOUT, sealed_json(written))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _chunks(hours: float, objects: int) -> list[FloatArray]:
    return chunks_of_knots(0.0, min(hours, LONGEST_HOURS) * 3600.0, intervals_at_a_time(objects))


def _write_states(
    folder: Path,
    elements: ElementArray,
    ephemerides: Ephemerides | None,
    start: np.datetime64,
    hours: float,
    go_on: Callable[[], None],
) -> dict[str, object]:
    """Write the arrays, and return what the description says about them."""
    span = window(start, min(hours, LONGEST_HOURS))
    propagator = paths_of(elements, span, pieces_of(elements, ephemerides, span)[0] if ephemerides else None)
    ranges = radial_range(propagator)
    order = order_in_tiles(ranges)
    times_s = _chunks(hours, len(order))
    parts = _parts_of(elements, propagator, order)
    del propagator  # its parts are as large together
    objects = np.zeros(len(order), _OBJECT_DTYPE)
    objects["norad_id"] = elements["norad_id"][order]
    objects["low_km"], objects["high_km"] = ranges.low_km[order], ranges.high_km[order]
    np.save(folder / _OBJECTS, objects)
    borders = np.cumsum([0, *(len(knots_s) - 1 for knots_s in times_s)]).tolist()
    crc_of_states = _write_chunks(folder, _chunks_of(parts, len(order), times_s, go_on), borders)
    crcs = {_STATES: crc_of_states, **{name: crc_of_file(folder / name) for name in (_SLACK, _OBJECTS)}}
    first = utc(span, times_s[0][:1])[0]
    return {"start": str(first), "chunk_borders": borders, FILES_CRC32: crcs}


_Parts = list[tuple[ElementArray, Trajectories]]


def _parts_of(elements: ElementArray, propagator: Trajectories, order: IndexArray) -> _Parts:
    """Return elements, with the fields that a chunk needs, and paths of objects in an order, some each."""
    groups = [order[begin : begin + _OBJECTS_AT_A_TIME] for begin in range(0, len(order), _OBJECTS_AT_A_TIME)]
    return [(narrowed(elements, FIELDS_OF_CHUNKS, group), propagator.subset(group)) for group in groups]


def _chunks_of(
    parts: _Parts, count: int, times_s: list[FloatArray], go_on: Callable[[], None]
) -> Iterator[Chunk]:
    """Propagate objects to each chunk of knots; the next chunk takes the memory of its states."""
    places = count + -count % LANES
    room = np.empty((max(map(len, times_s)), 6, places), np.float32)
    for knots_s in times_s:
        states, slack_km = room[: len(knots_s)], np.empty(places, np.float32)
        for begin, (some, propagated) in zip(range(0, places, _OBJECTS_AT_A_TIME), parts, strict=True):
            go_on()
            chunk, _ = chunk_of(some, propagated, np.arange(len(some), dtype=np.int32), knots_s)
            end = begin + len(chunk.slack_km)
            states[:, :, begin:end], slack_km[begin:end] = chunk.states, chunk.slack_km
        yield Chunk(knots_s, states, slack_km)


def _write_chunks(folder: Path, chunks: Iterable[Chunk], borders: list[int]) -> int:
    """Write states and slacks chunk by chunk, with only one in memory; return the states' CRC-32."""
    slacks, crc = [], 0
    with synced(folder / _STATES) as file:
        for k, chunk in enumerate(chunks):
            if k == 0:
                shape = (borders[-1] + 1, *chunk.states.shape[1:])
                header = {"descr": "<f4", "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(file, header)
                crc = crc_of(file, 0, file.tell())
            last = k == len(borders) - 2
            states = chunk.states[: None if last else -1].data  # the border belongs to the next chunk
            file.write(states)
            crc = zlib.crc32(states, crc)
            slacks.append(chunk.slack_km)
    np.save(folder / _SLACK, np.stack(slacks))
    return crc


def read_ephemeris(store: Path, run_id: str) -> Ephemeris:
    """Open the ephemeris of a run; its states are read from the disk only when used.

    Raises:
        NotKept: the run left none on purpose, or gave it up.
        NotYet: there is none, and one is being written.
        Missing: there is none.
        StoreError: it is damaged.
    """
    folder = ephemeris_folder(store, run_id)
    try:
        about = opened_json((folder / ABOUT).read_bytes())
        if (kept := kept_of(about)) is not None and kept.what == "none":
            raise NotKept(f"Run {run_id} left no ephemeris: {kept.reason}. Use mode `full`.")
        _verify(folder, about)
        objects, slack_km = np.load(folder / _OBJECTS), np.load(folder / _SLACK)
        # Copy on write: the compiled search requires a writable array.
        states = np.load(folder / _STATES, mmap_mode="c").view(np.ndarray)
        borders = tuple(map(int, about["chunk_borders"]))
        fits = states.shape[0] == borders[-1] + 1 and slack_km.shape == (len(borders) - 1, states.shape[2])
        if about["layout_version"] != LAYOUT_VERSION or not fits or len(objects) > states.shape[2]:
            raise ValueError("its parts do not match")  # noqa: TRY301 - reported below, with the folder
        start = np.datetime64(about["start"], "us")
    except FileNotFoundError as error:
        if is_being_written(store):
            raise NotYet(
                f"The ephemeris of the run {run_id} is not in place, and one is still being written. Ask "
                "again soon, or use mode `full`."
            ) from error
        raise Missing(
            f"The run {run_id} left no ephemeris in {folder}: the next run writes one; until then use "
            "mode `full`."
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"The ephemeris {folder} is damaged ({error}). Remove it; the next run will write a new one. "
            "Until then use mode `full`."
        ) from error
    ranges = RadialRange(objects["low_km"], objects["high_km"])
    return Ephemeris(objects["norad_id"], ranges, start, states, slack_km, borders)


def _verify(folder: Path, about: Mapping[str, Any]) -> None:
    """Raise ValueError unless the files of an ephemeris are intact: 50 ms for 143 MB."""
    for name, crc in about.get(FILES_CRC32, {}).items():
        if crc_of_file(folder / name) != crc:
            raise ValueError(f"the checksum of {name} does not match")
