"""Prefect's settings in its environment: where its page is unpacked, and the zone of its times."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows.settings import FlowSettings, child_environment, prefect_environment

pytestmark = pytest.mark.processes

PAGE = """
from flows.settings import prepare_prefect_server
prepare_prefect_server([])
from prefect.settings import PREFECT_UI_STATIC_DIRECTORY
print(PREFECT_UI_STATIC_DIRECTORY.value())
"""
TIME = """
from flows.settings import prepare_prefect
prepare_prefect()
import time
from prefect.logging.configuration import DEFAULT_LOGGING_SETTINGS_PATH, load_logging_config
form = load_logging_config(DEFAULT_LOGGING_SETTINGS_PATH)["formatters"]["standard"]["datefmt"]
print(time.strftime(form, time.localtime(0)))
"""
VACUUM = """
from prefect.settings import get_current_settings
found = get_current_settings().server.services.db_vacuum
print(sorted(found.enabled_vacuum_types), found.retention_period.days)
"""


def said(program: str, repository: Path, **settings: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(repository), **settings}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.slow
def test_its_page_is_unpacked_where_it_keeps_its_files(repository: Path, tmp_path: Path) -> None:
    """Site-packages may be read-only: the page was 404, with two errors at each start."""
    assert said(PAGE, repository, PREFECT_HOME=str(tmp_path)) == f"{tmp_path}/page\n"
    own = {"PREFECT_HOME": str(tmp_path), "PREFECT_UI_STATIC_DIRECTORY": "/srv/page"}
    assert said(PAGE, repository, **own) == "/srv/page\n"


def test_times_of_log_lines_are_utc(repository: Path, tmp_path: Path) -> None:
    """They were local times, beside others in UTC."""
    assert said(TIME, repository, TZ="Asia/Kathmandu", PREFECT_HOME=str(tmp_path)) == "1970-01-01T00:00:00\n"
    assert child_environment(FlowSettings(store=tmp_path))["TZ"] == "UTC"


def test_its_database_does_not_grow_for_ever(repository: Path, tmp_path: Path) -> None:
    """16 kB a run stayed: of flow runs, task runs, states and logs, Prefect removes nothing by default."""
    environment = prefect_environment(FlowSettings(store=tmp_path, retention_days=12.0))
    assert said(VACUUM, repository, **environment) == "['events', 'flow_runs', 'orphans'] 12\n"
