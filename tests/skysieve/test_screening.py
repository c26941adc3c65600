"""`screen` from Python gives what the command gives, publishes as it does, and leaves nothing behind."""

import pickle
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import skysieve
from screening.errors import InputError, UsageError
from skysieve import command_line
from tests.runs import START, busiest_object

NEW_IN_EACH_RUN = ["event_id", "run_id", "computed_at"]
HOURS = 2.0


def command(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["skysieve", "screen", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        command_line.main()
    assert not stop.value.code


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """Assert that two tables are the same, ids and times of computation aside."""
    kept = [name for name in one.columns if name not in NEW_IN_EACH_RUN]
    pd.testing.assert_frame_equal(
        one[kept], other[kept], check_exact=True, check_categorical=False, check_index_type=False
    )


@pytest.fixture(scope="module")
def catalogue(small_catalogue: Path) -> skysieve.Catalogue:
    return skysieve.read_catalogue(small_catalogue)


@pytest.fixture(scope="module")
def run(catalogue: skysieve.Catalogue) -> skysieve.Run:
    """Give a run of the small catalogue over two hours, in memory."""
    return skysieve.screen(catalogue, start=f"{START}Z", hours=HOURS)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder in which temporary ones are made, and assert that nothing is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_the_command_finds_the_same(
    run: skysieve.Run, small_catalogue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(monkeypatch, small_catalogue, "--start", f"{START}Z", "--hours", HOURS, "--store", tmp_path / "s")
    store = skysieve.open_store(tmp_path / "s")
    assert len(run.conjunctions) > 0
    same(run.conjunctions, store.conjunctions())
    same(run.proximities, store.proximities())
    same(run.objects, store.objects())


@pytest.mark.slow
def test_the_command_finds_the_same_in_the_whole_catalogue(
    shared_file: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shared_file("gp_onorbit_20241101.csv")  # type: ignore[operator]
    command(monkeypatch, path, "--start", f"{START}Z", "--store", tmp_path / "s")
    run = skysieve.screen(skysieve.read_catalogue(path), start=START)
    store = skysieve.open_store(tmp_path / "s")
    assert run.summary.splitlines()[1].startswith("132,441 fast and 29 slow conjunctions, 49 proximities")
    same(run.conjunctions, store.conjunctions())
    same(run.proximities, store.proximities())
    same(run.objects, store.objects())


def test_a_run_tells_what_it_is(run: skysieve.Run, catalogue: skysieve.Catalogue) -> None:
    assert run.window_start == datetime(2024, 11, 1, tzinfo=UTC)
    assert run.window_end - run.window_start == timedelta(hours=HOURS)
    assert run.threshold_km == 10.0
    assert run.store is None
    assert run.summary.startswith(f"run {run.run_id} (historic): {len(catalogue)} objects")
    assert f"{len(run.conjunctions):,} conjunctions" in repr(run)
    assert set(run.conjunctions["run_id"]) == {run.run_id}
    assert run.conjunctions is run.conjunctions
    assert len(run.objects) == len(catalogue)


def test_types_are_those_of_analysts(run: skysieve.Run) -> None:
    types = run.conjunctions.dtypes.astype(str)
    assert types["tca"] == "datetime64[us, UTC]"
    assert types["event_id"] == "int64"
    assert types["mc_hits"] == "Int64"
    assert types["primary_name"] == "category"
    assert types["probability"] == "float64"
    assert (run.conjunctions["tca"] >= run.window_start).all()
    assert (run.conjunctions["miss_distance_m"] <= 1e4).all()


def test_arrow_tables_have_the_same_rows(run: skysieve.Run) -> None:
    for name in ("conjunctions", "proximities", "objects"):
        table = run.to_arrow(name)
        assert isinstance(table, pa.Table)
        assert len(table) == len(getattr(run, name))
    assert run.to_arrow()["tca"].to_pylist() == [
        one.replace(tzinfo=None).to_pydatetime() for one in run.conjunctions["tca"]
    ]
    with pytest.raises(UsageError, match="no table 'events': expected conjunctions, proximities, objects"):
        run.to_arrow("events")  # type: ignore[arg-type]


def test_a_run_can_be_sent_to_another_process(run: skysieve.Run) -> None:
    again = pickle.loads(pickle.dumps(run))
    assert repr(again) == repr(run)
    pd.testing.assert_frame_equal(again.conjunctions, run.conjunctions)


@pytest.mark.parametrize(
    "start",
    [
        START,
        np.datetime64("2024-11-01T00"),
        datetime(2024, 11, 1),  # noqa: DTZ001 - naive is UTC
        datetime(2024, 11, 1, 5, 30, tzinfo=timezone(timedelta(hours=5.5))),
        pd.Timestamp("2024-10-31T19:00-05:00"),
        "2024-11-01",
        "2024-11-01T01:00+01:00",
    ],
    ids=str,
)
def test_starts_are_the_same_instant(catalogue: skysieve.Catalogue, run: skysieve.Run, start: object) -> None:
    number = int(run.conjunctions["primary_norad_id"][0])
    around = skysieve.screen(catalogue, start=start, hours=0.1, primary=[number])  # type: ignore[arg-type]
    assert around.window_start == run.window_start


@pytest.mark.slow
def test_nothing_is_left_behind(catalogue: skysieve.Catalogue, temporary: Path, tmp_path: Path) -> None:
    made: set[str] = set()
    skysieve.screen(
        catalogue,
        start=START,
        hours=0.5,
        progress=lambda _stage, _done: made.update(path.name for path in temporary.iterdir()),
    )
    assert len(made) == 1
    with pytest.raises(InputError, match="Choose start near the epochs"):
        skysieve.screen(catalogue, start="2030-01-01")
    assert not (tmp_path / "skysieve-store").exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("stage", ["look up", "screen", "join", "publish", "ephemeris"])
def test_what_progress_raises_ends_the_run_and_nothing_is_left(
    catalogue: skysieve.Catalogue, temporary: Path, tmp_path: Path, stage: str
) -> None:
    class Enough(Exception):
        pass

    def stop(name: str, _done: float) -> None:
        if name == stage:
            raise Enough

    with pytest.raises(Enough):
        skysieve.screen(catalogue, start=START, hours=0.5, progress=stop)
    with pytest.raises(Enough):
        skysieve.screen(catalogue, start=START, hours=0.5, progress=stop, store=tmp_path / "s")
    published = stage == "ephemeris"
    assert (tmp_path / "s" / "current.json").exists() == published
    # The same process screens again.
    assert len(skysieve.screen(catalogue, start=START, hours=0.5).objects) == len(catalogue)


@pytest.mark.slow
def test_progress_goes_from_nothing_to_all(catalogue: skysieve.Catalogue) -> None:
    told: list[tuple[str, float]] = []
    skysieve.screen(
        catalogue, start=START, hours=1.0, workers=1, progress=lambda stage, done: told.append((stage, done))
    )
    shares = [done for _, done in told]
    assert shares == sorted(shares)
    assert (shares[0], told[-1]) == (0.0, ("finished", 1.0))
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages[:5] == ["look up", "start workers", "screen", "join", "publish"]
    assert ("screen", 1.0) in told


@pytest.mark.slow
def test_a_store_gets_the_run_as_by_the_command(catalogue: skysieve.Catalogue, tmp_path: Path) -> None:
    first = skysieve.screen(catalogue, start=START, hours=HOURS, store=tmp_path / "s")
    second = skysieve.screen(catalogue, start=START, hours=HOURS, store=str(tmp_path / "s"))
    assert first.store == second.store == tmp_path / "s"
    store = skysieve.open_store(tmp_path / "s")
    assert list(store.runs()["run_id"]) == [first.run_id, second.run_id]
    pd.testing.assert_frame_equal(store.conjunctions(), second.conjunctions)
    pd.testing.assert_frame_equal(store.proximities(), second.proximities)
    # The same encounters keep their ids, and the first run is as it was.
    assert list(first.conjunctions["event_id"]) == list(second.conjunctions["event_id"])
    pd.testing.assert_frame_equal(store.conjunctions(first.run_id), first.conjunctions)
    # A run of the command leaves an ephemeris for analyses.
    assert list((tmp_path / "s" / "ephemeris").glob(f"{second.run_id}/states.npy"))


@pytest.mark.slow
def test_primaries_are_searched_alone(
    run: skysieve.Run, catalogue: skysieve.Catalogue, store_with_run: Path
) -> None:
    number = busiest_object(store_with_run)
    around = skysieve.screen(catalogue, start=START, hours=HOURS, primary=[number])
    events = run.conjunctions
    theirs = events[(events["primary_norad_id"] == number) | (events["secondary_norad_id"] == number)]
    assert set(around.conjunctions["primary_norad_id"]) == {number}
    found = np.sort(around.conjunctions["miss_distance_m"])
    np.testing.assert_allclose(found, np.sort(theirs["miss_distance_m"]), atol=1e-3)
    assert len(around.objects) == len(catalogue)
    assert around.summary.startswith(f"1 of {len(catalogue)} objects against all")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"primary": [5, 999_999_998]}, "^primary 999999998: not among the 600 objects"),
        ({"primary": []}, "primary is empty"),
        ({"primary": [5], "workers": 2}, "workers cannot be combined"),
        ({"workers": 0}, "workers is 0; it must be at least 1"),
        ({"hours": 1000.0}, "look-ahead is 1000 hours; it must be from 0.1 to 720"),
        ({"hours": float("nan")}, "look-ahead is nan hours"),
        ({"threshold_km": 0.0}, "threshold is 0 km"),
        ({"start": "yesterday"}, "start 'yesterday' is not a time"),
        ({"start": np.datetime64("NaT")}, "start is not a time"),
        ({"start": pd.NaT}, "start is not a time"),
        ({"start": 1_730_419_200}, "start is 1730419200; expected a datetime"),
        ({"hours": "6"}, "hours is '6'; expected a number"),
        ({"hours": timedelta(hours=6)}, r"hours is datetime.timedelta\(.*\); expected a number"),
        ({"threshold_km": None}, "threshold_km is None; expected a number"),
        ({"workers": 1.5}, "workers is 1.5; expected a whole number"),
        ({"primary": 25544}, r"primary is 25544; expected a list of catalogue numbers, such as \[25544\]"),
        ({"primary": "25544"}, "primary is '25544'; expected a list"),
        ({"primary": ["25544"]}, "primary is '25544'; expected a whole number"),
    ],
)
def test_wrong_arguments_are_named(
    catalogue: skysieve.Catalogue, temporary: Path, arguments: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        skysieve.screen(catalogue, **arguments)  # type: ignore[arg-type]


def test_a_path_is_no_catalogue(small_catalogue: Path) -> None:
    with pytest.raises(UsageError, match=r"not a PosixPath: read_catalogue\(path\) reads one"):
        skysieve.screen(small_catalogue)  # type: ignore[arg-type]


def test_a_store_that_cannot_be_written_is_an_error_of_ours(
    catalogue: skysieve.Catalogue, tmp_path: Path
) -> None:
    (tmp_path / "s").write_text("a file")
    with pytest.raises(skysieve.StoreError, match="/s cannot be used"):
        skysieve.screen(catalogue, start=START, hours=0.5, store=tmp_path / "s")
    assert (tmp_path / "s").read_text() == "a file"
