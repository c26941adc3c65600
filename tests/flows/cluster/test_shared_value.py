"""What tasks share is computed once for an array, whatever asks at once, and is gone with it."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from flows.cluster.shared_value import SharedValue


class Heavy:
    """Something whose end can be seen."""


def test_threads_that_ask_at_once_get_the_same() -> None:
    shared, array, together, computed = SharedValue[Heavy](), np.zeros(3), Barrier(8), []

    def compute() -> Heavy:
        computed.append(Heavy())
        return computed[-1]

    def ask(_: int) -> Heavy:
        together.wait()
        return shared.of(array, compute)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(8)))
    assert len(computed) == 1
    assert all(answer is computed[0] for answer in answers)


def test_an_equal_array_is_another_one() -> None:
    shared, one, other = SharedValue[Heavy](), np.zeros(3), np.zeros(3)
    assert shared.of(one, Heavy) is not shared.of(other, Heavy)


def test_it_is_gone_with_its_array() -> None:
    shared, array = SharedValue[Heavy](), np.zeros(3)
    value = weakref.ref(shared.of(array, Heavy))
    assert value() is not None
    del array
    gc.collect()
    assert value() is None


def test_after_an_error_it_is_computed_again() -> None:
    shared, array = SharedValue[Heavy](), np.zeros(3)

    def fail() -> Heavy:
        raise ValueError("not now")

    with pytest.raises(ValueError, match="not now"):
        shared.of(array, fail)
    assert isinstance(shared.of(array, Heavy), Heavy)
