"""Build the table `objects`: the facts about each object of the newest run."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.encounters import ProximityArray
from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray, instants
from screening.risk.conjunctions import HARD_BODY_SOURCES, NO_CODE
from screening.risk.consequence import mass_of_debris_kg
from screening.risk.objects.bodies.body_classes import (
    GEOSTATIONARY_PAYLOAD_M,
    series_bodies,
    station_radii_m,
    stations_of,
)
from screening.risk.objects.bodies.in_use import Movers, statuses, who_can_manoeuvre
from screening.risk.objects.bodies.stages import stage_bodies
from screening.risk.objects.complexes import complex_ids
from screening.risk.objects.error_classes import (
    ERROR_CLASSES,
    KnownOf,
    aged,
    error_classes,
    manoeuvred_lately,
    manoeuvring,
)
from screening.risk.objects.error_law import law_codes
from screening.risk.objects.hard_body import DEFAULT_RADIUS_M, Sizes, hard_bodies
from screening.risk.objects.knowledge import FactorArray
from screening.risk.objects.pieces import beginning_with, pieces
from screening.risk.objects.regimes import REGIMES, regime
from screening.vocabulary import OBJECT_TYPES, TRAJECTORY_KINDS
from storage import schema
from storage.bodies.table import BodyArray
from storage.rows.records import conform, words
from storage.state.object_facts import NO_FACTS, FactArray, ObjectFacts

ObjectArray = npt.NDArray[np.void]
_BODY_NUMBERS = ("radius_m", "bounding_radius_m", "mass_kg")
_FACTORS = (*(f"{of}_factor_{axis}" for of in ("covariance", "law") for axis in "rtn"), "age_factor")
_BURNS = ("burns_per_day", "burn_dv_m_s")
_BODY_WORDS = ("body_source", "body_name", "owner", "state")

# One record per object; NaN, NaT, NO_CODE and an empty word mean "unknown".
OBJECT_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("object_type", "i1"),  # code, position in OBJECT_TYPES
        ("status", "U24"),  # of OBJECT_STATUSES
        ("hard_body_radius_m", "f8"),
        ("hard_body_source", "i1"),  # code, position in HARD_BODY_SOURCES
        ("radius_m", "f8"),
        ("bounding_radius_m", "f8"),
        ("mass_kg", "f8"),
        ("body_source", "U8"),
        ("body_name", "U48"),
        ("owner", "U16"),
        ("state", "U8"),
        ("covariance_factor_r", "f8"),
        ("covariance_factor_t", "f8"),
        ("covariance_factor_n", "f8"),
        *((f"law_factor_{axis}", "f8") for axis in "rtn"),
        ("element_sets", "i8"),  # behind the covariance factors; NO_CODE: not examined
        ("last_manoeuvre", "M8[us]"),  # UTC
        ("age_factor", "f8"),  # of a set that was old when the run used it; else 1
        ("burns_per_day", "f8"),  # by its own history
        ("burn_dv_m_s", "f8"),
        ("regime", "i1"),  # code, position in REGIMES
        ("error_class", "i1"),  # code, position in ERROR_CLASSES
        ("docked_to", "i8"),  # catalogue number, by SATCAT; 0: nothing
        ("complex_id", "i8"),  # NO_CODE: in none
        ("trajectory", "i1"),  # code, position in TRAJECTORY_KINDS
    ]
)


def objects_of(elements: ElementArray, facts: ObjectFacts = NO_FACTS) -> ObjectArray:
    """Return a record for each element set (n,), in the same order, from facts and else from names.

    The type is that of the SATCAT, else that in the name. The hard-body radius is the user's, else that of
    the first rung of the ladder in screening/risk/objects/hard_body.py that knows the object.
    """
    objects = np.zeros(len(elements), OBJECT_DTYPE)
    objects["norad_id"] = elements["norad_id"]
    for name in (*_FACTORS, *_BURNS):
        objects[name] = np.nan
    objects["element_sets"] = NO_CODE
    objects["complex_id"] = NO_CODE
    objects["last_manoeuvre"] = np.datetime64("NaT")
    objects["trajectory"] = elements["trajectory"]
    names = np.ascontiguousarray(elements["name"])
    _set_types(objects, names, facts.satcat)
    objects["regime"] = regime(elements)
    _set_radii(objects, names, facts)
    _set_status(objects, elements, slice(None))
    return objects


_CREWED = {25544: "ISS (ZARYA)", 49044: "ISS (NAUKA)", 48274: "CSS (TIANHE)"}


def named(elements: ElementArray, bodies: BodyArray) -> ElementArray:
    """Return element sets (n,), those without a name with the published one, else with their number."""
    unnamed = elements["name"] == ""
    if not unnamed.any():
        return elements
    names = np.char.add("OBJECT ", elements["norad_id"].astype(np.str_)).astype(elements["name"].dtype)
    known, found = _matched(elements, bodies[bodies["name"] != ""])
    names[known] = np.char.upper(found["name"])
    for number, name in _CREWED.items():  # whose published names are those of their first modules
        names[elements["norad_id"] == number] = name
    out = elements.copy()
    out["name"][unnamed] = names[unnamed]
    return out


def set_factors(objects: ObjectArray, factors: FactorArray, elements: ElementArray) -> None:
    """Set the factors from element histories, FACTOR_DTYPE (n,), in the records of the same objects (n,).

    Set also what follows for status and the class of the error law; `elements` (n,) are their element sets.
    """
    for axis in "rtn":
        objects[f"covariance_factor_{axis}"] = factors[f"factor_{axis}"]
    for name in ("element_sets", "last_manoeuvre", *_BURNS):
        objects[name] = factors[name]
    _set_status(objects, elements, np.flatnonzero(factors["element_sets"] > 0))


def set_law_factors(objects: ObjectArray, elements: ElementArray, factors_rtn: FloatArray) -> None:
    """Set the factors (laws, 3) of refitted laws in the records of objects (n,) with these sets (n,)."""
    for axis, factors in zip("rtn", factors_rtn[law_codes(elements, objects["error_class"])].T, strict=True):
        objects[f"law_factor_{axis}"] = factors


def set_complexes(objects: ObjectArray, proximities: ProximityArray) -> None:
    """Set which objects stay together as one body; `proximities` of their run point into them."""
    objects["complex_id"] = complex_ids(objects["norad_id"], objects["docked_to"], proximities)


def set_on_ephemerides(objects: ObjectArray, places: Iterable[int]) -> None:
    """Set which objects fly by ephemerides: those at these places."""
    objects["trajectory"][list(places)] = TRAJECTORY_KINDS.index("ephemeris")


def complexes_of(objects: ObjectArray, norad_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the `complex_id` (m,) of the objects with these numbers (m,); NO_CODE for none."""
    inside = np.sort(objects[objects["complex_id"] != NO_CODE], order="norad_id")
    found = np.full(len(norad_ids), NO_CODE, np.int64)
    known = np.flatnonzero(np.isin(norad_ids, inside["norad_id"]))
    found[known] = inside["complex_id"][np.searchsorted(inside["norad_id"], norad_ids[known])]
    return found


def _set_status(objects: ObjectArray, elements: ElementArray, places: npt.NDArray[np.intp] | slice) -> None:
    """Set status and error class of the objects at these places, whose `status` may be SATCAT's word."""
    some, sets = objects[places], elements[places]
    epochs = instants(sets["epoch_jd"], sets["epoch_day_fraction"])
    lately = manoeuvred_lately(epochs, some["last_manoeuvre"])
    some["status"] = objects["status"][places] = statuses(some["object_type"], some["status"], lately)
    objects["error_class"][places] = error_classes(sets, known_of(some))


def known_of(objects: ObjectArray) -> KnownOf:
    """Return what decides the error laws of objects (n,) OBJECT_DTYPE."""
    factors = np.stack([objects[f"covariance_factor_{axis}"] for axis in "rtn"], axis=1)
    return KnownOf(
        objects["object_type"],
        objects["status"],
        objects["last_manoeuvre"],
        aged(factors, objects["age_factor"]),
        objects["burns_per_day"],
        objects["burn_dv_m_s"],
        np.stack([objects[f"law_factor_{axis}"] for axis in "rtn"], axis=1),
    )


def _set_types(objects: ObjectArray, names: npt.NDArray[np.str_], satcat: FactArray) -> None:
    objects["object_type"] = types_from_names(names)
    known, facts = _matched(objects, satcat)
    objects["status"][known] = facts["status"]
    objects["docked_to"][known] = facts["docked_to"]
    for code, word in enumerate(OBJECT_TYPES):
        objects["object_type"][known[facts["object_type"] == word]] = code


def _set_radii(objects: ObjectArray, names: npt.NDArray[np.str_], facts: ObjectFacts) -> None:
    numbers, in_geo = objects["norad_id"], objects["regime"] == REGIMES.index("geo")
    payload = objects["object_type"] == OBJECT_TYPES.index("payload")
    _set_bodies(objects, names, facts.bodies)
    rcs_m2, stations_m = _known(objects, facts.satcat, "rcs_m2"), station_radii_m(numbers)
    # No cross-section tells the size of a station: that of the ISS, 399 m2, would be a sphere of 11 m.
    rcs_m2[np.isfinite(stations_m)] = np.nan
    of_stage = objects["body_source"] == "stages"
    sizes = Sizes(
        override_m=_known(objects, facts.overrides, "radius_m"),
        body_m=np.where(of_stage, np.nan, objects["radius_m"]),
        table_m=_known(objects, facts.radii, "radius_m"),
        stage_m=np.where(of_stage, objects["radius_m"], np.nan),
        rcs_m2=rcs_m2,
        class_m=np.where(payload & in_geo, GEOSTATIONARY_PAYLOAD_M, np.nan),
        type_m=np.array([DEFAULT_RADIUS_M[word] for word in OBJECT_TYPES])[objects["object_type"]],
    )
    objects["hard_body_radius_m"], objects["hard_body_source"] = hard_bodies(sizes)
    debris = np.isin(objects["object_type"], [OBJECT_TYPES.index(word) for word in ("debris", "unknown")])
    rows = np.flatnonzero(debris & np.isnan(objects["mass_kg"]))
    objects["mass_kg"][rows] = mass_of_debris_kg(objects["hard_body_radius_m"][rows])


def _set_bodies(objects: ObjectArray, names: npt.NDArray[np.str_], bodies: BodyArray) -> None:
    """Set what is published of the objects' bodies; what is found later replaces what was before."""
    stages = stage_bodies(names)
    for name, values in stages._asdict().items():
        objects[name] = values
    objects["body_source"][np.isfinite(stages.radius_m)] = "stages"
    known, found = _matched(objects, bodies)
    series, stations_m = series_bodies(names), station_radii_m(objects["norad_id"])
    of_series = np.flatnonzero(np.isfinite(series.radius_m))
    for name, values in series._asdict().items():
        objects[name][of_series] = values[of_series]
    objects["body_source"][of_series] = "series"
    for name in (*_BODY_NUMBERS, "body_source", "owner", "state"):
        objects[name][known] = found[name]
    objects["body_name"][known] = found["name"]
    # A table has the parts of a station, each by itself.
    of_station = np.flatnonzero(np.isfinite(stations_m))
    for name in ("radius_m", "bounding_radius_m"):
        objects[name][of_station] = stations_m[of_station]
    objects["mass_kg"][of_station], objects["body_source"][of_station] = np.nan, "series"


def _known(objects: ObjectArray, facts: FactArray, name: str) -> npt.NDArray[np.float64]:
    """Return a number (n,) known of each object; NaN where none is."""
    found = np.full(len(objects), np.nan)
    known, matching = _matched(objects, facts)
    found[known] = matching[name]
    return found


def _matched(objects: ObjectArray | ElementArray, facts: FactArray) -> tuple[npt.NDArray[np.intp], FactArray]:
    """Return the positions (m,) of the objects with known facts, and these facts (m,)."""
    found = np.flatnonzero(np.isin(objects["norad_id"], facts["norad_id"]))
    return found, facts[np.searchsorted(facts["norad_id"], objects["norad_id"][found])]


def types_from_names(names: npt.NDArray[np.str_]) -> npt.NDArray[np.int8]:
    """Return type codes (n,): ` DEB` in the name is debris, ` R/B` a rocket body, the rest payloads.

    UNKNOWN and TBA (to be assigned) are of unknown type; OBJECT A and the like are new launches, so payloads.
    """
    codes = np.zeros(len(names), np.int8)
    unknown = np.isin(names, ("UNKNOWN", "TBA")) | beginning_with(names, "TBA ")
    codes[unknown] = OBJECT_TYPES.index("unknown")
    debris, rocket_bodies = pieces(names)
    codes[rocket_bodies] = OBJECT_TYPES.index("rocket_body")
    codes[debris] = OBJECT_TYPES.index("debris")  # "R/B DEB" is debris
    return codes


def movers(objects: ObjectArray, elements: ElementArray) -> Movers:
    """Return what decides whether objects (n,) can manoeuvre."""
    return Movers(
        stations_of(objects["norad_id"]) >= 0,
        elements["name"],
        objects["object_type"],
        objects["status"],
        objects["last_manoeuvre"],
        objects["error_class"],
        objects["mass_kg"],
    )


def object_table(objects: ObjectArray, elements: ElementArray) -> pa.Table:
    """Return objects (n,) of OBJECT_DTYPE, one for each element set in the same order, as rows of `objects`.

    Raises:
        InputError: the two do not match.
    """
    if not np.array_equal(objects["norad_id"], elements["norad_id"]):
        raise InputError(
            "The object records and the element sets of a run must have the same objects in the same order."
        )
    can, why = who_can_manoeuvre(movers(objects, elements))
    columns = {
        "norad_id": pa.array(elements["norad_id"]),
        "name": pa.array(elements["name"]),
        "object_id": pa.array(elements["object_id"]),
        "object_type": words(objects["object_type"], OBJECT_TYPES),
        "status": pa.array(objects["status"]),
        "can_manoeuvre": pa.array(can),
        "can_manoeuvre_reason": pa.array(why),
        "hard_body_radius_m": pa.array(objects["hard_body_radius_m"], from_pandas=True),
        "hard_body_source": words(objects["hard_body_source"], HARD_BODY_SOURCES),
        **{name: pa.array(objects[name], from_pandas=True) for name in _BODY_NUMBERS},
        **{name: pa.array(objects[name], mask=objects[name] == "") for name in _BODY_WORDS},
        "element_sets": pa.array(objects["element_sets"], mask=objects["element_sets"] < 0),
        "last_manoeuvre": pa.array(np.ascontiguousarray(objects["last_manoeuvre"])),
        "complex_id": pa.array(objects["complex_id"], mask=objects["complex_id"] < 0),
        "regime": words(objects["regime"], REGIMES),
        "error_class": words(objects["error_class"], ERROR_CLASSES),
        "manoeuvring": pa.array(manoeuvring(objects["error_class"])),
        "trajectory": words(objects["trajectory"], TRAJECTORY_KINDS),
    }
    for name in (*_FACTORS, *_BURNS):
        columns[name] = pa.array(objects[name], from_pandas=True)
    return conform(columns, schema.OBJECTS, "objects")
