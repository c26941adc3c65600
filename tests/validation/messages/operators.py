"""Operators' ephemerides: what interpolation loses, and how far public element sets are from them."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from screening.errors import InputError
from screening.orbits.interpolated import POINTS
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.timegrid import FloatArray
from tests.validation.comparison import About, Comparison, Measure, Picture
from tests.validation.files import bytes_of
from tests.validation.messages.beside_ephemeris import (
    AGES_H,
    SAMPLE_S,
    SETS,
    Apart,
    all_rms_km,
    compared,
    left_out_km,
)
from tests.validation.messages.plain_ephemerides import STARLINK, STATION, space_station, starlink
from tests.validation.style import COLOURS, tidy

EVERY = 3  # of the states is left out in turn
ONE_METRE_CM = 100.0
MEDIAN_CM = 1.0
STATION_EVERY, QUIET_DAYS = 5, (0.5, 11.0)
STATION_M, STATION_MEDIAN_M = 4.0, 1.0
TITLES = {"element set": "element sets", "supplemental": "supplemental sets"}

ABOUT = About(
    title="Operators' ephemerides",
    source="SpaceX's public ephemeris of STARLINK-2729 of 2023-01-29 (not to be published again), and the "
    "satellite's public and supplemental element sets of those days (CelesTrak); NASA's ephemeris of "
    "the International Space Station of 2022-02-14.",
    what="Interpolation: each third state of Starlink's is left out, and found again from the 12 states "
    "around it on either side; each fifth of the space station's, of the days before its reboost. "
    "Element sets: their distance from Starlink's ephemeris, root mean square over the revolution "
    "after each age, over all sets.",
    limits="With a state left out the gap is twice that of the file. Of Starlink's, 60 s apart, a state is "
    "to be found within 1 m and half of them within 1 cm; of the space station's, 240 s apart, "
    "within 4 m and half within 1 m. Element sets are reported, not judged: they are not ours, and "
    "the ephemeris is a forecast, which passes to another one 4.5 km ahead after two days "
    "([trajectories.md](trajectories.md#how-good-it-is)).",
    files=(STARLINK, STATION, *SETS.values()),
    command=".venv/bin/python docs/pictures/trajectory_accuracy.py",
)


def compare(data: Path) -> Comparison:
    """Leave out states, and compare every element set."""
    states = starlink(data)
    off_cm = 1e5 * left_out_km(states, np.arange(POINTS, len(states[0]) - POINTS, EVERY))
    station_m = 1e3 * _station_left_out_km(data)
    name = Path(STARLINK).name
    (segment,) = chosen(read_ephemerides(bytes_of(data, STARLINK), name), name).ephemeris.segments
    apart = [one for kind in SETS for one in compared(data, kind, segment)]
    measures = [
        Measure(f"Starlink, largest of {len(off_cm):,} states", float(off_cm.max()), "cm", ONE_METRE_CM),
        Measure("Starlink, median", float(np.median(off_cm)), "cm", MEDIAN_CM),
        Measure(
            f"space station, largest of {len(station_m):,} states", float(station_m.max()), "m", STATION_M
        ),
        Measure("space station, median", float(np.median(station_m)), "m", STATION_MEDIAN_M),
    ]
    for kind, name in SETS.items():
        own = [one for one in apart if one.kind == kind]
        if not own:
            raise InputError(f"{(data / name).absolute()} has no element set of the ephemeris's days.")
        counts = np.count_nonzero(~np.isnan([one.rms_km[:, 1] for one in own]), axis=0)
        for hours, count, km in zip(AGES_H, counts, all_rms_km(own)[:, 1], strict=True):
            title = f"{count} {TITLES[kind]}, {hours:g} h after the epoch, in-track"
            measures.append(Measure(title, float(km), "km"))
    caption = "STARLINK-2729: each element set less the ephemeris, from its epoch on"
    picture = Picture("starlink", caption, lambda figure: _draw(figure, apart))
    return Comparison(
        len(off_cm) + len(station_m) + len(apart), "states and element sets", tuple(measures), picture
    )


def _station_left_out_km(data: Path) -> FloatArray:
    states = space_station(data)
    days = (states[0] - states[0][0]) / np.timedelta64(1, "D")
    quiet = np.flatnonzero((days > QUIET_DAYS[0]) & (days < QUIET_DAYS[1]))
    return left_out_km(states, quiet[::STATION_EVERY])


def _draw(figure: Figure, apart: list[Apart]) -> None:
    axes = figure.subplots()
    colours = dict(zip(SETS, (COLOURS[1], COLOURS[0]), strict=True))
    for one in apart:
        after_h = (one.epoch - apart[0].epoch) / np.timedelta64(1, "h")
        hours = after_h + np.arange(len(one.in_track_km)) * SAMPLE_S / 3600.0
        axes.plot(hours, one.in_track_km, color=colours[one.kind], linewidth=0.7)
    for kind, colour in colours.items():
        axes.plot([], [], color=colour, label=kind)
    axes.legend(frameon=False, fontsize=8)
    tidy(axes, f"hours after {str(apart[0].epoch)[:16]} UTC", "in-track, set less ephemeris (km)")
