"""`skysieve warm` compiles every kernel, so that no later command has to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

# Kernels that are inlined where they are used are compiled there. What only kernels call is compiled with
# them, which shows in a process that compiles, not in one that finds them in the cache.
LEFT_OUT = """
import importlib, pkgutil, sys
from pathlib import Path
from numba.core.dispatcher import Dispatcher
import screening
from flows.warm import warm_kernels
from storage.settings import StoreSettings, load_settings

stages = []
warm_kernels(load_settings(StoreSettings).kernel_cache, stages.append)
seen = set()
for found in pkgutil.walk_packages(screening.__path__, "screening."):
    for name, value in vars(importlib.import_module(found.name)).items():
        if isinstance(value, Dispatcher) and value.targetoptions.get("inline") != "always":
            seen.add((value.py_func.__module__, value.py_func.__name__, bool(value.signatures)))
assert len(seen) > 25 and len(stages) == 3
print(sorted(name for _, name, used in seen if not used))
"""


@pytest.mark.slow
def test_every_kernel_is_used(repository: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEFT_OUT],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(repository), "SKYSIEVE_KERNEL_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_the_command_says_where_they_are(repository: Path) -> None:
    command = [sys.executable, "-m", "skysieve", "warm"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = Path(done.stderr.splitlines()[-1].removeprefix("all kernels are compiled in "))
    assert any(folder.glob("all_pairs_*/*.nbi"))
    assert any(folder.glob("probability_*/*.nbi"))
