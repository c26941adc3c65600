"""What the web page weighs, how soon it can be used, and how many pictures a second it draws.

    python tests/benchmarks/bench_page.py [STORE]

STORE holds a run to look at; without it, one of the real catalogue of 2024-11-01 (../shared/data) is made, or
else a synthetic one of 27,000 objects. Chromium draws without a graphics card.
"""

import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx
import numpy as np
from playwright.sync_api import Page, Response

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from api.routes.page import DIST  # noqa: E402
from flows.files.synthetic_catalogue import write_synthetic_file  # noqa: E402
from flows.sources.catalogues import read_file  # noqa: E402
from screening.kernel_files import keep_kernels_in  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from storage.state.credentials import create_credential  # noqa: E402
from tests.page.browsing import Served, chromium, session_cookie  # noqa: E402
from tests.page.serving import service  # noqa: E402
from tests.runs import make_run  # noqa: E402

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

DRAWN = "canvas[data-objects]:not([data-objects='0'])"
WATCHED_S = 10.0
OBJECTS = 27_000


def main() -> None:
    """Measure, and print a line each."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(sys.argv[1]) if len(sys.argv) > 1 else _store(Path(folder))
        made = create_credential(store, "bearer", "benchmark", datetime.now(UTC), per_minute=100_000)
        packed = sum(path.stat().st_size for path in (DIST / "assets").glob("*.gz"))
        print(f"page, compressed: {packed / 1e3:,.0f} kB")
        with service(store) as url:
            _look(Served(url, made.secret))


def _store(folder: Path) -> Path:
    catalogue = REPOSITORY.parent / "shared" / "data" / "gp_onorbit_20241101.csv"
    start = np.datetime64("2024-11-01T00:00:00", "us")
    if not catalogue.exists():
        catalogue = folder / "synthetic.csv"
        write_synthetic_file(catalogue, OBJECTS, 1, start)
    make_run(read_file(catalogue), folder / "store", start=start, hours=24.0)
    return folder / "store"


def _look(served: Served) -> None:
    with chromium() as browser:
        tab = browser.new_context(viewport={"width": 1280, "height": 800})
        cookie = session_cookie(served)
        tab.add_cookies([cookie])
        # The first time on a machine, kernels are compiled before there is a position.
        httpx.get(f"{served.url}/positions?limit=1", cookies={cookie["name"]: cookie["value"]}, timeout=300)
        page = tab.new_page()
        sizes: list[int] = []

        def note(answer: Response) -> None:
            if "positions?" in answer.url:
                sizes.append(int(answer.headers["content-length"]))

        page.on("response", note)
        begun = time.perf_counter()
        page.goto(served.url)
        page.wait_for_selector(".event-list button", timeout=120_000)
        listed_s = time.perf_counter() - begun
        page.wait_for_selector(DRAWN, timeout=120_000)
        drawn_s = time.perf_counter() - begun
        print(f"first view: events after {listed_s:.1f} s, all objects after {drawn_s:.1f} s")
        canvas = page.locator(DRAWN)
        print(f"positions of {canvas.get_attribute('data-objects')} objects: {max(sizes) / 1e3:,.0f} kB")
        page.get_by_label("Speed").select_option("10")
        page.wait_for_timeout(1000)
        pictures, cpu_s, begun = _pictures(page), _browser_cpu_s(), time.perf_counter()
        page.wait_for_timeout(1e3 * WATCHED_S)
        drawn = _pictures(page) - pictures
        per_picture_s = (_browser_cpu_s() - cpu_s) / drawn
        rate = drawn / (time.perf_counter() - begun)
        print(f"{rate:.1f} pictures a second, {1e3 * per_picture_s:.0f} ms of processor time each")


def _pictures(page: Page) -> int:
    return int(page.locator(DRAWN).get_attribute("data-pictures") or 0)


def _browser_cpu_s() -> float:
    """Return the processor time that the browser's processes, below this one, have taken so far."""
    children: dict[int, list[tuple[int, float]]] = {}
    ticks = os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, rest = (folder / "stat").read_text().rsplit(")", 1)
        except OSError:
            continue  # it has ended
        fields = rest.split()
        used_s = (int(fields[11]) + int(fields[12])) / ticks if "chrom" in name else 0.0
        children.setdefault(int(fields[1]), []).append((int(folder.name), used_s))
    total_s, below = 0.0, [os.getpid()]
    while below:
        for process, used_s in children.get(below.pop(), []):
            total_s += used_s
            below.append(process)
    return total_s


if __name__ == "__main__":
    main()
