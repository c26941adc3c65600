import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.risk.objects.hard_body import (
    DEFAULT_RADIUS_M,
    LARGEST_RADIUS_M,
    SMALLEST_RADIUS_M,
    combined_radius_m,
    hard_bodies,
    radius_allowed,
)

NONE = np.nan


def words(codes: np.ndarray) -> list[str]:
    return [HARD_BODY_SOURCES[code] for code in codes]


def test_the_override_comes_before_the_table_and_the_table_before_the_type() -> None:
    bodies = hard_bodies(
        np.array([NONE, NONE, 3.0, 4.0]), np.array([NONE, 7.0, NONE, 8.0]), np.array([5.0, 5.0, 1.5, 1.5])
    )
    assert bodies.radius_m.tolist() == [5.0, 7.0, 3.0, 4.0]
    assert words(bodies.source) == ["type", "table", "override", "override"]
    assert bodies.rejected == 0


@pytest.mark.parametrize("wrong", [0.0, -1.0, 0.009, 100.1, 250.0, np.inf, -np.inf])
def test_a_value_out_of_range_is_counted_and_not_used(wrong: float) -> None:
    bodies = hard_bodies(np.array([NONE, wrong]), np.array([wrong, 2.0]), np.array([1.5, 1.5]))
    assert bodies.radius_m.tolist() == [1.5, 2.0]
    assert words(bodies.source) == ["type", "table"]
    assert bodies.rejected == 2


def test_the_ends_of_the_range_are_allowed_and_nan_is_not() -> None:
    assert radius_allowed([SMALLEST_RADIUS_M, LARGEST_RADIUS_M, NONE]).tolist() == [True, True, False]
    assert radius_allowed(list(DEFAULT_RADIUS_M.values())).all()


def test_the_inputs_stay_as_they_were() -> None:
    defaults = np.array([5.0])
    hard_bodies(np.array([2.0]), np.array([NONE]), defaults)
    assert defaults.tolist() == [5.0]


def test_a_pair_has_the_sum_and_the_less_certain_source() -> None:
    bodies = hard_bodies(np.array([NONE, NONE, 3.0]), np.array([NONE, 7.0, NONE]), np.array([5.0, 5.0, 1.5]))
    radius, source = combined_radius_m(bodies, np.array([0, 1, 2, 2]), np.array([1, 2, 0, 2]))
    assert radius.tolist() == [12.0, 10.0, 8.0, 6.0]
    assert words(source) == ["type", "table", "type", "override"]


def test_the_published_table_is_in_range_but_for_one_value(shared_file: Callable[[str], Path]) -> None:
    with shared_file("hbr/HBR_Mass_Estimates_20260601.csv").open(newline="") as file:
        table = np.array([float(row["HBR"] or "nan") for row in csv.DictReader(file)])
    bodies = hard_bodies(np.full(len(table), NONE), table, np.full(len(table), 5.0))
    assert np.count_nonzero(~np.isnan(table)) == 23_583
    assert bodies.rejected == 1
    assert bodies.radius_m.max() == 66.1  # the space station
