"""Alerts tell of decays of the fleet's objects when 60, 30 and 7 days are left, each once an object."""

from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from flows.alerts.channels.wording import wording
from flows.alerts.re_entering import KIND, put_re_entering
from storage.disk.layout import decay_file, replace_parquet
from storage.sky_schema import DECAYS
from tests.flows.alerts.channels.test_wording import text_of
from tests.flows.alerts.made_up_days import NUMBERS, OURS, at
from tests.flows.alerts.test_broken_up import Watched

pytestmark = pytest.mark.slow


@pytest.fixture
def watched(store: Path) -> Watched:
    return Watched(store)


def forecast(watched: Watched, hours: float, days_left: dict[int, float], *, historic: bool = False) -> None:
    """Publish a run that expects objects to decay in some days, and let alerts see it twice."""
    run_id = watched.run(hours, historic=historic)
    medians = [at(hours + 24 * days).replace(tzinfo=None) for days in days_left.values()]
    count = len(days_left)
    row = {c.name: [0.0] * count for c in DECAYS.columns if pa.types.is_floating(c.type)} | {
        "run_id": pa.array([run_id] * count).dictionary_encode(),
        "norad_id": list(days_left),
        "name": [f"SAT {number}" for number in days_left],
        "median": medians,
        "window_start": [median - timedelta(days=1) for median in medians],
        "window_end": [median + timedelta(days=2) for median in medians],
        "method": pa.array(["set"] * count).dictionary_encode(),
        "may_manoeuvre": [number == OURS[1] for number in days_left],
        "epoch": medians,
        "earlier_epoch": pa.nulls(count, pa.timestamp("us")),
    }
    table = pa.table([row[name] for name in DECAYS.arrow.names], DECAYS.arrow)
    replace_parquet(table, decay_file(watched.settings.store, run_id))
    for _ in range(2):
        put_re_entering(watched.settings, at(hours))


def told(watched: Watched) -> list[list[int]]:
    return [[one["norad_id"] for one in body["data"]["re_entries"]] for body in watched.bodies(KIND)]


def test_each_limit_is_told_once_an_object(watched: Watched) -> None:
    first, second, foreign = OURS[0], OURS[1], NUMBERS[-1]
    forecast(watched, 0, {first: 61, second: 90, foreign: 3})
    assert told(watched) == []
    forecast(watched, 6, {second: 40, first: 59, foreign: 2})
    assert told(watched) == [[second, first]], "objects of others are not told of"
    forecast(watched, 12, {second: 29, first: 65})
    forecast(watched, 18, {second: 33, first: 55})
    assert told(watched)[1:] == [[second]], "a median that moves back and forth is told once"
    forecast(watched, 24, {first: 5, second: 28})
    forecast(watched, 30, {first: 4, second: 28})
    assert told(watched)[2:] == [[first]], "30 days are passed over"
    forecast(watched, 36, {second: 1}, historic=True)
    assert len(told(watched)) == 3


def test_the_message_says_when_and_whether_it_may_manoeuvre(watched: Watched) -> None:
    forecast(watched, 0, {OURS[0]: 6.5, OURS[1]: 20})
    (body,) = watched.bodies(KIND)
    one = body["data"]["re_entries"][0]
    assert (one["days_left"], one["median"], one["window_end"]) == (
        6.5,
        "2026-11-27T18:00:00Z",
        "2026-11-29T18:00:00Z",
    )
    text = text_of(wording(body))
    assert f"SAT {OURS[0]} decays in about 6 days, 1 more object soon" in text
    assert f"SAT {OURS[1]} ({OURS[1]}): in about 20 days" in text
    assert text.count("unless it manoeuvres") == 1


def test_what_was_told_stays_known_when_the_object_is_gone_for_a_run(watched: Watched) -> None:
    forecast(watched, 0, {OURS[0]: 20})
    forecast(watched, 6, {})
    forecast(watched, 12, {OURS[0]: 19})
    assert told(watched) == [[OURS[0]]]
