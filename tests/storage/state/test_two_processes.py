"""`service.sqlite` used side by side: what one process writes takes no file from under another."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.state.credentials import create_credential, list_credentials
from storage.state.rate_counters import RateCounters

pytestmark = pytest.mark.processes

REPOSITORY = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
WRITE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from storage.state.credentials import create_credential
create_credential(Path(sys.argv[1]), "bearer", "elsewhere", datetime.now(UTC))
"""


def test_a_connection_that_stays_open_outlives_a_write_here_and_one_elsewhere(store: Path) -> None:
    store.mkdir()
    counters = RateCounters.of_store(store)
    counters.take("one", 10, lambda: NOW)  # opens the file, and keeps it open
    try:
        for _ in range(2):
            create_credential(store, "bearer", "here", NOW)  # opens and closes it, in the same process
            subprocess.run([sys.executable, "-c", WRITE, str(store)], cwd=REPOSITORY, check=True)
            assert counters.take("one", 10, lambda: NOW).allowed
        assert [credential.name for credential in list_credentials(store)] == ["here", "elsewhere"] * 2
    finally:
        counters.close()
