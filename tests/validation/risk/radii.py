"""Hard-body radii: NASA CARA's table as read, and the radii of types beside it."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.risk.objects.hard_body import DEFAULT_RADIUS_M
from screening.vocabulary import OBJECT_TYPES, ObjectType
from storage.state.fact_files import NO_ESTIMATE, parse_facts
from storage.state.object_facts import NO_FACTS, RADIUS_DTYPE, ObjectFacts
from storage.writing.objects_table import objects_of
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import bytes_of, catalogue_of, rows_of, understood

FILE = "hbr/HBR_Mass_Estimates_20260601.csv"
CATALOGUE = "gp_onorbit_20241101.csv"
PARTNER_M = 2.0  # a payload
OUT_OF_RANGE = 1  # values above 100 m, of which there is one
# A radius stands for a type if it gives the probabilities of those in the table within this factor.
WITHIN = 2.0

ABOUT = About(
    title="Hard-body radii",
    source="NASA CARA, Hard-body radius and mass estimates of 2026-06 "
    "(https://github.com/nasa/CARA_Analysis_Tools).",
    what="Every row of the table as our reader takes it; and, for the objects of the catalogue of "
    "2024-11-01 that it has, the one radius of a type that gives the same probabilities with a "
    "payload of 2 m, beside the value used where nothing is known but the type.",
    limits="Rows without a radius or of a class's mean (`Default`) are left out, and one value above 100 m. "
    "Payloads are reported, not judged: those in the table are large, mostly missions that CARA looks "
    "after; the value used is their median.",
    files=(FILE, CATALOGUE),
    command=".venv/bin/python tests/benchmarks/radius_tables.py",
)


class TypeRadii(NamedTuple):
    """The radii of one type of objects."""

    name: ObjectType
    objects: int  # in the catalogue
    known_m: FloatArray  # (n,), in the table

    @property
    def same_m(self) -> float:
        """The radius that acts as these do with a payload: its square with that one's is their mean."""
        if not len(self.known_m):
            return np.nan
        return float(np.sqrt(np.mean((PARTNER_M + self.known_m) ** 2)) - PARTNER_M)


def compare(data: Path) -> Comparison:
    """Read the table in two ways, and compare the radii of types."""
    plain, table = plain_radii_m(data), cara_facts(data)
    ours = dict(zip(table.radii["norad_id"].tolist(), table.radii["radius_m"].tolist(), strict=True))
    differ = sum(plain.get(number) != radius_m for number, radius_m in ours.items())
    measures = [
        Measure("radii read", len(ours)),
        Measure("of these not as in the table", differ, "", 0),
        Measure("left out: out of range", len(plain.keys() - ours.keys()), "", OUT_OF_RANGE),
    ]
    elements = catalogue_of(data, CATALOGUE)
    for one in by_type(elements, table):
        value_m = DEFAULT_RADIUS_M[one.name]
        factor = max(one.same_m / value_m, value_m / one.same_m)
        name = f"{one.name.replace('_', ' ')}, {len(one.known_m):,} in the table: factor off"
        measures.append(Measure(name, factor, "", None if one.name == "payload" else WITHIN))
    return Comparison(len(plain), "radii", tuple(measures))


def plain_radii_m(data: Path) -> dict[int, float]:
    """Return every estimate in the table by catalogue number, unchecked."""
    rows = rows_of(data, FILE, ("ObjectID", "HBR", "HBRSource"))
    given = [row for row in rows if row["HBR"] and row["HBRSource"] != NO_ESTIMATE]
    return understood(data, FILE, lambda: {int(row["ObjectID"]): float(row["HBR"]) for row in given})


def cara_facts(data: Path) -> ObjectFacts:
    """Return the facts in NASA CARA's table, as runs have them."""
    table = parse_facts(bytes_of(data, FILE), "CARA")
    radii = np.array([(norad_id, radius_m) for norad_id, radius_m, *_ in table.facts], RADIUS_DTYPE)
    radii.sort(order="norad_id")
    return NO_FACTS._replace(radii=radii)


def by_type(elements: ElementArray, facts: ObjectFacts) -> list[TypeRadii]:
    """Return the radii that the table has of each type of a catalogue's objects."""
    objects = objects_of(elements, facts)
    from_table = objects["hard_body_source"] == HARD_BODY_SOURCES.index("table")
    found = []
    for code, name in enumerate(OBJECT_TYPES):
        of_type = objects["object_type"] == code
        known_m = objects["hard_body_radius_m"][of_type & from_table]
        found.append(TypeRadii(name, int(np.count_nonzero(of_type)), known_m))
    return found
