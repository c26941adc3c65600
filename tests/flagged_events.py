"""A store whose events have their probabilities by every method: a run of real objects, and real messages."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from storage.messages.incoming import take
from tests import runs

START, HOURS = runs.START, 24.0
# Encounters of the real day: in the plane; without a number in the plane, and with one that does not hold;
# beside each other for long.
IN_PLANE, SLOW_FLAG, CURVED, BESIDE = (1292, 7490), (60470, 60513), (56202, 59376), (60566, 60568)
# Messages whose number in the plane is of another level, or differs by a half.
OF_MESSAGES = {
    (32060, 49574): "cdm/000032060_conj_000049574_20220227_152525_20220222_065043.cdm",
    (900_000_041, 900_000_042): "cdm/AlfanoTestCase04.cdm",
}
METHODS = {IN_PLANE: "2d", SLOW_FLAG: "3d", CURVED: "3d", BESIDE: "trajectory_mc"} | dict(
    zip(OF_MESSAGES, ("3d", "trajectory_mc"), strict=True)
)
RECEIVED = datetime(2024, 11, 1, 3, tzinfo=UTC)
_CHANGED = {"CREATION_DATE": "2024-11-01T02:00:00.000", "TCA": "2024-11-01T15:00:00.000"}


class Flagged(NamedTuple):
    """The store, and the files of the messages."""

    store: Path
    messages: dict[tuple[int, int], Path]


def flagged_events(shared_file: Callable[[str], Path], folder: Path) -> Flagged:
    """Screen these objects over a day, and receive the messages, moved into that day."""
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    wanted = {one for pair in (IN_PLANE, SLOW_FLAG, CURVED, BESIDE) for one in pair}
    chosen = [line for line in records if int(line.split(",")[number]) in wanted]
    store = folder / "store"
    runs.make_run(runs.source_of([header, *chosen], folder), store, hours=HOURS)
    messages = {}
    for pair, name in OF_MESSAGES.items():
        text = _moved(shared_file(name).read_text(), pair)
        messages[pair] = folder / Path(name).name
        messages[pair].write_text(text)
        taken = take(store, text.encode(), Path(name).name, RECEIVED)
        assert not taken.refused, taken.refused
    return Flagged(store, messages)


def _moved(text: str, pair: tuple[int, int]) -> str:
    for keyword, value in _CHANGED.items():
        text = re.sub(rf"^({keyword}\s*=\s*)\S+", rf"\g<1>{value}", text, count=1, flags=re.MULTILINE)
    numbers = iter(pair)
    return re.sub(
        r"^(OBJECT_DESIGNATOR\s*=\s*)\S+",
        lambda found: f"{found[1]}{next(numbers)}",
        text,
        flags=re.MULTILINE,
    )
