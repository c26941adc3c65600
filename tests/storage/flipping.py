"""Change one bit of a file of a store with every kind of file, and see what all make of it who read it."""

import hashlib
import random
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from screening.errors import SkysieveError
from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk.downloads import AcceptedText, SourceHistory, catalogues_locked, keep
from storage.disk.ephemeris import place_ephemeris
from storage.disk.ephemeris_states import stage_ephemeris
from storage.disk.layout import ANALYST_FILE
from storage.state.credentials import create_credential
from storage.state.database import begin_attempt
from storage.state.object_facts import import_facts, override_radius
from tests.made_up_run import make_run, publish

FIRST, SECOND = "20261121T060000Z", "20261121T120000Z"
NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
URL = "http://127.0.0.1/gp.csv"
TEXT = b"".join(b"%d,a line of a catalogue\n" % number for number in range(300))
SATCAT = b"OBJECT_NAME,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE\n" + b"".join(
    b"A,%d,PAY,+\n" % number for number in range(1, 300)
)


def store_with_all_kinds(store: Path) -> Path:
    """Make a store with every kind of file."""
    for number in range(2):
        publish(store, make_run(conjunctions=300, seed=number, hours_later=6 * number))
    first, second = (store / f"runs/run_id={run_id}" for run_id in (FIRST, SECOND))
    shutil.copy(second / "conjunctions.parquet", first / "kept.parquet")
    shutil.copy(first / "conjunctions.parquet", store / "analyses/full-1-0123.parquet")
    epoch = np.datetime64("2026-11-21T00:00:00", "us")
    objects = synthetic_catalogue(200, 1, epoch).elements
    place_ephemeris(store, stage_ephemeris(store, objects, epoch, 2.0), SECOND)
    accepted = AcceptedText(hashlib.sha256(TEXT).hexdigest(), NOW, NOW, 300, 1.0)
    with catalogues_locked(store, 1):
        keep(store, SourceHistory(URL, NOW), accepted, TEXT)
    for number in range(40):
        create_credential(store, "bearer", f"desk {number}", NOW, days=9, per_minute=60)
        override_radius(store, number + 1, 2.0, NOW)
    import_facts(store, SATCAT, "satcat.csv", NOW)
    begin_attempt(store, NOW, "celestrak", "fetch")
    return store


def flip(path: Path, rng: random.Random) -> int:
    """Change one bit of a file, anywhere in it, and return the position of its byte."""
    content = bytearray(path.read_bytes())
    bit = rng.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return bit // 8


def outcomes(
    store: Path, name: str, asked: Mapping[str, Callable[[Path], object]], flips: int
) -> Counter[str]:
    """Flip a bit of a file of a store so many times, and ask all that read it each time.

    Return how often what came of it: `same`: the answer is as before; `told`: an error that names the file,
    or the folder it lies in; else the position of the byte, who was asked, and what went wrong.
    """
    rng, path = random.Random(name), store / name
    content = path.read_bytes()
    before = {who: repr(ask(store)) for who, ask in asked.items()}
    seen: Counter[str] = Counter()
    for _ in range(flips):
        at = flip(path, rng)
        for who, ask in asked.items():
            try:
                after = repr(ask(store))
            except SkysieveError as error:
                named = any(str(one) in str(error) for one in (path, path.parent, store / ANALYST_FILE))
                seen["told" if named else f"{at} {who}: {error}"] += 1
            except Exception as error:
                seen[f"{at} {who}: {error!r}"] += 1
            else:
                seen["same" if after == before[who] else f"{at} {who}: another answer"] += 1
        path.write_bytes(content)
    return seen
