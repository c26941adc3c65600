"""Histories of a few objects, of which one burns: imported into a store, and replayed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.history import read_history
from screening.orbits.elements import ElementArray
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from storage.histories.incoming import import_histories
from storage.times import utc_datetime
from tests.runs import SILENT
from tests.screening.histories.test_burns import BURN_DAY, START, history

BURNING, QUIET = 1007, (1001, 1002, 1003, 1004)
BEGIN = utc_datetime(START)
BURN = BEGIN + timedelta(days=BURN_DAY)
NOW = datetime(2026, 11, 26, tzinfo=UTC)
SHOWN = BEGIN + timedelta(days=30)  # five sets after the burn
TOO_SOON = BEGIN + timedelta(days=25)


def planted(until: datetime = SHOWN, *, sets: int = 60) -> ElementArray:
    """Return the sets of all objects up to a time, one every 0.9 days; the burn is of 2 cm/s."""
    rows = [history(1, number=BURNING, sets=sets)]
    rows += [history(number, dv_m_s=0.0, number=number, sets=sets) for number in QUIET]
    for place, own in enumerate(rows):
        own["mean_anomaly_deg"] = (own["mean_anomaly_deg"] + 40.0 * place) % 360.0
        own["name"], own["object_id"], own["classification"] = f"MADE UP {place}", f"2024-00{place}A", "U"
    joined = np.concatenate(rows)
    day = (joined["epoch_jd"] - joined["epoch_jd"].min()) + joined["epoch_day_fraction"]
    begun = day.min()
    early: ElementArray = joined[day - begun <= (until - BEGIN) / timedelta(days=1)]
    return early


def take(store: Path, folder: Path, until: datetime = BEGIN + timedelta(days=60)) -> Path:
    """Import these sets into a store, each known from its epoch on, and return the store."""
    path = folder / "planted.csv"
    with path.open("w", newline="") as file:
        write_omm_csv(planted(until), file)
    import_histories(store, [path], NOW)
    return store


def replay(store: Path, as_of: datetime) -> str:
    """Make a run of a past time, and return its id."""
    settings = FlowSettings(store=store, workers=1)
    request = Request(None, 1.0, 10.0, as_of=as_of)
    return run_catalogue(read_history(store, as_of), request, settings, Stages(SILENT.stage), SILENT).run_id
