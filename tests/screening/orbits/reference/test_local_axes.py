"""Vector products, compared with numpy's."""

import numpy as np
import pytest

from screening.orbits.reference.local_axes import cross


@pytest.mark.parametrize("shape", [(3,), (1, 3), (1000, 3), (4, 5, 3)])
def test_vector_products_are_those_of_numpy_to_the_last_bit(shape: tuple[int, ...]) -> None:
    a, b = np.random.default_rng(1).standard_normal((2, *shape)) * 1e7
    np.testing.assert_array_equal(cross(a, b), np.cross(a, b))


def test_one_vector_goes_with_many() -> None:
    many, one = np.random.default_rng(2).standard_normal((100, 3)), np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(cross(one, many), np.cross(one, many))
