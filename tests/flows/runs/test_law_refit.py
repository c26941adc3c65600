"""Stores refit their error laws: once a week, used by runs, never by replays of earlier times."""

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from sgp4.api import Satrec
from sgp4.io import fix_checksum
from typer.testing import CliRunner

from flows.runs.law_refit import refit_when_due
from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.history import read_history
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.refit.class_factors import Refit, refits
from skysieve.command_line import app
from storage.histories.fitted_laws import (
    SHIPPED_LAWS,
    FittedLaws,
    fitted_laws,
    laws_in_use,
    write_fitted_laws,
)
from storage.histories.incoming import import_histories
from storage.in_memory.arrays import element_sets, object_knowledge
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.element_history import element_history
from storage.reading.newest_objects import NewestRun
from storage.reading.newest_run import connect
from storage.state.database import newest_attempts
from tests.runs import SILENT
from tests.storage.histories.made_up import START, Set, history

DAYS = 7
NOW = datetime(2026, 11, 26, tzinfo=UTC)
BEGIN = START.replace(tzinfo=UTC)
AS_OF = BEGIN + timedelta(days=DAYS - 1)
OBJECTS = 12
FITTED = FittedLaws(NOW, AS_OF, 240, {"leo": Refit(9, 100, (0.5, 3.0, 2.0))})


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store with a week of element sets of objects that nothing moves, 0.003 deg off in-track."""
    (tmp_path / "store").mkdir()
    off_deg = iter(np.random.default_rng(7).normal(0.0, 0.003, OBJECTS * 4 * DAYS).tolist())
    sets = history(OBJECTS, 4 * DAYS)
    for look in range(4 * DAYS):
        now = sets[look * OBJECTS :][:OBJECTS]
        path = tmp_path / f"{now[0].seen:%Y%m%dT%H%M%SZ}.tle"
        path.write_text("".join(carried_on(one, next(off_deg)) for one in now))
        import_histories(tmp_path / "store", [path], NOW)
    return tmp_path / "store"


def carried_on(one: Set, off_deg: float) -> str:
    """Write a set without drag whose angles have turned since START, as python-sgp4 says they do."""
    first, second = one.lines
    first = fix_checksum(f"{first[:33]} .00000000  00000-0  00000-0{first[61:]}")
    at_start = Satrec.twoline2rv(first, second)
    minutes = (one.epoch - START) / timedelta(minutes=1)
    node, argument, anomaly = (
        math.degrees(angle + rate * minutes) % 360.0
        for angle, rate in (
            (at_start.nodeo, at_start.nodedot),
            (at_start.argpo, at_start.argpdot),
            (at_start.mo, at_start.mdot),
        )
    )
    anomaly = (anomaly + off_deg) % 360.0
    second = f"{second[:17]}{node:8.4f}{second[25:34]}{argument:8.4f} {anomaly:8.4f}{second[51:]}"
    return f"{first}\n{fix_checksum(second)}\n"


def replay(store: Path, as_of: datetime = AS_OF) -> None:
    settings, request = FlowSettings(store=store, workers=1), Request(None, 1.0, 10.0, as_of=as_of)
    run_catalogue(read_history(store, as_of), request, settings, Stages(SILENT.stage), SILENT)


def of_newest(store: Path) -> tuple[str, tuple[float, ...]]:
    """Return what the newest run says of its laws, and the factors of its objects, all the same."""
    with connect(store) as connection:
        ((words,),) = connection.execute(
            "SELECT error_laws FROM runs ORDER BY run_id DESC LIMIT 1"
        ).fetchall()
        (factors,) = connection.execute(
            "SELECT DISTINCT law_factor_r, law_factor_t, law_factor_n FROM objects"
        ).fetchall()
    return words, factors


@pytest.mark.slow
def test_a_refit_is_of_the_sets_known_to_the_newest_run(store: Path) -> None:
    replay(store)
    settings = FlowSettings(store=store)
    said = refit_when_due(settings, NOW)
    found = fitted_laws(store)
    assert found is not None
    assert said == found.words
    assert (found.made, found.known) == (NOW, AS_OF)
    sets = element_history(store, element_sets(newest_snapshot(store)), AS_OF)
    classes = np.full(len(sets), ERROR_CLASSES.index("ballistic"), np.int8)
    assert found.sets == len(sets)
    assert dict(found.laws) == dict(refits(sets, classes))
    # Not again within a week, and again after it.
    assert refit_when_due(settings, NOW + timedelta(days=6.9)) is None
    assert refit_when_due(settings, NOW + timedelta(days=7)) is not None


@pytest.mark.slow
def test_runs_use_the_refitted_laws_and_say_so(store: Path) -> None:
    replay(store)
    assert of_newest(store) == ("shipped", (None, None, None))
    shipped = newest_snapshot(store)
    elements, before = element_sets(shipped), object_knowledge(shipped, element_sets(shipped))
    write_fitted_laws(store, FITTED)
    replay(store)
    assert of_newest(store) == (FITTED.words, (0.5, 3.0, 2.0))
    after = object_knowledge(newest_snapshot(store), elements)
    assert after.law_factors_rtn is not None
    # The objects' own factors are on the refitted law: what their sets show is wide enough already.
    assert (after.factors_rtn[:, 1] <= before.factors_rtn[:, 1]).all()
    one = NewestRun(store).with_law(elements[:1])
    assert one.laws.at_epoch_m[0].tolist() == [122.0, 1440.0, 296.0]
    np.testing.assert_allclose(one.laws.growth_m_day[0], [11.0, 0.0, 72.0])
    np.testing.assert_allclose(one.laws.drag_share, 0.33)


@pytest.mark.slow
def test_replays_of_earlier_times_take_the_shipped_laws(store: Path) -> None:
    write_fitted_laws(store, FITTED)
    earlier = AS_OF - timedelta(seconds=1)
    assert laws_in_use(store, earlier) == SHIPPED_LAWS
    assert laws_in_use(store, AS_OF).words == laws_in_use(store).words == FITTED.words
    replay(store, earlier)
    assert of_newest(store) == ("shipped", (None, None, None))


def test_a_failure_is_recorded_and_raises_nothing(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = FlowSettings(store=store)  # without a run
    assert refit_when_due(settings, NOW) is None
    (attempt,) = newest_attempts(store, 5)
    assert (attempt.source, attempt.outcome) == ("error laws", "skipped")
    assert "error laws" in caplog.text
    assert fitted_laws(store) is None


@pytest.mark.slow
def test_the_command_shows_and_refits(store: Path) -> None:
    def said(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["objects", "errors", *arguments, "--store", str(store)])
        assert result.exit_code == 0, result.output
        return result.output

    assert said() == "Error laws: shipped\n"
    write_fitted_laws(store, FITTED)
    assert "leo                 0.50      3.00         2.00  by 9 objects, 100 pairs of sets" in said()
    assert '"factors_rtn"' in said("--json")
    replay(store)
    assert f"by {OBJECTS} objects" in said("--refit")
