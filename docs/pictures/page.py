"""Make the picture of the page that the README shows, from a synthetic catalogue: page.png.

Run from the repository, after `make page browser`: python docs/pictures/page.py. Nothing in it is real, and
it says so.
"""

import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from PIL import Image

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path.insert(0, str(REPOSITORY))

from storage.state.credentials import create_credential  # noqa: E402
from tests.page.browsing import Served, chromium, visit  # noqa: E402
from tests.page.serving import service  # noqa: E402

PICTURE = HERE / "page.png"
COLORS = 128  # a palette of few colours keeps it small
SATELLITES = 8


def main() -> None:
    """Screen a synthetic catalogue twice, with a fleet in between, and take a picture of the fleet."""
    with TemporaryDirectory() as folder:
        catalogue, store = Path(folder, "synthetic.csv"), Path(folder, "store")
        _skysieve("synth", catalogue, "--objects", 12_000, "--seed", 3)
        _skysieve("screen", catalogue, "--store", store)
        members = [word for number in _most_met(store) for word in ("--norad-id", number)]
        _skysieve("fleets", "create", "our satellites", *members, "--hours", 72, "--store", store)
        _skysieve("screen", catalogue, "--store", store)
        credential = create_credential(store, "bearer", "picture", datetime.now(UTC))
        with (
            service(store) as url,
            chromium() as browser,
            visit(browser, Served(url, credential.secret)) as desk,
        ):
            desk.page.goto(desk.url)
            desk.page.wait_for_selector(".lanes")
            desk.page.wait_for_load_state("networkidle")
            seen = desk.page.screenshot()
        with Image.open(BytesIO(seen)) as picture:
            small = picture.convert("RGB").quantize(COLORS, method=Image.Quantize.MAXCOVERAGE)
        small.save(PICTURE, optimize=True)


def _most_met(store: Path) -> list[int]:
    """Return the payloads with the most conjunctions above 1e-7."""
    with duckdb.connect(store / "skysieve.duckdb", read_only=True) as run:
        found = run.execute(
            "SELECT norad_id FROM objects "
            "JOIN conjunctions ON norad_id IN (primary_norad_id, secondary_norad_id) "
            "WHERE object_type = 'payload' AND probability_best > 1e-7 "
            "GROUP BY norad_id ORDER BY count(*) DESC, norad_id LIMIT ?",
            [SATELLITES],
        )
        return [number for (number,) in found.fetchall()]


def _skysieve(*arguments: object) -> str:
    command = [sys.executable, "-m", "skysieve", *map(str, arguments)]
    return subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603


if __name__ == "__main__":
    main()
