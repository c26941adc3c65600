"""Make the report that the README shows, from a synthetic catalogue: event_report.png.

Run from the repository: python docs/pictures/event_report.py. Nothing in it is real, and it says so.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
PICTURE = HERE / "event_report.png"
EPOCH = "2026-11-21T06:00:00Z"
WIDTH = 1500  # pixels; a palette of few colours keeps it small
COLORS = 128


def main() -> None:
    """Screen a synthetic catalogue in a temporary store and draw its most dangerous event."""
    with TemporaryDirectory() as folder:
        catalogue, store, drawn = (
            Path(folder, "synthetic.csv"),
            Path(folder, "store"),
            Path(folder, "event.png"),
        )
        _skysieve("synth", catalogue, "--objects", 30_000, "--seed", 1, "--epoch", EPOCH)
        _skysieve("screen", catalogue, "--start", EPOCH, "--hours", 24, "--store", store)
        listed = _skysieve("events", "--limit", 1, "--json", "--store", store)
        (worst,) = json.loads(listed)
        _skysieve("report", worst["id"], "--output", drawn, "--store", store)
        with Image.open(drawn) as picture:
            small = picture.convert("RGB").resize((WIDTH, round(picture.height * WIDTH / picture.width)))
        small.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE).save(PICTURE, optimize=True)


def _skysieve(*arguments: object) -> str:
    command = [sys.executable, "-m", "skysieve", *map(str, arguments)]
    return subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603


if __name__ == "__main__":
    main()
