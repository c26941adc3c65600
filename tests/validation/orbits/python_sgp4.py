"""SGP4: the whole real catalogue against python-sgp4, which wraps the official C++ program."""

import csv
from pathlib import Path

import numpy as np
from sgp4 import omm
from sgp4.api import Satrec

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from tests.validation.comparison import About, Comparison, Measure, largest
from tests.validation.files import catalogue_of, text_of, understood

CATALOGUE = "gp_onorbit_20241101.csv"
ABOUT = About(
    title="SGP4: the whole catalogue",
    source="python-sgp4 by Brandon Rhodes, compiled from the official C++ code of Vallado et al.; it also "
    "reads the OMM CSV of CelesTrak.",
    what="Every element set of the catalogue of 2024-11-01, each file read by the reader of its own side, "
    "at the start of the window, after 11 hours and after 6.9 days: SGP4's code and the state.",
    limits="python-sgp4 keeps an epoch as one float64 of days since 1949, made from one of seconds: rounded "
    "by up to 0.4 us, in which 4 mm are flown at 10 km/s.",
    files=(CATALOGUE,),
    command='make test ARGS="tests/screening/orbits/sgp4/test_propagate.py"',
)
START, HOURS = np.datetime64("2024-11-01", "us"), 168.0
TIMES_S = np.array([0.0, 40_000.0, 6.9 * 86400.0])
HIGHEST_NUMBER_OF_PYTHON_SGP4 = 339_999


def compare(data: Path) -> Comparison:
    """Propagate the catalogue with both."""
    elements = catalogue_of(data, CATALOGUE)
    records = understood(data, CATALOGUE, lambda: _records(text_of(data, CATALOGUE)))
    here = np.array([number in records for number in elements["norad_id"].tolist()])
    return _compared(elements[here], records, int((~here).sum()))


def _records(text: str) -> dict[int, Satrec]:
    records = {}
    for row in csv.DictReader(text.splitlines()):
        if int(row["NORAD_CAT_ID"]) <= HIGHEST_NUMBER_OF_PYTHON_SGP4:
            record = Satrec()
            omm.initialize(record, row)
            records[int(row["NORAD_CAT_ID"])] = record
    return records


def _compared(elements: ElementArray, records: dict[int, Satrec], left_out: int) -> Comparison:
    span = window(START, HOURS)
    jd = np.full(len(TIMES_S), span.start_jd)
    fraction = span.start_day_fraction + TIMES_S / 86400.0
    error, r, v = Propagator(elements, span).on_grid(TIMES_S)
    codes = states = 0
    apart_km, apart_km_s = [], []
    for i, number in enumerate(elements["norad_id"].tolist()):
        code, theirs_r, theirs_v = records[number].sgp4_array(jd, fraction)
        codes += int((code != error[:, i]).sum())
        both = (code == 0) & (error[:, i] == 0)
        states += int(both.sum())
        apart_km.append(float(np.abs(r[both, :, i] - theirs_r[both]).max(initial=0.0)))
        apart_km_s.append(float(np.abs(v[both, :, i] - theirs_v[both]).max(initial=0.0)))
    return Comparison(
        states,
        "states",
        (
            Measure("element sets", len(elements)),
            Measure("element sets whose numbers python-sgp4 does not take", left_out),
            Measure("codes that differ", codes, limit=0),
            Measure("largest difference of a position", largest(apart_km) * 1e6, "mm", 4.0),
            Measure(
                "largest difference of a velocity", largest(apart_km_s) * 1e6, "mm/s", 0.005, rounding=True
            ),
        ),
    )
