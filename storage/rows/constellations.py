"""Payloads of constellations, recognised by how their names begin."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.risk.objects.pieces import beginning_with
from storage.disk.layout import quoted


class Constellation(NamedTuple):
    """A constellation, and how the names of its payloads begin."""

    name: str
    names: tuple[str, ...]


# As CelesTrak groups and names them (celestrak.org/NORAD/elements), and Space-Track where it differs. Without
# those whose names begin as others' do: Glonass (COSMOS) and Galileo (GSAT, as India's).
CONSTELLATIONS = (
    Constellation("Starlink", ("STARLINK",)),
    Constellation("OneWeb", ("ONEWEB",)),
    Constellation("Kuiper", ("KUIPER", "AMAZON LEO")),
    Constellation("Qianfan", ("QIANFAN", "SPACESAIL")),
    Constellation("Guowang", ("HULIANWANG", "GUOWANG")),
    Constellation("Geesat", ("GEESAT",)),
    Constellation("Iridium", ("IRIDIUM",)),
    Constellation("Globalstar", ("GLOBALSTAR",)),
    Constellation("Orbcomm", ("ORBCOMM",)),
    Constellation("Planet", ("FLOCK", "SKYSAT")),
    Constellation("Spire", ("LEMUR",)),
    Constellation("GPS", ("GPS B", "NAVSTAR")),
    Constellation("BeiDou", ("BEIDOU",)),
)
NONE = len(CONSTELLATIONS)  # the place of what is in none
_PIECES = ("debris", "rocket_body")
_BEGINS = " ".join(
    f"WHEN {' OR '.join(f'starts_with(objects.name, {quoted(begin)})' for begin in one.names)} "
    f"THEN {quoted(one.name)}"
    for one in CONSTELLATIONS
)
OF_OBJECTS = f"CASE WHEN objects.object_type IN {_PIECES} THEN NULL {_BEGINS} END"  # SQL, on `objects`


def constellations_of(names: npt.NDArray[np.str_], types: npt.NDArray[np.str_]) -> npt.NDArray[np.intp]:
    """Return the constellation of each object (n,), its place in CONSTELLATIONS, or NONE."""
    found = np.full(len(names), NONE)
    payloads = np.flatnonzero(~np.isin(types, _PIECES))
    of_payloads = names[payloads]
    for place, one in enumerate(CONSTELLATIONS):
        found[payloads[beginning_with(of_payloads, *one.names)]] = place
    return found
