"""Run the flow inside Prefect's test harness: `refresh_in_harness.py SOURCE STORE` prints the run's id.

Constants follow, such as `flows.sources.names:STARLINK_URL=http://127.0.0.1:8080/e`.

A process of its own, because Prefect leaves threads and settings behind.
"""

import os
import sys
from importlib import import_module

from flows.settings import prepare_prefect

prepare_prefect()

from prefect.testing.utilities import prefect_test_harness  # noqa: E402 - reads what was just prepared

from flows.scheduled.flow import refresh  # noqa: E402

if __name__ == "__main__":
    source, store, *constants = sys.argv[1:]
    for constant in constants:
        place, _, value = constant.partition("=")
        module, _, name = place.partition(":")
        setattr(import_module(module), name, value)
    with prefect_test_harness(server_startup_timeout=120):
        run_id = refresh(source, store)
    print(run_id, flush=True)  # noqa: T201
    os._exit(0)
