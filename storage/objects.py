"""The table `objects`: what is known about each object of the newest run."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import HARD_BODY_SOURCES, NO_CODE
from storage import schema
from storage.records import conform, words

ObjectArray = npt.NDArray[np.void]

OBJECT_TYPES = ("payload", "rocket_body", "debris")

# One record an object; NaN, NaT, NO_CODE and an empty status mean "not known".
OBJECT_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("object_type", "i1"),  # code, position in OBJECT_TYPES
        ("status", "U16"),
        ("hard_body_radius_m", "f8"),
        ("hard_body_source", "i1"),  # code, position in HARD_BODY_SOURCES
        ("covariance_factor_r", "f8"),
        ("covariance_factor_t", "f8"),
        ("covariance_factor_n", "f8"),
        ("element_sets", "i8"),  # that the covariance factors rest on
        ("last_manoeuvre", "M8[us]"),  # UTC
    ]
)


def objects_of(elements: ElementArray) -> ObjectArray:
    """Return a record for each element set (n,), in the same order, with the type that its name tells."""
    objects = np.zeros(len(elements), OBJECT_DTYPE)
    objects["norad_id"] = elements["norad_id"]
    objects["object_type"] = types_from_names(elements["name"])
    for name in ("hard_body_radius_m", "covariance_factor_r", "covariance_factor_t", "covariance_factor_n"):
        objects[name] = np.nan
    objects["hard_body_source"] = NO_CODE
    objects["element_sets"] = NO_CODE
    objects["last_manoeuvre"] = np.datetime64("NaT")
    return objects


def types_from_names(names: npt.NDArray[np.str_]) -> npt.NDArray[np.int8]:
    """Return type codes (n,): ` DEB` in the name is debris, ` R/B` a rocket body, the rest payloads."""
    codes = np.zeros(len(names), np.int8)
    codes[np.char.find(names, " R/B") >= 0] = OBJECT_TYPES.index("rocket_body")
    codes[np.char.find(names, " DEB") >= 0] = OBJECT_TYPES.index("debris")  # "R/B DEB" is debris
    return codes


def object_table(objects: ObjectArray, elements: ElementArray) -> pa.Table:
    """Return objects (n,) of OBJECT_DTYPE, one for each element set in the same order, as rows of `objects`.

    Raises:
        InputError: the two do not belong to each other.
    """
    if not np.array_equal(objects["norad_id"], elements["norad_id"]):
        raise InputError(
            "The object records and the element sets of a run must name the same objects in order."
        )
    columns = {
        "norad_id": pa.array(elements["norad_id"]),
        "name": pa.array(elements["name"]),
        "object_id": pa.array(elements["object_id"]),
        "object_type": words(objects["object_type"], OBJECT_TYPES),
        "status": pa.array(objects["status"], mask=objects["status"] == ""),
        "hard_body_radius_m": pa.array(objects["hard_body_radius_m"], from_pandas=True),
        "hard_body_source": words(objects["hard_body_source"], HARD_BODY_SOURCES),
        "element_sets": pa.array(objects["element_sets"], mask=objects["element_sets"] < 0),
        "last_manoeuvre": pa.array(np.ascontiguousarray(objects["last_manoeuvre"])),
    }
    for axis in "rtn":
        name = f"covariance_factor_{axis}"
        columns[name] = pa.array(objects[name], from_pandas=True)
    return conform(columns, schema.OBJECTS, "objects")
