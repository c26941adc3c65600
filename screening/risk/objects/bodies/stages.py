"""Stages of rockets by their names in catalogues: length, diameter, dry mass, and who published them.

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

_HISTORY = "NASA TM-2018-220037, History of on-orbit satellite fragmentations"
_GUIDE = "Isakowitz, Hopkins & Hopkins, International reference guide to space launch systems, 2004"
_ASTRONAUTIX = "M. Wade, Encyclopedia Astronautica, astronautix.com"
_REPORT = "E. Kyle, Space Launch Report, 2020"


class Stage(NamedTuple):
    """A kind of stage, told by what stands before ` R/B` in names, or in brackets behind it."""

    names: tuple[str, ...]
    length_m: float
    diameter_m: float
    dry_mass_kg: float
    source: str


STAGES = (
    # Soviet Union, Russia, Ukraine
    Stage(("SL-3",), 3.8, 2.6, 1100, f"Vostok, last stage: {_HISTORY}"),
    Stage(("SL-4",), 6.7, 2.66, 2355, "Soyuz, third stage: Arianespace, Soyuz user's manual, 2012"),
    Stage(("SL-6",), 3.2, 2.4, 1160, f"Molniya, Blok ML: {_ASTRONAUTIX}"),
    Stage(("SL-8",), 6.5, 2.4, 1435, f"Kosmos-3M, second stage: {_GUIDE}"),
    Stage(("AUX MOTOR",), 1.0, 0.6, 56, f"ullage motor of Blok DM: {_HISTORY}"),
    Stage(("SL-12",), 6.28, 3.7, 2440, f"Proton, Blok DM: {_GUIDE}"),
    Stage(("SL-14",), 2.6, 2.25, 1407, f"Tsyklon-3, third stage: {_GUIDE}"),
    Stage(("SL-16",), 10.4, 3.9, 9017, f"Zenit-2, second stage: {_GUIDE}"),
    Stage(("SL-19", "BREEZE-KM"), 2.65, 2.5, 1420, "Eurockot, Rockot user's guide, 2011"),
    Stage(("SL-24", "DNEPR 1"), 1.5, 3.0, 2356, "Dnepr, third stage: Kosmotras, user's guide, 2001"),
    # Without its auxiliary tank, which it casts off; the mass has it.
    Stage(("BREEZE-M", "BREEZE M"), 2.65, 2.5, 2370, "ILS, Proton mission planner's guide, 2009"),
    Stage(("BLOCK DM-SL", "BLOCK DM"), 5.6, 3.7, 2720, "Sea Launch, user's guide, 2003"),
    Stage(("FREGAT",), 1.5, 3.35, 902, "Arianespace, Soyuz user's manual, 2012"),
    # Europe
    Stage(("ARIANE 1", "ARIANE 2", "ARIANE 3"), 10.3, 2.6, 1400, f"third stage: {_HISTORY}"),
    Stage(
        ("ARIANE 40", "ARIANE 42L", "ARIANE 42P", "ARIANE 44L", "ARIANE 44LP", "ARIANE 44P"),
        *(10.7, 2.6, 1240, f"H10: {_GUIDE}"),
    ),
    # Most of them; the storable stage of earlier flights is 3.4 x 3.9 m, 1,200 kg.
    Stage(("ARIANE 5",), 4.71, 5.4, 4540, "ESC-A: Arianespace, Ariane 5 user's manual, 2016"),
    Stage(("AVUM",), 1.74, 1.95, 688, "Arianespace, Vega user's manual, 2014"),
    Stage(("DIAMANT",), 2.06, 0.65, 68, f"third stage: {_ASTRONAUTIX}"),
    # United States
    Stage(("VANGUARD",), 1.5, 0.5, 31, f"third stage: {_ASTRONAUTIX}"),
    Stage(("THOR ABLESTAR",), 4.5, 1.4, 599, f"Ablestar: {_ASTRONAUTIX}"),
    Stage(("THOR AGENA B",), 7.09, 1.52, 867, f"Agena B: {_ASTRONAUTIX}"),
    Stage(
        ("THOR AGENA D", "THORAD AGENA D", "ATLAS AGENA", "ATLAS AGENA D", "TITAN 34B"),
        *(6.3, 1.52, 673, f"Agena D: {_ASTRONAUTIX}"),
    ),
    Stage(("THOR BURNER 2", "THOR BURNER 2A"), 0.84, 0.94, 116, f"Burner 2: {_ASTRONAUTIX}"),
    Stage(
        ("SCOUT X-1", "SCOUT X-4", "SCOUT A", "SCOUT A-1", "SCOUT B", "SCOUT B-1", "SCOUT D-1", "SCOUT G-1"),
        *(1.48, 0.5, 26, f"Altair 3: {_ASTRONAUTIX}"),
    ),
    Stage(("DELTA 1",), 5.8, 1.4, 900, f"second stage: {_HISTORY}"),
    Stage(("DELTA 2",), 5.9, 1.7, 950, "second stage: ULA, Delta II payload planners guide, 2006"),
    Stage(("DELTA 4",), 12.2, 4.0, 2850, "4-m stage: ULA, Delta IV payload planners guide, 2007"),
    Stage(("DELTA 4H",), 13.7, 5.1, 3490, "5-m stage: ULA, Delta IV payload planners guide, 2007"),
    Stage(("ATLAS CENTAUR", "ATLAS 1 CENTAUR"), 9.14, 3.05, 1815, f"Centaur D: {_ASTRONAUTIX}"),
    Stage(
        ("ATLAS 2 CENTAUR", "ATLAS 2A CENTAUR", "ATLAS 2AS CENTAUR"),
        *(10.06, 3.05, 2100, f"Centaur II: {_GUIDE}"),
    ),
    Stage(("ATLAS 5 CENTAUR", "ATLAS V CENTAUR"), 12.68, 3.05, 2243, "ULA, Atlas V user's guide, 2010"),
    Stage(("TITAN 4 CENTAUR", "TITAN 4B CENTAUR", "TITAN 401 CENTAUR"), 8.94, 4.33, 2740, f"{_GUIDE}"),
    Stage(
        ("TITAN 3A TRANSTAGE", "TITAN 3C TRANSTAGE", "TITAN 34D TRANSTAGE"),
        *(4.57, 3.05, 1950, f"Transtage: {_ASTRONAUTIX}"),
    ),
    Stage(("IUS", "TITAN 34D IUS"), 3.15, 2.34, 1134, f"first of its two motors: {_GUIDE}"),
    Stage(("PAM-D",), 2.04, 1.25, 189, f"Star 48: {_ASTRONAUTIX}"),
    Stage(("PAM-D2",), 1.8, 1.6, 434, f"Star 63D: {_ASTRONAUTIX}"),
    Stage(
        ("PEGASUS", "TAURUS", "MINOTAUR", "MINOTAUR 1", "MINOTAUR 4", "MINOTAUR-C"),
        *(1.34, 0.97, 126, "Orion 38: Northrop Grumman, Pegasus user's guide, 2020"),
    ),
    Stage(("FALCON 9", "FALCON HEAVY"), 13.8, 3.66, 4500, f"second stage: {_REPORT}"),
    Stage(("ELECTRON KICK STAGE",), 0.5, 1.2, 40, "Rocket Lab, payload user's guide, 2020"),
    Stage(("ELECTRON",), 2.4, 1.2, 250, "second stage: Rocket Lab, payload user's guide, 2020"),
    # China, Japan, India
    Stage(("CZ-2C",), 7.76, 3.35, 4000, "second stage: CALT, LM-2C user's manual, 1999"),
    Stage(("CZ-2D",), 10.9, 3.35, 4000, f"second stage: {_GUIDE}"),
    Stage(("CZ-3",), 7.48, 2.25, 2000, f"third stage: {_GUIDE}"),
    Stage(
        ("CZ-3A", "CZ-3B", "CZ-3C", "CZ-7A"),
        *(12.38, 3.0, 2740, "third stage: CALT, LM-3A series user's manual, 2011"),
    ),
    Stage(("CZ-4", "CZ-4B", "CZ-4C"), 4.93, 2.9, 1000, f"third stage: {_GUIDE}"),
    Stage(("H-2A", "H-2"), 9.2, 4.0, 3100, "second stage: MHI, H-IIA user's manual, 2015"),
    Stage(("PSLV",), 3.0, 1.34, 920, "fourth stage: ISRO, PSLV brochure"),
    Stage(("GSLV",), 8.7, 2.8, 2500, "cryogenic stage: ISRO, GSLV brochure"),
)

# What stands before ` R/B` in `SL-8 R/B`, `IUS R/B(1)`, `RUBIN-3 & SL-8 R/B`, `ARIANE 44L+3 R/B`; what in
# brackets in `OPTUS A1 R/B [PAM-D]`, `SL-12 R/B(AUX MOTOR)`.
_KIND = re.compile(r"(?:.* & )?(.*?)(?:\+\d?)? R/B(?:.*[(\[]([A-Z].*?)[)\]])?")


class StageBodies(NamedTuple):
    """What the names of objects (n,) say of their bodies; NaN: nothing."""

    radius_m: FloatArray
    bounding_radius_m: FloatArray
    mass_kg: FloatArray


def stage_bodies(names: npt.NDArray[np.str_]) -> StageBodies:
    """Return the bodies of stages among objects with these names (n,). Pieces of them have none."""
    stages = {name: place for place, stage in enumerate(STAGES) for name in stage.names}
    debris, rocket_bodies = pieces(names)
    which = np.full(len(names), len(STAGES))
    for row in np.flatnonzero(rocket_bodies & ~debris):
        which[row] = stages.get(_kind(str(names[row]), stages), len(STAGES))
    length_m, diameter_m, mass_kg = np.array([stage[1:4] for stage in STAGES]).T
    shapes = Shapes(np.full(len(STAGES), "Cyl"), length_m, diameter_m, np.zeros(len(STAGES)))
    of_stages = (mean_shadow_radius_m(shapes), bounding_radius_m(shapes), mass_kg)
    return StageBodies(*(np.append(values, np.nan)[which] for values in of_stages))


def _kind(name: str, kinds: Container[str]) -> str:
    """Return the kind of a stage by its name: what is in brackets if that is one, else what is before."""
    found = _KIND.match(name)
    if found is None:
        return ""
    return found[2] if found[2] in kinds else found[1]
