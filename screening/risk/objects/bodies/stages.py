"""Stages of rockets by their names in catalogues: length, diameter and dry mass, as GCAT has them.

A stage that a table of bodies has by its number is taken from there: one name stands for several variants,
and some of them lose parts in orbit. All count as cylinders.
"""

import re
from collections.abc import Container
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.bodies.shadow import Shapes, bounding_radius_m, mean_shadow_radius_m
from screening.risk.objects.pieces import pieces


class Stage(NamedTuple):
    """A kind of stage, recognised by the text before ` R/B` in names, or in brackets after it.

    `like` is the number of an object of that kind: the row has its length, diameter and dry mass in GCAT, to
    which a tenth of a metre is the last digit.
    """

    names: tuple[str, ...]
    length_m: float
    diameter_m: float
    dry_mass_kg: float
    like: int
    kind: str


# J. McDowell, General Catalog of Artificial Space Objects (planet4589.org/space/gcat, CC BY 4.0),
# `satcat.tsv` of 2026-09-28. Two rows look doubtful: see docs/probability.md.
STAGES = (
    # Soviet Union, Russia, Ukraine
    Stage(("SL-3",), 3.8, 2.6, 1440, 5918, "Vostok-2M, Blok-E"),
    Stage(("SL-4",), 6.7, 2.7, 2350, 36087, "Soyuz, Blok-I"),
    Stage(("SL-6",), 3.3, 2.3, 900, 14894, "Molniya-M, Blok-2BL"),
    Stage(("SL-8",), 4.2, 2.4, 1434, 10918, "Kosmos-3M, second stage"),
    Stage(("AUX MOTOR",), 1.0, 0.6, 56, 36115, "ullage motor of Blok DM"),
    Stage(("SL-12",), 6.3, 3.7, 2440, 13610, "Proton, Blok DM-2"),
    Stage(("SL-14",), 2.8, 2.2, 1600, 10974, "Tsyklon-3, third stage"),
    Stage(("SL-16",), 11.1, 3.9, 9000, 26070, "Zenit-2, second stage"),
    Stage(("SL-19", "BREEZE-KM"), 4.1, 2.6, 2370, 36589, "Briz-KM"),
    Stage(("SL-24", "DNEPR 1"), 3.0, 3.0, 1000, 36600, "Dnepr, third stage"),
    # Without its auxiliary tank, which it casts off.
    Stage(("BREEZE-M", "BREEZE M"), 2.6, 2.5, 1600, 36102, "Briz-M"),
    Stage(("BLOCK DM-SL", "BLOCK DM"), 5.9, 3.7, 2540, 36107, "Blok DM-SLB"),
    Stage(("FREGAT",), 1.7, 3.3, 1000, 43688, "Fregat"),
    # Europe
    Stage(("ARIANE 1", "ARIANE 2", "ARIANE 3"), 14.0, 2.6, 1920, 15388, "H10"),
    Stage(
        ("ARIANE 40", "ARIANE 42L", "ARIANE 42P", "ARIANE 44L", "ARIANE 44LP", "ARIANE 44P"),
        *(12.1, 2.6, 1820, 26096, "H10-3"),
    ),
    # Most of them; the storable stage of other flights is 3.3 x 3.9 m, 1,190 kg (26110).
    Stage(("ARIANE 5",), 7.0, 5.5, 5000, 36583, "ESC-A"),
    Stage(("AVUM",), 1.7, 1.9, 660, 40698, "Vega, AVUM"),
    Stage(("DIAMANT",), 2.0, 0.7, 65, 1805, "Diamant A, third stage"),
    # United States
    Stage(("VANGUARD",), 1.5, 0.7, 22, 16, "third stage"),
    Stage(("THOR ABLESTAR",), 4.8, 1.4, 600, 47, "Ablestar"),
    Stage(("THOR AGENA B",), 6.3, 1.5, 705, 741, "Agena B"),
    Stage(
        ("THOR AGENA D", "THORAD AGENA D", "ATLAS AGENA", "ATLAS AGENA D", "TITAN 34B"),
        *(6.3, 1.5, 600, 733, "Agena D"),
    ),
    Stage(("THOR BURNER 2", "THOR BURNER 2A"), 1.0, 1.0, 115, 5904, "Burner 2A"),
    Stage(
        ("SCOUT X-1", "SCOUT X-4", "SCOUT A", "SCOUT A-1", "SCOUT B", "SCOUT B-1", "SCOUT D-1", "SCOUT G-1"),
        *(1.5, 0.5, 33, 1815, "Altair 2"),
    ),
    Stage(("DELTA 1",), 6.0, 1.4, 845, 10954, "second stage"),
    Stage(("DELTA 2",), 6.0, 2.4, 924, 36120, "second stage"),
    Stage(("DELTA 4",), 12.0, 4.0, 2850, 36586, "4-m stage"),
    Stage(("DELTA 4H",), 12.0, 5.0, 3450, 36109, "5-m stage"),
    Stage(("ATLAS CENTAUR", "ATLAS 1 CENTAUR"), 9.1, 3.1, 1800, 10976, "Centaur D-1AR"),
    Stage(
        ("ATLAS 2 CENTAUR", "ATLAS 2A CENTAUR", "ATLAS 2AS CENTAUR"),
        *(10.1, 3.1, 1840, 26072, "Centaur IIA"),
    ),
    Stage(("ATLAS 5 CENTAUR", "ATLAS V CENTAUR"), 11.7, 3.1, 2020, 36098, "Centaur with one engine"),
    Stage(("TITAN 4 CENTAUR", "TITAN 4B CENTAUR", "TITAN 401 CENTAUR"), 9.0, 4.3, 2775, 22989, "Centaur T"),
    Stage(
        ("TITAN 3A TRANSTAGE", "TITAN 3C TRANSTAGE", "TITAN 34D TRANSTAGE"),
        *(4.6, 3.1, 1950, 10942, "Transtage"),
    ),
    Stage(("IUS",), 3.5, 2.3, 1164, 13639, "first of its two motors"),
    Stage(("TITAN 34D IUS",), 2.1, 1.6, 1100, 13643, "second of its two motors"),
    Stage(("PAM-D",), 1.8, 1.2, 191, 13658, "Star 48"),
    Stage(("PAM-D2",), 1.8, 1.6, 230, 16295, "Star 63D"),
    Stage(
        ("PEGASUS", "TAURUS", "MINOTAUR", "MINOTAUR 1", "MINOTAUR 4", "MINOTAUR-C"),
        *(1.4, 1.0, 202, 22491, "Orion 38"),
    ),
    Stage(("FALCON 9", "FALCON HEAVY"), 12.6, 3.6, 4000, 43612, "second stage"),
    Stage(("ELECTRON KICK STAGE",), 0.4, 1.2, 40, 56752, "kick stage"),
    Stage(("ELECTRON",), 2.4, 1.2, 250, 56755, "second stage"),
    # China, Japan, India
    Stage(("CZ-2C",), 8.4, 3.3, 3800, 36089, "second stage"),
    Stage(("CZ-2D",), 8.0, 3.3, 4006, 36597, "second stage"),
    Stage(("CZ-3",), 7.5, 2.3, 2000, 14900, "third stage"),
    Stage(("CZ-3A", "CZ-3B", "CZ-3C", "CZ-7A"), 12.4, 3.0, 2800, 43649, "third stage"),
    Stage(("CZ-4", "CZ-4B", "CZ-4C"), 6.9, 2.9, 1000, 36123, "third stage"),
    Stage(("H-2A",), 9.2, 4.0, 4000, 36105, "second stage"),
    Stage(("H-2",), 11.0, 4.0, 2700, 22980, "second stage"),
    Stage(("PSLV",), 2.7, 2.8, 920, 43620, "fourth stage"),
    Stage(("GSLV",), 9.9, 2.8, 2630, 56760, "cryogenic stage"),
)

# What stands before ` R/B` in `SL-8 R/B`, `IUS R/B(1)`, `RUBIN-3 & SL-8 R/B`, `ARIANE 44L+3 R/B`; what in
# brackets in `OPTUS A1 R/B [PAM-D]`, `SL-12 R/B(AUX MOTOR)`.
_KIND = re.compile(r"(?:.* & )?(.*?)(?:\+\d?)? R/B(?:.*[(\[]([A-Z].*?)[)\]])?")


class NamedBodies(NamedTuple):
    """What the names of objects (n,) say of their bodies; NaN: nothing."""

    radius_m: FloatArray
    bounding_radius_m: FloatArray
    mass_kg: FloatArray


def stage_bodies(names: npt.NDArray[np.str_]) -> NamedBodies:
    """Return the bodies of stages among objects with these names (n,). Pieces of them have none."""
    stages = {name: place for place, stage in enumerate(STAGES) for name in stage.names}
    debris, rocket_bodies = pieces(names)
    which = np.full(len(names), len(STAGES))
    whole = rocket_bodies & ~debris
    which[whole] = [stages.get(_kind(name, stages), len(STAGES)) for name in names[whole].tolist()]
    length_m, diameter_m, mass_kg = np.array([stage[1:4] for stage in STAGES]).T
    shapes = Shapes(np.full(len(STAGES), "Cyl"), length_m, diameter_m, np.zeros(len(STAGES)))
    of_stages = (mean_shadow_radius_m(shapes), bounding_radius_m(shapes), mass_kg)
    return NamedBodies(*(np.append(values, np.nan)[which] for values in of_stages))


def _kind(name: str, kinds: Container[str]) -> str:
    """Return the kind of a stage by its name: what is in brackets if that is one, else what is before."""
    found = _KIND.match(name)
    if found is None:
        return ""
    return found[2] if found[2] in kinds else found[1]
