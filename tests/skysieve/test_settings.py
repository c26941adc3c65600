"""Variables that set nothing are named once, and the values that removed ones had are as documented."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from api.answers.analyses import KEPT
from api.live import service, uploads
from api.routes import analyses
from api.server.process import LIMITS as CONNECTIONS
from api.settings import ApiSettings
from flows.runs import second_look
from flows.settings import FlowSettings
from flows.sources import names, spacetrack
from flows.sources.download import Limits
from skysieve.settings import REMOVED, REMOVED_NOW, take_out_unknown

FIXED = {
    "CARA_LISTING_URL": f"<{names.CARA_LISTING_URL}>",
    "CARA_FILES_URL": f"<{names.CARA_FILES_URL}>",
    "GCAT_URL": f"<{names.GCAT_URL}>",
    "STARLINK_URL": f"<{names.STARLINK_URL}>",
    "ISS_URL": f"<{names.ISS_URL}>",
    "SPACETRACK_URL": f"<{spacetrack.SPACETRACK_URL}>",
    "SECOND_LOOK_FILES": f"{second_look.MOST_FILES}",
    "DOWNLOAD_MAX_MB": f"{Limits().max_bytes / 1e6:g} MB",
    "DOWNLOAD_CONNECT_TIMEOUT_S": f"{Limits().connect_s:g} s",
    "DOWNLOAD_READ_TIMEOUT_S": f"{Limits().silence_s:g} s",
    "DOWNLOAD_TOTAL_TIMEOUT_S": f"{Limits().total_s:g} s",
    "MAX_CONNECTIONS": f"{CONNECTIONS.connections:,}",
    "MAX_CONNECTIONS_PER_ADDRESS": f"{CONNECTIONS.per_network:,}",
    "REQUEST_TIMEOUT_S": f"{CONNECTIONS.request_s:g} s",
    "SEND_TIMEOUT_S": f"{CONNECTIONS.send_s:g} s",
    "MAX_UNSENT_MB": f"{CONNECTIONS.unsent_bytes / 1e6:g} MB",
    "ANSWER_TIME_S": f"{service.LONGEST_S:g} s",
    "ANALYSIS_WAIT_S": f"{service.WAIT_S:g} s",
    "WAITING_PER_CREDENTIAL": f"{service.WAITING_PER_CREDENTIAL}",
    "WAITING_IN_ALL": f"{service.WAITING_IN_ALL}",
    "ANALYSIS_MAX_EVENTS": f"{analyses.MOST_EVENTS:,}",
    "ANALYSES_KEPT": f"{KEPT.analyses}",
    "ANALYSED_EVENTS_KEPT": f"{KEPT.events:,}",
    "UPLOAD_MB_PER_DAY": f"{uploads.MB_PER_DAY:,} MB",
    "MAX_STORED_FILES": f"{uploads.MOST_FILES:,}",
}
REPLACED = {"PREFECT_PORT", "DASK_PORT", "WORKER_PROCESSES", "SUPGP_FILES", "ANSWERS_AT_ONCE"}


def test_the_values_of_removed_settings_are_documented(repository: Path) -> None:
    section = (repository / "docs" / "settings.md").read_text().partition("## Removed in 0.2.0")[2]
    told = {name: value for value, name in re.findall(r"\| ([^|]+) \| `SKYSIEVE_(\w+)` \|\n", section)}
    assert told.keys() == REMOVED == FIXED.keys() | REPLACED
    assert {name: told[name] for name in FIXED} == FIXED


def test_there_are_forty_settings_and_none_is_removed() -> None:
    known = {name.upper() for name in (*FlowSettings.model_fields, *ApiSettings.model_fields)}
    assert len(known) <= 40
    assert known & (REMOVED | REMOVED_NOW) == set()


def test_what_this_release_removes_is_named_with_what_replaces_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = (repository / "docs" / "settings.md").read_text().partition("## Removed in 0.3.0")[2]
    told = section.partition("\n## ")[0]
    for name in REMOVED_NOW:
        assert f"`SKYSIEVE_{name}`" in told
        monkeypatch.setenv(f"SKYSIEVE_{name}", "")
    assert take_out_unknown() == (
        "warning: SKYSIEVE_SOURCE_PASSWORD was removed in 0.3.0; SKYSIEVE_SOURCE_USER was removed in 0.3.0; "
        "SKYSIEVE_SPACETRACK_PASSWORD was removed in 0.3.0; SKYSIEVE_SPACETRACK_USER was removed in 0.3.0. "
        "docs/settings.md lists all."
    )


def test_a_warning_names_what_sets_nothing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SKYSIEVE_ISS_URL", "SKYSIEVE_RETENTION_DAY", "SKYSIEVE_PORT", "skysieve_host"):
        monkeypatch.setenv(name, "")
    assert take_out_unknown() == (
        "warning: SKYSIEVE_ISS_URL was removed in 0.2.0; SKYSIEVE_RETENTION_DAY is not a setting. "
        "docs/settings.md lists all."
    )
    assert take_out_unknown() == ""
    assert {"SKYSIEVE_PORT", "skysieve_host"} < os.environ.keys()


@pytest.mark.processes
def test_a_command_warns_and_works(repository: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skysieve", "tokens", "list", "--json"],
        env={**os.environ, "SKYSIEVE_STORE": str(tmp_path), "SKYSIEVE_SEND_TIMEOUT_S": "5"},
        capture_output=True,
        text=True,
        cwd=repository,
    )
    assert (done.returncode, done.stdout) == (0, "[]\n")
    assert done.stderr == (
        "warning: SKYSIEVE_SEND_TIMEOUT_S was removed in 0.2.0. docs/settings.md lists all.\n"
    )
