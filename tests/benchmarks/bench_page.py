"""What the web page weighs, how soon it can be used, and how many pictures a second it draws.

    python tests/benchmarks/bench_page.py [STORE]

STORE holds a run to look at; without it, one of the real catalogue of 2024-11-01 (../shared/data) is made, or
else a synthetic one of 27,000 objects. Chromium draws without a graphics card. Takes about fifteen minutes,
ten of them to watch the memory. Writes docs/performance.md.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np
from playwright.sync_api import Browser, Page

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from api.routes.page import DIST  # noqa: E402
from flows.files.synthetic_catalogue import write_synthetic_file  # noqa: E402
from flows.sources.catalogues import read_file  # noqa: E402
from screening.kernel_files import keep_kernels_in  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from storage.state.credentials import create_credential  # noqa: E402
from tests.benchmarks.measured import REAL_CATALOGUE, machine, write  # noqa: E402
from tests.page.browsing import Served, chromium, session_cookie  # noqa: E402
from tests.page.serving import service  # noqa: E402
from tests.page.test_every_view import VIEWS  # noqa: E402
from tests.runs import make_run  # noqa: E402

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

DRAWN = VIEWS["globe"]
NARROW_BITS_S = 1.6e6
LATENCY_MS = 60
WATCHED_S = 10.0
WATCHED_MIN = 10  # of memory
OBJECTS = 27_000
ROUNDS = 3
WAIT_MS = 120_000


class Weight(NamedTuple):
    """What one view loads at first, in bytes as sent."""

    view: str
    files: int
    scripts: int
    answers: int  # of the service


def main() -> None:
    """Measure, and write the section."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", nargs="?", type=Path, metavar="STORE")
    given = parser.parse_args().store
    with tempfile.TemporaryDirectory() as folder:
        store = given or _store(Path(folder))
        made = create_credential(store, "bearer", "benchmark", datetime.now(UTC), per_minute=100_000)
        with service(store) as url, chromium() as browser:
            lines = list(_measured(browser, Served(url, made.secret)))
    text = "\n".join(lines) + "\n"
    print(text)
    write("page", text)


def _store(folder: Path) -> Path:
    catalogue = REAL_CATALOGUE
    start = np.datetime64("2024-11-01T00:00:00", "us")
    if not catalogue.exists():
        catalogue = folder / "synthetic.csv"
        write_synthetic_file(catalogue, OBJECTS, 1, start)
    make_run(read_file(catalogue), folder / "store", start=start, hours=24.0)
    return folder / "store"


def _measured(browser: Browser, served: Served) -> Iterator[str]:
    cookie = session_cookie(served)
    asked = httpx.Client(base_url=served.url, cookies={cookie["name"]: cookie["value"]}, timeout=300)
    # The first time on a machine, kernels are compiled before there is a position.
    asked.get("/positions?limit=1").raise_for_status()
    (event,) = asked.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    run = asked.get("/runs/current").json()
    yield (
        f"Chromium {browser.version} without a graphics card, {run['objects']:,} objects, "
        f"{run['conjunctions']:,} events; {ROUNDS} rounds, medians; {machine()}."
    )
    yield from ("", "| view | files | scripts, kB | answers, kB |", "|---|---|---|---|")
    for view in VIEWS:
        address = f"event/{event['id']}" if view == "event" else view
        with _tab(browser, served) as page:
            one = _weighed(page, f"{served.url}/#/{address}", view)
        yield f"| {one.view} | {one.files} | {one.scripts / 1e3:,.0f} | {one.answers / 1e3:,.0f} |"
    fine = sum(path.stat().st_size for path in (DIST / "assets").glob("coasts-*.js.gz"))
    yield from ("", f"With a graphics card the globe loads fine coasts later: {fine / 1e3:,.0f} kB more.", "")
    yield from ("| usable after | here, s | at 1.6 Mbit/s, s |", "|---|---|---|")
    for name, address, ready in (
        ("list of events", "events", VIEWS["events"]),
        ("event", f"event/{event['id']}", VIEWS["event"]),
        ("globe: coming events", "globe", ".coming .event-list button"),
        ("globe: all objects", "globe", DRAWN),
    ):
        waits = [
            statistics.median(_ready_s(browser, served, address, ready, narrow) for _ in range(ROUNDS))
            for narrow in (False, True)
        ]
        yield f"| {name} | {waits[0]:.1f} | {waits[1]:.1f} |"
    frame = asked.get("/positions", headers={"Accept": "application/vnd.skysieve.positions"})
    with _tab(browser, served) as page:
        moved = _moving(page, f"{served.url}/#/globe")
    yield from (
        "",
        f"One frame of positions is {int(frame.headers['Content-Length']) / 1e3:,.0f} kB. {moved}",
    )
    with _tab(browser, served) as page:
        yield from ("", _memory(page, f"{served.url}/#/globe"))


@contextmanager
def _tab(browser: Browser, served: Served) -> Iterator[Page]:
    """Open a tab with nothing in its cache."""
    tab = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="no-preference")
    tab.add_cookies([session_cookie(served)])
    yield tab.new_page()
    tab.close()


def _weighed(page: Page, address: str, view: str) -> Weight:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    kinds: dict[str, str] = {}
    sent: dict[str, int] = {}
    devtools.on("Network.responseReceived", lambda it: kinds.update({it["requestId"]: it["type"]}))
    devtools.on("Network.loadingFinished", lambda it: sent.update({it["requestId"]: it["encodedDataLength"]}))
    page.goto(address)
    page.wait_for_selector(VIEWS[view], timeout=WAIT_MS)
    page.wait_for_load_state("networkidle")

    def of(*wanted: str) -> list[int]:
        return [sent.get(request, 0) for request, kind in kinds.items() if kind in wanted]

    return Weight(view, len(of("Script")), sum(of("Script")), sum(of("Fetch", "XHR")))


def _ready_s(browser: Browser, served: Served, address: str, ready: str, narrow: bool) -> float:
    with _tab(browser, served) as page:
        if narrow:
            devtools: Any = page.context.new_cdp_session(page)
            devtools.send("Network.enable")
            rate = NARROW_BITS_S / 8
            limits = {"latency": LATENCY_MS, "downloadThroughput": rate, "uploadThroughput": rate}
            devtools.send("Network.emulateNetworkConditions", {"offline": False, **limits})
        begun = time.perf_counter()
        page.goto(f"{served.url}/#/{address}", wait_until="commit")
        page.wait_for_selector(ready, timeout=WAIT_MS)
        return time.perf_counter() - begun


def _moving(page: Page, address: str) -> str:
    page.goto(address)
    page.wait_for_selector(DRAWN, timeout=WAIT_MS)
    canvas = page.locator(DRAWN)
    width, height = (canvas.evaluate(f"x => x.client{side}") for side in ("Width", "Height"))
    page.get_by_label("Speed").select_option("10")
    page.wait_for_timeout(1000)
    pictures, cpu_s, begun = _pictures(page), _browser_cpu_s(), time.perf_counter()
    page.wait_for_timeout(1e3 * WATCHED_S)
    drawn = _pictures(page) - pictures
    per_picture_s = (_browser_cpu_s() - cpu_s) / drawn
    rate = drawn / (time.perf_counter() - begun)
    return (
        f"{canvas.get_attribute('data-objects')} objects move at {rate:.1f} pictures a second on {width} x "
        f"{height} px, {1e3 * per_picture_s:.0f} ms of processor time each."
    )


def _memory(page: Page, address: str) -> str:
    page.goto(address)
    page.wait_for_selector(DRAWN, timeout=WAIT_MS)
    page.get_by_label("Speed").select_option("300")
    devtools = page.context.new_cdp_session(page)
    used_mb = []
    for _ in range(WATCHED_MIN):
        page.wait_for_timeout(60e3)
        devtools.send("HeapProfiler.collectGarbage")
        heap = devtools.send("Runtime.getHeapUsage")
        used_mb.append((heap["usedSize"] + heap["backingStorageSize"]) / 1e6)
    return (
        f"At 300 times real time the page holds {used_mb[0]:.1f} MB after a minute and {used_mb[-1]:.1f} MB "
        f"after {WATCHED_MIN}; most: {max(used_mb):.1f} MB."
    )


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
