"""How often Python looks for cycles of objects that are no longer used.

By default after every 700 new objects. The first 150,000 belong to modules, and a catalogue's texts follow;
scanning all of them again and again takes 0.2 s of a run. Large things, arrays and tables, are freed without
it.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

NEW_OBJECTS_BETWEEN_COLLECTIONS = 50_000

_lock = Lock()
_blocks = 0
_before = (0, 0, 0)


def collect_seldom() -> None:
    """Let this process look seldom from now on."""
    gc.set_threshold(NEW_OBJECTS_BETWEEN_COLLECTIONS)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let this process look seldom until the block ends; blocks of several threads may overlap."""
    global _blocks, _before
    with _lock:
        if _blocks == 0:
            _before = gc.get_threshold()
            if 0 < _before[0] < NEW_OBJECTS_BETWEEN_COLLECTIONS:  # 0: never
                gc.set_threshold(NEW_OBJECTS_BETWEEN_COLLECTIONS, *_before[1:])
        _blocks += 1
    try:
        yield
    finally:
        with _lock:
            _blocks -= 1
            if _blocks == 0:
                gc.set_threshold(*_before)
