"""Alerts tell once of a break-up, and of a catalogue that is cut and of the next that is whole."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from flows.alerts.broken_up import KIND, put_broken_up
from flows.alerts.channels.wording import wording
from flows.alerts.conditions import put_health
from flows.alerts.outbox import note_run
from storage.disk.layout import catalogue_change_file, fragmentation_file, replace_parquet
from storage.settings import StoreSettings
from storage.sky_schema import CATALOGUE_CHANGES, FRAGMENTATIONS
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.alerts.deliveries import newest_messages
from tests.flows.alerts.channels.test_wording import text_of
from tests.flows.alerts.made_up_days import Meeting, at, look, make_fleet, publish_meetings

pytestmark = pytest.mark.slow
WORDS = "COSMOS 1408 (13552) broke up"


class Watched:
    """A store with a fleet of which an alert tells."""

    def __init__(self, store: Path) -> None:
        self.settings = StoreSettings(store=store)
        self.fleet = make_fleet(store)
        create_alert(store, NewAlert(self.fleet.id, target("ops@example.org"), "test", level="low"), at(-1))

    def run(self, hours: float, *, historic: bool = False) -> str:
        store = self.settings.store
        run_id = publish_meetings(store, hours, [Meeting(0, 20, at(hours + 10))], historic=historic)
        look(store, run_id, self.fleet)
        note_run(self.settings, run_id, at(hours))
        return run_id

    def bodies(self, *kinds: str) -> list[dict[str, Any]]:
        messages = [one.message for one in newest_messages(self.settings.store, 100)]
        return [one.body for one in reversed(messages) if one.kind in kinds]


@pytest.fixture
def watched(store: Path) -> Watched:
    return Watched(store)


def broken_up(watched: Watched, run_id: str, hours: float, total: int, new: int) -> None:
    numbers = {c.name: [0.0] for c in FRAGMENTATIONS.columns if pa.types.is_floating(c.type)}
    row = numbers | {
        "fragmentation_id": [1355220211115],
        "run_id": pa.array([run_id]).dictionary_encode(),
        "found_at": [at(hours).replace(tzinfo=None)],
        "parent_norad_id": [13552],
        "parent_name": ["COSMOS 1408"],
        "parent_object_id": ["1982-092A"],
        "at": [at(hours - 20).replace(tzinfo=None)],
        "x_km": [6850.0],
        "new_piece_norad_ids": [list(range(new))],
        "pieces": [total],
    }
    table = pa.table([row[name] for name in FRAGMENTATIONS.arrow.names], FRAGMENTATIONS.arrow)
    replace_parquet(table, fragmentation_file(watched.settings.store, run_id))


def compared(watched: Watched, run_id: str, *, suspect: bool, words: Sequence[str]) -> None:
    kinds = {c.name: c.type for c in CATALOGUE_CHANGES.columns}
    empty = {name: [[]] if pa.types.is_list(kind) else [0] for name, kind in kinds.items()}
    row = empty | {
        "run_id": pa.array([run_id]).dictionary_encode(),
        "base_run_id": pa.array([None], kinds["base_run_id"]),
        "epoch": [at(0).replace(tzinfo=None)],
        "suspect": [suspect],
        "words": [list(words)],
    }
    table = pa.table([row[name] for name in CATALOGUE_CHANGES.arrow.names], CATALOGUE_CHANGES.arrow)
    replace_parquet(table, catalogue_change_file(watched.settings.store, run_id))


def test_a_break_up_is_told_once(watched: Watched) -> None:
    watched.run(0)
    put_broken_up(watched.settings, at(0.1))
    broken_up(watched, watched.run(6), 6, 20, 20)
    for _ in range(2):
        put_broken_up(watched.settings, at(6.1))
        (body,) = watched.bodies(KIND)
    assert (body["data"]["norad_id"], body["data"]["pieces"]) == (13552, 20)
    assert WORDS in text_of(wording(body))
    broken_up(watched, watched.run(12), 12, 50, 30)
    put_broken_up(watched.settings, at(12.1))
    assert len(watched.bodies(KIND)) == 1, "later pieces are no news"
    broken_up(watched, watched.run(18, historic=True), 18, 9, 9)
    put_broken_up(watched.settings, at(18.1))
    assert len(watched.bodies(KIND)) == 1


def test_a_cut_catalogue_and_the_next_whole_one_are_told_once(watched: Watched) -> None:
    kinds = ("catalogue.suspect", "catalogue.complete")
    for hours, suspect in ((0, False), (6, True), (12, True), (18, False)):
        compared(watched, watched.run(hours), suspect=suspect, words=[f"11 of 22 objects at {hours}"])
        put_health(watched.settings, at(hours + 0.1))
    told = watched.bodies(*kinds)
    assert [(one["type"], one["data"]["words"]) for one in told] == [
        ("catalogue.suspect", ["11 of 22 objects at 6"]),
        ("catalogue.complete", ["11 of 22 objects at 18"]),
    ]
    assert "11 of 22 objects at 6" in text_of(wording(told[0]))
    assert "the catalogue is whole again" in text_of(wording(told[1]))
