"""Element sets that a catalogue has under several numbers: searched once, and reported for each number.

Modules of a station and parts of one launch share a set; a damaged or made-up catalogue may have thousands of
copies of one, whose pairs grow with the square of their number.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, ProximityArray, swap_sides
from screening.orbits.elements import ORBIT_FIELDS, ElementArray
from screening.orbits.pieces import ObjectPaths, Pieces
from screening.orbits.sgp4.propagate import IndexArray
from screening.orbits.timegrid import FloatArray
from screening.orbits.trajectories import Trajectories
from screening.search.results import Found


class SameSets(NamedTuple):
    """Groups of objects with the same element set, most of them of one object."""

    first: IndexArray  # (g,) ascending: the first object of each group
    members: IndexArray  # (n,) all objects, group after group, ascending within each
    starts: npt.NDArray[np.int64]  # (g + 1,) where each group begins in `members`

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Return how many objects each group (g,) has."""
        return np.diff(self.starts)

    def pairs_inside(self) -> int:
        """Return the number of pairs of objects that share a set."""
        sizes = self.sizes
        return int((sizes * (sizes - 1) // 2).sum())


class FirstPaths(NamedTuple):
    """The paths of the first objects of groups (g,), which stand for all."""

    sets: SameSets
    paths: Trajectories


def same_sets(elements: ElementArray, apart: npt.NDArray[np.bool_] | None = None) -> SameSets:
    """Group the objects (n,) whose elements that SGP4 uses are equal, to the last bit.

    Those `apart` (n,) are alone: they do not follow their element sets.
    """
    count = len(elements)
    values = np.stack([elements[field] for field in ORBIT_FIELDS], axis=1) + 0.0  # -0 equals 0
    if apart is not None:
        number = np.arange(1.0, count + 1.0)
        values = np.append(values, np.where(apart, number, 0.0)[:, None], axis=1)
    first, group = _alike_rows(np.ascontiguousarray(values))
    in_order = np.argsort(first, kind="stable")
    rank = np.empty(len(first), np.int64)
    rank[in_order] = np.arange(len(first))
    group = rank[group.reshape(count)]
    starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(first)))])
    members = np.argsort(group, kind="stable").astype(np.int32)
    return SameSets(first[in_order].astype(np.int32), members, starts.astype(np.int64))


def _alike_rows(values: FloatArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the first row of each group of equal rows (n, k), in any order, and each row's group (n,)."""
    # To sort one number a row takes a twentieth of sorting whole rows; these, if two rows share it by chance.
    factors = np.random.default_rng(0).integers(1, 1 << 63, values.shape[1], np.uint64) | np.uint64(1)
    mixed = (values.view(np.uint64) * factors).sum(axis=1, dtype=np.uint64)
    _, first, group = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(values[first[group]].view(np.uint64), values.view(np.uint64)):
        rows = values.view(f"V{values.shape[1] * values.itemsize}").ravel()
        _, first, group = np.unique(rows, return_index=True, return_inverse=True)
    return first, group


def sets_of(elements: ElementArray, propagator: Trajectories) -> SameSets:
    """Group the objects (n,) that follow the same element set."""
    return same_sets(elements, propagator.has_ephemeris if isinstance(propagator, ObjectPaths) else None)


def first_paths(elements: ElementArray, propagator: Trajectories) -> FirstPaths:
    """Return the paths of the first of the objects (n,) on each element set; `propagator` is of all."""
    sets = sets_of(elements, propagator)
    return FirstPaths(sets, propagator.subset(sets.first))


def copies_of(sets: SameSets, rows: EncounterArray | ProximityArray) -> npt.NDArray[np.int64]:
    """Return how many pairs of objects each row (k,), about the first objects of two groups, represents."""
    sizes = sets.sizes
    one, other = (np.searchsorted(sets.first, rows[f"{who}_index"]) for who in ("primary", "secondary"))
    copies: npt.NDArray[np.int64] = sizes[one] * sizes[other]
    return copies


def for_each_pair(sets: SameSets, rows: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Expand rows (k,) about the first objects of groups to rows about all pairs of their objects."""
    copies = copies_of(sets, rows)
    if (copies == 1).all():
        return rows
    one, other = (np.searchsorted(sets.first, rows[f"{who}_index"]) for who in ("primary", "secondary"))
    row = np.repeat(np.arange(len(rows)), copies)
    number = np.arange(len(row)) - np.repeat(np.cumsum(copies) - copies, copies)
    width = sets.sizes[other][row]
    out = rows[row]
    out["primary_index"] = sets.members[sets.starts[one][row] + number // width]
    out["secondary_index"] = sets.members[sets.starts[other][row] + number % width]
    swap_sides(out, out["primary_index"] > out["secondary_index"])
    return out


def found_for_each(sets: SameSets, found: Found, pieces: Pieces | None = None) -> Found:
    """Expand the result of a search of the first objects of groups to all objects, or their `pieces`."""
    absences = [
        absence._replace(object_index=member)
        for absence in found.absences
        for member in _alike(sets, absence.object_index, pieces)
    ]
    return found._replace(encounters=for_each_pair(sets, found.encounters), absences=absences)


def _alike(sets: SameSets, absent: int, pieces: Pieces | None) -> list[int]:
    if pieces is None:
        alike: list[int] = members_with(sets, absent).tolist()
        return alike
    members = members_with(sets, int(pieces.objects[absent]))
    if len(members) == 1:
        return [absent]
    pieces_alike: list[int] = np.searchsorted(pieces.objects, members).tolist()  # one each, by elements
    return pieces_alike


def members_with(sets: SameSets, first: int) -> IndexArray:
    """Return the objects of the group whose first object is given."""
    group = int(np.searchsorted(sets.first, first))
    return sets.members[sets.starts[group] : sets.starts[group + 1]]


def pairs_of_groups(sets: SameSets, groups: npt.NDArray[np.integer]) -> IndexArray:
    """Return the pairs (2, k) of objects that share a set, of some groups."""
    pairs = [np.empty((2, 0), np.int32)]
    for group in groups.tolist():
        members = sets.members[sets.starts[group] : sets.starts[group + 1]]
        one, other = np.triu_indices(len(members), 1)
        pairs.append(np.stack([members[one], members[other]]))
    return np.concatenate(pairs, axis=1)
