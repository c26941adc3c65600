"""Where benchmarks put what they measured: docs/performance.md, between markers of their own."""

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
REAL_CATALOGUE = REPOSITORY.parent / "shared" / "data" / "gp_onorbit_20241101.csv"
_DOCUMENT = REPOSITORY / "docs" / "performance.md"
_END = "<!-- end -->"


class Whole(NamedTuple):
    """What a whole command took."""

    wall_s: float
    cpu_s: float
    peak_gb: float
    events: float


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
