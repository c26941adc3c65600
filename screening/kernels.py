"""Where compiled kernels are kept between processes.

numba does not notice an edit in a kernel that lives in another file, and raises where it cannot write. The
folder therefore lies where the caller can write, and its name carries a hash of all sources of this package.
"""

import hashlib
from pathlib import Path

import numba
from numba.core import config


def keep_kernels_in(folder: Path) -> Path:
    """Make numba keep compiled kernels below `folder`; returns the subfolder that belongs to these sources.

    Must be called before the first import of a module with kernels. The subfolder does not exist before the
    first compilation.
    """
    own = folder / _hash_of_sources()
    config.CACHE_DIR = str(own)  # type: ignore[attr-defined]
    return own


def _hash_of_sources() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    package = Path(__file__).parent
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
