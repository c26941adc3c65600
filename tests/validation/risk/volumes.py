"""Screening volumes against the handbook's tables."""

from functools import partial
from pathlib import Path

from screening.volumes.handbook import ROWS
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import numbers, rows_of, understood

FILE = "volumes/handbook_1_7.csv"
# The titles of the published tables and ours. Of early orbits no element set tells.
TABLES = {"catalogue": "", "operator ephemeris": "ephemeris "}
SHAPES = {"covariance": "box", "ellipsoid": "ellipsoid"}
_SIZES = ("radial_km", "in_track_km", "cross_track_km")

ABOUT = About(
    title="Screening volumes",
    source="18th and 19th Space Defense Squadrons, Spaceflight Safety Handbook for Satellite Operators, "
    "version 1.7 (2023), at https://www.space-track.org/documentation.",
    what="Half-lengths and semi-axes of the handbook's volumes for objects of the catalogue and for "
    'operators\' ephemerides, and their shapes; what the handbook calls "covariance" is a box here.',
    limits="They are the same numbers.",
    files=(FILE,),
    command='make test ARGS="tests/screening/volumes/test_handbook.py"',
)


def compare(data: Path) -> Comparison:
    """Count the volumes that we do not have as published."""
    ours = {row.regime: row.volume for row in ROWS}
    published = [row for row in published_rows(data) if row["table"] in TABLES]
    differ = 0
    for row in published:
        shape, *sizes_km = ours.get(TABLES[row["table"]] + row["regime"], ("none",))
        theirs_km = understood(data, FILE, partial(numbers, row, _SIZES))
        differ += (shape, sizes_km) != (SHAPES.get(row["shape"]), theirs_km)
    return Comparison(len(published), "volumes", (Measure("volumes that differ", differ, "", 0),))


def published_rows(data: Path) -> list[dict[str, str]]:
    """Read the handbook's tables."""
    return rows_of(data, FILE, ("table", "regime", "shape", *_SIZES))
