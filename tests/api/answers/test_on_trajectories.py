"""Analyses and positions follow the trajectories that their run flew by, not the element sets."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from api.answers.analyses import Question, analyse
from api.answers.basis import AnalysedRun
from api.answers.positions.at_a_time import WhereAt, current_positions, tracked_objects
from flows.sources.files import Source, read_file
from screening.orbits.timegrid import window
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.trajectories.kept import add_trajectory, remove_trajectory
from storage.trajectories.trajectory_file import About
from storage.vocabulary import AnalysisMode
from tests.runs import START, busiest_object, make_run
from tests.screening.paths_as_ephemerides import ephemerides_of

HOURS = 2.0
WRONG_DEG = 5.0  # along its orbit: 600 km
TOLERANCES: dict[AnalysisMode, tuple[float, float]] = {"full": (0.01, 1.0), "quick": (0.1, 500.0)}  # s, m
NOW = datetime(2024, 11, 1, tzinfo=UTC)

Met = list[tuple[int, float, float]]  # the other one, TCA in s, miss in m


def met(store: Path, number: int) -> Met:
    with connect(store) as connection:
        return connection.execute(
            f"SELECT primary_norad_id + secondary_norad_id - {number} AS other, epoch_us(tca) / 1e6, "
            f"miss_distance_m FROM conjunctions WHERE {number} IN (primary_norad_id, secondary_norad_id) "
            "ORDER BY ALL"
        ).fetchall()


@pytest.fixture(scope="module")
def number(store_with_run: Path) -> int:
    return busiest_object(store_with_run)


@pytest.fixture(scope="module")
def right(small_catalogue: Path) -> Source:
    return read_file(small_catalogue)


@pytest.fixture
def store(right: Source, number: int, tmp_path: Path) -> Path:
    """Give a store whose run had a wrong element set of one object, and its ephemeris."""
    elements = right.content.elements.copy()
    (place,) = np.flatnonzero(elements["norad_id"] == number)
    elements["mean_anomaly_deg"][place] = (elements["mean_anomaly_deg"][place] + WRONG_DEG) % 360.0
    times_s = np.arange(-7200.0, (HOURS + 14.0) * 3600.0, 60.0)
    span = window(START, HOURS)
    (one,) = ephemerides_of(right.content.elements, span, np.array([place]), times_s)[place]
    about = About("definitive", "a.oem", "0" * 64, NOW, restricted=False)
    add_trajectory(tmp_path, one, about)
    make_run(right._replace(content=right.content._replace(elements=elements)), tmp_path, hours=HOURS)
    return tmp_path


def analysed(store: Path, mode: AnalysisMode, number: int) -> Met:
    basis = AnalysedRun().basis(newest_snapshot(store))
    question = Question(mode, number, HOURS, 10.0)
    rows = analyse(basis, question, store, NOW).events
    columns = (rows[name].to_pylist() for name in ("secondary_norad_id", "tca", "miss_distance_m"))
    return sorted(
        (other, tca.replace(tzinfo=UTC).timestamp(), m) for other, tca, m in zip(*columns, strict=True)
    )


@pytest.mark.parametrize("mode", ["full", "quick"])
def test_an_analysis_finds_what_the_run_found(
    store: Path, store_with_run: Path, number: int, mode: AnalysisMode
) -> None:
    expected = met(store_with_run, number)
    assert [one[0] for one in met(store, number)] == [one[0] for one in expected] != []
    found = analysed(store, mode, number)
    assert [one[0] for one in found] == [one[0] for one in expected]
    for (_, tca_s, miss_m), (_, expected_s, expected_m) in zip(found, expected, strict=True):
        assert abs(tca_s - expected_s) < TOLERANCES[mode][0]
        assert abs(miss_m - expected_m) < TOLERANCES[mode][1]


@pytest.mark.slow
def test_the_rows_of_an_analysis_say_what_they_rest_on(store: Path, number: int) -> None:
    for mode in TOLERANCES:
        analysed(store, mode, number)
    with connect(store) as connection:
        found = connection.execute(
            "SELECT DISTINCT origin, primary_trajectory, secondary_trajectory FROM analyses ORDER BY ALL"
        ).fetchall()
    assert found == [("full", "ephemeris", "gp"), ("quick", "ephemeris", "gp")]


@pytest.mark.slow
def test_without_the_trajectory_an_analysis_rests_on_the_element_set(store: Path, number: int) -> None:
    (file,) = (store / "trajectories").iterdir()
    remove_trajectory(store, file.stem)
    assert analysed(store, "full", number) != analysed(store, "quick", number)


@pytest.mark.slow
def test_positions_are_those_of_the_ephemeris(store: Path, store_with_run: Path, number: int) -> None:
    instant = START + np.timedelta64(1234, "s")
    r_km = [
        current_positions(
            tracked_objects(newest_snapshot(one)), WhereAt(instant, norad_ids=(number,))
        ).r_itrf_km[0]
        for one in (store, store_with_run)
    ]
    assert np.linalg.norm(r_km[0] - r_km[1]) < 1e-3
