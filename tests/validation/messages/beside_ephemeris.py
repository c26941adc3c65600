"""Element sets beside their object's ephemeris, which is the truth here."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Segment
from screening.orbits.interpolated import POINTS, Interpolated, tracks_of
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import FloatArray, TimeWindow, instants, window
from tests.validation.files import text_of
from tests.validation.messages.plain_ephemerides import States

# Public element sets of STARLINK-2729, and those that CelesTrak fitted to SpaceX's ephemerides.
SETS = {"element set": "meme/gp_48430.txt", "supplemental": "meme/sup_48430.txt"}
AGES_H = (0.0, 12.0, 24.0, 48.0)
REVOLUTION_S, SAMPLE_S = 5736.0, 60.0
REVOLUTION = np.timedelta64(5736, "s")


class Apart(NamedTuple):
    """How far an element set is from the ephemeris, over the revolution after each age."""

    kind: str  # of SETS
    epoch: np.datetime64
    rms_km: FloatArray  # (ages, 3) radial, in-track, cross-track; NaN beyond the ephemeris
    in_track_km: FloatArray  # (n,) at SAMPLE_S from the epoch on


def compared(data: Path, kind: str, segment: Segment) -> Iterator[Apart]:
    """Compare the element sets of a file with an ephemeris, for as long as it lasts."""
    lines = text_of(data, SETS[kind]).splitlines()
    if not lines or len(lines) % 2:
        raise InputError(f"{(data / SETS[kind]).absolute()} has no whole element sets: it is damaged.")
    for pair in zip(lines[::2], lines[1::2], strict=True):
        elements = parse_catalogue("\n".join(pair).encode()).elements
        (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
        if segment.usable_from <= epoch < segment.usable_to - REVOLUTION:
            yield _compared(kind, elements, epoch, segment)


def _compared(kind: str, elements: ElementArray, epoch: np.datetime64, segment: Segment) -> Apart:
    span = window(epoch, (segment.usable_to - epoch) / np.timedelta64(1, "h"))
    times_s = np.arange(0.0, span.seconds, SAMPLE_S)
    apart = rtn_apart_km(elements, segment, span, times_s)
    rms = [np.full(3, np.nan) for _ in AGES_H]
    for row, hours in enumerate(AGES_H):
        here = (times_s >= 3600.0 * hours) & (times_s < 3600.0 * hours + REVOLUTION_S)
        if 3600.0 * hours + REVOLUTION_S <= span.seconds:
            rms[row] = np.sqrt(np.mean(apart[here] ** 2, axis=0))
    return Apart(kind, epoch, np.stack(rms), apart[:, 1])


def rtn_apart_km(
    elements: ElementArray, segment: Segment, span: TimeWindow, times_s: FloatArray
) -> FloatArray:
    """Return where an element set is (n, 3), seen from the ephemeris in its radial, in-track, cross-track."""
    _, r, v = Interpolated(tracks_of([segment], span), span, np.zeros(1, np.int32)).on_grid(times_s)
    _, r_set, _ = Propagator(elements, span).on_grid(times_s)
    seen: FloatArray = np.einsum("nij,nj->ni", rtn_axes(r[:, :, 0], v[:, :, 0]), (r_set - r)[:, :, 0])
    return seen


def all_rms_km(apart: list[Apart]) -> FloatArray:
    """Return the root mean squares (ages, 3) over some element sets; NaN where none is that old."""
    rms_km = np.stack([one.rms_km for one in apart])
    there = np.count_nonzero(~np.isnan(rms_km), axis=0)
    with np.errstate(invalid="ignore"):
        found: FloatArray = np.sqrt(np.nansum(rms_km**2, axis=0) / there)
    return found


def left_out_km(states: States, rows: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> FloatArray:
    """Return how far each of some states is from the polynomial through the states around it, without it."""
    epochs, r_km = states
    span = window(epochs[0], 24.0)
    nothing = np.empty(0, "M8[us]"), np.empty((0, 6, 6))
    around = [np.r_[k - POINTS : k, k + 1 : k + POINTS + 1] for k in rows.tolist()]
    segments = [
        Segment(
            epochs[those], np.ascontiguousarray(r_km[those]), epochs[those[0]], epochs[those[-1]], *nothing
        )
        for those in around
    ]
    paths = Interpolated(tracks_of(segments, span), span, np.arange(len(segments)))
    times_s = (epochs[rows] - epochs[0]) / np.timedelta64(1, "us") / 1e6
    _, r, _ = paths.at(np.arange(len(rows), dtype=np.int32), times_s)
    off_km: FloatArray = np.linalg.norm(r - r_km[rows], axis=1)
    return off_km
