"""A made-up run that has counted its approaches."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import window
from storage.sky.environment import count_environment
from storage.writing.objects_table import ObjectArray, objects_of
from tests.made_up_run import WINDOW_START, make_run, publish_anew


class Counted(NamedTuple):
    """What has been published."""

    run_id: str
    objects: ObjectArray
    names: list[str]


def counted_run(store: Path, *, threshold_km: float = 10.0, hours_later: float = 0.0) -> Counted:
    """Publish a run of 400 encounters of 40 objects, some in constellations and two docked, and count it."""
    made_up = make_run(400, 40, hours_later=hours_later, synthetic=False)
    elements, conjunctions = made_up.elements, made_up.conjunctions
    elements["mean_motion_rev_day"], elements["eccentricity"] = 14.2, 0.001
    elements["inclination_deg"] *= 90.0
    elements["name"][::3] = [f"STARLINK-{k}" for k in range(14)]
    elements["name"][3:12:3] = ["ONEWEB-1", "ONEWEB-2", "ONEWEB-3"]
    for axis in "xyz":  # from 0 to 4,000 km up
        conjunctions[f"primary_{axis}_km"] = 3690.0 + 0.23 * conjunctions[f"primary_{axis}_km"]
    conjunctions["probability_best"] *= 1e-8
    objects = objects_of(elements)
    objects["owner"] = np.array(["SPXS", "GUKOS", "", "GSFC"])[np.arange(40) % 4]
    objects["complex_id"][[5, 6]] = objects["norad_id"][5]
    run_id = publish_anew(store, made_up, objects=objects)
    span = window(np.datetime64(WINDOW_START.replace(tzinfo=None), "us"), 24.0)
    count_environment(store, run_id, elements, objects, span, threshold_km)
    return Counted(run_id, objects, elements["name"].tolist())
