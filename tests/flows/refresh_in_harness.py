"""Run the flow inside Prefect's test harness: `refresh_in_harness.py SOURCE STORE` prints the run's id.

A process of its own, because Prefect leaves threads and settings behind.
"""

import os
import sys

from flows.settings import prepare_prefect

prepare_prefect()

from prefect.testing.utilities import prefect_test_harness  # noqa: E402 - reads what was just prepared

from flows.scheduled.flow import refresh  # noqa: E402

if __name__ == "__main__":
    with prefect_test_harness(server_startup_timeout=120):
        run_id = refresh(*sys.argv[1:])
    print(run_id, flush=True)  # noqa: T201
    os._exit(0)
