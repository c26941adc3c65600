"""Check the folder of compiled kernels before the first kernel is needed.

If it is not writable, numba looks for a place beside the source, and raises if there is none either.
"""

from pathlib import Path
from tempfile import TemporaryFile

from screening.errors import SkysieveError
from screening.kernel_files import keep_kernels_in

_ALL_KERNELS_BYTES = 32_000_000  # more than they need


class NoKernelFolder(SkysieveError):
    """Compiled kernels cannot be kept in the configured folder."""


def kernels_below(kernel_cache: Path) -> Path:
    """Make numba keep compiled kernels below a folder; return this release's subfolder, which may be missing.

    Call it before the first kernel is called.

    Raises:
        NoKernelFolder: it cannot be created or written, or has no room for the kernels to be compiled.
    """
    own = keep_kernels_in(kernel_cache)
    if own.is_dir():
        # Existing kernels load from a full disk too: no room is required.
        _write(own, 0, kernel_cache)
    else:
        check_kernel_folder(kernel_cache, _ALL_KERNELS_BYTES)
    return own


def check_kernel_folder(kernel_cache: Path, room_bytes: int = 0) -> None:
    """Make sure that a folder exists and is writable.

    Raises:
        NoKernelFolder: it is not writable, or has less room than required.
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
        f"Compiled kernels cannot be kept in {kernel_cache} ({error.strerror}). Set SKYSIEVE_KERNEL_CACHE "
        f"to a writable folder with {_ALL_KERNELS_BYTES // 1_000_000} MB of room."
    )
