"""The C library's allocator of this process: it is to give back what is freed.

By itself it keeps up to 64 MB a thread and, after one large answer, a heap of that size in which what is
freed stays. `skysieve up` and the files of `deploy/` say the same by MALLOC_ARENA_MAX and
MALLOC_TRIM_THRESHOLD_. Arrow's own allocator keeps another 130 MB, so Arrow takes the C library's.
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
    """Make the allocator give back what is freed, where the environment does not say how it is to be.

    Arrow allocates by the C library too. Call it before threads begin. Other C libraries than glibc have no
    such function.
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
    """Free what is held in circles only, and give all free pages back to the system; some 50 ms.

    A response whose client has left ends in an exception, whose traceback is such a circle; it may hold the
    events of an old run, 130 MB, until Python looks for circles of its own accord: after hours.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
