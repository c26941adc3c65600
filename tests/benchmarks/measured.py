"""Where benchmarks put what they measured: docs/performance.md, between markers of their own."""

import json
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
REAL_CATALOGUE = REPOSITORY.parent / "shared" / "data" / "gp_onorbit_20241101.csv"
SKYSIEVE = ("-P", "-m", "skysieve")  # for `command`
_DOCUMENT = REPOSITORY / "docs" / "performance.md"
_END = "<!-- end -->"

# Without compiled modules, which an installed program has, a start takes half a second more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


# The peak of a process counts what its parent had when it was started.
_IN_A_SMALL_PROCESS = """
import json, resource, subprocess, sys, time
since_1970_s, began_s = time.time(), time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
wall_s, used = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([since_1970_s, wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6]))
"""


class Used(NamedTuple):
    """What a whole command took, with what it started."""

    began_s: float  # since 1970
    wall_s: float
    cpu_s: float
    peak_gb: float  # of its largest process


def command(*words: object, **environment: str) -> Used:
    """Run Python with these words in an environment with more variables; a failure ends the benchmark."""
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_SMALL_PROCESS, sys.executable, *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stderr}")
    return Used(*json.loads(done.stdout))


def machine() -> str:
    """Return what the numbers were measured on and with."""
    return (
        f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}, "
        f"numba {metadata.version('numba')}"
    )


def write(name: str, text: str) -> None:
    """Replace what a benchmark wrote before, or put it at the end of the document."""
    begin = f"<!-- measured: {name} -->\n"
    document = _DOCUMENT.read_text()
    if begin not in document:
        document = f"{document.rstrip()}\n\n{begin}{_END}\n"
    head, _, rest = document.partition(begin)
    _DOCUMENT.write_text(head + begin + text + _END + rest.partition(_END)[2])
