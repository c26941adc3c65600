"""Stage an ephemeris on a disk that is too small for it, inside a mount namespace; print what is left."""

import errno
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk.ephemeris_states import ephemeris_bytes, stage_ephemeris

START, OBJECTS, HOURS = np.datetime64("2026-01-01T00:00:00", "us"), 200, 6.0


def main(disk: Path) -> None:
    size = f"size={ephemeris_bytes(OBJECTS, HOURS) // 2048}k"  # half
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", str(disk)], check=True)
    seen = "none"
    try:
        stage_ephemeris(disk / "store", synthetic_catalogue(OBJECTS, 1, START).elements, START, HOURS)
    except OSError as error:
        seen = errno.errorcode[error.errno or 0]
    left = [str(path) for path in (disk / "store" / "ephemeris").iterdir()]
    sys.stdout.write(json.dumps({"errno": seen, "left": left}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
