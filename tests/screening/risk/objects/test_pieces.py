"""What names say of objects, against the types that SATCAT has."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np

from screening.risk.objects.pieces import beginning_with, pieces


def test_names_say_debris_as_satcat_does(shared_file: Callable[[str], Path]) -> None:
    with gzip.open(shared_file("satcat/spacetrack_satcat_20210119.csv.gz"), "rt", encoding="utf-8") as lines:
        rows = [(row["SATNAME"], row["OBJECT_TYPE"]) for row in csv.DictReader(lines)]
    names, types = np.array([name for name, _ in rows]), np.array([kind for _, kind in rows])
    debris, _ = pieces(names)
    coolant = np.char.find(names, "COOLANT") >= 0
    assert np.count_nonzero(coolant) > 60
    assert debris[coolant].all()
    assert set(types[coolant]) == {"DEBRIS"}
    assert np.mean(types[debris] == "DEBRIS") > 0.999


def test_names_begin_with_a_text_as_a_whole() -> None:
    names = ["FLOCK 4X 1", "FLOCK", "FLOCK ", "FLOC", "", "A FLOCK 1", "flock 1", "SKYSAT-C1", "SKYSAT-A"]
    found = beginning_with(np.array(names), "FLOCK ", "SKYSAT-C")
    assert found.tolist() == [name.startswith(("FLOCK ", "SKYSAT-C")) for name in names]
    assert not beginning_with(np.array(["FLOCK"])).any()
    assert len(beginning_with(np.zeros(0, "U8"), "FLOCK")) == 0
