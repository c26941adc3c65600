"""A fleet that goes by a hard-body radius of its own: its numbers are those of a run that has it by hand."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import pytest

from flows.runs.fleet_look import fleet_look
from flows.runs.run import Outcome
from flows.settings import FlowSettings
from flows.sources.files import read_file
from screening.risk.score import at_radius
from storage.analyses.second_looks import store_second_look
from storage.disk.layout import RUN_FILES, replace_parquet, run_folder
from storage.fleets.events import events_path, fleet_events, members_path
from storage.reading.newest_run import connect
from storage.rows.records import conjunctions_of
from storage.state.fleets import FleetObject, NewFleet, change_fleet, create_fleet
from storage.state.object_facts import override_radius
from storage.vocabulary import SECOND_LOOK
from tests.runs import make_run
from tests.storage.analyses.around_fleets.conftest import HOURS
from tests.storage.analyses.around_fleets.test_saved import search

NOW = datetime(2026, 11, 24, tzinfo=UTC)
pytestmark = pytest.mark.timeout(600)  # kernels may have to be compiled
same = 1e-9  # the same sums in another order


class Chosen(NamedTuple):
    """Objects of the run: two with published sizes that meet, and one without."""

    pair: tuple[int, int]
    bounding_m: tuple[float, float]
    unsized: int

    @property
    def numbers(self) -> tuple[int, ...]:
        return (*self.pair, self.unsized)


@pytest.fixture
def chosen(outcome: Outcome, settings: FlowSettings) -> Chosen:
    with connect(settings.store) as connection:
        first, second, first_m, second_m = connection.execute(
            "SELECT p.norad_id, s.norad_id, p.bounding_radius_m, s.bounding_radius_m FROM conjunctions "
            "JOIN objects p ON primary_norad_id = p.norad_id "
            "JOIN objects s ON secondary_norad_id = s.norad_id WHERE encounter = 'fast' "
            "AND p.bounding_radius_m > p.radius_m AND s.bounding_radius_m > s.radius_m "
            "ORDER BY probability_best DESC LIMIT 1"
        ).fetchall()[0]
        ((unsized,),) = connection.execute(
            "SELECT norad_id FROM conjunctions JOIN objects ON primary_norad_id = norad_id "
            "WHERE bounding_radius_m IS NULL AND encounter = 'fast' ORDER BY probability_best DESC LIMIT 1"
        ).fetchall()
    return Chosen((first, second), (first_m, second_m), unsized)


def new_fleet(settings: FlowSettings, numbers: tuple[int, ...], radius: str, name: str = "mine") -> int:
    new = NewFleet(name, tuple(map(FleetObject, numbers)), volume="sphere:30", radius=radius)
    return create_fleet(settings.store, new, NOW).id


def rows_of(settings: FlowSettings, run_id: str, fleet_id: int) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the events of a fleet by pair, time and object, without when they were computed."""
    rows = fleet_events(settings.store, run_id, fleet_id).drop_columns("computed_at").to_pylist()
    names = ("primary_norad_id", "secondary_norad_id", "tca", "norad_id")
    return {tuple(row[name] for name in names): row for row in rows}


def by_hand(
    radii_m: dict[int, float], settings: FlowSettings, small_catalogue: Path, folder: Path
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the same events of a run in another store, for which radii were set by hand."""
    other = settings.model_copy(update={"store": folder / "by hand"})
    for number, radius_m in radii_m.items():
        override_radius(other.store, number, radius_m, NOW)
    run = make_run(read_file(small_catalogue), other.store, hours=HOURS)
    fleet = new_fleet(other, tuple(radii_m), "shadow")
    fleet_look(run, other)
    return rows_of(other, run.run_id, fleet)


def compare(
    found: dict[tuple[Any, ...], dict[str, Any]], expected: dict[tuple[Any, ...], dict[str, Any]]
) -> None:
    assert found.keys() == expected.keys()
    for key, row in found.items():
        for name in ("probability_method", "probability_level", "risk_level", "risk_basis"):
            assert row[name] == expected[key][name], (key, name)
        for name in ("hard_body_radius_m", "probability_best"):
            if row["probability_best"] is None:
                assert expected[key]["probability_best"] is None
            else:
                assert row[name] == pytest.approx(expected[key][name], rel=same), (key, name)


@pytest.mark.parametrize("radius", ["bounding", pytest.param("60", marks=pytest.mark.slow)])
def test_its_numbers_are_those_of_a_run_with_the_radii_set_by_hand(
    outcome: Outcome,
    settings: FlowSettings,
    chosen: Chosen,
    small_catalogue: Path,
    tmp_path: Path,
    radius: str,
) -> None:
    sized_m = dict(zip(chosen.pair, chosen.bounding_m, strict=True))
    with connect(settings.store) as connection:
        ((unsized_m,),) = connection.execute(
            "SELECT hard_body_radius_m FROM objects WHERE norad_id = ?", [chosen.unsized]
        ).fetchall()
    mine = new_fleet(settings, chosen.numbers, radius)
    looked = fleet_look(outcome, settings)
    assert looked is not None
    assert looked.problems == ()
    found = rows_of(settings, outcome.run_id, mine)
    # An object whose size nobody has published keeps the run's.
    bounding = sized_m | {chosen.unsized: unsized_m}
    radii_m = bounding if radius == "bounding" else dict.fromkeys(chosen.numbers, 60.0)
    compare(found, by_hand(radii_m, settings, small_catalogue, tmp_path))
    assert {row["origin"] for row in found.values()} == {"run", "fleet"}
    meeting = [row for key, row in found.items() if set(key[:2]) == set(chosen.pair)]
    assert {row["norad_id"] for row in meeting} == set(chosen.pair)
    own_m = [radii_m[number] for number in chosen.pair]
    assert [row["fleet_hard_body_radius_m"] for row in meeting] == pytest.approx([sum(own_m)] * len(meeting))
    alone = [key for key in found if not set(key[:2]) & set(chosen.pair)]
    assert alone
    for key in alone:
        assert (found[key]["fleet_hard_body_radius_m"] is None) == (radius == "bounding")


@pytest.mark.slow
def test_nobody_elses_numbers_change(outcome: Outcome, settings: FlowSettings, chosen: Chosen) -> None:
    """Only the time of an event that both fleets have beyond the run is that of the later look."""
    store, run_id = settings.store, outcome.run_id
    other = new_fleet(settings, chosen.numbers, "shadow", "other")
    fleet_look(outcome, settings)
    file = run_folder(store, run_id) / RUN_FILES["conjunctions"]

    def shown() -> tuple[Any, ...]:
        with connect(store) as connection:
            query = "SELECT * EXCLUDE (computed_at) FROM events ORDER BY event_id"
            events = connection.execute(query).fetchall()
        inside = fleet_events(store, run_id, other).drop_columns("computed_at").to_pylist()
        return inside, events, file.read_bytes()

    before = shown()
    mine = new_fleet(settings, chosen.pair, "100")
    search(settings, mine)
    of_mine = rows_of(settings, run_id, mine)
    assert {row["hard_body_radius_m"] for row in of_mine.values()} >= {200.0}
    assert shown() == before
    with connect(store) as connection:
        query = (
            "SELECT count(*) FILTER (fleet_probability_best > 0), count(*) FROM fleet_events WHERE fleet = ?"
        )
        own, of_other = (connection.execute(query, [name]).fetchone() for name in ("mine", "other"))
    assert own[0] > 0
    assert of_other == (0, len(before[0]))


@pytest.mark.slow
def test_a_change_counts_at_once_and_back_again(
    outcome: Outcome, settings: FlowSettings, chosen: Chosen
) -> None:
    mine = new_fleet(settings, chosen.numbers, "shadow")
    fleet_look(outcome, settings)
    before = rows_of(settings, outcome.run_id, mine)
    for radius in ("bounding", "80", "shadow"):
        change_fleet(settings.store, mine, lambda one, radius=radius: one._replace(radius=radius))
        assert search(settings, mine) is not None
        assert search(settings, mine) is None, "the run has it"
        after = rows_of(settings, outcome.run_id, mine)
        assert after.keys() == before.keys()
        changed = sum(after[key]["probability_best"] != before[key]["probability_best"] for key in before)
        assert (changed > 0) == (radius != "shadow")
    assert after == before


@pytest.mark.slow
def test_a_radius_set_by_hand_goes_before_the_published_one(
    outcome: Outcome, settings: FlowSettings, chosen: Chosen, small_catalogue: Path
) -> None:
    override_radius(settings.store, chosen.pair[0], 3.25, NOW)
    run = make_run(read_file(small_catalogue), settings.store, hours=HOURS)
    mine = new_fleet(settings, chosen.pair, "bounding")
    fleet_look(run, settings)
    meeting = [
        row for key, row in rows_of(settings, run.run_id, mine).items() if set(key[:2]) == set(chosen.pair)
    ]
    expected = [3.25 + chosen.bounding_m[1]] * len(meeting)
    assert [row["hard_body_radius_m"] for row in meeting] == pytest.approx(expected)


@pytest.mark.slow
def test_a_second_look_is_rated_with_its_own_errors(
    outcome: Outcome, settings: FlowSettings, chosen: Chosen
) -> None:
    store, run_id = settings.store, outcome.run_id
    table = pq.read_table(run_folder(store, run_id) / RUN_FILES["conjunctions"], partitioning=None)
    pairs = np.stack([table[f"{who}_norad_id"].to_numpy() for who in ("primary", "secondary")])
    place = int(np.flatnonzero(np.isin(pairs, chosen.pair).all(axis=0))[0])
    looked = conjunctions_of(table.slice(place, 1))
    for who in ("primary", "secondary"):
        for axis in "rtn":
            looked[f"{who}_sigma_{axis}_m"] *= 0.7
    looked["probability_best"] = 0.5
    number = table["event_id"].to_numpy()[place : place + 1]
    store_second_look(store, run_id, looked, number, outcome.prepared.elements, NOW)
    mine = new_fleet(settings, chosen.pair, "bounding")
    fleet_look(outcome, settings)
    row = next(row for row in rows_of(settings, run_id, mine).values() if row["event_id"] == number[0])
    assert row["origin"] == SECOND_LOOK
    expected = at_radius(looked, np.array([sum(chosen.bounding_m)]))["probability_best"][0]
    assert row["probability_best"] == pytest.approx(expected, rel=same)


@pytest.mark.slow
def test_files_without_radii_read_on(outcome: Outcome, settings: FlowSettings, chosen: Chosen) -> None:
    """As the release before has written them; opening the store gave the file without rows all columns."""
    store, run_id = settings.store, outcome.run_id
    old = new_fleet(settings, chosen.numbers, "shadow", "old")
    fleet_look(outcome, settings)
    before = rows_of(settings, run_id, old)
    numbers = ["fleet_hard_body_radius_m", "fleet_probability_best", "fleet_probability_method"]
    for path, names in (
        (events_path(store, run_id), numbers),
        (members_path(store, run_id), ["radius"]),
    ):
        replace_parquet(pq.read_table(path, partitioning=None).drop_columns(names), path)
    assert rows_of(settings, run_id, old) == before
    assert search(settings, old) is None, "the run has it"
    with connect(store) as connection:
        assert connection.execute("SELECT count(fleet_probability_best) FROM fleet_events").fetchone() == (0,)
    mine = new_fleet(settings, chosen.numbers, "bounding")
    search(settings, mine)
    assert rows_of(settings, run_id, old) == before
    assert any(row["fleet_hard_body_radius_m"] for row in rows_of(settings, run_id, mine).values())
