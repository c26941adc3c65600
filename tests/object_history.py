"""A store with three element sets of each object, a day apart, and what they differ by."""

from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from storage.state.object_facts import read_facts
from storage.writing.objects_table import objects_of
from tests.made_up_run import make_run, publish
from tests.screening.oracle import prepared

DAYS = 3
_TURNS_A_DAY = 15.2


class ObjectHistory(NamedTuple):
    """The element sets of one object, the oldest first, and another object, of which there is one alone."""

    norad_id: int
    sets: ElementArray
    alone: int

    def distances_m(self) -> dict[int, list[float]]:
        """Return by python-sgp4 how far older sets are off newer ones, by the days between them, sorted."""
        found: dict[int, list[float]] = {}
        for older, newer in combinations(range(DAYS), 2):
            places = [self._place_km(which, newer) for which in (older, newer)]
            apart_m = float(np.linalg.norm(places[0] - places[1])) * 1e3
            found.setdefault(newer - older, []).append(apart_m)
        return {days: sorted(values) for days, values in found.items()}

    def _place_km(self, which: int, at: int) -> FloatArray:
        (record,) = prepared(self.sets[which : which + 1])
        failed, r_km, _ = record.sgp4(
            float(self.sets["epoch_jd"][at]), float(self.sets["epoch_day_fraction"][at])
        )
        assert not failed
        return np.array(r_km)


def publish_history(store: Path) -> ObjectHistory:
    """Publish DAYS runs of low orbits, a day apart."""
    sets = []
    for day in range(DAYS):
        made_up = make_run(hours_later=24.0 * day)
        elements = made_up.elements
        elements["mean_motion_rev_day"], elements["eccentricity"] = _TURNS_A_DAY, 0.001
        elements["bstar_per_earth_radius"], elements["epoch_day_fraction"] = 5e-4, 0.25
        elements["epoch_jd"][:-1] += day
        elements["mean_anomaly_deg"][:-1] = 360.0 * _TURNS_A_DAY * day % 360.0  # not as SGP4 has it
        publish(store, made_up, objects=objects_of(elements, read_facts(store)))
        sets.append(elements[:1])
    numbers = elements["norad_id"]
    return ObjectHistory(int(numbers[0]), np.concatenate(sets), int(numbers[-1]))
