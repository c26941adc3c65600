"""A run over what crosses the orbit of the ISS: its seven numbers are one complex, told by one row."""

import csv
import math
from pathlib import Path

import pytest

from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot, newest_snapshot
from storage.reading.newest_run import connect
from tests.naive_order import naive_key
from tests.runs import make_run, source_of

ISS = (25544, 49044, 59913, 60378, 60450, 61043, 61447)
_PLACE = {name: place for place, name in enumerate(EVENT_COLUMNS)}


@pytest.fixture(scope="module")
def store(shared_file, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("iss")
    header, *lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    near = [
        line for line, record in zip(lines, csv.DictReader([header, *lines]), strict=True) if crosses(record)
    ]
    make_run(source_of([header, *near], folder), folder / "store", hours=96.0)
    return folder / "store"


def crosses(record: dict[str, str]) -> bool:
    """Tell whether an orbit crosses the heights between 405 and 430 km."""
    turns_s, eccentricity = float(record["MEAN_MOTION"]) / 86_400.0, float(record["ECCENTRICITY"])
    semi_major_km = (398_600.4418 / (2.0 * math.pi * turns_s) ** 2) ** (1.0 / 3.0)
    perigee_km, apogee_km = (semi_major_km * (1.0 + sign * eccentricity) - 6378.137 for sign in (-1.0, 1.0))
    return perigee_km < 430.0 and apogee_km > 405.0


@pytest.fixture(scope="module")
def snapshot(store: Path) -> Snapshot:
    return newest_snapshot(store)


def test_objects_and_events_name_the_complex(store: Path) -> None:
    with connect(store) as connection:
        found = connection.execute(
            "SELECT norad_id FROM objects WHERE complex_id = 25544 ORDER BY 1"
        ).fetchall()
        assert tuple(number for (number,) in found) == ISS
        wrong = connection.execute(
            "SELECT count(*) FROM conjunctions AS c, objects AS p, objects AS s "
            "WHERE p.norad_id = primary_norad_id AND s.norad_id = secondary_norad_id "
            "AND (primary_complex_id IS DISTINCT FROM p.complex_id "
            "OR secondary_complex_id IS DISTINCT FROM s.complex_id)"
        ).fetchone()
        assert wrong == (0,)


def rows_of_the_iss(snapshot: Snapshot, *, collapsed: bool) -> list[tuple[object, ...]]:
    """Return the events of the ISS with others."""
    rows = snapshot.events(EventQuery(norad_ids=ISS, collapse_complexes=collapsed, limit=None)).rows
    sides = _PLACE["primary_complex_id"], _PLACE["secondary_complex_id"]
    return [row for row in rows if row[sides[0]] != row[sides[1]]]


def test_what_comes_near_the_iss_is_told_once(snapshot: Snapshot) -> None:
    every = rows_of_the_iss(snapshot, collapsed=False)
    told = rows_of_the_iss(snapshot, collapsed=True)
    # After a day the sets are kilometres apart, so near the threshold one may be inside and another not.
    assert 0 < len(told) <= len(every) / 4
    danger = {}
    for row in every:
        primary, secondary = row[_PLACE["primary_norad_id"]], row[_PLACE["secondary_norad_id"]]
        other = secondary if primary in ISS else primary
        rank = naive_key({name: row[place] for name, place in _PLACE.items()})
        danger.setdefault(other, []).append(rank)
    assert {min(ranks)[-1] for ranks in danger.values()} <= {row[_PLACE["event_id"]] for row in told}


def test_other_events_are_all_there(snapshot: Snapshot) -> None:
    every, told = (
        snapshot.events(EventQuery(collapse_complexes=collapsed, limit=None)) for collapsed in (False, True)
    )
    kept = {row[_PLACE["event_id"]] for row in told.rows}
    for row in every.rows:
        in_a_complex = row[_PLACE["primary_complex_id"]] or row[_PLACE["secondary_complex_id"]]
        assert in_a_complex or row[_PLACE["event_id"]] in kept
    assert told.total == len(told.rows) < every.total
