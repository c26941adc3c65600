"""Two days of runs that are screened and looked at: what alerts tell is what the stored history says.

The history is read with SQL, and followed here by ids alone.
"""

import io
from datetime import UTC, timedelta
from pathlib import Path

import numpy as np
import pytest

from flows.alerts.outbox import note_run
from flows.runs.fleet_look import fleet_look
from flows.runs.run import Outcome, Request, Searched, prepare
from flows.settings import FlowSettings
from flows.sources.files import read_file
from screening.encounters import PROXIMITY_DTYPE
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from storage.reading.known_objects import known_objects
from storage.reading.newest_run import connect
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.fleets import FleetObject, NewFleet, create_fleet
from tests.flows.alerts.alerting import taken
from tests.flows.alerts.by_the_rules import Looked, Row, Told, reports, told_of
from tests.flows.test_six_days import FIRST_DUE, HOURS, INTERVAL, LOW_REV_DAY, fitted_at
from tests.runs import screen_and_publish

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

RUNS, OURS, VOLUME = 7, 9, "sphere:25"
THRESHOLD_KM = 10.0  # of the runs: what is beyond, only the look around the fleet finds
ALONG_ORBIT_DEG = 0.03  # 4 km: encounters come into the volume and leave it, and their levels change
NOTED = timedelta(minutes=2)


def make_days(lines: list[str], folder: Path) -> tuple[Path, list[Told]]:
    """Make the runs; return the store, and what the alert was told."""
    elements = parse_catalogue("\n".join(lines).encode()).elements
    truth = elements[elements["mean_motion_rev_day"] > LOW_REV_DAY]
    truth["bstar_per_earth_radius"] = 0.0
    random, store = np.random.default_rng(6), folder / "store"
    ours = truth["norad_id"][:: len(truth) // OURS][:OURS]
    fleet = NewFleet("mine", tuple(FleetObject(int(number)) for number in ours), volume=VOLUME)
    new = NewAlert(create_fleet(store, fleet, FIRST_DUE).id, target("ops@example.org"), "test", level="low")
    create_alert(store, new, FIRST_DUE)
    settings, told = FlowSettings(store=store, workers=1), []
    for number in range(RUNS):
        sets, now = fitted_at(truth, number, random), FIRST_DUE + number * INTERVAL
        sets["mean_anomaly_deg"] = (
            sets["mean_anomaly_deg"] + random.normal(0.0, ALONG_ORBIT_DEG, len(sets))
        ) % 360
        with (folder / "gp.csv").open("w") as file:
            stream = io.StringIO()
            write_omm_csv(sets, stream)
            file.write(stream.getvalue())
        prepared = prepare(read_file(folder / "gp.csv"), Request(None, HOURS, THRESHOLD_KM), store, now)
        objects = known_objects(store, prepared.elements)
        run_id = screen_and_publish(prepared, objects, store)
        nothing = Searched(np.zeros(0, PROXIMITY_DTYPE), {}, 0)
        looked = fleet_look(Outcome(run_id, prepared, nothing, 0, 0, {}, "", objects), settings)
        assert looked is not None
        assert not looked.problems
        assert looked.beyond > 0
        note_run(settings, run_id, now + NOTED)
        for message in taken(store, now + NOTED):
            assert message.body["data"]["more"] == 0
            told += [Told(number, one["change"], one["event_id"]) for one in message.body["data"]["events"]]
    return store, told


def stored(store: Path) -> list[Looked]:
    """Return what each run had inside the fleet's volumes."""
    with connect(store) as connection:
        rows = connection.execute(
            "SELECT f.run_id, f.event_id, any_value(e.tca), any_value(e.probability_level), "
            "any_value(e.probability_best) FROM fleet_events f JOIN "
            "(SELECT * FROM conjunction_history UNION ALL BY NAME SELECT * FROM analyses) e "
            "ON e.run_id = f.run_id AND e.event_id = f.event_id GROUP BY ALL"
        ).fetchall()
    runs = sorted({row[0] for row in rows})
    assert len(runs) == RUNS
    starts = [FIRST_DUE + number * INTERVAL for number in range(RUNS)]
    return [
        Looked(
            start + NOTED,
            start + timedelta(hours=HOURS),
            {one[1]: Row(one[2].replace(tzinfo=UTC), *one[3:]) for one in rows if one[0] == run_id},
        )
        for run_id, start in zip(runs, starts, strict=True)
    ]


def test_messages_tell_what_the_stored_history_says(catalogue_lines: list[str], tmp_path: Path) -> None:
    store, told = make_days(catalogue_lines, tmp_path)
    expected = told_of(stored(store), reports("low", None))
    kinds = {kind: sum(change == kind for _, change, _ in expected) for kind in ("new", "raised", "closed")}
    print(kinds, [one for one in expected if one[1] == "resolved"])  # noqa: T201
    assert sorted(told) == sorted(expected)
    assert min(kinds.values()) > 0
    assert kinds["new"] > 15
