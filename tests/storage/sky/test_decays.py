"""Forecasts of decays as stored: of a real catalogue whose decays are known, with and without a history."""

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.risk.objects.bodies.in_use import who_can_manoeuvre
from storage.disk.layout import element_file, replace_parquet
from storage.rows.elements import element_table
from storage.sky.decays import forecast_decays
from storage.sky.lists import COLUMNS, Wanted, listed, within
from storage.upkeep.upgrade import opened_for_writing
from storage.writing.objects_table import movers, objects_of
from tests.screening.decay.real_decays import Decayed, catalogue, of_catalogues

RUN, BEFORE = "20140112T000000Z", "20140102T000000Z"
START = np.datetime64("2014-01-12T00:00:00", "us")
MIDNIGHT = datetime.fromisoformat("2014-01-12T00:00:00Z")


@pytest.fixture(scope="module")
def decayed() -> Decayed:
    return of_catalogues("20140111", "20140101")[0]


@pytest.fixture(scope="module")
def elements(decayed: Decayed) -> ElementArray:
    """The sets of stages, which show the temperature, and of the objects that decayed within 200 days."""
    all_ = catalogue("20140111")
    soon = decayed.norad_id[decayed.left_days < 200]
    return all_[np.isin(all_["norad_id"], soon) | (np.char.find(all_["name"], " R/B") >= 0)]


def with_history(store: Path, elements: ElementArray) -> Path:
    """Return a store that has the sets of ten days before."""
    store.mkdir()
    with opened_for_writing(store, 1.0):
        earlier = catalogue("20140101")
        known = earlier[np.isin(earlier["norad_id"], elements["norad_id"])]
        replace_parquet(element_table(known, run_id=BEFORE), element_file(store, BEFORE))
    return store


@pytest.mark.slow
def test_decays_come_as_they_were_forecast(tmp_path: Path, decayed: Decayed, elements: ElementArray) -> None:
    store = with_history(tmp_path / "store", elements)
    objects = objects_of(elements)
    forecast_decays(store, RUN, elements, objects, START)
    rows, total = listed(store, RUN, within(MIDNIGHT, 60.0))
    found = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    assert total == len(rows) > 60
    assert [row["median"] for row in found] == sorted(row["median"] for row in found)
    epochs = dict(zip(decayed.norad_id.tolist(), decayed.epoch.tolist(), strict=True))
    left = dict(zip(decayed.norad_id.tolist(), decayed.left_days.tolist(), strict=True))
    errors, inside = [], []
    for row in found:
        assert row["window_start"] < row["median"] < row["window_end"]
        number = row["norad_id"]
        if number in left:
            epoch = row["epoch"]
            assert abs(epoch.replace(tzinfo=None) - epochs[number]) < timedelta(milliseconds=1)
            errors.append(abs((row["median"] - epoch) / timedelta(days=1) / left[number] - 1.0))
            came = epoch + timedelta(days=left[number])
            inside.append(row["window_start"] <= came <= row["window_end"])
    assert np.median(errors) < 0.2
    assert np.mean(inside) > 0.85
    assert sum(row["method"] == "history and set" for row in found) > 0.8 * total
    assert {row["run_id"] for row in found} == {RUN}
    assert all(1000.0 < row["exospheric_kelvin"] < 1200.0 for row in found)
    # It stood beside other objects once, in the order of the catalogue.
    can, _ = who_can_manoeuvre(movers(objects, elements))
    may = dict(zip(elements["norad_id"].tolist(), (can != "no").tolist(), strict=True))
    assert [row["may_manoeuvre"] for row in found] == [may[row["norad_id"]] for row in found]
    assert len({row["may_manoeuvre"] for row in found}) == 2


@pytest.mark.slow
def test_without_a_history_the_sets_say_it_alone_and_nothing_of_payloads(
    tmp_path: Path, elements: ElementArray
) -> None:
    forecast_decays(tmp_path, RUN, elements, objects_of(elements), START)
    rows, total = listed(tmp_path, RUN, Wanted(), limit=10, offset=5)
    assert len(rows) == 10 < total
    everything, _ = listed(tmp_path, RUN, Wanted())
    assert rows == everything[5:15]
    column = COLUMNS.index
    assert {row[column("method")] for row in everything} == {"set"}
    assert {row[column("may_manoeuvre")] for row in everything} == {False}
    one = everything[7]
    assert listed(tmp_path, RUN, Wanted(norad_ids=[one[column("norad_id")]])) == ([one], 1)
    assert listed(tmp_path, RUN, Wanted(norad_ids=[])) == ([], 0)


def test_a_run_of_an_earlier_release_has_none(tmp_path: Path) -> None:
    assert listed(tmp_path, RUN, Wanted()) == ([], 0)
