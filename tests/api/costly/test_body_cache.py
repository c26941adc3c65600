"""Answers that are kept: made once, dropped when they are many, and never a failure."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from api.costly.body_cache import BodyCache

TIMEOUT_S = 30.0


def test_a_body_is_made_once() -> None:
    cache, made = BodyCache(100), list[str]()

    def make() -> bytes:
        made.append("body")
        return b"body"

    assert [cache.get("key", make) for _ in range(3)] == [b"body"] * 3
    assert made == ["body"]


def test_those_who_ask_meanwhile_wait_for_it() -> None:
    cache, begun, go_on = BodyCache(100), Event(), Event()
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        begun.set()
        assert go_on.wait(TIMEOUT_S)
        return b"body"

    with ThreadPoolExecutor(5) as pool:
        first = pool.submit(cache.get, "key", make)
        assert begun.wait(TIMEOUT_S)
        others = [pool.submit(cache.get, "key", make) for _ in range(4)]
        # Another body is not held up by it.
        assert cache.get("other", lambda: b"other") == b"other"
        go_on.set()
        assert [asked.result(TIMEOUT_S) for asked in (first, *others)] == [b"body"] * 5
    assert made == [1]


def test_a_failure_reaches_those_who_wait_and_is_not_kept() -> None:
    cache, begun, go_on = BodyCache(100), Event(), Event()

    def fail() -> bytes:
        begun.set()
        assert go_on.wait(TIMEOUT_S)
        raise ZeroDivisionError

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", fail)
        assert begun.wait(TIMEOUT_S)
        other = pool.submit(cache.get, "key", fail)
        go_on.set()
        for asked in (first, other):
            with pytest.raises(ZeroDivisionError):
                asked.result(TIMEOUT_S)
    assert cache.get("key", lambda: b"body") == b"body"


def test_the_oldest_make_room() -> None:
    cache = BodyCache(10)
    for key in "abc":
        cache.get(key, lambda: b"12345")
    assert cache.get("b", lambda: b"again") == b"12345"
    assert cache.get("c", lambda: b"again") == b"12345"
    assert cache.get("a", lambda: b"again") == b"again"


def test_a_body_larger_than_the_cache_is_returned_and_not_kept() -> None:
    cache = BodyCache(4)
    assert cache.get("key", lambda: b"12345") == b"12345"
    assert cache.get("key", lambda: b"67890") == b"67890"
