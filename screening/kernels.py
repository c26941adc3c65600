"""Where compiled kernels are kept between processes, and for which instructions they are compiled.

numba does not notice an edit in a kernel that lives in another file, and raises where it cannot write. The
folder therefore lies where the caller can write, and its name carries a hash of all sources of this package.
"""

import hashlib
from pathlib import Path

import numba
from numba.core import config
from numba.core.codegen import get_host_cpu_features


def keep_kernels_in(folder: Path) -> Path:
    """Make numba keep compiled kernels below `folder`; returns the subfolder that belongs to these sources.

    Must be called before the first import of a module with kernels. The subfolder does not exist before the
    first compilation.
    """
    own = folder / _hash_of_sources()
    config.CACHE_DIR = str(own)  # type: ignore[attr-defined]
    _use_whole_vectors()
    return own


def _use_whole_vectors() -> None:
    """Let the compiler use 512 bits where the processor has them, unless NUMBA_CPU_FEATURES says otherwise.

    LLVM stays at 256 bits by default, because early processors slowed down; our kernels gain up to 40 %.
    """
    features = get_host_cpu_features()  # type: ignore[no-untyped-call]
    if config.CPU_FEATURES is None and "+avx512f" in features:  # type: ignore[attr-defined]
        config.CPU_FEATURES = f"{features},-prefer-256-bit"  # type: ignore[attr-defined]


def _hash_of_sources() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    package = Path(__file__).parent
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
