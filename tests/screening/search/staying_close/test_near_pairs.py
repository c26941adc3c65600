"""Near pairs are those of a naive comparison of all, and of scipy's tree, to the last bit of the distance."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from screening.search.staying_close import near_pairs
from screening.search.staying_close.near_pairs import count_near, list_near

RNG = np.random.default_rng(1)


def clouds() -> dict[str, np.ndarray]:
    """Points (3, n), km, at which cells could go wrong."""
    shell = RNG.normal(size=(3, 3000))
    return {
        "shell": shell / np.linalg.norm(shell, axis=0) * RNG.uniform(6_800.0, 7_200.0, 3000),
        "cube": RNG.uniform(-150.0, 150.0, (3, 3000)),
        "line along x": np.array([[1.0], [0.0], [0.0]]) * RNG.uniform(0.0, 5_000.0, 2000),
        "line along z": np.array([[0.0], [0.0], [1.0]]) * RNG.uniform(0.0, 5_000.0, 2000),
        # Distances of exactly 10 km, on the borders of cells.
        "lattice": 10.0 * np.stack(np.meshgrid(*[np.arange(9.0)] * 3)).reshape(3, -1) - 40.0,
        "same place": np.full((3, 50), 7_000.0),
        "far away": np.concatenate([RNG.uniform(-9.0, 9.0, (3, 300)), np.full((3, 1), 1e12)], axis=1),
        "two": np.array([[0.0, 6.0], [0.0, 8.0], [0.0, 0.0]]),
        "one": np.zeros((3, 1)),
        "none": np.empty((3, 0)),
    }


def naive(r_km: np.ndarray, distance_km: float) -> set[tuple[int, int]]:
    one, other = np.triu_indices(r_km.shape[1], 1)
    x, y, z = (r_km[:, one] - r_km[:, other]) ** 2
    near = x + y + z <= distance_km**2
    return set(zip(one[near].tolist(), other[near].tolist(), strict=True))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", clouds())
@pytest.mark.parametrize("distance_km", [0.1, 10.0, 33.3])
def test_near_pairs_are_those_of_a_naive_comparison(
    name: str, distance_km: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    r_km = clouds()[name]
    expected = naive(r_km, distance_km)
    weights = RNG.integers(1, 5, r_km.shape[1])
    together = sum(int(weights[i] * weights[j]) for i, j in expected)
    for most in (near_pairs._MOST_CANDIDATES, -1):  # by cells, unless there are too many, and by the tree
        monkeypatch.setattr(near_pairs, "_MOST_CANDIDATES", most)
        listed = [tuple(pair) for pair in list_near(r_km, distance_km).tolist()]
        assert len(listed) == len(set(listed))
        assert set(listed) == expected
        assert count_near(r_km, distance_km, weights) == together


def test_two_crowds_beside_each_other_are_counted_without_listing_pairs() -> None:
    # Over fifty million candidates, half within 10 km: comparing them grows with the square of the crowd.
    r_km = np.repeat([[7_000.0, 7_010.5], [0.0, 0.0], [0.0, 0.0]], 6000, axis=1)
    assert near_pairs._candidates(r_km, 10.0) is None
    assert count_near(r_km, 10.0, np.ones(12000, np.int64)) == 6000 * 5999


def test_pairs_of_the_real_catalogue_need_no_tree(shared_file, monkeypatch: pytest.MonkeyPatch) -> None:
    from screening.orbits.sgp4.propagate import Propagator
    from screening.orbits.texts.catalogue import parse_catalogue
    from screening.orbits.timegrid import window

    elements = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements
    error, r_km, _ = Propagator(elements, window(np.datetime64("2024-11-01", "us"), 1.0)).on_grid(np.zeros(1))
    r_km = r_km[0][:, error[0] == 0]
    for distance_km in (10.0, 50.0):
        assert near_pairs._candidates(r_km, distance_km) is not None
        found = set(map(tuple, list_near(r_km, distance_km).tolist()))
        assert found == cKDTree(r_km.T).query_pairs(distance_km)
        assert len(found) > 50
