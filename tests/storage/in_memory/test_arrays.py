"""What a snapshot gives as arrays: exactly what was published."""

from pathlib import Path

import numpy as np
import pytest

from screening.risk.conjunctions import ENCOUNTERS
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.knowledge import FACTOR_DTYPE
from storage.in_memory.arrays import RATED_EVENT_DTYPE, element_sets, object_knowledge, rated_events
from storage.in_memory.snapshot import Snapshot
from storage.writing.objects_table import objects_of, set_factors


def loaded(store: Path) -> Snapshot:
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    return snapshot


def test_element_sets_keep_every_digit(store: Path, make) -> None:
    run = make.run()
    make.publish(store, run)
    np.testing.assert_array_equal(element_sets(loaded(store)), np.sort(run.elements, order="norad_id"))


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_scoring_needs_is_what_the_run_had(store: Path, make) -> None:
    run = make.run()
    run.elements["mean_motion_rev_day"], run.elements["eccentricity"] = 15.2, 0.001
    run.elements["name"][3] = "STARLINK-1008"
    objects = objects_of(run.elements)
    factors = np.zeros(len(objects), FACTOR_DTYPE)
    factors["last_manoeuvre"], factors["element_sets"] = np.datetime64("NaT"), 20
    for name in ("factor_r", "factor_t", "factor_n"):
        factors[name] = np.nan
    factors["factor_t"][4], factors["last_manoeuvre"][5] = 1000.0, np.datetime64("2026-11-20T00:00:00")
    set_factors(objects, factors, run.elements)
    make.publish(store, run, objects=objects)
    snapshot = loaded(store)
    known = object_knowledge(snapshot, element_sets(snapshot))
    np.testing.assert_array_equal(known.error_classes, objects["error_class"])
    names = [ERROR_CLASSES[code] for code in known.error_classes[3:6]]
    assert names == ["starlink", "contradictory", "manoeuvred"]
    np.testing.assert_array_equal(known.factors_rtn[:, 1], objects["covariance_factor_t"])
    np.testing.assert_array_equal(known.bodies.radius_m, objects["hard_body_radius_m"])


@pytest.mark.slow
def test_a_run_without_events(store: Path, make) -> None:
    make.publish(store, make.run(conjunctions=0))
    assert rated_events(loaded(store)).shape == (0,)
