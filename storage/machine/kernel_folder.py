"""The folder of compiled kernels, found to be writable before the first of them is needed.

Where it is not, numba looks for a place beside the source, and raises if there is none either.
"""

from pathlib import Path
from tempfile import TemporaryFile

from screening.errors import SkysieveError
from screening.kernel_files import keep_kernels_in

_ALL_KERNELS_BYTES = 32_000_000  # more than they take


class NoKernelFolder(SkysieveError):
    """Compiled kernels cannot be kept where the settings say."""


def kernels_below(kernel_cache: Path) -> Path:
    """Make numba keep compiled kernels below a folder; return that of this release, which may not exist yet.

    Call it before the first kernel is called.

    Raises:
        NoKernelFolder: it cannot be made or written, or has no room for what is to be compiled.
    """
    own = keep_kernels_in(kernel_cache)
    if own.is_dir():
        # Kernels that are there are loaded on a full disk, too: no room is asked for.
        _write(own, 0, kernel_cache)
    else:
        check_kernel_folder(kernel_cache, _ALL_KERNELS_BYTES)
    return own


def check_kernel_folder(kernel_cache: Path, room_bytes: int = 0) -> None:
    """Make sure that a folder is there and can be written.

    Raises:
        NoKernelFolder: it cannot, or has less room than asked for.
    """
    try:
        kernel_cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(kernel_cache, error) from error
    _write(kernel_cache, room_bytes, kernel_cache)


def _write(folder: Path, size_bytes: int, kernel_cache: Path) -> None:
    try:
        with TemporaryFile(dir=folder) as probe:
            probe.write(bytes(size_bytes))
    except OSError as error:
        raise _unusable(kernel_cache, error) from error


def _unusable(kernel_cache: Path, error: OSError) -> NoKernelFolder:
    return NoKernelFolder(
        f"Compiled kernels cannot be kept in {kernel_cache} ({error.strerror}). Set SKYSIEVE_KERNEL_CACHE to "
        f"a folder that can be written, with {_ALL_KERNELS_BYTES // 1_000_000} MB of room."
    )
