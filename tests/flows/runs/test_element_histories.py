"""Runs over a growing store: what the histories of element sets tell of covariances and manoeuvres.

A made-up catalogue of which each object's element sets err by a law of its own, one set every half day, each
screened and published as the service does it.
"""

import logging
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pytest

from flows.runs.run import Request, prepare
from flows.sources.catalogues import Source
from screening.orbits.elements import ELEMENT_DTYPE, Catalogue, ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.differenced import FEWEST_SETS, differenced_factors
from screening.risk.objects.error_law import LAWS
from storage.reading.element_history import carried_factors, element_history
from storage.reading.known_objects import known_objects
from storage.reading.newest_run import connect
from storage.reading.object_errors import object_errors
from tests.runs import screen_and_publish
from tests.screening.risk.histories import EPOCH_JD, Law, noisy_history

OBJECTS, RUNS, STEP_DAYS = 40, 16, 0.5
MANOEUVRING, FIRST_SET_AFTER = 20, 9  # an object, and its set
DAMAGED_AFTER = 6  # runs, of whose store a copy is kept
START = np.datetime64("2024-11-01T00:00:00", "us")
LAST_START = START + np.timedelta64(int(RUNS * STEP_DAYS * 24), "h")
WINDOW_HOURS = 2.0
Row = dict[str, object]

# 16 sets tell a factor to 20 % in 85 cases of 100; shrinking it to 1 costs some more.
close_enough, share_that_must_be_close = 0.3, 0.85


class History(NamedTuple):
    """What is screened run by run, and what is true."""

    sets: ElementArray  # (OBJECTS, RUNS)
    factors: FloatArray  # (OBJECTS,) on the default sigmas in-track and cross-track


def orbits(random: np.random.Generator) -> ElementArray:
    """Low orbits; the first two meet at their common node in the middle of the last run's window."""
    elements = np.zeros(OBJECTS, ELEMENT_DTYPE)
    elements["norad_id"] = 1000 + np.arange(OBJECTS)
    elements["name"] = "MADE UP"
    elements["classification"] = "U"
    elements["epoch_jd"] = EPOCH_JD + RUNS * STEP_DAYS
    elements["epoch_day_fraction"] = WINDOW_HOURS / 48.0
    elements["mean_motion_rev_day"] = random.uniform(13.0, 15.0, OBJECTS)
    elements["eccentricity"] = random.uniform(1e-4, 0.01, OBJECTS)
    elements["inclination_deg"] = random.uniform(40.0, 110.0, OBJECTS)
    for angle in ("raan_deg", "argument_of_perigee_deg", "mean_anomaly_deg"):
        elements[angle] = random.uniform(0.0, 360.0, OBJECTS)
    elements[1] = elements[0]
    elements["norad_id"][1] += 1
    elements["inclination_deg"][:2] = 50.0, 100.0
    for name in ("eccentricity", "argument_of_perigee_deg", "mean_anomaly_deg"):
        elements[name][:2] = 0.0
    return elements


@pytest.fixture(scope="module")
def history() -> History:
    random = np.random.default_rng(7)
    truth, factors = orbits(random), np.exp(random.uniform(np.log(0.7), np.log(3.0), OBJECTS))
    at_epoch, growth = (np.array(numbers) for numbers in LAWS["leo"][:2])
    law = Law(factors * at_epoch[0], factors * at_epoch[1], factors * at_epoch[2], factors * growth[1])
    sets = noisy_history(truth, law, RUNS, STEP_DAYS, random).reshape(OBJECTS, RUNS)
    # Some 25 cm/s in-track, just after the set before.
    moved = truth[MANOEUVRING : MANOEUVRING + 1].copy()
    own = Law(*(numbers[MANOEUVRING : MANOEUVRING + 1] for numbers in law))
    moved["mean_motion_rev_day"] *= 1.0 - 1e-4
    days_back = (RUNS - FIRST_SET_AFTER) * STEP_DAYS + WINDOW_HOURS / 48.0
    moved["mean_anomaly_deg"] += 360.0 * 1e-4 * truth["mean_motion_rev_day"][MANOEUVRING] * days_back
    moved["mean_anomaly_deg"] %= 360.0
    after = noisy_history(moved, own, RUNS, STEP_DAYS, random)
    sets[MANOEUVRING, FIRST_SET_AFTER:] = after[FIRST_SET_AFTER:]
    return History(sets, factors)


def make_run(elements: ElementArray, store: Path, number: int) -> str:
    """Screen, rate and publish a catalogue, in this process."""
    source = Source("made up", "", Catalogue(elements, [], 0, "omm-csv"), "generated")
    request = Request(LAST_START, WINDOW_HOURS, 10.0)
    now = datetime(2024, 11, 1, tzinfo=UTC) + timedelta(days=number * STEP_DAYS)
    prepared = prepare(source, request, store, now)
    return screen_and_publish(prepared, known_objects(store, elements), store)


def rows(store: Path, sql: str) -> list[Row]:
    with connect(store) as connection:
        return connection.sql(sql).to_arrow_table().to_pylist()


def objects_of(store: Path) -> list[Row]:
    return rows(store, "FROM objects ORDER BY norad_id")


Grown = tuple[Path, list[list[Row]]]


@pytest.fixture(scope="module")
def begun(history: History, tmp_path_factory: pytest.TempPathFactory) -> Grown:
    """A store after the first runs, and the table `objects` after each of them."""
    return after_runs(history, tmp_path_factory.mktemp("begun") / "store", FEWEST_SETS)


@pytest.fixture(scope="module")
def grown(history: History, tmp_path_factory: pytest.TempPathFactory) -> Grown:
    """A store after all runs, and the table `objects` after each of them."""
    return after_runs(history, tmp_path_factory.mktemp("grown") / "store", RUNS)


def after_runs(history: History, store: Path, runs: int) -> Grown:
    seen = []
    for number in range(runs):
        make_run(history.sets[:, number], store, number)
        seen.append(objects_of(store))
        if number + 1 == DAMAGED_AFTER:
            shutil.copytree(store, store.with_name(f"after {number + 1}"), symlinks=True)
    return store, seen


@pytest.mark.slow
def test_factors_appear_once_there_are_sets_enough(grown: Grown) -> None:
    for number, objects in enumerate(grown[1]):
        known = [row["covariance_factor_t"] is not None for row in objects]
        assert all(isinstance(row["element_sets"], int) for row in objects)
        if number + 1 < FEWEST_SETS:
            assert not any(known), number
        # With few sets one of them may seem to follow a manoeuvre, and what is left is too little.
        elif number + 1 >= 2 * FEWEST_SETS:
            assert all(known), number
    assert all(row["element_sets"] >= RUNS - 2 for row in grown[1][-1])


@pytest.mark.slow
def test_the_factors_are_those_of_the_law(grown: Grown, history: History) -> None:
    # Shrunk to 1 by 10 observations against those of 16 sets.
    expected = np.sqrt((RUNS * history.factors**2 + 10) / (RUNS + 10))
    for axis in "tn":
        found = np.array([row[f"covariance_factor_{axis}"] for row in grown[1][-1]], float)
        close = np.abs(found / expected - 1.0) < close_enough
        assert close.mean() >= share_that_must_be_close, axis


@pytest.mark.parametrize("which", ["begun", pytest.param("grown", marks=pytest.mark.slow)])
def test_run_by_run_gives_what_the_whole_history_gives(
    which: str, history: History, request: pytest.FixtureRequest
) -> None:
    _, seen = request.getfixturevalue(which)
    whole = differenced_factors(history.sets[:, : len(seen)].reshape(-1))
    for axis in "rtn":
        stored = np.array([row[f"covariance_factor_{axis}"] for row in seen[-1]], float)
        np.testing.assert_allclose(stored, whole[f"factor_{axis}"], rtol=1e-6)  # roundings of times
        assert np.isfinite(stored).mean() > 0.5
    assert [row["element_sets"] for row in seen[-1]] == whole["element_sets"].tolist()


@pytest.mark.slow
def test_a_manoeuvre_is_cut(grown: Grown, history: History) -> None:
    assert grown[1][-1][MANOEUVRING]["covariance_factor_t"] < 2.0 * history.factors[MANOEUVRING]


@pytest.mark.slow
def test_noise_is_no_manoeuvre(grown: Grown) -> None:
    assert {row["last_manoeuvre"] for objects in grown[1] for row in objects} == {None}


@pytest.mark.slow
def test_events_are_rated_with_the_factors(grown: Grown) -> None:
    (event,) = rows(grown[0], "FROM conjunctions WHERE primary_norad_id = 1000 AND secondary_norad_id = 1001")
    first, second = grown[1][-1][:2]
    assert event["primary_covariance_source"] == event["secondary_covariance_source"] == "own"
    for who, row in (("primary", first), ("secondary", second)):
        age_days = (event["tca"] - event[f"{who}_epoch"]) / timedelta(days=1)
        assert event[f"{who}_age_days"] == pytest.approx(age_days, abs=1e-10)  # a microsecond
        assert event[f"{who}_manoeuvring"] is False
        for axis, at_epoch, growth in zip("rtn", *LAWS["leo"][:2], strict=True):
            factor = row[f"covariance_factor_{axis}"]  # of orbits without drag
            expected = np.hypot(at_epoch * max(factor, 1.0), growth * age_days * factor)
            assert event[f"{who}_sigma_{axis}_m"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
def test_objects_without_manoeuvres_are_ballistic(grown: Grown, history: History) -> None:
    classes = {row["norad_id"]: (row["error_class"], row["manoeuvring"]) for row in grown[1][-1]}
    assert classes[1000] == ("ballistic", False)
    assert {row["regime"] for row in grown[1][-1]} == {"leo"}
    assert object_errors(grown[0], 1000).factors_rtn is not None


@pytest.mark.slow
def test_sets_of_two_objects_under_one_number_have_the_law_of_what_thrusts(
    history: History, store: Path
) -> None:
    for number in range(FEWEST_SETS + 1):
        elements = history.sets[:, number].copy()
        if number % 2:
            other = elements[6].copy()
            other["norad_id"], other["name"] = elements[5]["norad_id"], elements[5]["name"]
            elements[5] = other
        make_run(elements, store, number)
    row = objects_of(store)[5]
    assert min(row[f"covariance_factor_{axis}"] for axis in "rtn") > 30.0
    assert (row["error_class"], row["manoeuvring"]) == ("contradictory", True)


@pytest.mark.slow
def test_what_an_earlier_release_compared_with_its_own_law_is_compared_anew(
    history: History, begun: Grown, store: Path
) -> None:
    shutil.copytree(begun[0], store, symlinks=True)
    elements = history.sets[:, FEWEST_SETS - 1]
    assert (carried_factors(store, elements)["element_sets"] >= 0).all()
    with duckdb.connect(str(store / "skysieve.duckdb")) as connection:
        connection.execute("UPDATE runs SET error_laws = NULL")
    assert (carried_factors(store, elements)["element_sets"] < 0).all()


def test_what_was_compared_with_other_laws_is_compared_anew(begun: Grown, history: History) -> None:
    elements = history.sets[:, FEWEST_SETS - 1]
    refitted = carried_factors(begun[0], elements, "refitted 2026-11-26T00:00:00Z")
    assert (refitted["element_sets"] < 0).all()


def test_what_has_not_changed_is_carried_over(
    begun: Grown, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, seen = begun
    elements = history.sets[:, FEWEST_SETS - 1].copy()
    carried = carried_factors(store, elements)
    assert (carried["element_sets"] >= 0).all()
    elements["mean_anomaly_deg"][3] += 1e-9
    assert np.flatnonzero(carried_factors(store, elements)["element_sets"] < 0).tolist() == [3]
    asked: list[list[int]] = []

    def read(folder: Path, changed: ElementArray, _as_of: None) -> ElementArray:
        asked.append(changed["norad_id"].tolist())
        return element_history(folder, changed)

    monkeypatch.setattr("storage.reading.known_objects.element_history", read)
    objects = known_objects(store, elements)
    assert asked == [[1003]]
    kept = np.delete(np.arange(OBJECTS), 3)
    expected = np.array([row["covariance_factor_t"] for row in seen[-1]], float)
    np.testing.assert_array_equal(objects["covariance_factor_t"][kept], expected[kept])


@pytest.mark.slow
def test_an_element_file_that_is_damaged_stops_no_run(
    history: History, grown: Grown, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(grown[0].with_name(f"after {DAMAGED_AFTER}"), store, symlinks=True)
    names = [str(row["run_id"]) for row in rows(store, "SELECT run_id FROM runs ORDER BY run_id")]
    assert any(row["covariance_factor_t"] for row in objects_of(store))
    damaged = store / "elements" / f"{names[2]}.parquet"
    damaged.write_bytes(damaged.read_bytes()[:1000])
    with caplog.at_level(logging.WARNING):
        make_run(history.sets[:, 6], store, 6)
    assert "All covariances are the default ones" in caplog.text
    assert caplog.text.count(str(damaged)) == 2, "told when it is read and when it is set aside"
    assert {row["element_sets"] for row in objects_of(store)} == {None}
    assert (store / "elements" / f"{damaged.name}.damaged").stat().st_size == 1000
    caplog.clear()
    make_run(history.sets[:, 7], store, 7)
    assert caplog.text == ""
    # All but the set that was lost, and perhaps one that seems to follow a manoeuvre.
    assert {row["element_sets"] for row in objects_of(store)} <= {6, 7}
    lost, kept = names[2], rows(store, "SELECT DISTINCT run_id FROM element_history")
    assert lost not in {row["run_id"] for row in kept}


@pytest.mark.slow
def test_a_file_without_rows_that_is_damaged_is_written_again(history: History, store: Path) -> None:
    make_run(history.sets[:, 0], store, 0)
    (store / "elements" / "0.parquet").write_bytes(b"")
    make_run(history.sets[:, 1], store, 1)
    assert len(rows(store, "FROM element_history")) == 2 * OBJECTS


def test_objects_nothing_is_published_of_any_more_have_no_history(history: History, begun: Grown) -> None:
    elements = history.sets[:, FEWEST_SETS - 1].copy()
    elements["epoch_jd"][5] -= 31.0
    found = element_history(begun[0], elements)
    assert 1005 not in found["norad_id"]
    assert np.count_nonzero(found["norad_id"] == 1006) == FEWEST_SETS
