"""What is planted happens: at that time, at that distance, and the search finds it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sgp4.api import Satrec

import screening.synthetic.planted as planted_module
from screening.errors import SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.timegrid import SECONDS_PER_DAY, TimeWindow, instants, seconds_since, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.synthetic.catalogue import Synthetic, synthetic_catalogue
from screening.synthetic.inverse import (
    POSITION_TOLERANCE_KM,
    VELOCITY_TOLERANCE_KM_S,
    BoolArray,
    elements_through,
    motion,
)
from screening.synthetic.planted import PlantedArray, planted_pairs

EPOCH = np.datetime64("2026-11-21T06:07:08.123456")
OBJECTS = 1500

# What a user of the ground truth may rely on. Seen: 0.14 ms (geostationary, at 15 m/s) and 0.1 mm.
one_millisecond_s = 1e-3
one_millimetre_m = 1e-3

# SGP4's velocity is not the slope of its positions; 0.4 m/s was seen between two eccentric orbits.
sgp4_velocity_defect_m_s = 1.0


@pytest.fixture(scope="module")
def catalogue() -> Synthetic:
    return synthetic_catalogue(OBJECTS, 7, EPOCH)


def seconds(planted: PlantedArray, span: TimeWindow) -> np.ndarray:
    return (planted["tca"] - span.start) / np.timedelta64(1, "us") / 1e6


def squared_distance_km2(
    pair: Sequence[Satrec], span: TimeWindow, planned_s: float, after_planned_s: float
) -> float:
    fraction = span.start_day_fraction + (planned_s + after_planned_s) / SECONDS_PER_DAY
    (_, primary_km, _), (_, secondary_km, _) = (record.sgp4(span.start_jd, fraction) for record in pair)
    return float(np.sum(np.subtract(secondary_km, primary_km) ** 2))


@pytest.mark.parametrize(("objects", "pairs"), [(200, 6), (1500, 6), (30_000, 15)])
def test_one_is_planted_per_2000_objects_but_at_least_six(objects: int, pairs: int) -> None:
    assert planted_pairs(objects) == pairs
    made = synthetic_catalogue(objects, 1, EPOCH)
    assert len(made.planted) == pairs
    assert len(made.elements) == objects


def test_all_regimes_and_geometries_occur(catalogue: Synthetic) -> None:
    kinds = set(
        zip(catalogue.planted["regime"].tolist(), catalogue.planted["geometry"].tolist(), strict=True)
    )
    assert kinds == {
        ("LEO", "head-on"),
        ("LEO", "crossing"),
        ("LEO", "overtaking"),
        ("HEO", "crossing"),
        ("GEO", "crossing"),
        ("GEO", "overtaking"),
    }


def test_planted_is_described_as_it_is(catalogue: Synthetic) -> None:
    planted = catalogue.planted
    assert (np.diff(planted["tca"]) > np.timedelta64(0)).all()
    assert (planted["tca"] > EPOCH).all()
    assert (planted["tca"] < EPOCH + np.timedelta64(24, "h")).all()
    assert (planted["primary_norad_id"] < planted["secondary_norad_id"]).all()
    assert (planted["relative_speed_m_s"] > 10.0).all()  # else the encounter would be a slow one
    assert np.searchsorted([100.0, 500.0, 1000.0], np.sort(planted["miss_distance_m"]))[[0, -1]].tolist() == [
        0,
        3,
    ]
    names = dict(
        zip(catalogue.elements["norad_id"].tolist(), catalogue.elements["name"].tolist(), strict=True)
    )
    for record in planted:
        assert names[int(record["secondary_norad_id"])].startswith("SYNTH PLANTED")
        assert not names[int(record["primary_norad_id"])].startswith("SYNTH PLANTED")


@pytest.mark.parametrize("seed", range(4))
def test_distance_by_python_sgp4_is_smallest_when_planned_and_as_planned(seed: int) -> None:
    # Independent of our propagation and of SGP4's velocities: positions of python-sgp4 alone.
    epoch = EPOCH + np.timedelta64(97 * seed, "D")
    elements, planted = synthetic_catalogue(20_000, seed, epoch)
    span = window(epoch, 24.0)
    for record, planned_s in zip(planted, seconds(planted, span), strict=True):
        pair = np.searchsorted(
            elements["norad_id"], [record["primary_norad_id"], record["secondary_norad_id"]]
        )
        distance2_km2 = partial(squared_distance_km2, satrecs(elements[pair]), span, planned_s)
        smallest = minimize_scalar(
            distance2_km2, bounds=(-1.0, 1.0), method="bounded", options={"xatol": 1e-9}
        )
        assert smallest.x == pytest.approx(0.0, abs=one_millisecond_s)
        miss_m = 1e3 * smallest.fun**0.5
        assert miss_m == pytest.approx(record["miss_distance_m"], abs=one_millimetre_m)
        around = [distance2_km2(after_s) for after_s in np.linspace(-120.0, 120.0, 48)]
        assert min(around) > smallest.fun


def test_the_search_finds_what_is_planted(catalogue: Synthetic) -> None:
    elements, planted = catalogue
    span = window(EPOCH, 24.0)
    found = screen_catalogue(elements, span, 10.0).encounters
    found_ids = elements["norad_id"][np.stack([found["primary_index"], found["secondary_index"]])]
    for record, planned_s in zip(planted, seconds(planted, span), strict=True):
        (at,) = np.flatnonzero(
            (found_ids[0] == record["primary_norad_id"])
            & (found_ids[1] == record["secondary_norad_id"])
            & (np.abs(found["tca_s"] - planned_s) < 1.0)
        )
        assert not found["slow"][at]
        assert found["tca_s"][at] == pytest.approx(planned_s, abs=one_millisecond_s)
        miss_m, speed_m_s = 1e3 * found["miss_distance_km"][at], 1e3 * found["relative_speed_km_s"][at]
        # The search's own kernel is held to a millimetre an object.
        assert miss_m == pytest.approx(record["miss_distance_m"], abs=4 * one_millimetre_m)
        assert speed_m_s == pytest.approx(record["relative_speed_m_s"], abs=sgp4_velocity_defect_m_s)


def test_another_primary_is_tried_where_there_is_no_solution(
    catalogue: Synthetic, monkeypatch: pytest.MonkeyPatch
) -> None:
    # SGP4 jumps by 0.3 km where the inclination of a geosynchronous orbit passes 3 degrees: a state between
    # the two sides has no element set. Seen once in 20,000; here, every other encounter at each try.
    tries = []

    def with_gaps(*arguments: Any) -> tuple[ElementArray, BoolArray]:
        solved, met = elements_through(*arguments)
        tries.append(len(met))
        return solved, met & (np.arange(len(met)) % 2 == len(tries) % 2)

    monkeypatch.setattr(planted_module, "elements_through", with_gaps)
    made = synthetic_catalogue(OBJECTS, 7, EPOCH)
    assert tries == [6, 3, 1, 1]
    assert (made.elements[:-6] == catalogue.elements[:-6]).all()
    ids = made.elements["norad_id"]
    for record, planned_s in zip(made.planted, seconds(made.planted, window(EPOCH, 24.0)), strict=True):
        pair = np.searchsorted(ids, [record["primary_norad_id"], record["secondary_norad_id"]])
        km2 = squared_distance_km2(satrecs(made.elements[pair]), window(EPOCH, 24.0), planned_s, 0.0)
        assert 1e3 * km2**0.5 == pytest.approx(record["miss_distance_m"], abs=one_millimetre_m)


def test_what_can_never_be_solved_for_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        planted_module, "elements_through", lambda template, *_: (template, np.zeros(len(template), bool))
    )
    with pytest.raises(SkysieveError, match="6 of 6 encounters"):
        synthetic_catalogue(OBJECTS, 7, EPOCH)


def test_element_sets_are_recovered_from_their_own_motion(catalogue: Synthetic) -> None:
    elements = catalogue.elements[::5]
    span = window(EPOCH, 24.0)
    times_s = np.linspace(0.0, span.seconds, len(elements))
    template = elements.copy()
    for field in ("mean_motion_rev_day", "eccentricity", "inclination_deg", "raan_deg", "mean_anomaly_deg"):
        template[field] = 1.0
    r, v = motion(elements, span, times_s)
    solved, met = elements_through(template, span, times_s, r, v)
    assert met.all()
    r_again, v_again = motion(solved, span, times_s)
    assert np.linalg.norm(r_again - r, axis=1).max() < POSITION_TOLERANCE_KM
    assert np.linalg.norm(v_again - v, axis=1).max() < VELOCITY_TOLERANCE_KM_S
    # 1e-7 km after a day and a half is 1e-10 of a revolution.
    assert solved["mean_motion_rev_day"] == pytest.approx(elements["mean_motion_rev_day"], rel=1e-9)
    assert solved["inclination_deg"] == pytest.approx(elements["inclination_deg"], abs=1e-6)
    for field in ("epoch_jd", "epoch_day_fraction", "norad_id", "name", "bstar_per_earth_radius"):
        assert (solved[field] == elements[field]).all()


def test_secondaries_have_epochs_of_their_own(catalogue: Synthetic) -> None:
    elements = catalogue.elements
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    ages_s = -seconds_since(window(EPOCH, 24.0), elements["epoch_jd"], elements["epoch_day_fraction"])
    assert len(np.unique(epochs)) == len(elements)
    assert ages_s.min() > 0
    assert ages_s.max() < 2 * SECONDS_PER_DAY


def test_a_state_inside_the_earth_is_not_met(catalogue: Synthetic) -> None:
    template = catalogue.elements[:2]
    times_s = np.zeros(2)
    r, v = motion(template, window(EPOCH, 24.0), times_s)
    r[1] *= 0.5
    _, met = elements_through(template, window(EPOCH, 24.0), times_s, r, v)
    assert met.tolist() == [True, False]
