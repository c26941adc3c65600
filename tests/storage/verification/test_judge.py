"""Runs whose events are rewritten: what was missed, when warnings came, and TCAs that move over borders."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from screening.orbits.elements import ElementArray
from storage.disk.layout import (
    FORECAST_FILES,
    FORECAST_TALLIES,
    RUN_FILES,
    SCREENED,
    replace_parquet,
    run_folder,
)
from storage.reading.newest_run import connect
from storage.verification.judge import judge
from storage.verification.predictions import runs_of
from storage.verification.record import verification
from tests.runs import START, make_run, source_of

pytestmark = pytest.mark.slow

SIX_HOURS = timedelta(hours=6)
MINUTE = timedelta(minutes=1)
BORDER = START.item() + 2 * SIX_HOURS  # of two spans that runs judge, and the beginning of the third run
Said = dict[str, Any]  # changed columns of an event; None: the run has not listed it


class Scene(NamedTuple):
    """A store of six runs of one catalogue, and an event that the first three have predicted."""

    store: Path
    runs: list[str]
    elements: ElementArray
    event_id: int

    def say(self, *said: Said | None) -> None:
        """Let the first runs say something else of the event."""
        for run_id, one in zip(self.runs, said, strict=False):
            path = run_folder(self.store, run_id) / RUN_FILES["conjunctions"]
            rows = pq.read_table(path, partitioning=None)
            is_it = pc.equal(rows["event_id"], self.event_id)
            for name, value in (one or {}).items():
                field = rows.schema.field(name)
                told = pc.if_else(is_it, value, rows[name].cast(_plain(field.type)))
                rows = rows.set_column(rows.schema.get_field_index(name), field, told.cast(field.type))
            replace_parquet(rows if one is not None else rows.filter(pc.invert(is_it)), path)

    def judged(self, *by: int) -> list[dict[str, Any]]:
        """Let runs judge, and return the rows of the event by run."""
        for place in by:
            judge(self.store, self.runs[place], self.elements)
        with connect(self.store) as connection:
            query = f"FROM forecasts WHERE event_id = {self.event_id} ORDER BY run_id"
            rows: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
        return rows


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


@pytest.fixture(scope="module")
def made(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """One object in thirty of the real catalogue, of which nothing is judged yet; all are rated low."""
    folder = tmp_path_factory.mktemp("judged")
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    source = source_of([lines[0], *lines[1::30]], folder)
    store = folder / "store"
    for step in range(6):
        make_run(source, store, START + step * np.timedelta64(6, "h"), 18.0)
    with connect(store) as connection:
        ((event_id,),) = connection.execute(
            "SELECT event_id FROM conjunction_history WHERE encounter = 'fast' AND probability_level = 'low' "
            f"AND tca BETWEEN TIMESTAMP '{BORDER + 30 * MINUTE}' AND TIMESTAMP '{BORDER + 330 * MINUTE}' "
            "GROUP BY event_id HAVING count(*) = 3 ORDER BY event_id LIMIT 1"
        ).fetchall()
    return Scene(store, runs_of(store).run_id, source.content.elements, event_id)


@pytest.fixture
def scene(made: Scene, tmp_path: Path) -> Scene:
    store = shutil.copytree(made.store, tmp_path / "store")
    for path in (*store.glob(FORECAST_FILES), store / FORECAST_TALLIES):
        if path.stem != "0":
            path.unlink()
    return made._replace(store=store)


LOW, HIGH = {"probability_level": "low"}, {"probability_level": "high"}


def test_what_was_not_listed_counts_as_missed(scene: Scene) -> None:
    scene.say(None, LOW, HIGH)
    missed, low, high = scene.judged(5)
    assert (missed["run_id"], missed["days_ahead"], missed["stands_for"]) == (scene.runs[0], 1, 1)
    assert missed["lead_days"] == pytest.approx(low["lead_days"] + 0.25)
    assert missed["miss_distance_m"] is missed["probability_level"] is missed["region"] is None
    assert (missed["last_run_id"], missed["last_probability_level"]) == (scene.runs[2], "high")
    assert [one["fate"] for one in (missed, low, high)] == ["worsened", "worsened", None]
    assert [one["days_ahead"] for one in (low, high)] == [None, 0]
    record = verification(scene.store)
    (counted,) = (one for one in record.warnings if one.level == "not listed")
    assert (counted.days_ahead, counted.encounters, counted.red) == (1, 1.0, 1.0)
    assert record.words[0] == (
        "Critical or high in the last run before TCA: 1. 1 of them had been rated lower one day ahead, "
        "1 of these not listed at all."
    )


def test_what_a_run_could_not_know_it_has_not_missed(scene: Scene) -> None:
    scene.say(None, LOW, HIGH)
    path = run_folder(scene.store, scene.runs[0]) / SCREENED
    screened = pq.read_table(path, partitioning=None)
    with connect(scene.store) as connection:
        ((one_of_them,),) = connection.execute(
            "SELECT DISTINCT primary_norad_id FROM conjunction_history WHERE event_id = ?", [scene.event_id]
        ).fetchall()
    replace_parquet(screened.filter(pc.not_equal(screened["norad_id"], one_of_them)), path)
    assert len(scene.judged(5)) == 2


def test_what_was_low_at_the_end_was_not_missed(scene: Scene) -> None:
    scene.say(None, LOW, LOW)
    assert len(scene.judged(5)) == 2


@pytest.mark.parametrize(
    ("said", "first", "settled"),
    [
        ((HIGH, HIGH, HIGH), 0, 0),
        ((HIGH, LOW, LOW), 0, 1),
        ((LOW, HIGH, {"probability_level": "critical"}), 1, 1),
        ((HIGH, LOW, HIGH), 0, 2),
        ((HIGH, None, HIGH), 0, 2),
        ((LOW, HIGH, None), 1, 2),
        ((HIGH, None, None), 0, 1),
    ],
)
def test_when_it_was_first_warned_of_and_when_that_settled(
    scene: Scene, said: tuple[Said | None, ...], first: int, settled: int
) -> None:
    scene.say(*said)
    rows = [row for row in scene.judged(5) if row["first_warned_days"] is not None]
    (last,) = rows  # its last prediction alone
    beginning = START.item()
    days = [(last["tca"] - beginning - step * SIX_HOURS) / timedelta(days=1) for step in (first, settled)]
    assert [last["first_warned_days"], last["settled_days"]] == pytest.approx(days, abs=1e-6)
    record = verification(scene.store)
    assert record.warned == 1.0
    assert [record.first_warned_days, record.settled_days] == pytest.approx(days, abs=0.25)
    assert any(f"{record.first_warned_days:.1f} days before TCA" in sentence for sentence in record.words)


@pytest.mark.parametrize("listed_after_it", [True, False])
def test_one_whose_tca_moves_over_the_border_of_spans_is_judged_once(
    scene: Scene, *, listed_after_it: bool
) -> None:
    before, after = ({"tca": BORDER + step * MINUTE} for step in (-1, 1))
    scene.say(before, after, after if listed_after_it else None)
    assert scene.judged(4) == []  # until the border
    rows = scene.judged(5)
    assert [row["run_id"] for row in rows] == scene.runs[: 2 + listed_after_it]
    assert "vanished" not in [row["fate"] for row in rows]
    assert [row["days_ahead"] for row in rows] == [1, *[None] * listed_after_it, 0]
    assert {row["last_run_id"] for row in rows} == {rows[-1]["run_id"]}
    with connect(scene.store) as connection:
        assert connection.execute(
            "SELECT count(*) - count(DISTINCT (event_id, run_id)) FROM forecasts"
        ).fetchone() == (0,)


def test_one_that_moves_back_is_judged_before(scene: Scene) -> None:
    before, after = ({"tca": BORDER + step * MINUTE} for step in (-1, 1))
    scene.say(after, before, None)
    assert [row["fate"] for row in scene.judged(4)] == ["stayed", None]
    assert len(scene.judged(5)) == 2
