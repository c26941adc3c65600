"""Group new objects by what they may come from: a launch, by its designator, or a plane, without one."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray

NO_LAUNCH = ""
# Pieces of one event differ by half a degree to two; the planes of different launches mostly by more.
_GAP_DEG = 0.3


def launches_of(object_ids: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Return the launches (n,) of international designators, as 1982-092; NO_LAUNCH where there is none."""
    launch = np.ascontiguousarray(object_ids, "U8")
    letter = launch.view("U1").reshape(len(launch), 8)
    is_launch = (letter[:, 4] == "-") & np.char.isdigit(np.delete(letter, 4, axis=1)).all(axis=1)
    return np.where(is_launch, launch, NO_LAUNCH)


def families(some: ElementArray, least: int) -> list[npt.NDArray[np.intp]]:
    """Return places of objects (n,) that may have one origin, in groups of `least` or more."""
    launch = launches_of(some["object_id"])
    groups = [np.flatnonzero(launch == one) for one in np.unique(launch[launch != NO_LAUNCH])]
    others = np.flatnonzero(launch == NO_LAUNCH)
    others = others[np.argsort(some["inclination_deg"][others], kind="stable")]
    borders = np.flatnonzero(np.diff(some["inclination_deg"][others]) > _GAP_DEG) + 1
    groups += np.split(others, borders)
    return [np.sort(group) for group in groups if len(group) >= least]
