"""Faults that last."""

from api.live.lasting_faults import Throttle


def test_the_same_fault_is_logged_once_a_minute() -> None:
    times_s = (1000.0, 1000.5, 1059.9, 1060.0, 1060.5, 1120.0)
    throttle = Throttle(iter(times_s).__next__)
    told = [throttle.due("the disk is full") for _ in times_s]
    assert told == [True, False, False, True, False, True]


def test_another_fault_is_logged_at_once() -> None:
    throttle = Throttle(lambda: 1000.0)
    assert [throttle.due(fault) for fault in "aabba"] == [True, False, True, False, True]
