"""What this machine has left for a run: memory and disk."""

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
PROC = Path("/proc")


def available_memory_bytes(proc: Path = PROC, cgroups: Path = CGROUPS) -> float:
    """Return the memory that this process may still take: of the machine, and of each control group it is in.

    A file that a kernel does not have sets no limit.
    """
    return min([_of_machine(proc), *_of_groups(proc, cgroups)])


def free_disk_bytes(folder: Path) -> float:
    """Return the free space of the disk on which a folder is, or will be made."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return float(shutil.disk_usage(there).free)


def _of_machine(proc: Path) -> float:
    for line in _lines(proc / "meminfo"):
        if line.startswith("MemAvailable:"):
            return float(line.split()[1]) * 1024.0
    return math.inf


def _of_groups(proc: Path, cgroups: Path) -> Iterator[float]:
    """Yield what is left in each group, from this process's own to the root: version 2, else version 1."""
    for line in _lines(proc / "self" / "cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory") and "memory" not in controllers.split(","):
            continue
        root = cgroups / "memory" if controllers else cgroups
        names = ("limit_in_bytes", "usage_in_bytes") if controllers else ("max", "current")
        group = root / path.strip("/")
        # In a container the path is that of the host, and only the root is there.
        for folder in (group, *(up for up in group.parents if up.is_relative_to(root)), root):
            limit, used = (_number(folder / f"memory.{name}") for name in names)
            if limit is not None and used is not None:
                yield max(0.0, limit - used + _reclaimable(folder))


def _reclaimable(folder: Path) -> float:
    """Return what a group holds of files that can be dropped."""
    for line in _lines(folder / "memory.stat"):
        name, _, amount = line.partition(" ")
        if name in ("inactive_file", "total_inactive_file"):
            return float(amount)
    return 0.0


def _number(file: Path) -> float | None:
    """Return the number in a file; None without one, or if it says that there is no limit."""
    lines = _lines(file)
    return float(lines[0]) if lines and lines[0].strip().isdigit() else None


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except OSError:
        return []
