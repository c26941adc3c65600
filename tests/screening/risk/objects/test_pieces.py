"""What names say of objects, against the types that SATCAT has."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np

from screening.risk.objects.pieces import pieces


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
