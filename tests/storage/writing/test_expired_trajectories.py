"""Trajectories expire after their end, unless the newest run used them."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.ephemerides import Ephemeris, Segment
from storage.times import datetime64_us
from storage.trajectories.kept import add_trajectory, trajectories
from storage.trajectories.trajectory_file import About
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START, make_run, publish

DAYS_30 = Retention(timedelta(days=30), timedelta(days=30))


def add(store: Path, norad_id: int, added_day: float = 0.0) -> str:
    """Add a trajectory of the first 20 minutes of the first run's window."""
    start = datetime64_us(WINDOW_START)
    epochs = start + np.arange(20) * np.timedelta64(60, "s")
    segment = Segment(
        epochs, np.full((20, 3), 7000.0), epochs[0], epochs[-1], epochs[:0], np.empty((0, 6, 6))
    )
    added = WINDOW_START + timedelta(days=added_day)
    about = About("definitive", "a.oem", "0" * 64, added, restricted=False)
    return add_trajectory(store, Ephemeris(norad_id, "A", "", (segment,)), about)


def kept(store: Path) -> set[str]:
    return {one.id for one in trajectories(store)}


@pytest.mark.parametrize(("day", "removed"), [(30.0, 0), (30.1, 1)])
def test_one_is_removed_when_its_end_is_long_ago(store: Path, day: float, removed: int) -> None:
    publish(store, make_run(seed=1, hours_later=0))
    ended, added_late = add(store, 1), add(store, 2, added_day=20.0)
    assert compact(store, WINDOW_START + timedelta(days=day), DAYS_30).trajectories == removed
    assert kept(store) == {added_late} | ({ended} if not removed else set())


@pytest.mark.slow
def test_the_newest_run_keeps_its_own(store: Path) -> None:
    used = [add(store, 1), add(store, 2)]
    others = add(store, 3)
    made_up = make_run(seed=1, hours_later=0)
    publish(store, made_up._replace(run=replace(made_up.run, trajectories=" ".join(used))))
    assert compact(store, WINDOW_START + timedelta(days=40), DAYS_30).trajectories == 1
    assert kept(store) == set(used)
    assert others not in used
