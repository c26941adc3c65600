"""The release of the screening, which must be the same on all workers."""

from storage.machine.kernel_folder import kernels_below
from storage.settings import StoreSettings, load_settings


def release() -> str:
    """Return a value that is the same for the same sources of the screening."""
    return kernels_below(load_settings(StoreSettings).kernel_cache).name
