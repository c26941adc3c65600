"""Pairs of points within a distance of each other, at one instant.

Points are sorted into cells as wide as the distance, so that a pair is in one cell or in neighbouring ones. A
catalogue has few pairs in such cells. Where it has many, as in a crowd, scipy's tree lists or counts them; it
takes 0.2 s to import, which other runs save.
"""

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray

PairArray = npt.NDArray[np.intp]

_MOST_CANDIDATES = 1_000_000  # held at once, 80 bytes each
_MOST_CELLS = 2**20  # along an axis: the number of a cell fits into 63 bits
# Half of the columns of cells around a column: (x, y). Each pair of neighbouring columns occurs once.
_FOLLOWING_COLUMNS = ((0, 1), (1, -1), (1, 0), (1, 1))


def list_near(r_km: FloatArray, distance_km: float) -> PairArray:
    """Return the pairs (k, 2) of points (3, n) within the distance, the smaller index first, in any order."""
    candidates = _candidates(r_km, distance_km)
    if candidates is None:
        from scipy.spatial import cKDTree

        listed: PairArray = cKDTree(r_km.T).query_pairs(distance_km, output_type="ndarray")
        return listed
    return np.sort(_near(r_km, distance_km, candidates), axis=0).T


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
    one, other = _near(r_km, distance_km, candidates)
    return int((weights[one] * weights[other]).sum())


def _near(r_km: FloatArray, distance_km: float, candidates: PairArray) -> PairArray:
    """Return those of the candidates (2, c) that are within the distance."""
    apart = r_km[:, candidates[0]] - r_km[:, candidates[1]]
    x, y, z = apart * apart
    near: PairArray = candidates[:, x + y + z <= distance_km * distance_km]
    return near


def _candidates(r_km: FloatArray, distance_km: float) -> PairArray | None:
    """Return the pairs (2, c) of points (3, n) in neighbouring cells; None if there are too many to list."""
    if r_km.shape[1] == 0:
        return np.empty((2, 0), np.intp)
    lowest = r_km.min(axis=1, keepdims=True)
    # A little wider, so that rounding does not move a point two cells away from one within the distance.
    width_km = max(1.000001 * distance_km, float((r_km - lowest).max()) / _MOST_CELLS)
    x, y, z = ((r_km - lowest) / width_km).astype(np.int64) + 1  # an empty cell lies on either side
    _, y_cells, z_cells = (int(axis.max()) + 2 for axis in (x, y, z))
    cell = (x * y_cells + y) * z_cells + z
    order = np.argsort(cell, kind="stable")
    cell = cell[order]
    # Cells of a column follow one another: what is near a point in a column is one range of points.
    first = [np.arange(1, len(cell) + 1)]
    end = [np.searchsorted(cell, cell + 1, side="right")]
    for x_off, y_off in _FOLLOWING_COLUMNS:
        beside = cell + (x_off * y_cells + y_off) * z_cells
        first.append(np.searchsorted(cell, beside - 1, side="left"))
        end.append(np.searchsorted(cell, beside + 1, side="right"))
    firsts = np.concatenate(first)
    counts = np.concatenate(end) - firsts
    if counts.sum() > _MOST_CANDIDATES:
        return None
    one = np.repeat(np.tile(np.arange(len(cell)), len(first)), counts)
    other = np.arange(len(one)) + np.repeat(firsts - (np.cumsum(counts) - counts), counts)
    return np.stack([order[one], order[other]])
