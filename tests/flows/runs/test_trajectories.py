"""Definitive trajectories of the store replace element sets in runs, and say so."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from flows.runs.primaries import run_primaries
from flows.runs.run import Request, Stages
from flows.settings import FlowSettings
from flows.sources.catalogues import Source, read_file
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import window
from storage.in_memory.arrays import element_sets
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.trajectories.kept import add_trajectory
from storage.trajectories.trajectory_file import About
from tests.runs import SILENT, START, make_run
from tests.screening.paths_as_ephemerides import ephemerides_of

HOURS = 8.0
SIGMA_RTN_M = (30.0, 200.0, 20.0)
MILLISECOND, METRE = 1e-3, 1.0
ADDED = datetime(2024, 11, 1, tzinfo=UTC)

Row = tuple[object, ...]


def add(store: Path, elements: ElementArray, chosen: list[int], *, covariance: bool = False) -> list[str]:
    """Store the paths of objects as definitive trajectories, and return their ids."""
    span = window(START, HOURS)
    times_s = np.arange(-3600.0, span.seconds + 3600.0, 60.0)
    ids = []
    for (one,) in ephemerides_of(elements, span, np.array(chosen), times_s).values():
        (segment,) = one.segments
        if covariance:
            matrix = np.zeros((6, 6))
            matrix[:3, :3] = np.diag(np.square(np.array(SIGMA_RTN_M) / 1000.0))
            ends = segment.epochs[[0, -1]]
            segment = segment._replace(covariance_epochs=ends, covariance_rtn=np.stack([matrix, matrix]))
        about = About("definitive", "a.oem", "0" * 64, ADDED, restricted=False)
        ids.append(add_trajectory(store, one._replace(segments=(segment,)), about))
    return sorted(ids)


def rows(store: Path, sql: str) -> list[Row]:
    with connect(store) as connection:
        return connection.execute(sql).fetchall()


def events(store: Path) -> list[Row]:
    return rows(
        store,
        "SELECT primary_norad_id, secondary_norad_id, encounter, epoch_us(tca) / 1e6, miss_distance_m "
        "FROM conjunctions ORDER BY ALL",
    )


def assert_same(found: list[Row], expected: list[Row]) -> None:
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    fast = np.array([row[2] == "fast" for row in expected])
    for column, tolerance in ((3, MILLISECOND), (4, METRE)):
        apart = np.array([[float(str(row[column])) for row in those] for those in (found, expected)])
        assert np.abs(np.diff(apart, axis=0))[0][fast].max() < tolerance


@pytest.fixture(scope="module")
def source(small_catalogue: Path) -> Source:
    return read_file(small_catalogue)


@pytest.fixture(scope="module")
def expected(source: Source, tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Give the events of a run on element sets alone."""
    store = tmp_path_factory.mktemp("by-elements")
    make_run(source, store, hours=HOURS)
    found = events(store)
    assert len(found) >= 20
    return found


def met(expected: list[Row], elements: ElementArray) -> list[int]:
    """Return the indices of ten objects that meet another."""
    numbers = sorted({int(str(row[0])) for row in expected if row[2] == "fast"})[:10]
    return np.flatnonzero(np.isin(elements["norad_id"], numbers)).tolist()


@pytest.mark.slow
def test_a_run_finds_the_same_events_on_the_same_paths(
    source: Source, expected: list[Row], tmp_path: Path
) -> None:
    elements = source.content.elements
    chosen = met(expected, elements)
    ids = add(tmp_path, elements, chosen, covariance=True)
    make_run(source, tmp_path, hours=HOURS)
    assert_same(events(tmp_path), expected)
    assert rows(tmp_path, "SELECT trajectories FROM runs") == [(" ".join(ids),)]
    flown_by = elements["norad_id"][chosen].tolist()
    sides = " UNION ".join(
        f"SELECT {who}_norad_id IN {tuple(flown_by)}, {who}_trajectory, "
        f"{who}_covariance_source = 'trajectory', round({who}_sigma_t_m, 6) = 200.0 FROM conjunctions"
        for who in ("primary", "secondary")
    )
    assert rows(tmp_path, f"{sides} ORDER BY ALL") == [
        (False, "gp", False, False),
        (True, "ephemeris", True, True),
    ]


@pytest.mark.slow
def test_an_ephemeris_without_covariance_has_no_probability(
    source: Source, expected: list[Row], tmp_path: Path
) -> None:
    elements = source.content.elements
    add(tmp_path, elements, met(expected, elements)[:1])
    make_run(source, tmp_path, hours=HOURS)
    found = rows(
        tmp_path,
        "SELECT DISTINCT primary_covariance_source, probability_2d, risk_basis FROM conjunctions "
        "WHERE primary_trajectory = 'ephemeris' AND encounter = 'fast'",
    )
    assert found == [(None, None, "distance")]


@pytest.mark.slow
def test_an_object_that_no_catalogue_has_is_screened_under_its_name_and_number(
    source: Source, expected: list[Row], tmp_path: Path
) -> None:
    elements = source.content.elements
    (alone,) = met(expected, elements)[:1]
    number = int(elements["norad_id"][alone])
    add(tmp_path, elements, [alone])
    without = source.content._replace(elements=np.delete(elements, alone))
    make_run(source._replace(content=without), tmp_path, hours=HOURS)
    assert_same(events(tmp_path), expected)
    described = rows(
        tmp_path, f"SELECT name, trajectory, inclination_deg FROM elements WHERE norad_id = {number}"
    )
    (name, trajectory, inclination_deg) = described[0]
    assert (name, trajectory) == (elements["name"][alone], "ephemeris")
    assert inclination_deg == pytest.approx(elements["inclination_deg"][alone], abs=1e-6)
    (row,) = element_sets(newest_snapshot(tmp_path))[[alone]]
    assert row["trajectory"] == 2
    with pytest.raises(AssertionError):
        assert_same(events(tmp_path)[1:], expected)


def test_a_search_for_primaries_flies_on_them_too(
    source: Source, expected: list[Row], tmp_path: Path
) -> None:
    elements = source.content.elements
    (alone,) = met(expected, elements)[:1]
    number = int(elements["norad_id"][alone])
    add(tmp_path, elements, [alone], covariance=True)
    settings = FlowSettings(store=tmp_path, workers=1)
    outcome = run_primaries(source, Request(START, HOURS, 10.0), [number], settings, Stages(SILENT.stage))
    own = [row for row in expected if number in row[:2]]
    assert len(outcome.rows) == len(own)
    assert set(outcome.rows["primary_trajectory"].to_pylist()) == {"ephemeris"}
    assert set(outcome.rows["primary_covariance_source"].to_pylist()) == {"trajectory"}
    distances = sorted(float(str(row[4])) for row in own)
    np.testing.assert_allclose(sorted(outcome.rows["miss_distance_m"].to_pylist()), distances, atol=METRE)
