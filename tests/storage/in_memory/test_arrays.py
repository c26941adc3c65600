"""What a snapshot gives as arrays: exactly what was published."""

from pathlib import Path

import numpy as np

from screening.risk.conjunctions import ENCOUNTERS
from storage.in_memory.arrays import RATED_EVENT_DTYPE, element_sets, rated_events
from storage.in_memory.snapshot import Snapshot


def loaded(store: Path) -> Snapshot:
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    return snapshot


def test_element_sets_keep_every_digit(store: Path, make) -> None:
    run = make.run()
    make.publish(store, run)
    np.testing.assert_array_equal(element_sets(loaded(store)), np.sort(run.elements, order="norad_id"))


def test_events_last_until_their_tca_or_the_end_of_a_slow_one(store: Path, make) -> None:
    run = make.run(conjunctions=400)
    make.publish(store, run)
    records = run.conjunctions
    slow = records["encounter"] == ENCOUNTERS.index("slow")
    assert slow.any()
    expected = np.empty(len(records), RATED_EVENT_DTYPE)
    for name in ("primary_norad_id", "secondary_norad_id", "risk_level"):
        expected[name] = records[name]
    expected["until"] = np.where(slow, records["inside_to"], records["tca"])
    np.testing.assert_array_equal(np.sort(rated_events(loaded(store))), np.sort(expected))


def test_a_run_without_events(store: Path, make) -> None:
    make.publish(store, make.run(conjunctions=0))
    assert rated_events(loaded(store)).shape == (0,)
