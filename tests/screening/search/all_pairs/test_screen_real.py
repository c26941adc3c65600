"""The whole real catalogue over a day, and encounters that others have published."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial import cKDTree

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, seconds_since, utc, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.results import Screening
from tests.screening.conftest import THRESHOLD_KM
from tests.screening.oracle import prepared, refined
from tests.validation.orbits.independent_detector import (
    FAST_APPROACHES,
    FAST_WITHIN_HALF,
    HALF_KM,
    UNDECIDED,
    UNDECIDED_WITHIN_HALF,
    by_pair,
    matched,
    read_sample,
)
from tests.validation.orbits.iridium_cosmos import FILE, read_morning
from tests.validation.orbits.socrates import HOURS, START, read_report

# Misses of the sample are printed to the millimetre.
ONE_MILLISECOND_S = 1e-3
ONE_MILLIMETRE_KM = 1e-6

# SOCRATES prints milliseconds and metres, and its element sets went through the digits of a web page.
PRINTED_TCA_S = 0.01
PRINTED_RANGE_KM = 1e-3
PRINTED_SPEED_KM_S = 1e-3


def test_the_counts_of_the_benchmark(real_screening: Screening) -> None:
    slow = real_screening.encounters["slow"]
    assert abs(int((~slow).sum()) - FAST_APPROACHES) <= UNDECIDED
    assert slow.sum() == 29  # visits of 25 pairs
    assert len(real_screening.proximities) == 49
    assert real_screening.proximities["same_elements"].sum() == 31


@pytest.mark.slow
def test_half_the_threshold_finds_what_lies_within_it(
    real_elements: ElementArray, real_day: TimeWindow, real_screening: Screening
) -> None:
    def fast_within_half(encounters: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        chosen = encounters[~encounters["slow"] & (encounters["miss_distance_km"] < HALF_KM)]
        return chosen[np.lexsort([chosen[key] for key in ("tca_s", "secondary_index", "primary_index")])]

    fast = fast_within_half(screen_catalogue(real_elements, real_day, HALF_KM).encounters)
    within = fast_within_half(real_screening.encounters)
    assert abs(len(fast) - FAST_WITHIN_HALF) <= UNDECIDED_WITHIN_HALF
    for column in ("primary_index", "secondary_index"):
        np.testing.assert_array_equal(fast[column], within[column])
    np.testing.assert_allclose(fast["tca_s"], within["tca_s"], rtol=0, atol=ONE_MILLISECOND_S)


@pytest.mark.slow
def test_every_approach_of_the_independent_sample(
    real_screening: Screening, real_elements: ElementArray, real_day: TimeWindow, shared_data: Path
) -> None:
    truth = read_sample(shared_data, real_day)
    assert len(truth) == 2598
    beside = matched(truth, by_pair(real_screening.encounters, real_elements))
    assert beside.not_found == 0
    assert np.abs(beside.tca_s).max() < ONE_MILLISECOND_S
    assert np.abs(beside.miss_km).max() < ONE_MILLIMETRE_KM


def test_every_row_is_what_sgp4_says_at_its_time(
    real_screening: Screening, real_elements: ElementArray, real_day: TimeWindow
) -> None:
    """Anyone can recompute the miss distance from the states, and the states from the time."""
    rows = real_screening.encounters[::500]
    records = prepared(real_elements)
    two_millimetres_km = 2e-6  # python-sgp4 rounds epochs to 0.2 us
    for row in rows:
        separation = row["secondary_r_teme_km"] - row["primary_r_teme_km"]
        assert row["miss_distance_km"] == pytest.approx(np.linalg.norm(separation), abs=1e-12)
        fraction = real_day.start_day_fraction + row["tca_s"] / 86400.0
        for who in ("primary", "secondary"):
            _, r, _ = records[row[f"{who}_index"]].sgp4(real_day.start_jd, fraction)
            assert row[f"{who}_r_teme_km"] == pytest.approx(r, abs=two_millimetres_km)


def test_rows_are_sorted_and_primaries_have_the_smaller_number(
    real_screening: Screening, real_elements: ElementArray
) -> None:
    encounters = real_screening.encounters
    assert (np.diff(encounters["tca_s"]) >= 0.0).all()
    assert (encounters["primary_index"] < encounters["secondary_index"]).all()
    assert (np.diff(real_elements["norad_id"]) > 0).all()
    assert (encounters["miss_distance_km"] < THRESHOLD_KM).all()


@pytest.mark.slow
def test_nothing_that_sampling_every_ten_minutes_sees_is_missing(
    real_screening: Screening, real_elements: ElementArray, real_day: TimeWindow
) -> None:
    """Whoever is within 10 km at a sample has an approach or visit, stays together, or is closest outside."""
    propagator = Propagator(real_elements, real_day)
    times_s = np.arange(0.0, real_day.seconds + 1.0, 600.0)
    error, r, _ = propagator.on_grid(times_s)
    found = defaultdict(list)
    for row in real_screening.encounters:
        pair = (int(row["primary_index"]), int(row["secondary_index"]))
        # Who passes at 10 m/s and more is closest within a third of an orbit.
        tca_s = float(row["tca_s"])
        inside = (row["inside_from_s"], row["inside_to_s"]) if row["slow"] else (tca_s - 2000, tca_s + 2000)
        found[pair].append(inside)
    for row in real_screening.proximities:
        found[int(row["primary_index"]), int(row["secondary_index"])].append((-np.inf, np.inf))
    at_the_edge, seen = [], 0
    for k, time_s in enumerate(times_s.tolist()):
        good = np.flatnonzero(error[k] == 0)
        close = np.sort(good[cKDTree(r[k][:, good].T).query_pairs(THRESHOLD_KM, output_type="ndarray")])
        for i, j in close.tolist():
            seen += 1
            if not any(from_s <= time_s <= to_s for from_s, to_s in found[i, j]):
                at_the_edge.append((i, j, time_s))
    assert seen > 5_000  # the proximities alone are 49 pairs at 145 samples
    assert len(at_the_edge) < 20
    for i, j, time_s in at_the_edge:
        bracket = np.array([time_s - 60.0]), np.array([time_s + 60.0])
        records = prepared(real_elements[[i, j]])
        minimum = refined(records, real_day, np.array([[0], [1]]), *bracket)[0]
        assert minimum.miss_km < THRESHOLD_KM
        assert not 0.0 <= minimum.tca_s < real_day.seconds, (i, j, time_s)


@pytest.fixture(scope="module")
def socrates(shared_data: Path) -> tuple[ElementArray, TimeWindow, Screening]:
    """Return the element sets of SOCRATES' report of 2026-09-11, its window and our screening at its 5 km."""
    elements = parse_catalogue((shared_data / "socrates_20260911" / "gp.csv").read_bytes()).elements
    span = window(START, HOURS)
    return elements, span, screen_catalogue(elements, span, 5.0)


def test_the_rows_of_socrates(
    socrates: tuple[ElementArray, TimeWindow, Screening], shared_data: Path
) -> None:
    elements, span, screening = socrates
    found = by_pair(screening.encounters, elements)
    compared = 0
    for row in read_report(shared_data, span):
        if not np.isin(row.pair, elements["norad_id"]).all() or row.pair == (68377, 68378):
            continue
        rows = found[row.pair]
        off_s = np.abs(rows["tca_s"] - row.tca_s)
        nearest = int(off_s.argmin())
        assert off_s[nearest] < PRINTED_TCA_S, row
        assert rows["miss_distance_km"][nearest] == pytest.approx(row.range_km, abs=PRINTED_RANGE_KM)
        assert rows["relative_speed_km_s"][nearest] == pytest.approx(row.speed_km_s, abs=PRINTED_SPEED_KM_S)
        compared += 1
    assert compared == 12


def test_a_pair_of_socrates_that_flies_together(
    socrates: tuple[ElementArray, TimeWindow, Screening],
) -> None:
    elements, span, screening = socrates
    numbers = elements["norad_id"]
    together = {
        (int(numbers[row["primary_index"]]), int(numbers[row["secondary_index"]])): row
        for row in screening.proximities
    }
    row = together[68377, 68378]
    tca = utc(span, np.array([row["tca_s"]]))[0]
    assert abs(tca - np.datetime64("2026-09-16T10:14:58.4")) < np.timedelta64(100, "ms")
    assert row["min_distance_km"] == pytest.approx(0.049, abs=PRINTED_RANGE_KM)


def test_iridium_33_and_cosmos_2251(shared_file: Callable[[str], Path]) -> None:
    """SOCRATES gave 584 m on the morning of 2009-02-10; they collided."""
    shared_file(FILE)
    elements, published, _ = read_morning(shared_file(""))
    span = window(np.datetime64("2009-02-10T00:00:00", "us"), 24.0)
    encounters = screen_catalogue(elements, span, 1.0).encounters
    assert len(encounters) == 1
    tca = utc(span, encounters["tca_s"])[0]
    assert published == np.datetime64("2009-02-10T16:55:59.806")
    assert abs(tca - published) < np.timedelta64(1, "ms")
    assert encounters["miss_distance_km"][0] == pytest.approx(0.5839, abs=1e-4)  # as published, to 0.1 m
    assert not encounters["slow"][0]
    assert elements["norad_id"].tolist() == [22675, 24946]
    assert (seconds_since(span, elements["epoch_jd"], elements["epoch_day_fraction"]) < 0).all()
