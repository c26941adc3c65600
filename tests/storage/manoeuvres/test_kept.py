"""Which manoeuvres are news: each is stored once, and again if later sets show it better."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from screening.histories.burns import MANOEUVRE_DTYPE, ManoeuvreArray
from storage.disk.current import NOTHING_EXPIRED
from storage.disk.layout import manoeuvre_file, replace_parquet
from storage.manoeuvres.kept import (
    BETTER_BY,
    last_manoeuvres,
    manoeuvre_table,
    not_yet_stored,
    stored_manoeuvres,
)
from storage.manoeuvres.lists import Wanted, listed
from storage.writing.retention import Retention, compact
from tests.storage.conftest import Factories

NOON = np.datetime64("2026-11-20T12:00:00", "us")
FOUND_AT = datetime(2026, 11, 21, tzinfo=UTC)
HOUR = np.timedelta64(1, "h")


def burns(*rows: tuple[int, int, int, float]) -> ManoeuvreArray:
    """Return manoeuvres: object, hours from noon to both ends, sigmas."""
    out = np.zeros(len(rows), MANOEUVRE_DTYPE)
    for place, (number, begin, end, sigmas) in enumerate(rows):
        out[place]["norad_id"], out[place]["sigmas"] = number, sigmas
        out[place]["from"], out[place]["to"] = NOON + begin * HOUR, NOON + end * HOUR
        out[place]["at"] = NOON + (begin + end) * HOUR // 2
        out[place]["dv_m_s"], out[place]["dv_n_m_s"] = 1.0, np.nan
    return out


def put(store: Path, found: ManoeuvreArray, run_id: str | None = "20261121T000000Z") -> None:
    path = manoeuvre_file(store, run_id or "searched")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_parquet(manoeuvre_table(found, FOUND_AT, run_id), path)


def sigmas(found: ManoeuvreArray) -> list[float]:
    return found["sigmas"].tolist()


def test_what_is_stored_is_no_news_unless_it_is_much_surer(store: Path) -> None:
    put(store, burns((7, 0, 6, 20.0)))
    found = burns((7, 0, 6, 22.0), (7, 5, 9, 22.0), (7, 6, 9, 10.0), (8, 0, 6, 9.0))
    assert sigmas(not_yet_stored(store, found, NOTHING_EXPIRED)) == [10.0, 9.0], "intervals that meet differ"
    surer = burns((7, 0, 9, 20.0 * BETTER_BY))
    assert len(not_yet_stored(store, surer, NOTHING_EXPIRED)) == 1
    put(store, surer, "20261122T000000Z")
    assert sigmas(stored_manoeuvres(store, NOTHING_EXPIRED)) == [30.0], "one row each, the surest"
    assert len(not_yet_stored(store, surer, NOTHING_EXPIRED)) == 0


def test_an_empty_store_has_none(store: Path) -> None:
    found = burns((7, 0, 6, 9.0), (7, 3, 8, 30.0))
    assert sigmas(not_yet_stored(store, found, NOTHING_EXPIRED)) == [30.0], "of one time, one"
    assert last_manoeuvres(store, NOTHING_EXPIRED)[0].tolist() == []
    assert listed(store, Wanted(), 10) == ([], 0)


def test_pages_are_counted_in_all(store: Path) -> None:
    put(store, burns(*((7 + k, k, k + 1, 9.0) for k in range(5))))
    first, total = listed(store, Wanted(), 2)
    assert (total, [row[0] for row in first]) == (5, [11, 10])
    assert [row[0] for row in listed(store, Wanted(), 2, 4)[0]] == [7]
    assert listed(store, Wanted(), 2, 99) == ([], 5)


def test_the_last_of_each_object(store: Path) -> None:
    put(store, burns((9, 0, 6, 9.0), (7, 0, 6, 9.0), (7, 20, 30, 9.0)))
    numbers, last = last_manoeuvres(store, NOTHING_EXPIRED)
    assert numbers.tolist() == [7, 9]
    assert last.tolist() == [(NOON + 30 * HOUR).item(), (NOON + 6 * HOUR).item()]
    before = FOUND_AT.replace(day=20)
    assert last_manoeuvres(store, NOTHING_EXPIRED, before)[0].tolist() == []


@pytest.mark.slow
def test_what_runs_found_expires_with_their_element_sets(make: Factories, store: Path) -> None:
    """As `elements` does: hidden when the border passes, emptied by the run after."""
    first = make.run(objects=5, conjunctions=2)
    run_id = make.publish(store, first)
    put(store, burns((7, 0, 6, 9.0)), run_id)
    put(store, burns((8, 0, 6, 9.0)), None)
    later = first._replace(run=replace(first.run, started=first.run.started + timedelta(days=100)))
    make.publish(store, later)
    compact(store, later.run.started, Retention(timedelta(days=30), timedelta(days=90)))
    assert [row[0] for row in listed(store, Wanted(), 10)[0]] == [8]
    again = first._replace(run=replace(first.run, started=first.run.started + timedelta(days=101)))
    make.publish(store, again)
    assert stored_manoeuvres(store, NOTHING_EXPIRED)["norad_id"].tolist() == [8], "its space is freed"


@pytest.mark.slow
@pytest.mark.parametrize("missing", [True, False])
def test_a_store_without_files_has_none(make: Factories, store: Path, missing: bool) -> None:
    make.publish(store, make.run(objects=5, conjunctions=2))
    if missing:
        for path in (store / "manoeuvres").iterdir():
            path.unlink()
    assert listed(store, Wanted([7]), 10) == ([], 0)
