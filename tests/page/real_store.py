"""A store of the real catalogue: near pairs of all levels, slow ones, and what only messages tell."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from flows.sources.catalogues import read_file
from tests.runs import make_run
from tests.screening.risk.message_texts import kvn, without_covariance
from tests.storage.messages.received import taken, text
from tests.told_events import at_noon, summary

# Every ninth object, and pairs that come near in the whole catalogue: the first is critical, the second slow.
EVERY = 9
NEAR = (36796, 58462, 60474, 60496)
CRITICAL = NEAR[:2]
START = np.datetime64("2024-10-31T22:00:00", "us")
HOURS = 24.0
TCA = datetime(2024, 10, 31, 23, 52, 30, 940000, tzinfo=UTC)  # of the critical pair
NO_COVARIANCE = 7  # numbers of the events that only messages tell
SUMMARISED = 8


def real_store(shared_file: Callable[[str], Path], folder: Path) -> Path:
    """Screen a part of the real catalogue twice, and take messages about it and about others."""
    header, *lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    kept = [line for i, line in enumerate(lines) if i % EVERY == 0 or int(line.split(",")[number]) in NEAR]
    catalogue = folder / "catalogue.csv"
    catalogue.write_text("\n".join([header, *kept]))
    store = folder / "store"
    for earlier in (6, 0):
        make_run(read_file(catalogue), store, start=START - np.timedelta64(earlier, "h"), hours=HOURS)
    pair = str(CRITICAL[0]), str(CRITICAL[1])
    for hours, claimed in ((20, "1e-6"), (9, "3e-4")):
        made = TCA - timedelta(hours=hours)
        taken(store, text(tca=TCA, made=made, message_id=f"M{hours}", pair=pair, probability=claimed))
    day, soon = TCA - timedelta(hours=9), TCA + timedelta(hours=2)
    bare = without_covariance(kvn(at_noon(day, soon, NO_COVARIANCE)), 1, 2)
    taken(store, bare)
    taken(store, summary(day, soon, SUMMARISED), restricted=False)
    return store
