"""Approaches a day in past catalogues, closer than 1 and 5 km, against a count by python-sgp4 alone."""

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree
from sgp4.api import Satrec, SatrecArray

from storage.sky.crowding import COLUMNS, rows_of_run
from tests.runs import make_run, source_of

pytestmark = pytest.mark.slow

EARTH_KM, MU = 6378.135, 398600.8
STEP_S, FASTEST_KM_S, DAY_S = 20.0, 16.0, 86400.0
OBJECTS = 600


def low_ones(path: Path, from_km: float, to_km: float) -> list[tuple[str, str, str]]:
    """Return the names and lines of the first OBJECTS of a catalogue that stay between two altitudes."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    found = []
    for name, first, second in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        axis_km = (MU / (float(second[52:63]) * 2.0 * np.pi / DAY_S) ** 2) ** (1.0 / 3.0)
        ends = [axis_km * (1.0 + sign * float(f".{second[26:33]}")) - EARTH_KM for sign in (-1.0, 1.0)]
        if from_km < ends[0] and ends[1] < to_km:
            found.append((name, first, second))
    return found[:OBJECTS]


def counted(objects: list[tuple[str, str, str]], midnight: float) -> tuple[dict[float, int], list[float]]:
    """Count fast approaches of a day closer than 1 and 5 km; return the heights of the latter, too."""
    records = [Satrec.twoline2rv(first, second) for _, first, second in objects]
    times_s = np.arange(0.0, DAY_S + STEP_S, STEP_S)
    error, r, v = SatrecArray(records).sgp4(np.full(len(times_s), midnight), times_s / DAY_S)
    assert not error.any()
    found: dict[tuple[int, int, int], tuple[float, float]] = {}
    for step, time_s in enumerate(times_s):
        here = cKDTree(r[:, step])
        for a, b in here.query_pairs(5.0 + FASTEST_KM_S * STEP_S / 2.0 + 2.0):
            apart, speed = r[b, step] - r[a, step], v[b, step] - v[a, step]
            when_s = time_s - apart @ speed / (speed @ speed)
            if (
                abs(when_s - time_s) > STEP_S / 2.0 + 2.0
                or np.linalg.norm(apart + speed * (when_s - time_s)) > 10.0
            ):
                continue
            for _ in range(4):
                (_, r_a, v_a), (_, r_b, v_b) = (records[k].sgp4(midnight, when_s / DAY_S) for k in (a, b))
                apart, speed = np.subtract(r_b, r_a), np.subtract(v_b, v_a)
                when_s -= apart @ speed / (speed @ speed)
            if 0.0 <= when_s < DAY_S and np.linalg.norm(speed) >= 0.01:
                place = (a, b, round(when_s / 5.0))
                height_km = float(np.linalg.norm(r_a)) - EARTH_KM
                found.setdefault(place, (float(np.linalg.norm(apart)), height_km))
    misses = [miss for miss, _ in found.values()]
    counts = {limit: sum(miss < limit for miss in misses) for limit in (1.0, 5.0)}
    return counts, [height for miss, height in found.values() if miss < 5.0]


@pytest.mark.parametrize(
    ("day", "from_km", "to_km"),
    [("20140101", 700.0, 900.0), ("20160103", 1350.0, 1550.0), ("20200108", 700.0, 900.0)],
)
def test_approaches_a_day(
    shared_file: Callable[[str], Path], store: Path, tmp_path: Path, day: str, from_km: float, to_km: float
) -> None:
    objects = low_ones(shared_file(f"history/catalogues/{day}.tle.gz"), from_km, to_km)
    start = np.datetime64(f"{day[:4]}-{day[4:6]}-{day[6:]}", "us")
    midnight = 2440587.5 + float((start - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"))
    counts, heights_km = counted(objects, midnight)
    run = make_run(source_of([line for one in objects for line in one], tmp_path), store, start, hours=24.0)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in rows_of_run(store, run.run_id, "shell", 1)]
    shells = [row for row in rows if row["one"] == "all"]
    assert sum(row["approaches_1km_day"] for row in shells) == counts[1.0] > 0
    assert sum(row["approaches_5km_day"] for row in shells) == counts[5.0] > 30
    for row in shells:
        inside = [h for h in heights_km if row["altitude_from_km"] <= h < row["altitude_to_km"]]
        assert row["approaches_5km_day"] == len(inside)
