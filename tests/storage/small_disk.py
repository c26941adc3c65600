"""Programs that fill a disk of their own, a small one in memory, in a mount namespace of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
_IN_A_NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")


def printed_on_a_small_disk(script: str, folder: Path, *arguments: object) -> list[dict[str, Any]]:
    """Run a script of this folder where it may mount a disk, and return the JSON lines that it prints."""
    disk = folder / "disk"
    disk.mkdir()
    if not _may_mount(disk):
        pytest.skip("mounting a small disk (unshare --user --mount, tmpfs) is not allowed here")
    path = REPOSITORY / "tests" / "storage" / script
    done = subprocess.run(
        [*_IN_A_NAMESPACE, sys.executable, str(path), str(disk), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def _may_mount(disk: Path) -> bool:
    mount = [*_IN_A_NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]
    try:
        return subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
