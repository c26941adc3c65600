"""The table of bodies: its columns, its file in the package, its rows as an array."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

# pyarrow is imported where it is used: an idle service does not need it.

SHIPPED = Path(__file__).with_name("bodies.parquet")

BodyArray = npt.NDArray[np.void]

BODY_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("radius_m", "f8"),  # of the sphere whose shadow is the mean shadow
        ("bounding_radius_m", "f8"),  # of the sphere around, wings and antennas included
        ("mass_kg", "f8"),
        ("name", "U48"),  # as the source calls it
        ("owner", "U16"),  # as the source writes it
        ("state", "U8"),
        ("body_source", "U8"),
        ("sure", "?"),  # false: the source marks mass, size or shape as its own guess
    ]
)
_NUMBERS = ("radius_m", "bounding_radius_m", "mass_kg")
_WORDS = ("name", "owner", "state", "body_source")


def as_table(bodies: BodyArray) -> "pa.Table":
    """Return bodies (n,) of BODY_DTYPE as a table; numbers to seven digits."""
    import pyarrow as pa

    columns = {
        "norad_id": pa.array(bodies["norad_id"]),
        **{name: pa.array(bodies[name].astype(np.float32)) for name in _NUMBERS},
        **{name: pa.array(bodies[name]).dictionary_encode() for name in _WORDS},
        "sure": pa.array(bodies["sure"]),
    }
    return pa.table({name: columns[name] for name in BODY_DTYPE.names or ()})


@cache
def shipped_bodies() -> BodyArray:
    """Return the bodies (n,) that come with the package, BODY_DTYPE, sorted by number. Not to be changed."""
    import pyarrow.parquet as pq

    table = pq.read_table(SHIPPED)
    bodies = np.zeros(len(table), BODY_DTYPE)
    for name in BODY_DTYPE.names or ():
        bodies[name] = table[name].to_numpy()
    bodies.flags.writeable = False
    return bodies


def bodies_with(newer: BodyArray) -> BodyArray:
    """Return the bodies that come with the package, replaced and joined by those of `newer` (n,).

    Sorted by number, BODY_DTYPE.
    """
    shipped = shipped_bodies()
    if not len(newer):
        return shipped
    kept = shipped[~np.isin(shipped["norad_id"], newer["norad_id"])]
    return np.sort(np.concatenate([kept, newer]), order="norad_id")
