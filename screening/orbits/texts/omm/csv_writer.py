"""Write element sets as the CSV in which catalogues are published, with every digit kept."""

import csv
from collections.abc import Sequence
from datetime import date
from typing import TextIO

import numpy as np

from screening.orbits.elements import JD_OF_ORDINAL_ZERO, ElementArray
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, instants

# The columns of CelesTrak's tables, in their order, and the fields they are made of.
FIELDS = {
    "OBJECT_NAME": "name",
    "OBJECT_ID": "object_id",
    "EPOCH": "",  # of two fields
    "MEAN_MOTION": "mean_motion_rev_day",
    "ECCENTRICITY": "eccentricity",
    "INCLINATION": "inclination_deg",
    "RA_OF_ASC_NODE": "raan_deg",
    "ARG_OF_PERICENTER": "argument_of_perigee_deg",
    "MEAN_ANOMALY": "mean_anomaly_deg",
    "EPHEMERIS_TYPE": "ephemeris_type",
    "CLASSIFICATION_TYPE": "classification",
    "NORAD_CAT_ID": "norad_id",
    "ELEMENT_SET_NO": "element_set_number",
    "REV_AT_EPOCH": "revolution_at_epoch",
    "BSTAR": "bstar_per_earth_radius",
    "MEAN_MOTION_DOT": "mean_motion_dot_rev_day2",
    "MEAN_MOTION_DDOT": "mean_motion_ddot_rev_day3",
}


def write_omm_csv(elements: ElementArray, stream: TextIO) -> None:
    """Write validated element sets (n,) as a table, so that reading it gives the same bits again.

    Numbers have as many digits as their double needs, epochs six decimals of a second or as many more as the
    fraction of their day needs. `stream` must not translate line ends.
    """
    columns = [
        _epochs(elements["epoch_jd"], elements["epoch_day_fraction"])
        if keyword == "EPOCH"
        else elements[field].tolist()
        for keyword, field in FIELDS.items()
    ]
    # The csv module writes a float as repr does: the shortest text that reads as the same double.
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(FIELDS)
    table.writerows(zip(*columns, strict=True))


def _epochs(jd: FloatArray, day_fraction: FloatArray) -> Sequence[str]:
    microseconds_per_day = SECONDS_PER_DAY * 1e6
    texts: list[str] = np.datetime_as_string(instants(jd, day_fraction), unit="us").tolist()
    # The reader divides the same way.
    exact = np.rint(day_fraction * microseconds_per_day) / microseconds_per_day == day_fraction
    for i in np.flatnonzero(~exact).tolist():
        texts[i] = _exact_epoch(int(jd[i] - JD_OF_ORDINAL_ZERO), float(day_fraction[i]))
    return texts


def _exact_epoch(ordinal: int, day_fraction: float) -> str:
    """Return an epoch with the fewest decimals, at least seven, that give the fraction of the day again."""
    numerator, denominator = day_fraction.as_integer_ratio()
    decimals = 6
    units, units_per_second = 0, 1
    while units / (int(SECONDS_PER_DAY) * units_per_second) != day_fraction:
        decimals += 1
        units_per_second = 10**decimals
        # Rounded down, so that it never becomes the next day.
        units = numerator * int(SECONDS_PER_DAY) * units_per_second // denominator
    seconds, rest = divmod(units, units_per_second)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    day = date.fromordinal(ordinal).isoformat()
    return f"{day}T{hours:02d}:{minutes:02d}:{seconds:02d}.{rest:0{decimals}d}"
