"""Addresses are looked at before anything is started; a machine may have ::1 alone."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ONLY_IPV6 = 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && exec "$@"'
ALONE = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", ONLY_IPV6, "sh"]
PARTS = """
from flows.group.processes import parts_of
from flows.settings import FlowSettings
for part in parts_of(FlowSettings()):
    print(part.name, part.port, *part.command, part.environment.get("PREFECT_API_URL"))
"""


def run_up(tmp_path: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "skysieve", "up", "--source", "synthetic", "--store", tmp_path / "store"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3]), **settings}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def test_a_taken_port_is_reported_before_anything_starts(tmp_path: Path) -> None:
    """The group was torn down 26 s later, with a run under way."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run_up(tmp_path, SKYSIEVE_PORT=str(port))
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: Cannot listen on 127.0.0.1:{port}: address already in use.")
    assert " SKYSIEVE_PORT to another" in done.stderr
    assert "starting" not in done.stderr


def test_an_address_of_another_machine_is_reported_too(tmp_path: Path) -> None:
    done = run_up(tmp_path, SKYSIEVE_HOST="192.0.2.1")
    assert done.returncode == 1
    assert "192.0.2.1:7373: cannot assign requested address" in done.stderr


def test_a_machine_with_ipv6_alone_has_ports(repository: Path) -> None:
    """It was told that there is no free port on 127.0.0.1."""
    if subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        pytest.skip("needs user and network namespaces, and ip")
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    environment.pop("PREFECT_API_URL", None)
    done = subprocess.run(
        [*ALONE, sys.executable, "-c", PARTS], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    started = re.search(r"schedule --server-port=(\d+)", done.stdout)
    assert started is not None
    assert f"http://[::1]:{started[1]}/api" in done.stdout


@pytest.mark.slow
def test_a_machine_with_ipv6_alone_makes_runs(
    repository: Path, small_catalogue: Path, tmp_path: Path
) -> None:
    """Dask did not start: it was told to listen on 127.0.0.1."""
    if subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        pytest.skip("needs user and network namespaces, and ip")
    words = [
        "screen",
        small_catalogue,
        "--start",
        "2024-11-01T00:00:00Z",
        "--hours",
        "0.5",
        "--store",
        tmp_path,
    ]
    done = subprocess.run(
        [*ALONE, sys.executable, "-m", "skysieve", *words],
        env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
