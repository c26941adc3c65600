"""The content of a run's ephemeris: states of all its objects every ten minutes.

Three numpy arrays and a description, for analyses to read.
"""

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import utc, window
from screening.search.all_pairs.screen import chunks_of_knots
from screening.search.few_objects.curves import Ephemeris
from screening.search.few_objects.ephemeris import Chunk, chunk_of, order_in_tiles
from screening.search.radial_range import RadialRange, radial_range
from storage.disk.checksums import crc_of, crc_of_file, opened_json, sealed_json
from storage.disk.ephemeris import ABOUT, FILES_CRC32, ephemeris_folder, new_staging_folder
from storage.disk.whole_files import synced, write_text

LAYOUT_VERSION = 1
# 27,000 objects take 3.9 MB an hour.
LONGEST_HOURS = 48.0
_STATES, _SLACK, _OBJECTS = "states.npy", "slack_km.npy", "objects.npy"
_OBJECT_DTYPE = np.dtype([("norad_id", "i8"), ("low_km", "f8"), ("high_km", "f8")])


def stage_ephemeris(store: Path, elements: ElementArray, start: np.datetime64, hours: float) -> Path:
    """Propagate all objects and stage their ephemeris; return the folder, for publish_run.

    `elements` (n,) sorted by norad_id; the ephemeris begins shortly before `start` (UTC) and goes on for
    `hours`, at most LONGEST_HOURS. 26,834 objects over 36 h take 150 MB.
    """
    span = window(start, min(hours, LONGEST_HOURS))
    propagator = Propagator(elements, span)
    ranges = radial_range(propagator)
    order = order_in_tiles(ranges)
    times_s = chunks_of_knots(0.0, span.seconds)
    folder = new_staging_folder(store)
    tiled, in_place = propagator.subset(order), np.arange(len(order), dtype=np.int32)
    chunks = (chunk_of(elements[order], tiled, in_place, knots_s)[0] for knots_s in times_s)
    objects = np.zeros(len(order), _OBJECT_DTYPE)
    objects["norad_id"] = elements["norad_id"][order]
    objects["low_km"], objects["high_km"] = ranges.low_km[order], ranges.high_km[order]
    np.save(folder / _OBJECTS, objects)
    borders = np.cumsum([0, *(len(knots_s) - 1 for knots_s in times_s)]).tolist()
    crc_of_states = _write_chunks(folder, chunks, borders)
    crcs = {_STATES: crc_of_states, **{name: crc_of_file(folder / name) for name in (_SLACK, _OBJECTS)}}
    first = utc(span, times_s[0][:1])[0]
    about = {
        "layout_version": LAYOUT_VERSION,
        "start": str(first),
        "chunk_borders": borders,
        FILES_CRC32: crcs,
    }
    write_text(folder / ABOUT, sealed_json(about))
    return folder


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
        StoreError: the run left none, or it is damaged.
    """
    folder = ephemeris_folder(store, run_id)
    try:
        about = opened_json((folder / ABOUT).read_bytes())
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
        raise StoreError(
            f"The run {run_id} left no ephemeris in {folder}: the next run writes one; until then use the "
            "mode full."
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"The ephemeris {folder} is damaged ({error}): remove it, and the next run writes one; until "
            "then use the mode full."
        ) from error
    ranges = RadialRange(objects["low_km"], objects["high_km"])
    return Ephemeris(objects["norad_id"], ranges, start, states, slack_km, borders)


def _verify(folder: Path, about: Mapping[str, Any]) -> None:
    """Raise ValueError unless the files of an ephemeris are intact: 50 ms for 143 MB."""
    for name, crc in about.get(FILES_CRC32, {}).items():
        if crc_of_file(folder / name) != crc:
            raise ValueError(f"the checksum of {name} does not match")
