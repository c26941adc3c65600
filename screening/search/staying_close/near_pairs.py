"""Pairs of points within a distance of each other, at one instant.

Points are sorted into cells as wide as the distance, so that a pair is in one cell or in neighbouring ones. A
catalogue has few pairs in such cells. Where it has very many, as in a crowd, scipy's tree lists or counts
them; it takes 0.2 s to import, which other runs save.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel
from screening.orbits.timegrid import FloatArray

PairArray = npt.NDArray[np.intp]

_MOST_CANDIDATES = 50_000_000  # compared in a tenth of a second
_MOST_CELLS = 2**20  # along an axis: the number of a cell fits into 63 bits
# A column of cells and half of those around it: (x, y). Each pair of neighbouring columns occurs once.
_COLUMNS = np.array([(0, 0), (0, 1), (1, -1), (1, 0), (1, 1)])


class _Candidates(NamedTuple):
    """Points in the order of their cells, and for each the range of others near it in each column."""

    r_km: FloatArray  # (3, n)
    order: PairArray  # (n,) their places as given
    first: PairArray  # (5, n)
    end: PairArray  # (5, n)


def list_near(r_km: FloatArray, distance_km: float) -> PairArray:
    """Return the pairs (k, 2) of points (3, n) within the distance, the smaller index first, in any order."""
    candidates = _candidates(r_km, distance_km)
    if candidates is None:
        from scipy.spatial import cKDTree

        listed: PairArray = cKDTree(r_km.T).query_pairs(distance_km, output_type="ndarray")
        return listed
    none = np.empty((0, 2), np.intp)
    pairs = np.empty((_list(*candidates, distance_km, none), 2), np.intp)
    _list(*candidates, distance_km, pairs)
    return pairs


def count_near(r_km: FloatArray, distance_km: float, weights: npt.NDArray[np.int64]) -> int:
    """Return the number of pairs of points (3, n) within the distance.

    Each point stands for as many as its weight (n,), whose pairs with each other do not count.
    """
    candidates = _candidates(r_km, distance_km)
    if candidates is None:
        from scipy.spatial import cKDTree

        tree, many = cKDTree(r_km.T), weights.astype(np.float64)
        both_ways = tree.count_neighbors(tree, distance_km, weights=(many, many))
        return round((float(both_ways) - float((many**2).sum())) / 2)
    count: int = _count(*candidates, distance_km, weights)
    return count


def _candidates(r_km: FloatArray, distance_km: float) -> _Candidates | None:
    """Return the pairs of points (3, n) in neighbouring cells; None if there are too many to compare."""
    if r_km.shape[1] == 0:
        nobody = np.empty((len(_COLUMNS), 0), np.intp)
        return _Candidates(r_km, nobody[0], nobody, nobody)
    lowest = r_km.min(axis=1, keepdims=True)
    # A little wider, so that rounding does not move a point two cells away from one within the distance.
    width_km = max(1.000001 * distance_km, float((r_km - lowest).max()) / _MOST_CELLS)
    x, y, z = ((r_km - lowest) / width_km).astype(np.int64) + 1  # an empty cell lies on either side
    _, y_cells, z_cells = (int(axis.max()) + 2 for axis in (x, y, z))
    cell = (x * y_cells + y) * z_cells + z
    order = np.argsort(cell)
    first, end = np.empty((2, len(_COLUMNS), len(cell)), np.intp)
    beside = (_COLUMNS[:, 0] * y_cells + _COLUMNS[:, 1]) * z_cells
    if _find_ranges(cell[order], beside, first, end) > _MOST_CANDIDATES:
        return None
    return _Candidates(np.ascontiguousarray(r_km[:, order]), order, first, end)


@kernel
def _find_ranges(
    cell: npt.NDArray[np.int64], beside: npt.NDArray[np.int64], first: PairArray, end: PairArray
) -> int:
    """Fill the ranges (5, n) of points near each of `cell` (n,) ascending; return the number of pairs.

    Cells of a column follow one another: what is near a point in a column is one range of points.
    """
    count, pairs = len(cell), 0
    for column in range(len(beside)):
        low = high = 0
        for i in range(count):
            middle = cell[i] + beside[column]
            while low < count and cell[low] < middle - 1:
                low += 1
            while high < count and cell[high] <= middle + 1:
                high += 1
            first[column, i] = max(low, i + 1)  # in its own column: those that follow it
            end[column, i] = max(high, first[column, i])
            pairs += end[column, i] - first[column, i]
    return pairs


@kernel
def _apart_km2(r_km: FloatArray, one: int, other: int) -> float:
    x = r_km[0, one] - r_km[0, other]
    y = r_km[1, one] - r_km[1, other]
    z = r_km[2, one] - r_km[2, other]
    return float(x * x + y * y + z * z)


@kernel
def _list(
    r_km: FloatArray, order: PairArray, first: PairArray, end: PairArray, distance_km: float, pairs: PairArray
) -> int:
    """Fill `pairs` (k, 2) as far as there is room; return how many there are."""
    count = 0
    for column in range(first.shape[0]):
        for i in range(first.shape[1]):
            for j in range(first[column, i], end[column, i]):
                if _apart_km2(r_km, i, j) <= distance_km * distance_km:
                    if count < len(pairs):
                        pairs[count, 0] = min(order[i], order[j])
                        pairs[count, 1] = max(order[i], order[j])
                    count += 1
    return count


@kernel
def _count(
    r_km: FloatArray,
    order: PairArray,
    first: PairArray,
    end: PairArray,
    distance_km: float,
    weights: npt.NDArray[np.int64],
) -> int:
    """Return the number of pairs, each as often as the weights (n,) of its points."""
    count = 0
    for column in range(first.shape[0]):
        for i in range(first.shape[1]):
            for j in range(first[column, i], end[column, i]):
                if _apart_km2(r_km, i, j) <= distance_km * distance_km:
                    count += weights[order[i]] * weights[order[j]]
    return count
