"""Settings of runs, read from the environment."""

import os

from pydantic import Field

from storage.settings import StoreSettings


class FlowSettings(StoreSettings):
    """How catalogues are screened."""

    look_ahead_hours: float = Field(default=24.0, description="Length of the screened window, hours.")
    threshold_km: float = Field(default=10.0, description="Events closer than this are kept, km.")
    scheduler: str = Field(
        default="", description="Address of a Dask scheduler, tcp:// or tls://; empty: a local cluster."
    )
    workers: int = Field(
        default_factory=lambda: len(os.sched_getaffinity(0)),
        ge=1,
        description="Worker processes of the local cluster; by default one per core.",
    )
