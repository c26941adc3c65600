"""The folder in which compiled kernels are kept. Does not import numba, which loads slowly.

numba does not notice an edited kernel in another file, and raises if it cannot write. The folder is therefore
where the caller can write, and its name contains a hash of all sources of this package.
"""

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

_chosen: Path | None = None


def keep_kernels_in(folder: Path) -> Path:
    """Keep compiled kernels below `folder` from now on; return the subfolder that belongs to these sources.

    Kernels look for it when they are first called: call this before, not necessarily before their import.
    The subfolder does not exist before the first compilation.
    """
    global _chosen
    _chosen = folder / _hash_of_sources()
    return _chosen


def chosen_folder() -> Path | None:
    """Return the folder for compiled kernels; None if none was chosen, and numba finds a place itself."""
    return _chosen


@cache
def _hash_of_sources() -> str:
    digest = hashlib.sha256(metadata.version("numba").encode())
    package = Path(__file__).parent
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
