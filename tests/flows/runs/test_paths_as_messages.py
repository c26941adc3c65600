"""Paths of objects, written as messages, read and flown: a run finds what it finds on their element sets.

It needs no data from outside but a catalogue: any difference would be ours.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from typer.testing import CliRunner

from screening.orbits.elements import ElementArray
from screening.orbits.reference.celestial import FrameName
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.ephemerides.write import OemForm, write_oem
from screening.orbits.timegrid import window
from skysieve import command_line
from storage.reading.newest_run import connect
from tests.screening.paths_as_ephemerides import ephemerides_of

SPAN = window(np.datetime64("2024-11-01T00:00:00", "us"), 24.0)
STEP_S, BEYOND_S = 60.0, 1800.0
FORMS: tuple[OemForm, ...] = ("kvn", "xml")
FRAMES: tuple[FrameName, ...] = ("EME2000", "GCRF", "ITRF", "TOD", "TEME")
MILLISECOND_S, METRE_M = 1e-3, 1.0


def of_all_regimes(elements: ElementArray) -> npt.NDArray[np.intp]:
    """Return the places of 300 objects that SGP4 does not lose."""
    e, rate = elements["eccentricity"], elements["mean_motion_rev_day"]
    ends_s = np.array([-BEYOND_S, SPAN.seconds + BEYOND_S])
    good = ~Propagator(elements, SPAN).on_grid(ends_s)[0].any(axis=0)
    chosen = [
        np.flatnonzero(good & those)
        for those in (rate > 14.0, (rate > 11.25) & (rate <= 14.0), e > 0.5, (rate < 11.25) & (e <= 0.5))
    ]
    return np.unique([rows[np.linspace(0, len(rows) - 1, 75).astype(int)] for rows in chosen])


def screened(catalogue: Path, store: Path) -> list[tuple[Any, ...]]:
    """Screen a catalogue by the command, and return the events."""
    words = ["screen", catalogue, "--start", "2024-11-01T00:00:00Z", "--hours", "24", "--store", store]
    done = subprocess.run(
        [sys.executable, "-m", "skysieve", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with connect(store) as connection:
        return connection.execute(
            "SELECT primary_norad_id, secondary_norad_id, encounter, epoch_us(tca) / 1e6, miss_distance_m, "
            "'ephemeris' IN (primary_trajectory, secondary_trajectory) FROM conjunctions ORDER BY 1, 2, 3, 4"
        ).fetchall()


@pytest.mark.slow
def test_300_objects_on_messages_of_their_paths_have_the_events_of_the_run(
    shared_file: Callable[[str], Path], tmp_path: Path
) -> None:
    catalogue = shared_file("gp_onorbit_20241101.csv")
    elements = parse_catalogue(catalogue.read_bytes()).elements
    chosen = of_all_regimes(elements)
    assert len(chosen) == 300
    times_s = np.arange(-BEYOND_S, SPAN.seconds + BEYOND_S, STEP_S)
    _, _, v = Propagator(elements[chosen], SPAN).on_grid(times_s)
    made = ephemerides_of(elements, SPAN, chosen, times_s)
    for k, (ephemeris,) in enumerate(made.values()):
        form, frame = FORMS[k % len(FORMS)], FRAMES[k % len(FRAMES)]
        path = tmp_path / f"{k}.{form}"
        v_teme_km_s = [np.ascontiguousarray(v[:, :, k])]
        path.write_text(
            write_oem(ephemeris, v_teme_km_s, form, frame=frame, originator="TEST", created=SPAN.start)
        )
        store = str(tmp_path / "with")
        done = CliRunner().invoke(command_line.app, ["trajectories", "add", str(path), "--store", store])
        assert done.exit_code == 0, done.output

    expected = screened(catalogue, tmp_path / "without")
    found = screened(catalogue, tmp_path / "with")

    numbers = set(elements["norad_id"][chosen].tolist())
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert [row[5] for row in found] == [bool(numbers & {row[0], row[1]}) for row in found]
    assert sum(row[5] for row in found) > 300
    ours, theirs = (np.array([row[3:5] for row in rows if row[2] == "fast"]) for rows in (found, expected))
    tca_s, miss_m = np.abs(ours - theirs).max(axis=0)
    assert tca_s < MILLISECOND_S
    assert miss_m < METRE_M
