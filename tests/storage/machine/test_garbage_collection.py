"""The collector is set back when the last of overlapping blocks ends."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from storage.machine.garbage_collection import NEW_OBJECTS_BETWEEN_COLLECTIONS, seldom_collected


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_overlapping_blocks_leave_what_was_set_before() -> None:
    gc.set_threshold(700, 10, 7)
    first, second = ExitStack(), ExitStack()
    first.enter_context(seldom_collected())
    second.enter_context(seldom_collected())
    first.close()
    assert gc.get_threshold() == (NEW_OBJECTS_BETWEEN_COLLECTIONS, 10, 7)
    second.close()
    assert gc.get_threshold() == (700, 10, 7)


@pytest.mark.parametrize("own", [0, 1_000_000])
def test_a_user_who_collects_less_is_left_alone(own: int) -> None:
    gc.set_threshold(own, 10, 10)
    with seldom_collected():
        assert gc.get_threshold()[0] == own
    assert gc.get_threshold()[0] == own
