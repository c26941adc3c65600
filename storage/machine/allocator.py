"""Make the C library's allocator return freed memory to the system.

By default it keeps up to 64 MB per thread and, after one large answer, a heap of that size with freed memory.
`skysieve up` and the files of `deploy/` set the same with MALLOC_ARENA_MAX and MALLOC_TRIM_THRESHOLD_.
Arrow's own allocator would keep another 130 MB, so Arrow uses the C library's.
"""

import ctypes
import gc
from typing import Final

from storage.settings import is_set, set_unless_given

_Settings = tuple[tuple[str, int, int], ...]  # variable, its number in mallopt(3), value

_ARENA_MAX: Final = -8
_SERVICE: Final[_Settings] = (
    ("MALLOC_TRIM_THRESHOLD_", -1, 65_536),
    ("MALLOC_ARENA_MAX", _ARENA_MAX, 2),
)
_ARROW_POOL: Final = "ARROW_DEFAULT_MEMORY_POOL"
# Arrays of a search go back to the system one by one, not when the heap above them is free. What is smaller
# stays: new pages for it would cost 0.2 CPU-s in 13.
_RUN: Final[_Settings] = (
    ("MALLOC_MMAP_THRESHOLD_", -3, 8 << 20),
    ("MALLOC_TRIM_THRESHOLD_", -1, 64 << 20),
    ("MALLOC_ARENA_MAX", _ARENA_MAX, 1),
)


def keep_little() -> None:
    """Make the allocator of a service return freed memory, unless the environment configures it.

    Call it before threads start, and before pyarrow is imported, whose own functions would otherwise use
    another allocator whatever its pool is: it keeps 10 to 20 MB after a run is read. C libraries other than
    glibc have no such function.
    """
    set_unless_given(_ARROW_POOL, "system")
    _keep_little(_SERVICE)


def keep_little_of_runs() -> None:
    """As `keep_little`, for a process that screens: 0.1 GB less at its peak for 0.2 CPU-s in 13."""
    _keep_little(_RUN)


def _keep_little(settings: _Settings) -> None:
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    for variable, parameter, value in settings:
        if mallopt is not None and not is_set(variable):
            mallopt(parameter, value)
    import pyarrow as pa  # starts threads

    if not is_set(_ARROW_POOL):
        pa.set_memory_pool(pa.system_memory_pool())


def give_back() -> None:
    """Collect cycles and return all free pages to the system; takes some 50 ms.

    A response whose client has left ends in an exception with a cyclic traceback; it may hold the events of
    an old run, 80 MB, until Python collects cycles by itself, after hours.
    """
    gc.collect()
    give_back_freed()


def give_back_freed() -> None:
    """Return all free pages to the system, without looking for cycles; takes some milliseconds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
