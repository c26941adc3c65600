"""Make the C library's allocator return freed memory to the system.

By default it keeps up to 64 MB per thread and, after one large answer, a heap of that size with freed memory.
`skysieve up` and the files of `deploy/` set the same with MALLOC_ARENA_MAX and MALLOC_TRIM_THRESHOLD_.
Arrow's own allocator would keep another 130 MB, so Arrow uses the C library's.
"""

import ctypes
import gc
from typing import Final

import pyarrow as pa

from storage.settings import is_set

_TRIM_THRESHOLD: Final = -1  # mallopt(3)
_ARENA_MAX: Final = -8
_SETTINGS: Final = (
    ("MALLOC_TRIM_THRESHOLD_", _TRIM_THRESHOLD, 65_536),
    ("MALLOC_ARENA_MAX", _ARENA_MAX, 2),
)


def keep_little() -> None:
    """Make the allocator return freed memory, unless the environment configures it.

    Arrow then uses the C library too. Call it before threads start. C libraries other than glibc have no such
    function.
    """
    if not is_set("ARROW_DEFAULT_MEMORY_POOL"):
        pa.set_memory_pool(pa.system_memory_pool())
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    for variable, parameter, value in _SETTINGS:
        if not is_set(variable):
            mallopt(parameter, value)


def give_back() -> None:
    """Collect cycles and return all free pages to the system; takes some 50 ms.

    A response whose client has left ends in an exception with a cyclic traceback; it may hold the events of
    an old run, 130 MB, until Python collects cycles by itself, after hours.
    """
    gc.collect()
    give_back_freed()


def give_back_freed() -> None:
    """Return all free pages to the system, without looking for cycles; takes some milliseconds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
