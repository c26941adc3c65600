"""Runs judge what earlier ones predicted: planted errors are found again, and every encounter counts once."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from flows.sources.files import Source
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import FloatArray, instants
from screening.risk.objects.regimes import semi_major_axis_km
from storage.disk.layout import FORECAST_FILES, FORECAST_TALLIES
from storage.reading.newest_run import connect
from storage.verification.judge import judged_until
from storage.verification.record import verification
from storage.verification.tallies import add_to_tallies, tallies
from tests.runs import START, busiest_object, make_run, source_of

pytestmark = pytest.mark.slow

SIX_HOURS = np.timedelta64(6, "h")
RUNS = 6
HOURS = 18.0


@pytest.fixture(scope="module")
def source(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Source:
    """One object in eight of the real catalogue."""
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    return source_of([lines[0], *lines[1::8]], tmp_path_factory.mktemp("catalogue"))


def ahead(
    source: Source,
    km: FloatArray | float,
    rows: npt.NDArray[np.bool_] | slice = slice(None),
    minutes: float = 1.0,
) -> Source:
    """Return a catalogue with sets, of some minutes earlier, of objects so far ahead on their orbits."""
    elements = source.content.elements.copy()
    earlier = minutes / 1440.0
    elements["epoch_day_fraction"][rows] -= earlier
    moved = np.degrees(km / semi_major_axis_km(elements[rows]))
    turned = moved - 360.0 * earlier * elements["mean_motion_rev_day"][rows]
    elements["mean_anomaly_deg"][rows] = (elements["mean_anomaly_deg"][rows] + turned) % 360.0
    return source._replace(content=source.content._replace(elements=elements))


def burnt(source: Source, dv_m_s: float, at: np.datetime64, rows: npt.NDArray[np.bool_]) -> Source:
    """Return a catalogue with sets, of a minute earlier, of objects that burned in-track."""
    elements = source.content.elements[rows]
    a_km, epoch = semi_major_axis_km(elements), instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    slower = 3.0 * dv_m_s / np.sqrt(MU_KM3_S2 / a_km) / 1000.0 * elements["mean_motion_rev_day"]
    days = (at - epoch) / np.timedelta64(1, "D")
    after = ahead(source, 2.0 * np.pi * a_km * slower * days, rows)
    after.content.elements["mean_motion_rev_day"][rows] -= slower
    return after


def quiet_object(store: Path, among: str = "true") -> int:
    """Return the object with the most predictions of those whose in-track sigmas are below 700 m."""
    with connect(store) as connection:
        sides = " UNION ALL ".join(
            f"SELECT {who}_norad_id AS id, {who}_sigma_t_m AS sigma FROM conjunctions"
            for who in ("primary", "secondary")
        )
        ((object_id,),) = connection.execute(
            f"SELECT id FROM ({sides}) JOIN objects ON id = norad_id WHERE {among} GROUP BY id "
            "HAVING max(sigma) < 700.0 ORDER BY count(*) DESC, id LIMIT 1"
        ).fetchall()
    return int(object_id)


def runs(store: Path, sources: list[Source]) -> None:
    for step, one in enumerate(sources):
        make_run(one, store, START + step * SIX_HOURS, HOURS)


def test_every_prediction_of_what_has_passed_is_there_once(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs(store, [source] * RUNS)
    until = START + (RUNS - 1) * SIX_HOURS - np.timedelta64(12, "h")
    assert judged_until(store) == until
    with connect(store) as connection:
        said = connection.execute(
            "SELECT event_id, run_id, h.tca, window_start FROM conjunction_history h "
            "JOIN runs r USING (run_id) WHERE encounter = 'fast' ORDER BY event_id, run_id"
        ).fetchall()
        found = connection.execute("FROM forecasts ORDER BY event_id, run_id").df()
    passed = [row for row in said if row[2] < until.item()]
    assert len(passed) > 1000
    assert list(zip(found["event_id"], found["run_id"], strict=True)) == [row[:2] for row in passed]
    lead = [(tca - begin).total_seconds() / 86400.0 for _, _, tca, begin in passed]
    assert found["lead_days"].to_numpy() == pytest.approx(lead, abs=1e-6)
    assert found["region"].max() < 1e-6  # the same sets came again
    assert set(found["fate"].dropna()) == {"stayed"}
    assert found["last_miss_distance_m"].to_numpy() == pytest.approx(
        found["miss_distance_m"].to_numpy(), rel=1e-5
    )
    for _, of_event in found.groupby("event_id"):
        ahead_of_it = of_event["days_ahead"].fillna(-1).astype(int)
        assert (ahead_of_it == 0).sum() == 1
        assert of_event.loc[ahead_of_it == 0, "lead_days"].item() == of_event["lead_days"].min()
        assert (ahead_of_it == 1).sum() <= 1
    record = verification(store)
    assert record.encounters == found["event_id"].nunique()
    assert {one.level: one.encounters for one in record.warnings} == {
        level: rows["event_id"].nunique()
        for level, rows in found[found["days_ahead"] == 1].groupby("probability_level")
    }
    assert not record.suspects


def test_an_object_whose_sets_were_off_is_named(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs(store, [source])
    object_id = busiest_object(store)
    biased = ahead(source, -30.0, source.content.elements["norad_id"] == object_id)
    runs(store, [source, biased, biased, *[source] * (RUNS - 3)])
    suspect = verification(store).suspects[0]
    assert suspect.norad_id == object_id
    assert suspect.in_track_sigmas > 10.0  # it came ahead of what the biased sets said
    assert str(object_id) in suspect.words
    assert "ahead" in suspect.words


def test_a_bias_of_a_few_sigmas_over_two_days_is_named(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs(store, [source])
    object_id = quiet_object(store)
    rows = source.content.elements["norad_id"] == object_id
    before = [ahead(source, 0.0, rows, minutes=9.0 - step) for step in range(1, 4)]
    biased = [ahead(source, 3.0, rows, minutes=5.0 - step) for step in range(5)]  # the first day of two
    runs(store, [source, *before, *biased])
    suspect = verification(store).suspects[0]
    assert suspect.norad_id == object_id
    assert 3.5 < suspect.in_track_sigmas < 8.0
    assert "ahead" in suspect.words
    assert len(verification(store).suspects) == 1


def test_a_burn_that_nobody_told_is_named(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs(store, [source])
    object_id = quiet_object(store, "object_type = 'payload'")
    rows = source.content.elements["norad_id"] == object_id
    after = burnt(source, 0.3, START + np.timedelta64(9, "h"), rows)
    runs(store, [source, source, *[after] * 4])  # 21 hours after it
    suspect = verification(store).suspects[0]
    assert suspect.norad_id == object_id
    assert suspect.in_track_sigmas < -6.0  # a higher orbit takes longer
    assert "burn" in suspect.words or "manoeuvred" in suspect.words


def test_a_law_that_is_too_small_is_named(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    rng, count = np.random.default_rng(7), len(source.content.elements)
    runs(store, [ahead(source, rng.normal(scale=20.0, size=count)) for _ in range(RUNS)])
    record = verification(store)
    ratio = next(one for one in record.errors if one.error_law == "leo" and one.days_ahead == 0).in_track
    assert ratio > 3.0
    assert any("The law leo does not fit in-track" in sentence for sentence in record.words)


def test_what_was_found_before_a_kill_counts_once(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs(store, [source] * (RUNS - 1))
    before = (store / FORECAST_TALLIES).read_bytes()
    make_run(source, store, START + (RUNS - 1) * SIX_HOURS, HOURS)
    complete = tallies(store)
    (store / FORECAST_TALLIES).write_bytes(before)  # killed between forecasts and counts
    add_to_tallies(store)
    assert tallies(store).equals(complete)
    add_to_tallies(store)
    assert tallies(store).equals(complete)
    newest = max(store.glob(FORECAST_FILES), key=lambda path: path.stem)
    newest.unlink()  # killed before its forecasts
    make_run(source, store, START + RUNS * SIX_HOURS, HOURS)
    with connect(store) as connection:
        ((rows, pairs),) = connection.execute(
            "SELECT count(*), count(DISTINCT (event_id, run_id)) FROM forecasts"
        ).fetchall()
    assert rows == pairs


def test_damage_is_logged_and_the_runs_stand(
    source: Source, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = tmp_path / "store"
    runs(store, [source] * 4)
    newest = max(store.glob(FORECAST_FILES), key=lambda path: path.stem)
    counted = verification(store).encounters
    newest.write_bytes(newest.read_bytes()[:-9])
    make_run(source, store, START + 4 * SIX_HOURS, HOURS)
    assert "it is set aside" in caplog.text
    more = verification(store).encounters
    assert more > counted  # and none again
    with connect(store) as connection:
        ((judged,),) = connection.execute("SELECT count(DISTINCT event_id) FROM forecasts").fetchall()
    assert judged < more
    (store / FORECAST_TALLIES).write_bytes(b"PAR1")
    make_run(source, store, START + 5 * SIX_HOURS, HOURS)
    assert "Predictions are not verified" in caplog.text
    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (6,)


def test_a_store_that_has_judged_nothing_says_so(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs(store, [source])
    record = verification(store)
    assert record.since is None
    assert record.words == ["No encounter has passed since the first run: there is nothing to compare yet."]


def test_a_span_without_encounters_is_judged(source: Source, tmp_path: Path) -> None:
    store = tmp_path / "store"
    alone = source._replace(content=source.content._replace(elements=source.content.elements[:2]))
    runs(store, [alone] * 4)
    assert judged_until(store) == START + np.timedelta64(6, "h")
    assert verification(store).encounters == 0
    make_run(source, store, START + 4 * SIX_HOURS, HOURS)
    assert verification(store).since is None
