"""Which objects hold still between thrusts, and which do not: the class of an object's error law."""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, UtcArray, instants
from screening.risk.objects.pieces import beginning_with, pieces
from screening.risk.objects.regimes import REGIMES, RegimeArray, regime, semi_major_axis_km
from screening.vocabulary import OBJECT_TYPES

BoolArray = npt.NDArray[np.bool_]
ClassArray = npt.NDArray[np.int8]

# Classes are kept as codes: the position in this tuple.
ERROR_CLASSES = (
    *("ballistic", "geodetic", "constellation", "geostationary", "manoeuvred", "contradictory"),
    *("fragment", "starlink", "oneweb"),
)
# Their element sets may be tens of kilometres off, and say nothing of it.
MANOEUVRING = ("starlink", "oneweb", "constellation", "geostationary", "manoeuvred", "contradictory")
OWN_CONSTELLATIONS = ("starlink", "oneweb")  # whose errors are measured


class Constellation(NamedTuple):
    """Satellites that thrust for most of their life, recognised by how their names begin."""

    names: tuple[str, ...]
    source: str
    error_class: str = "constellation"


CONSTELLATIONS = (
    Constellation(
        ("STARLINK",),
        "its errors are measured; Hall thrusters (Orbital Index 208, 2023-03-01)",
        error_class="starlink",
    ),
    Constellation(
        ("ONEWEB",),
        "low-thrust electric propulsion for raising and avoidance (Yoon et al. 2023, Navigating a large "
        "satellite constellation in the new space era, Journal of Space Safety Engineering 10)",
        error_class="oneweb",
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
# Debris with higher perigees is light: sunlight moves it more than drag.
FRAGMENTS_FROM_KM = 1000.0
# Beyond it, 15 km in-track at the epoch of a low orbit, the sets of an object contradict each other.
LARGEST_FACTOR = 30.0

_FULL_TURN_DEG = 360.0


# A set that is older when it is used is one of an object seen seldom: its errors at later times are 1.3 to 4
# times those of other sets of that age, in catalogues of 2014, 2016 and 2020.
OLD_DAYS = 6.0
OLD_FACTOR = 2.5


class KnownOf(NamedTuple):
    """Facts about objects (n,) beside their element sets."""

    object_type: npt.NDArray[np.int8]  # codes into OBJECT_TYPES
    status: npt.NDArray[np.str_]  # of OBJECT_STATUSES
    last_manoeuvre: UtcArray  # UTC, seen in the history of element sets; NaT: none
    factors_rtn: FloatArray  # (n, 3), how far the history's sets contradict each other; NaN: not known
    burns_per_day: FloatArray  # (n,), by the history; NaN: not known
    burn_dv_m_s: FloatArray  # (n,), usual size of them; NaN: not known
    law_factors_rtn: FloatArray | None = None  # (n, 3), of refitted laws; NaN, None: as shipped

    @classmethod
    def without_history(cls, object_type: npt.NDArray[np.int8], status: npt.NDArray[np.str_]) -> Self:
        """Return what is known of objects (n,) of whose sets there is one each."""
        count = len(object_type)
        never = np.full(count, np.datetime64("NaT", "us"))
        no_numbers = (np.full(shape, np.nan) for shape in ((count, 3), count, count))
        return cls(object_type, status, never, *no_numbers)


def error_classes(elements: ElementArray, known: KnownOf) -> ClassArray:
    """Return the classes (n,) of the objects of element sets, as codes into ERROR_CLASSES.

    starlink, oneweb, constellation: of CONSTELLATIONS by its name, unless it is inactive; geostationary: an
    active payload in that regime, or anything there that has manoeuvred lately; contradictory: of its own
    history a factor is above LARGEST_FACTOR; manoeuvred: seen to within LATELY_DAYS before its epoch;
    geodetic: a sphere in a medium orbit; fragment: debris in a low orbit with a perigee above
    FRAGMENTS_FROM_KM; ballistic: everything else, navigation satellites too, which thrust a day or two in a
    year.
    """
    regimes = regime(elements)
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    manoeuvred = manoeuvred_lately(epochs, known.last_manoeuvre)
    with np.errstate(invalid="ignore"):
        contradictory = (known.factors_rtn > LARGEST_FACTOR).any(axis=1)
    in_geo = regimes == REGIMES.index("geo")
    of_constellations = _constellations(elements["name"], known.status)
    tests = {
        "geodetic": np.isin(elements["norad_id"], GEODETIC_NUMBERS) & (regimes == REGIMES.index("meo")),
        **{name: of_constellations == name for name in ("starlink", "oneweb", "constellation")},
        "geostationary": _active_geostationary(elements, regimes, known) | (in_geo & manoeuvred),
        "contradictory": contradictory,
        "manoeuvred": manoeuvred,
        "fragment": _fragments(elements, regimes, known),
    }
    classes = np.select(list(tests.values()), [ERROR_CLASSES.index(name) for name in tests], default=0)
    return classes.astype(np.int8)


def age_factors(elements: ElementArray) -> FloatArray:
    """Return the factors (n,) for the sets of a catalogue that are old for it; 1 for the others."""
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    if not len(epochs):
        return np.zeros(0)
    newest = np.percentile(epochs.astype(np.int64), 99.0, method="lower")  # a few epochs are in the future
    old = epochs.astype(np.int64) < newest - OLD_DAYS * SECONDS_PER_DAY * 1e6
    return np.where(old, OLD_FACTOR, 1.0)


def aged(factors_rtn: FloatArray, age_factor: FloatArray) -> FloatArray:
    """Return the factors of objects' own histories (n, 3) times those of their sets' age (n,); NaN: none."""
    with np.errstate(invalid="ignore"):
        old = age_factor > 1.0
    own = np.where(np.isfinite(factors_rtn), factors_rtn, 1.0)
    with_age: FloatArray = np.where(old[:, np.newaxis], own * age_factor[:, np.newaxis], factors_rtn)
    return with_age


def manoeuvring(classes: ClassArray) -> BoolArray:
    """Return which classes (n,) are those of objects that thrust often or have lately."""
    return np.array([name in MANOEUVRING for name in ERROR_CLASSES])[classes]


def _constellations(names: npt.NDArray[np.str_], status: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Return the classes (n,) of satellites of constellations in use; "" for others."""
    found = np.full(len(names), "", "U16")
    for constellation in CONSTELLATIONS:
        found[beginning_with(names, *constellation.names)] = constellation.error_class
    some = np.flatnonzero(found != "")
    debris, rocket_bodies = pieces(names[some])
    found[some[debris | rocket_bodies | (status[some] == "inactive")]] = ""
    return found


def _fragments(elements: ElementArray, regimes: RegimeArray, known: KnownOf) -> BoolArray:
    perigee_km = semi_major_axis_km(elements) * (1.0 - elements["eccentricity"]) - EARTH_RADIUS_KM
    debris = known.object_type == OBJECT_TYPES.index("debris")
    found: BoolArray = debris & (regimes == REGIMES.index("leo")) & (perigee_km > FRAGMENTS_FROM_KM)
    return found


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
