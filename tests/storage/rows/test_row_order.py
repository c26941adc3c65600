"""The order of rows by several columns: that of np.lexsort, with many equal values and with none."""

import numpy as np
import pytest

from storage.rows.row_order import row_order


@pytest.mark.parametrize("count", [0, 1, 2, 700])
@pytest.mark.parametrize("values", [1, 3, 1_000_000])
def test_it_is_that_of_lexsort(count: int, values: int) -> None:
    rng = np.random.default_rng(count)
    columns = [
        rng.integers(0, values, count),
        rng.integers(0, 4, count).astype("M8[us]"),
        rng.uniform(size=count) < 0.5,
    ]
    np.testing.assert_array_equal(row_order(columns), np.lexsort(columns[::-1]))
    np.testing.assert_array_equal(row_order(columns[:1]), np.argsort(columns[0], kind="stable"))
