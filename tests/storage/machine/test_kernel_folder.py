"""Compiled kernels cannot be kept: one message names the setting, and nothing has begun."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

COMMANDS = (
    ["screen", "{catalogue}"],
    ["refresh", "--source", "{catalogue}"],
    ["schedule", "--source", "{catalogue}"],
    ["up", "--source", "{catalogue}"],
    ["serve", "--port", "0"],
    ["warm"],
)


def run(command: list[str], tmp_path: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a store that is not there yet, as root of a namespace of its own where needed."""
    repository = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "PYTHONPATH": str(repository), "SKYSIEVE_STORE": str(tmp_path / "store")}
    return subprocess.run(
        command, cwd=tmp_path, env=environment | settings, capture_output=True, text=True, timeout=120
    )


def assert_told(done: subprocess.CompletedProcess[str], folder: Path, reason: str) -> None:
    lines = done.stderr.splitlines()[-1:]
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2), done.stderr
    assert [line.startswith("error: ") for line in lines] == [True], done.stderr
    assert f"{folder} ({reason})" in lines[0]
    assert "SKYSIEVE_KERNEL_CACHE" in lines[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_file_in_its_place(command: list[str], small_catalogue: Path, tmp_path: Path) -> None:
    """`up` began, its run failed, and not a word of it was shown."""
    (tmp_path / "taken").write_text("a file")
    words = [word.format(catalogue=small_catalogue) for word in command]
    folder = tmp_path / "taken" / "kernels"
    done = run([sys.executable, "-m", "skysieve", *words], tmp_path, SKYSIEVE_KERNEL_CACHE=str(folder))
    assert_told(done, folder, "Not a directory")
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("options", "reason"), [("size=64k", "No space left on device"), ("ro", "Read-only file system")]
)
def test_a_disk_that_is_full_or_read_only(
    options: str, reason: str, small_catalogue: Path, tmp_path: Path
) -> None:
    """`screen` printed a traceback of numba's."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = f'mount -t tmpfs -o {options} none "{disk}" && exec "$@"'
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("needs user namespaces, for a small disk")
    screening = [sys.executable, "-m", "skysieve", "screen", str(small_catalogue)]
    folder = disk / "kernels"
    done = run([*alone, "sh", "-c", mounted, "sh", *screening], tmp_path, SKYSIEVE_KERNEL_CACHE=str(folder))
    assert_told(done, folder, reason)


def test_a_user_without_a_home(tmp_path: Path) -> None:
    """A user who is in no list has no home: Path.expanduser raised RuntimeError."""
    done = run(
        [sys.executable, "-m", "skysieve", "warm"], tmp_path, SKYSIEVE_KERNEL_CACHE="~nobody.here/kernels"
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: SKYSIEVE_KERNEL_CACHE=~nobody.here/kernels: ")
    assert "no home folder" in done.stderr
