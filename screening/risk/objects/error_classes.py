"""Which objects hold still between thrusts, and which do not: the class of an object's error law."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray, UtcArray, instants
from screening.risk.objects.pieces import pieces
from screening.risk.objects.regimes import REGIMES, RegimeArray, regime
from screening.vocabulary import OBJECT_TYPES

BoolArray = npt.NDArray[np.bool_]
ClassArray = npt.NDArray[np.int8]

# Classes are kept as codes: the position in this tuple.
ERROR_CLASSES = ("ballistic", "geodetic", "constellation", "geostationary", "manoeuvred", "contradictory")
# Their element sets may be tens of kilometres off, and say nothing of it.
MANOEUVRING = ("constellation", "geostationary", "manoeuvred", "contradictory")


class Constellation(NamedTuple):
    """Satellites that thrust for most of their life, recognised by how their names begin."""

    names: tuple[str, ...]
    source: str


CONSTELLATIONS = (
    Constellation(("STARLINK",), "its errors are measured; Hall thrusters (Orbital Index 208, 2023-03-01)"),
    Constellation(
        ("ONEWEB",),
        "low-thrust electric propulsion for raising and avoidance (Yoon et al. 2023, Navigating a large "
        "satellite constellation in the new space era, Journal of Space Safety Engineering 10)",
    ),
    Constellation(
        ("KUIPER", "AMAZON LEO"),
        "lowered its prototypes by solar electric propulsion (GeekWire 2024, quoting Amazon)",
    ),
    Constellation(
        ("QIANFAN", "SPACESAIL"),
        "element sets of 2024-11-01 have one launch of August climbing, from 800 to 980 km",
    ),
    Constellation(
        ("HULIANWANG", "GUOWANG"),
        "element sets of 2024-11-01 have three of one launch within 0.00003 rev/day after ten months, "
        "which nothing does by itself",
    ),
)

# Solid spheres with laser reflectors in medium orbits: nothing moves them but gravity. LAGEOS 1 and 2, Etalon
# 1 and 2 (both measured), LARES 2 (ILRS mission list). Those in low orbits err as everything there does.
GEODETIC_NUMBERS = (8820, 22195, 19751, 20026, 53105)

# What a geostationary payload of unknown status looks like while it is kept: hardly a drift, and little of
# the inclination that the Moon and the Sun add where nobody holds it, up to 0.95 deg a year (Soop, Handbook
# of Geostationary Orbits, 1994).
GEOSTATIONARY_REV_DAY = 1.00273791
KEPT_DRIFT_DEG_DAY = 0.1
KEPT_ECCENTRICITY = 0.003
KEPT_INCLINATION_DEG = 3.0

# A manoeuvre seen so lately says that there will be others.
LATELY_DAYS = 30.0
# Beyond it, 15 km in-track at the epoch of a low orbit, the sets of an object contradict each other.
LARGEST_FACTOR = 30.0

_FULL_TURN_DEG = 360.0


class KnownOf(NamedTuple):
    """Facts about objects (n,) beside their element sets."""

    object_type: npt.NDArray[np.int8]  # codes into OBJECT_TYPES
    status: npt.NDArray[np.str_]  # of OBJECT_STATUSES
    last_manoeuvre: UtcArray  # UTC, seen in the history of element sets; NaT: none
    factors_rtn: FloatArray  # (n, 3), how far the history's sets contradict each other; NaN: not known


def error_classes(elements: ElementArray, known: KnownOf) -> ClassArray:
    """Return the classes (n,) of the objects of element sets, as codes into ERROR_CLASSES.

    constellation: one of CONSTELLATIONS by its name, unless it is inactive; geostationary: an active
    payload in that regime, or anything there that has manoeuvred lately; contradictory: of its own history a
    factor is above LARGEST_FACTOR; manoeuvred: seen to within LATELY_DAYS before its epoch; geodetic: a
    sphere in a medium orbit; ballistic: everything else, navigation satellites too, which thrust a day or two
    in a year.
    """
    regimes = regime(elements)
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    manoeuvred = manoeuvred_lately(epochs, known.last_manoeuvre)
    with np.errstate(invalid="ignore"):
        contradictory = (known.factors_rtn > LARGEST_FACTOR).any(axis=1)
    in_geo = regimes == REGIMES.index("geo")
    tests = {
        "geodetic": np.isin(elements["norad_id"], GEODETIC_NUMBERS) & (regimes == REGIMES.index("meo")),
        "constellation": _in_a_constellation(elements["name"]) & (known.status != "inactive"),
        "geostationary": _active_geostationary(elements, regimes, known) | (in_geo & manoeuvred),
        "contradictory": contradictory,
        "manoeuvred": manoeuvred,
    }
    classes = np.select(list(tests.values()), [ERROR_CLASSES.index(name) for name in tests], default=0)
    return classes.astype(np.int8)


def manoeuvring(classes: ClassArray) -> BoolArray:
    """Return which classes (n,) are those of objects that thrust often or have lately."""
    found: BoolArray = np.isin(classes, [ERROR_CLASSES.index(name) for name in MANOEUVRING])
    return found


def _in_a_constellation(names: npt.NDArray[np.str_]) -> BoolArray:
    found = np.zeros(len(names), np.bool_)
    for constellation in CONSTELLATIONS:
        for begin in constellation.names:
            found |= np.char.startswith(names, begin)
    debris, rocket_bodies = pieces(names)
    return found & ~debris & ~rocket_bodies


def _active_geostationary(elements: ElementArray, regimes: RegimeArray, known: KnownOf) -> BoolArray:
    drift_deg_day = (elements["mean_motion_rev_day"] - GEOSTATIONARY_REV_DAY) * _FULL_TURN_DEG
    kept = (
        (np.abs(drift_deg_day) < KEPT_DRIFT_DEG_DAY)
        & (elements["eccentricity"] < KEPT_ECCENTRICITY)
        & (elements["inclination_deg"] < KEPT_INCLINATION_DEG)
    )
    payload = known.object_type == OBJECT_TYPES.index("payload")
    active = (known.status == "active") | ((known.status == "unknown") & kept)
    found: BoolArray = active & payload & (regimes == REGIMES.index("geo"))
    return found


def manoeuvred_lately(epochs: UtcArray, last_manoeuvre: UtcArray) -> BoolArray:
    """Return which objects (n,) manoeuvred within LATELY_DAYS before the epochs (n,) of their sets."""
    ago = epochs - last_manoeuvre  # NaT is neither before nor after
    lately: BoolArray = ago <= np.timedelta64(int(LATELY_DAYS), "D")
    return lately
