"""Which objects are in use, and which of them can change their path."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray, UtcArray
from screening.risk.objects.error_classes import CONSTELLATIONS, ERROR_CLASSES, ClassArray
from screening.risk.objects.pieces import beginning_with
from screening.vocabulary import OBJECT_TYPES, CanManoeuvre

BoolArray = npt.NDArray[np.bool_]
WordArray = npt.NDArray[np.str_]

# SATCAT's words (and our own, which stay as they are).
_ACTIVE = ("operational", "partially_operational", "backup", "spare", "extended_mission", "active")
_INACTIVE = ("nonoperational", "decayed", "inactive")

# CubeSat Design Specification, revision 14: a cubesat of one unit has at most 2 kg.
_ONE_UNIT_KG = 2.0

_SEEN = "manoeuvre seen on "  # and the day


class Kind(NamedTuple):
    """Payloads that all have thrusters or all have none, recognised by how their names begin."""

    names: tuple[str, ...]
    thrusters: bool
    source: str


KINDS = (
    *(Kind(one.names, True, one.source) for one in CONSTELLATIONS),
    Kind(("SKYSAT-C",), True, "four thrusters of 1 N with a propellant of ECAPS (eoPortal, SkySat)"),
    Kind(
        ("FLOCK ",),
        False,
        "differential drag alone (Foster et al. 2018, Constellation phasing with differential drag on Planet "
        "Labs satellites, Journal of Spacecraft and Rockets 55)",
    ),
    Kind(("SPACEBEE",), False, "no propulsion (Swarm to the FCC, SAT-LOA-20181221-00094)"),
)


class Movers(NamedTuple):
    """What decides whether objects (n,) can manoeuvre."""

    of_stations: BoolArray  # parts of a space station
    names: WordArray
    object_types: npt.NDArray[np.int8]  # codes into OBJECT_TYPES
    statuses: WordArray  # of OBJECT_STATUSES
    last_manoeuvre: UtcArray  # UTC, seen in the history of element sets; NaT: none
    error_classes: ClassArray  # codes into ERROR_CLASSES
    masses_kg: FloatArray  # NaN: not known


def statuses(object_types: npt.NDArray[np.int8], words: WordArray, manoeuvred_lately: BoolArray) -> WordArray:
    """Return the statuses (n,) of objects, words of OBJECT_STATUSES.

    Debris and rocket bodies are inactive. Of others SATCAT decides (`words`, empty: it says nothing), else
    what the history shows: a payload that manoeuvred lately is active. A name alone proves nothing: of every
    constellation some are dead.
    """
    payload = object_types == OBJECT_TYPES.index("payload")
    left = np.isin(object_types, [OBJECT_TYPES.index("debris"), OBJECT_TYPES.index("rocket_body")])
    return np.select(
        [left | np.isin(words, _INACTIVE), np.isin(words, _ACTIVE) | (payload & manoeuvred_lately)],
        ["inactive", "active"],
        "unknown",
    )


def who_can_manoeuvre(objects: Movers) -> tuple[WordArray, WordArray]:
    """Return for each object (n,) yes, no or unknown, and why, in words; the first rule that fits decides."""
    fits, answers, reasons = zip(*_rules(objects), strict=True)
    first = np.argmax(fits, axis=0)
    can, why = np.array(answers)[first], np.array(reasons)[first]
    seen = np.flatnonzero(first == reasons.index(_SEEN))
    why[seen] = np.char.add(_SEEN, np.datetime_as_string(objects.last_manoeuvre[seen], "D"))
    return can, why


def _rules(objects: Movers) -> list[tuple[BoolArray, CanManoeuvre, str]]:
    """Return which objects (n,) each rule fits, its answer and its reason; one rule fits every object."""
    payload, rocket_body, debris = (
        objects.object_types == OBJECT_TYPES.index(word) for word in ("payload", "rocket_body", "debris")
    )
    geodetic, geostationary = (
        objects.error_classes == ERROR_CLASSES.index(word) for word in ("geodetic", "geostationary")
    )
    return [
        (debris, "no", "debris"),
        (rocket_body, "no", "a rocket body"),
        (geodetic, "no", "a passive sphere"),
        (objects.statuses == "inactive", "no", "out of use"),
        # Before what a history shows: drag alone changes their orbits too.
        (_of_kinds(objects.names, thrusters=False), "no", "satellites of its kind have no thrusters"),
        (~np.isnat(objects.last_manoeuvre), "yes", _SEEN),
        (_of_kinds(objects.names, thrusters=True), "yes", "satellites of its kind have thrusters"),
        (objects.of_stations, "yes", "a space station"),
        (geostationary & (objects.statuses == "active"), "yes", "in use in geostationary orbit"),
        (geostationary, "yes", "holds its place in geostationary orbit"),
        (payload & (objects.masses_kg <= _ONE_UNIT_KG), "no", "of at most 2 kg, too small for thrusters"),
        (payload, "unknown", "nothing says whether it has thrusters"),
        (~payload, "unknown", "of unknown type"),
    ]


def _of_kinds(names: WordArray, *, thrusters: bool) -> BoolArray:
    begins = (begin for kind in KINDS if kind.thrusters == thrusters for begin in kind.names)
    return beginning_with(names, *begins)
