"""Visits of a slow pair keep their ids from run to run."""

from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from storage.reading.newest_run import connect
from tests.runs import START, make_run, source_of

# Two geostationary satellites that visit each other every 12 h, for an hour.
PAIR = ("36581", "39617")
ONE_KILOMETRE_DEG = 1.36e-3  # of the geostationary ring


def _lines(catalogue: Path, ahead_km: float) -> list[str]:
    """Return the element sets of both, the second one moved along its orbit."""
    header, *records = catalogue.read_text().splitlines()
    columns = header.split(",")
    number, anomaly = columns.index("NORAD_CAT_ID"), columns.index("MEAN_ANOMALY")
    chosen = [record.split(",") for record in records]
    chosen = [fields for fields in chosen if fields[number] in PAIR]
    chosen[1][anomaly] = f"{float(chosen[1][anomaly]) + ahead_km * ONE_KILOMETRE_DEG:.6f}"
    return [header, *(",".join(fields) for fields in chosen)]


def _visits(store: Path) -> list[tuple[int, datetime, datetime, datetime]]:
    """Return id, TCA, entry and exit of the slow rows of the newest run."""
    columns = "event_id, tca, inside_from, inside_to"
    with connect(store) as connection:
        return connection.execute(
            f"SELECT {columns} FROM conjunctions WHERE encounter = 'slow' ORDER BY tca"
        ).fetchall()


def test_a_visit_keeps_its_id_when_it_shifts_by_minutes(
    shared_file: Callable[[str], Path], store: Path, tmp_path: Path
) -> None:
    """The next run is 8 h later, and its element sets put one of the two 1 km elsewhere."""
    catalogue, store = shared_file("gp_onorbit_20241101.csv"), store
    make_run(source_of(_lines(catalogue, 0.0), tmp_path), store, hours=48.0)
    before = _visits(store)
    later = START + np.timedelta64(8, "h")
    make_run(source_of(_lines(catalogue, 1.0), tmp_path), store, start=later, hours=48.0)
    after = _visits(store)
    assert len(before) == len(after) == 4
    assert len({event_id for event_id, *_ in before + after}) == 5
    assert [event_id for event_id, *_ in after[:3]] == [event_id for event_id, *_ in before[1:]]
    for old, new in zip(before[1:], after[:3], strict=True):
        moved_s = [abs((there - here).total_seconds()) for here, there in zip(old[1:], new[1:], strict=True)]
        assert 30.0 < max(moved_s) < 1800.0
    for here, there in pairwise(after):
        assert here[2] < here[1] < here[3] < there[2]
