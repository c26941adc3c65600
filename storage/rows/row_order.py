"""The order of rows by several columns."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def row_order(columns: Sequence[npt.NDArray[np.generic]]) -> npt.NDArray[np.intp]:
    """Return the order of rows by columns (n,) without NaN, of which the first counts most.

    Rows that are equal in all stay as they come. Few are equal in the first column: to sort by it, and only
    these again, takes half of np.lexsort.
    """
    first, *others = columns
    order = np.argsort(first)
    in_order = first[order]
    begins = np.ones(len(order), np.bool_)  # what is not as the one before
    begins[1:] = in_order[1:] != in_order[:-1]
    again = np.flatnonzero(~(begins & np.append(begins[1:], True)))
    rows, group = order[again], np.cumsum(begins)[again]
    order[again] = rows[np.lexsort([rows, *(column[rows] for column in reversed(others)), group])]
    return order
