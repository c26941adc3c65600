"""Draw and tabulate how good ephemerides are: between their states, and beside element sets.

Run from the repository: python docs/pictures/trajectory_accuracy.py. Reads the catalogue of 2024-11-01 and
the published ephemeris of a Starlink satellite with its element sets of those days in ../shared/data; writes
trajectory_steps.png, trajectory_starlink.png, trajectory_pieces.png, and the tables `steps` and `starlink`
of docs/trajectories.md.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.dates import DateFormatter, DayLocator

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path.insert(0, str(REPOSITORY))

from screening.orbits.elements import ElementArray  # noqa: E402
from screening.orbits.interpolated import Interpolated, tracks_of  # noqa: E402
from screening.orbits.sgp4.propagate import Propagator  # noqa: E402
from screening.orbits.texts.catalogue import parse_catalogue  # noqa: E402
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides  # noqa: E402
from screening.orbits.timegrid import FloatArray, window  # noqa: E402
from tests.benchmarks.documents import table, write_tables  # noqa: E402
from tests.screening.paths_as_ephemerides import segment_of  # noqa: E402
from tests.validation.messages.beside_ephemeris import (  # noqa: E402
    AGES_H,
    SAMPLE_S,
    SETS,
    Apart,
    all_rms_km,
    compared,
)
from tests.validation.messages.plain_ephemerides import STARLINK  # noqa: E402

DOCUMENT = REPOSITORY / "docs" / "trajectories.md"
DATA = REPOSITORY.parent / "shared" / "data"
EPHEMERIS = DATA / STARLINK

EVERY = 40  # of the catalogue's objects
HOURS = 4.0
STEPS_S = (30.0, 60.0, 120.0, 180.0, 240.0, 300.0)
TABLED_S = (60.0, 120.0, 240.0)
COLOURS = {
    "low": "#1d4ed8",
    "low perigee, e above 0.5": "#c2410c",
    "all others": "#0f766e",
}
AXES = ("radial", "in-track", "cross-track")


def main() -> None:
    """Write the pictures and the tables."""
    mpl.rcParams.update(
        {"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}
    )
    elements = parse_catalogue((DATA / "gp_onorbit_20241101.csv").read_bytes()).elements[::EVERY]
    regimes, errors_m = interpolation_errors(elements)
    draw_steps(regimes, errors_m)
    (segment,) = chosen(read_ephemerides(EPHEMERIS.read_bytes(), EPHEMERIS.name), "").ephemeris.segments
    apart = [one for kind in SETS for one in compared(DATA, kind, segment)]
    draw_starlink(apart)
    draw_pieces()
    tables = {"steps": table(step_rows(regimes, errors_m)), "starlink": table(starlink_rows(apart))}
    write_tables(DOCUMENT, tables)


def interpolation_errors(elements: ElementArray) -> tuple[np.ndarray, FloatArray]:
    """Return the regimes (n,) of objects, and the largest errors (steps, n), m, at each step of states."""
    span = window(np.datetime64("2024-11-01T00:00:00", "us"), HOURS)
    propagator = Propagator(elements, span)
    margin_s = 20.0 * max(STEPS_S)
    error, _, _ = propagator.on_grid(np.array([-margin_s, span.seconds + margin_s]))
    good = np.flatnonzero(~error.any(axis=0))
    propagator = propagator.subset(good)
    asked_s = np.arange(0.0, span.seconds, 7.0)
    _, truth, _ = propagator.on_grid(asked_s)
    largest_m = []
    for step_s in STEPS_S:
        times_s = np.arange(-margin_s, span.seconds + margin_s, step_s)
        _, r, _ = propagator.on_grid(times_s)
        segments = [segment_of(span, times_s, r[:, :, i]) for i in range(len(good))]
        paths = Interpolated(tracks_of(segments, span), span, np.arange(len(good)))
        _, found, _ = paths.on_grid(asked_s)
        largest_m.append(1e3 * np.nanmax(np.linalg.norm(found - truth, axis=1), axis=0))
    rate, e = (elements[name][good] for name in ("mean_motion_rev_day", "eccentricity"))
    low, eccentric, others = COLOURS
    return np.where(e > 0.5, eccentric, np.where(rate > 11.25, low, others)), np.stack(largest_m)


def step_rows(regimes: np.ndarray, errors_m: FloatArray) -> Iterator[tuple[object, ...]]:
    """Yield rows of the errors between states."""
    yield "orbit", "objects", *(f"{step:g} s: median, 99 %, worst (m)" for step in TABLED_S)
    for regime in COLOURS:
        own = errors_m[:, regimes == regime]
        cells = []
        for step_s in TABLED_S:
            row = own[STEPS_S.index(step_s)]
            cells.append(", ".join(f"{x:.2g}" for x in (*np.quantile(row, (0.5, 0.99)), row.max())))
        yield regime, own.shape[1], *cells


def starlink_rows(apart: list[Apart]) -> Iterator[tuple[object, ...]]:
    """Yield rows of the in-track errors of each set, and the root mean squares of each kind."""
    yield "set", "epoch (UTC)", *(f"{hours:g} h" for hours in AGES_H)
    for one in apart:
        epoch = str(one.epoch.astype("M8[m]")).replace("T", " ")
        yield one.kind, epoch, *(_km(value) for value in one.rms_km[:, 1])
    for kind in SETS:
        rms = all_rms_km([one for one in apart if one.kind == kind])
        for axis, name in enumerate(AXES):
            yield f"{kind}, all", name, *(_km(value) for value in rms[:, axis])


def _km(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2f}"


def draw_steps(regimes: np.ndarray, errors_m: FloatArray) -> None:
    """Draw the errors between states against the step."""
    figure, axes = plt.subplots(figsize=(6.0, 3.6), layout="constrained", facecolor="white")
    for regime, colour in COLOURS.items():
        own = errors_m[:, regimes == regime]
        axes.plot(STEPS_S, np.median(own, axis=1), color=colour, label=regime)
        axes.plot(STEPS_S, own.max(axis=1), color=colour, linestyle=":")
    axes.set_yscale("log")
    axes.set_xticks(STEPS_S)
    axes.set_xlabel("step of the states (s)")
    axes.set_ylabel("largest error between states (m)")
    axes.set_title("12 points: median (line) and worst object (dots)")
    axes.legend(frameon=False, fontsize=8)
    save(figure, axes, "trajectory_steps.png")


def draw_starlink(apart: list[Apart]) -> None:
    """Draw the in-track error of each set, from its epoch on."""
    figure, axes = plt.subplots(figsize=(6.0, 3.6), layout="constrained", facecolor="white")
    for one in apart:
        times = one.epoch + np.arange(len(one.in_track_km)) * np.timedelta64(round(SAMPLE_S), "s")
        supplemental = one.kind == "supplemental"
        axes.plot(times, one.in_track_km, color="#1d4ed8" if supplemental else "#c2410c", linewidth=0.7)
    for kind, colour in zip(SETS, ("#c2410c", "#1d4ed8"), strict=True):
        axes.plot([], [], color=colour, label=kind)
    axes.axhline(0.0, color="#374151", linewidth=0.7)
    axes.xaxis.set_major_locator(DayLocator())
    axes.xaxis.set_major_formatter(DateFormatter("%Y-%m-%d"))
    axes.set_xlabel("UTC")
    axes.set_ylabel("in-track, set less ephemeris (km)")
    axes.set_title("STARLINK-2729: each set from its epoch on")
    axes.legend(frameon=False, fontsize=8)
    save(figure, axes, "trajectory_starlink.png")


def draw_pieces() -> None:
    """Draw of what the path of one object is made in a window."""
    figure, axes = plt.subplots(figsize=(8.0, 2.4), layout="constrained", facecolor="white")
    grey, orange, blue = "#9ca3af", "#c2410c", "#1d4ed8"
    rows = (
        ("newer ephemeris", ((7.0, 13.0),), blue),
        ("older ephemeris, with a thrust", ((2.0, 4.8), (5.2, 10.0)), orange),
        ("element set", ((0.0, 24.0),), grey),
        ("path", (), grey),
    )
    for height, (_, bars, colour) in enumerate(reversed(rows)):
        for begin, end in bars:
            axes.barh(height, end - begin, left=begin, height=0.5, color=colour)
    used = ((0.0, 2.0, grey), (2.0, 4.8, orange), (4.8, 5.2, grey), (5.2, 7.0, orange), (7.0, 13.0, blue))
    for begin, end, colour in (*used, (13.0, 24.0, grey)):
        axes.barh(0, end - begin, left=begin, height=0.5, color=colour)
    for seam in (2.0, 4.8, 5.2, 7.0, 13.0):
        axes.plot([seam, seam], [-0.4, 0.4], color="#111827", linewidth=1.0)
    axes.set_yticks(range(len(rows)), [name for name, _, _ in reversed(rows)])
    axes.set_xlim(0.0, 24.0)
    axes.set_xlabel("hours from the start of the window")
    save(figure, axes, "trajectory_pieces.png")


def save(figure: mpl.figure.Figure, axes: Axes, name: str) -> None:
    """Write a picture."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(HERE / name, dpi=130, metadata={"Software": None})


if __name__ == "__main__":
    main()
