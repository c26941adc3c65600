"""An event whose primary flies by its operator's ephemeris, as a message."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.messages import Wanted, message_on
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_objects import NewestRun
from storage.trajectories.incoming import Named, take
from tests import runs
from tests.screening.risk.messages.written.schema import assert_valid
from tests.storage.commands.path_store import command
from tests.storage.message_store import ODD

SharedFile = Callable[[str], Path]

PROBABILITY_WITHIN = 1e-6  # of itself


@pytest.mark.slow
def test_the_ephemeris_and_its_covariance_are_told(
    shared_file: SharedFile, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    chosen = [line for line in records if int(line.split(",")[number]) in ODD]
    source, store = runs.source_of([header, *chosen], tmp_path), store
    runs.make_run(source, store, hours=24.0)
    first = newest_snapshot(store).events(EventQuery(limit=None)).rows
    found = (dict(zip(EVENT_COLUMNS, row, strict=True)) for row in first)
    event = next(one for one in found if one["probability_2d"] > 1e-12)

    path = tmp_path / "path.oem"
    start = (event["tca"] - timedelta(hours=3)).isoformat()
    words = ["--start", start, "--hours", 6, "--output", path, "--store", store]
    assert command(monkeypatch, "ephemeris", event["primary_norad_id"], *words) == 0
    added = datetime(2024, 11, 1, tzinfo=UTC)
    trajectory = take(store, path.read_bytes(), "path.oem", "definitive", Named(), added, NewestRun(store))
    runs.make_run(source, store, hours=24.0)

    snapshot = newest_snapshot(store)
    again = dict(zip(EVENT_COLUMNS, snapshot.event(event["event_id"]) or (), strict=True))
    assert again["primary_covariance_source"] == "trajectory"
    made = message_on(snapshot, event["event_id"], Wanted("xml"))
    assert made is not None
    assert_valid(made.text, shared_file)
    (message,) = each_message(made.text)
    assert isinstance(message, ConjunctionMessage)
    assert (message.primary.covariance_method, message.secondary.covariance_method) == (
        "CALCULATED",
        "DEFAULT",
    )
    assert made.text.count(f"<EPHEMERIS_NAME>{trajectory.id}</EPHEMERIS_NAME>") == 1
    assert made.text.count("<EPHEMERIS_NAME>NONE</EPHEMERIS_NAME>") == 1
    assert "PATH = its operator's ephemeris" in made.text
    assert message.primary.covariance_rtn is not None
    sigma_m = np.sqrt(np.diag(message.primary.covariance_rtn)[:3])
    assert sigma_m == pytest.approx([again[f"primary_sigma_{axis}_m"] for axis in "rtn"], rel=1e-12)
    score = score_message(message, message.hard_body_radius_m, samples=0, seed=1)
    assert score.probability_2d == pytest.approx(again["probability_2d"], rel=PROBABILITY_WITHIN)
