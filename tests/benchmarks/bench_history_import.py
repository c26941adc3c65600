"""What an import of 5 million element sets takes: CPU time a set, and the peak of memory.

.venv/bin/python tests/benchmarks/bench_history_import.py [SETS]

The sets are those of a published week, with their epochs and times moved by weeks.
"""

import gzip
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sgp4.io import compute_checksum

from tests.benchmarks.measured import REPOSITORY, SKYSIEVE, command, machine

PUBLISHED = REPOSITORY.parent / "shared" / "data" / "history" / "published" / "celestrak_202605_even.csv.gz"
DEFAULT_SETS = 5_000_000
DAYS_OF_A_COPY = 7


def main() -> None:
    """Write the sets into one table, import it twice, and print what that took."""
    if not PUBLISHED.exists():
        sys.exit(f"{PUBLISHED} is missing.")
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_SETS
    with TemporaryDirectory() as folder:
        path = Path(folder) / "history.csv"
        count = _write(path, wanted)
        print(f"{machine()}: {count:,} sets, {path.stat().st_size / 1e6:,.0f} MB")
        words = (*SKYSIEVE, "history", "import", path, "--store", Path(folder) / "store")
        for what in ("new", "known"):
            used = command(*words)
            rate = count / used.cpu_s
            print(f"{what}: {used.cpu_s:.1f} CPU-s, {rate:,.0f} sets a CPU-s, peak {used.peak_gb:.2f} GB")


def _write(path: Path, wanted: int) -> int:
    """Write so many sets, of which no two are equal, as seen in 2018 and the following years."""
    with gzip.open(PUBLISHED, "rt") as file:
        header, *rows = file.read().splitlines()
    split = [row.split(",") for row in rows]
    count = 0
    with path.open("w") as out:
        out.write(f"{header}\n")
        while count < wanted:
            copy = count // len(rows)
            for row in split[: wanted - count]:
                out.write(_moved(row, copy))
            count += min(len(rows), wanted - count)
    return count


def _moved(row: list[str], copy: int) -> str:
    """Return a row as of an earlier year: its day of the year goes with the copy."""
    seen, group, number, line_1, line_2 = row
    year, day = 2025 - copy // 40, 1 + (copy % 40) * DAYS_OF_A_COPY
    moved_day = int(line_1[20:23]) - 143 + day
    if moved_day < 1:
        year, moved_day = year - 1, 365 + moved_day
    body = f"{line_1[:18]}{year % 100:02d}{moved_day:03d}{line_1[23:68]}"
    return f"{_seen(seen, year, moved_day)},{group},{number},{body}{compute_checksum(body)},{line_2}\n"


def _seen(seen: str, year: int, day: int) -> str:
    """Return an ordinal date a day after the epoch, with the time of a published one."""
    following = (year, day + 1) if day < 365 else (year + 1, 1)
    return f"{following[0]}-{following[1]:03d}{seen[10:]}"


if __name__ == "__main__":
    main()
