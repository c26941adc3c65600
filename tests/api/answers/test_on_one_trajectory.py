"""What comes near a stored trajectory, definitive or hypothetical, in place of what its object flies."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from api.answers.analyses import Answer, analyse, question_on
from api.answers.basis import basis_of
from api.answers.on_trajectory import trajectory_of
from api.errors import BadParameter
from flows.sources.files import read_file
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.timegrid import window
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.times import utc_datetime
from storage.trajectories.kept import add_trajectory
from storage.trajectories.trajectory_file import About, Kind
from tests.api.conftest import serving
from tests.runs import START, busiest_object
from tests.screening.paths_as_ephemerides import ephemerides_of

HOURS = 2.0
NOW = datetime(2024, 11, 1, tzinfo=UTC)
UNKNOWN = 899_999_999
# What interpolation leaves between states by the minute, many times over.
MILLISECOND_S, METRE_M = 1e-3, 1.0
SIGMA_M = (20.0, 300.0, 10.0)


@pytest.fixture(scope="module")
def number(store_with_run: Path) -> int:
    return busiest_object(store_with_run)


@pytest.fixture(scope="module")
def path(small_catalogue: Path, number: int) -> Ephemeris:
    """Give the path of the object by its element set, from two hours before the window to two after it."""
    elements = read_file(small_catalogue).content.elements
    (place,) = np.flatnonzero(elements["norad_id"] == number)
    times_s = np.arange(-7200.0, (HOURS + 2.0) * 3600.0, 60.0)
    (one,) = ephemerides_of(elements, window(START, HOURS), np.array([place]), times_s)[place]
    covariance = np.zeros((6, 6))
    covariance[:3, :3] = np.diag(np.square(np.array(SIGMA_M) / 1000.0))
    segments = tuple(
        part._replace(covariance_epochs=part.epochs[[0, -1]], covariance_rtn=np.stack([covariance] * 2))
        for part in one.segments
    )
    return one._replace(segments=segments)


@pytest.fixture
def store(store_with_run: Path, tmp_path: Path) -> Path:
    shutil.copytree(store_with_run, tmp_path / "store")
    return tmp_path / "store"


def added(store: Path, one: Ephemeris, kind: Kind = "hypothetical") -> str:
    return add_trajectory(store, one, About(kind, "a.oem", "0" * 64, NOW, restricted=False))


def asked(store: Path, trajectory_id: str, hours: float = HOURS) -> Answer:
    question = question_on(trajectory_of(store, trajectory_id), hours, 10.0)
    return analyse(basis_of(newest_snapshot(store)), question, store, NOW)


def of_run(store: Path, number: int, first_s: float = 0.0, last_s: float = HOURS * 3600.0) -> pa.Table:
    begin, end = (str(START + np.timedelta64(round(s * 1e6), "us")) for s in (first_s, last_s))
    with connect(store) as connection:
        return connection.sql(
            "SELECT primary_norad_id + secondary_norad_id - $1 AS other, event_id, "
            "epoch_us(tca) / 1e6 AS tca_s, miss_distance_m FROM conjunctions "
            "WHERE $1 IN (primary_norad_id, secondary_norad_id) AND tca BETWEEN $2 AND $3 ORDER BY tca",
            params=[number, begin, end],
        ).to_arrow_table()


def require_same(answer: Answer, expected: pa.Table) -> None:
    rows = answer.events.sort_by("tca")
    assert rows["secondary_norad_id"].to_pylist() == expected["other"].to_pylist() != []
    tca_s = np.array([time.replace(tzinfo=UTC).timestamp() for time in rows["tca"].to_pylist()])
    assert np.abs(tca_s - expected["tca_s"].to_numpy()).max() < MILLISECOND_S
    misses = rows["miss_distance_m"].to_numpy() - expected["miss_distance_m"].to_numpy()
    assert np.abs(misses).max() < METRE_M


@pytest.mark.slow
def test_on_its_own_path_an_object_meets_what_it_met_in_the_run(
    store: Path, path: Ephemeris, number: int
) -> None:
    answer = asked(store, added(store, path))
    require_same(answer, of_run(store, number))
    assert answer.trajectory_id == trajectory_of(store, answer.trajectory_id or "").id
    assert set(answer.events["primary_norad_id"].to_pylist()) == {number}
    assert (
        answer.events.sort_by("tca")["event_id"].to_pylist() == of_run(store, number)["event_id"].to_pylist()
    )


def test_it_is_rated_with_the_covariance_of_the_trajectory(store: Path, path: Ephemeris) -> None:
    rows = asked(store, added(store, path)).events
    assert set(rows["primary_trajectory"].to_pylist()) == {"ephemeris"}
    assert set(rows["secondary_trajectory"].to_pylist()) == {"gp"}
    assert set(rows["primary_covariance_source"].to_pylist()) == {"trajectory"}
    for axis, sigma_m in zip("rtn", SIGMA_M, strict=True):
        np.testing.assert_allclose(rows[f"primary_sigma_{axis}_m"].to_numpy(), sigma_m, rtol=1e-9)
    fast = rows.filter(pa.compute.equal(rows["encounter"], "fast"))
    assert fast["probability"].null_count < len(fast)


@pytest.mark.slow
def test_what_a_hypothetical_one_meets_is_not_stored_and_what_a_definitive_one_meets_is(
    store: Path, path: Ephemeris
) -> None:
    for kind, expected in (("hypothetical", False), ("definitive", True)):
        asked(store, added(store, path, kind))  # type: ignore[arg-type]
        with connect(store) as connection:
            ((count,),) = connection.execute("SELECT count(*) FROM analyses").fetchall()
        assert (count > 0) == expected


@pytest.mark.slow
def test_nothing_is_searched_outside_its_usable_span(store: Path, path: Ephemeris, number: int) -> None:
    (segment,) = path.segments
    first, last = START + np.timedelta64(20, "m"), START + np.timedelta64(90, "m")
    short = path._replace(segments=(segment._replace(usable_from=first, usable_to=last),))
    answer = asked(store, added(store, short), hours=24.0)
    require_same(answer, of_run(store, number, 1200.0, 5400.0))
    assert answer.covered_until == utc_datetime(last)
    assert asked(store, added(store, short), hours=0.5).covered_until == datetime(
        2024, 11, 1, 0, 50, tzinfo=UTC
    )


@pytest.mark.slow
def test_an_object_that_no_catalogue_has_meets_the_same_and_the_one_whose_path_it_has(
    store: Path, path: Ephemeris, number: int
) -> None:
    answer = asked(store, added(store, path._replace(norad_id=UNKNOWN, name="PLANNED")))
    others = answer.events.filter(pa.compute.not_equal(answer.events["secondary_norad_id"], number))
    require_same(answer._replace(events=others), of_run(store, number))
    assert set(others["primary_name"].to_pylist()) == {"PLANNED"}
    beside = [
        *answer.proximities["secondary_norad_id"].to_pylist(),
        *answer.events["secondary_norad_id"].to_pylist(),
    ]
    assert number in beside


@pytest.mark.slow
def test_other_trajectories_take_no_part(store: Path, path: Ephemeris, number: int) -> None:
    """Where the hypothetical path of another number is the same, nothing comes near."""
    added(store, path._replace(norad_id=UNKNOWN))
    require_same(asked(store, added(store, path)), of_run(store, number))


@pytest.mark.slow
def test_what_has_ended_or_is_not_there_is_refused(store: Path, path: Ephemeris) -> None:
    (segment,) = path.segments
    over = segment._replace(usable_to=START - np.timedelta64(1, "h"))
    with pytest.raises(BadParameter, match="ended at 2024-10-31T23:00:00Z"):
        asked(store, added(store, path._replace(segments=(over,))))
    month = np.timedelta64(40, "D")
    later = segment._replace(
        epochs=segment.epochs + month,
        usable_from=segment.usable_from + month,
        usable_to=segment.usable_to + month,
        covariance_epochs=segment.covariance_epochs + month,
    )
    with pytest.raises(BadParameter, match="30 days after the window"):
        asked(store, added(store, path._replace(segments=(later,))))
    with pytest.raises(BadParameter, match="No trajectory in the store matches ffff"):
        asked(store, "ffff")


@pytest.mark.slow
def test_over_http(store: Path, path: Ephemeris, number: int) -> None:
    wanted = added(store, path)
    with serving(store) as client:
        body = {"trajectory_id": wanted, "look_ahead_hours": 2}
        answer = client.request("POST", "/conjunctions/analyze/full", json=body)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert (found["trajectory_id"], found["primary_norad_id"]) == (wanted, number)
        assert found["total_events"] == len(of_run(store, number))
        for wrong, field in (
            ({}, "body"),
            ({"trajectory_id": wanted, "primary_norad_id": number}, "body"),
            ({"trajectory_id": "0" * 16}, "trajectory_id"),
            ({"trajectory_id": "../x"}, "trajectory_id"),
        ):
            refused = client.request("POST", "/conjunctions/analyze/full", json=wrong)
            assert refused.status_code == 422
            assert [error["field"] for error in refused.json()["errors"]] == [field]
        quick = client.request("POST", "/conjunctions/analyze", json=body)
        assert quick.status_code == 422
