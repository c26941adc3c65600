"""Messages of one encounter, over days in which runs find it again and again: one encounter, in order."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from storage.messages.kept import received
from storage.reading.newest_run import connect
from storage.times import utc_datetime, utc_rows
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.storage.messages.received import taken, text

DAYS, OBJECTS, EVENTS = 6, 200, 60
REVOLUTION = np.timedelta64(97, "m")


class Sent(NamedTuple):
    """What a sender says of an encounter on a day."""

    day: int
    place: int  # which of the two encounters of the pair
    pair: tuple[str, str]
    tca: datetime


class Days(NamedTuple):
    """A store with a run of each day, and what was sent."""

    store: Path
    sent: list[Sent]
    tcas: tuple[datetime, datetime]  # of both encounters, in the newest run


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Days:
    """Runs of six days; a pair meets, and again a revolution later, which is another encounter."""
    store, random, sent = tmp_path_factory.mktemp("days") / "store", np.random.default_rng(4), []
    conjunctions = make_run(conjunctions=EVENTS, objects=OBJECTS).conjunctions[[0, 0, *range(1, EVENTS)]]
    for day in range(DAYS):
        rows = conjunctions.copy()
        rows["tca"] += (random.normal(0.0, 15.0, len(rows)) * 1e6).astype("m8[us]")
        rows["tca"][1] = rows["tca"][0] + REVOLUTION
        publish(store, make_run(objects=OBJECTS, hours_later=24.0 * day)._replace(conjunctions=rows))
        for place in (0, 1):
            first, second = str(rows["primary_norad_id"][0]), f"{rows['secondary_norad_id'][0]:09d}"
            tca = utc_datetime(rows["tca"][place]) + timedelta(seconds=float(random.normal(0.0, 30.0)))
            sent.append(Sent(day, place, (second, first) if day % 2 else (first, second), tca))
    return Days(store, sent, (utc_datetime(rows["tca"][0]), utc_datetime(rows["tca"][1])))


@pytest.mark.slow
@pytest.mark.parametrize(
    "message_ids",
    ["0", pytest.param("same", marks=pytest.mark.slow), pytest.param("own", marks=pytest.mark.slow)],
)
def test_a_series_over_six_days_of_runs_is_one_encounter_in_order(
    days: Days, store: Path, message_ids: str
) -> None:
    shutil.copytree(days.store, store, symlinks=True)
    for number, k in enumerate(np.random.default_rng(1).permutation(len(days.sent))):
        one = days.sent[k]
        message_id = {"0": "0", "same": "17", "own": f"{one.day}.{one.place}"}[message_ids]
        made = WINDOW_START + timedelta(days=one.day, hours=1)
        sent = text(tca=one.tca, made=made, pair=one.pair, message_id=message_id)
        done = taken(store, sent, hours_later=float(number))
        assert (done.new, done.joined, done.refused) == (1, 1, [])
    shown = utc_rows(received(store))
    with connect(store) as connection:
        rows = connection.execute("SELECT tca, event_id FROM events").fetchall()
    events = {tca.replace(tzinfo=UTC): event_id for tca, event_id in rows}
    for place in (0, 1):
        of_it = [row for row in shown if row["event_id"] == events[days.tcas[place]]]
        assert [row["tca"] for row in of_it] == [one.tca for one in days.sent if one.place == place]
        made = [row["creation_date"] for row in of_it]
        assert made == sorted(set(made))
    assert {row["encounter_id"] for row in shown} == {events[tca] for tca in days.tcas}
