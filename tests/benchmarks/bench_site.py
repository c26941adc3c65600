"""What `skysieve site` takes, and what its site weighs.

    python tests/benchmarks/bench_site.py [STORE]

STORE holds a run; without it, one of the real catalogue of 2024-11-01 (../shared/data) is made.
"""

import re
import sys
import tempfile
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from flows.sources.catalogues import read_file  # noqa: E402
from screening.kernel_files import keep_kernels_in  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from tests.benchmarks.measured import REAL_CATALOGUE, SKYSIEVE, command, machine  # noqa: E402
from tests.runs import make_run  # noqa: E402

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

START = np.datetime64("2024-11-01T00:00:00", "us")
BASE = "https://sky.example.org"


def main() -> None:
    """Build the site twice, and print what each took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "store"
        if len(sys.argv) == 1:
            make_run(read_file(REAL_CATALOGUE), store, start=START, hours=24.0)
        print(machine())
        for which in ("new", "again"):
            used = command(*SKYSIEVE, "site", folder / "site", "--base-url", BASE, "--store", store)
            print(f"{which}: {used.wall_s:.1f} s, {used.cpu_s:.1f} CPU-s, {used.peak_gb:.2f} GB at most")
        files = [one for one in (folder / "site").rglob("*") if one.is_file()]
        size_mb = sum(one.stat().st_size for one in files) / 1e6
        print(f"{len(files):,} files, {size_mb:.1f} MB; first page {_first_page_kb(folder / 'site'):.0f} kB")


def _first_page_kb(site: Path) -> float:
    """Return the weight of the first page with script, styles, icon and typeface, uncompressed."""
    page, styles = site / "index.html", site / "assets" / "site.css"
    parts = {page, *(site / name for name in re.findall(r'"(assets/[^"]+)"', page.read_text()))}
    parts |= {styles.parent / name for name in re.findall(r'url\("([^"]+)"\)', styles.read_text())}
    return sum(one.stat().st_size for one in parts) / 1e3


if __name__ == "__main__":
    main()
