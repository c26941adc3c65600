"""Decide or wait: when better data of an encounter usually come, and what they would do to its level."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa

from api.answers.event_messages import when_made
from api.answers.stored_events import StoredEvent, StoredSide
from screening.orbits.elements import ELEMENT_DTYPE
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.geometry.rtn import speed_rt_km_s
from screening.risk.next_sets import NewSet, next_rating
from screening.risk.objects.bodies.right_of_way import right_of_way
from screening.risk.objects.error_law import laws_of
from screening.risk.views.better_data import BetterData, ExpectedData, NextRating
from storage import schema
from storage.fleets.manoeuvre_classes import said_by_operators
from storage.histories.rhythm import Rhythm, rhythms
from storage.in_memory.single_objects import mover_of, object_details
from storage.in_memory.snapshot import Snapshot
from storage.reading.object_errors import OF_THE_OBJECT, known_of
from storage.rows.elements import sets_of_rows
from storage.rows.records import conjunctions_of
from storage.rows.words.better_data import better_data_words
from storage.rows.words.event import SIDES
from storage.rows.words.next_step import next_step

LAST_RUNS = 10
_HOUR = timedelta(hours=1)
_KEPT = 256  # pairs of objects


def better_data(snapshot: Snapshot, event: StoredEvent, messages: Sequence[dict[str, Any]]) -> BetterData:
    """Return when better data of an event usually come; `messages`: those about it.

    Raises:
        StoreError: the store's element sets cannot be read.
    """
    run = snapshot.run
    now = run.window_start if run.historic else datetime.now(UTC)
    if now >= event.tca:
        return BetterData([], None, "", next_step(event.row, [], [], now))
    if event.told or event.run_id != run.run_id:
        return BetterData([], None, "", "")
    on_sets = tuple(side.norad_id for side in event.sides if not side.on_ephemeris)
    known = _rhythms(snapshot.store, on_sets, run.window_start if run.historic else run.finished)
    unknown = [one for one in on_sets if one not in known]
    expected = [*_sets(event, known), *_run(snapshot), *_message(messages)]
    before = sorted((one for one in expected if one.at < event.tca), key=lambda one: one.at)
    rating = _rating(snapshot, event, {one.norad_id: known[one.norad_id] for one in before if one.norad_id})
    return BetterData(
        expected=before,
        rating=rating,
        words=better_data_words(event.row, before, unknown, rating, now),
        next_step=next_step(event.row, before, _steered(snapshot, event, messages), now),
    )


def _steered(snapshot: Snapshot, event: StoredEvent, messages: Sequence[dict[str, Any]]) -> list[str]:
    """Return the sides that somebody steers, as far as is known, first the one to give way."""
    operators = said_by_operators(snapshot.store, snapshot.organisation_id)
    movers = {
        at: mover_of(side.norad_id, side.name, object_details(snapshot, side.norad_id), operators, messages)
        for at, side in zip(SIDES, event.sides, strict=True)
    }
    first = right_of_way(*(one.manoeuvre_class for one in movers.values()))
    steered = [side for side, one in movers.items() if one.manoeuvre_class != "none"]
    return sorted(steered, key=lambda side: side != first)


@lru_cache(_KEPT)
def _rhythms(store: Path, norad_ids: tuple[int, ...], until: datetime) -> dict[int, Rhythm]:
    """Return `rhythms`, which reads for 0.05 s."""
    return rhythms(store, norad_ids, until)


def _sets(event: StoredEvent, known: dict[int, Rhythm]) -> Iterator[ExpectedData]:
    for side in event.sides:
        if rhythm := known.get(side.norad_id):
            yield ExpectedData("set", side.norad_id, rhythm.last + rhythm.every, rhythm.every / _HOUR)


def _run(snapshot: Snapshot) -> Iterator[ExpectedData]:
    run = snapshot.run
    rows = snapshot.rows(
        "SELECT window_start FROM windows WHERE historic = ? AND synthetic = ? AND window_start <= ? "
        "ORDER BY 1 DESC LIMIT ?",
        [run.historic, run.synthetic, run.window_start.replace(tzinfo=None), LAST_RUNS],
    )
    yield from _next("run", [row[0] for row in reversed(rows)])


def _message(messages: Sequence[dict[str, Any]]) -> Iterator[ExpectedData]:
    yield from _next("message", sorted(when_made(one) for one in messages))


def _next(kind: Any, times: Sequence[Any]) -> Iterator[ExpectedData]:
    if len(times) > 1:
        every = median(after - before for before, after in pairwise(times))
        yield ExpectedData(kind, None, times[-1] + every, every / _HOUR)


def _rating(snapshot: Snapshot, event: StoredEvent, known: dict[int, Rhythm]) -> NextRating | None:
    if not known or event.encounter != "fast" or event.probability_method != "2d":
        return None
    new = [_new_set(snapshot, event, side, known.get(side.norad_id)) for side in event.sides]
    return next_rating(_rated(event), (new[0], new[1]))


def _new_set(
    snapshot: Snapshot, event: StoredEvent, side: StoredSide, rhythm: Rhythm | None
) -> NewSet | None:
    """Return the error at TCA of the next set of one object; None: none is expected."""
    if rhythm is None:
        return None
    found = snapshot.rows(sets_of_rows("FROM elements", "WHERE norad_id = ?"), [side.norad_id])
    known = snapshot.rows(
        f"SELECT {', '.join(OF_THE_OBJECT)} FROM objects WHERE norad_id = ?",  # noqa: S608
        [side.norad_id],
    )
    laws = laws_of(np.array(found, ELEMENT_DTYPE), known_of(dict(zip(OF_THE_OBJECT, known[0], strict=True))))
    epoch = rhythm.last + rhythm.every - rhythm.delay
    age_days = np.array([(event.tca - epoch) / timedelta(days=1)])
    one = np.zeros(1, np.int64)
    speed = speed_rt_km_s(
        np.array([[side.x_km, side.y_km, side.z_km]], float),
        np.array([[side.vx_km_s, side.vy_km_s, side.vz_km_s]], float),
    )
    return NewSet(laws.sigma_rtn_m(one, age_days, speed), laws.tails(one, age_days))


def _rated(event: StoredEvent) -> ConjunctionArray:
    row = {"event_id" if name == "id" else name: value for name, value in event.row.items()}
    return conjunctions_of(pa.Table.from_pylist([row], schema.CONJUNCTIONS.arrow))
