"""Decorators that compile kernels, one for each kind.

All cache on the disk, and divide by zero as numpy does. numba fixes a kernel's folder when its module is
imported; these look for it at their first compilation, so that modules with kernels are imported like any
others.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numba
from numba import njit, types
from numba.core import config, errors
from numba.core.caching import FunctionCache, NullCache
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic

from screening.kernel_files import chosen_folder
from screening.kernel_loading import LightCache

# No reassociation: it would undo the rounding trick of SGP4's trigonometry.
_VECTORISED = {"nnan", "ninf", "nsz", "arcp", "contract"}

# With other releases of numba compiled kernels are loaded in numba's own way. tests/screening/test_kernels.py
# shows whether a release may be added.
_LOADS_LIGHTLY = numba.__version__.startswith("0.68.")

# Where colorama is installed, numba would replace sys.stdout for a moment with each error it makes while it
# compiles, in whatever thread: what others print meanwhile is lost.
errors.ColorShell = nullcontext  # type: ignore[attr-defined]

Function = Callable[..., Any]


def kernel(function: Function) -> Any:
    """Compile a function at its first call; it releases the interpreter to other threads."""
    return _compiled(function, nogil=True)


def fast_kernel(function: Function) -> Any:
    """Compile a function whose sums may be reordered, and in which nothing is NaN or infinite."""
    return _compiled(function, nogil=True, fastmath=True)


def inlined_kernel(function: Function) -> Any:
    """Compile a function into each kernel that calls it, with that kernel's options."""
    return _compiled(function, inline="always")


def lanes_kernel(function: Function) -> Any:
    """Compile a function that does the same for all lanes of a block, in vector instructions."""
    return _compiled(function, fastmath=_VECTORISED)


def inlined_lanes_kernel(function: Function) -> Any:
    """Compile what a `lanes_kernel` does in one lane; LLVM inlines it, faster to compile than by numba."""
    return _compiled(function, fastmath=_VECTORISED, forceinline=True)


def _compiled(function: Function, **options: Any) -> Any:
    dispatcher = njit(error_model="numpy", **options)(function)
    dispatcher._cache = _CacheToCome(dispatcher)
    return dispatcher


@intrinsic
def _fma(_context, _a, _b, _c):  # type: ignore[no-untyped-def]
    return types.float64(*[types.float64] * 3), lambda _c, builder, _s, arguments: builder.fma(*arguments)


# In kernels fma(a, b, c) is a b + c, rounded once. So BLAS adds up products.
fma: Any = _fma


class _CacheToCome(NullCache):
    """Stands in for a kernel's cache until its first compilation, which determines the folder."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Replace this by the real cache, in the folder chosen by now, and load from it."""
        folder = chosen_folder()
        if folder is not None:
            config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        cache = LightCache if _LOADS_LIGHTLY else FunctionCache
        self._dispatcher._cache = cache(self._dispatcher.py_func)  # type: ignore[no-untyped-call]
        return self._dispatcher._cache.load_overload(sig, target_context)


def _use_whole_vectors() -> None:
    """Let the compiler use 512-bit vectors if the processor has them, unless NUMBA_CPU_FEATURES is set.

    LLVM stays at 256 bits by default, because early processors slowed down; our kernels gain up to 40 %.
    """
    features = get_host_cpu_features()  # type: ignore[no-untyped-call]
    if config.CPU_FEATURES is None and "+avx512f" in features:  # type: ignore[attr-defined]
        config.CPU_FEATURES = f"{features},-prefer-256-bit"  # type: ignore[attr-defined]


_use_whole_vectors()  # numba reads it at the first decoration
