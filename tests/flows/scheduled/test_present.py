"""A store that shows the present goes on showing it, however old a catalogue comes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from flows.runs.run import Request, prepare
from flows.scheduled.tasks import shows_the_present
from flows.sources.files import Source
from screening.orbits.elements import Catalogue
from screening.search.request import catalogue_epoch
from screening.synthetic.catalogue import synthetic_catalogue
from screening.vocabulary import TRAJECTORY_KINDS
from tests.made_up_run import make_run, publish

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
TEN_DAYS_AGO = np.datetime64("2026-11-11T06:00:00", "us")


@pytest.mark.parametrize(
    ("of", "present"),
    [({}, True), ({"historic": True}, False), ({"synthetic": True}, False), (None, False)],
)
def test_only_a_real_run_of_its_own_time_shows_the_present(
    tmp_path: Path, of: dict[str, bool] | None, present: bool
) -> None:
    if of is not None:
        made = make_run(synthetic=False)
        publish(tmp_path, made._replace(run=replace(made.run, **of)))  # type: ignore[arg-type]
    assert shows_the_present(tmp_path) == present


@pytest.mark.parametrize(("allowed", "start"), [(True, "2026-11-11T06"), (False, "2026-11-21T06")])
def test_the_window_is_historic_only_where_that_is_allowed(tmp_path: Path, allowed: bool, start: str) -> None:
    elements = synthetic_catalogue(200, 1, TEN_DAYS_AGO).elements
    source = Source("made up", "", Catalogue(elements, [], 0, "synthetic"), "downloaded")
    prepared = prepare(source, Request(None, 24.0, 5.0, may_be_historic=allowed), tmp_path, NOW)
    began = prepared.span.start
    assert abs(began - np.datetime64(start)) < np.timedelta64(12, "h")
    assert prepared.historic == allowed


def test_supplemental_sets_do_not_make_a_catalogue_young() -> None:
    """Some thousand fresh sets of one operator would hide that all others are old."""
    elements = synthetic_catalogue(200, 1, TEN_DAYS_AGO).elements
    age = catalogue_epoch(elements)
    elements["epoch_jd"][:50] += 10.0
    elements["trajectory"][:50] = TRAJECTORY_KINDS.index("supgp")
    assert abs(catalogue_epoch(elements) - age) < timedelta(hours=1)
    elements["trajectory"] = TRAJECTORY_KINDS.index("supgp")
    assert catalogue_epoch(elements) > age + np.timedelta64(9, "D")
