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
    HardBodies,
    Sizes,
    combined_radius_m,
    hard_bodies,
    radius_allowed,
    radius_of_rcs_m,
)
from screening.vocabulary import OBJECT_TYPES

NONE = np.nan


def words(codes: np.ndarray) -> list[str]:
    return [HARD_BODY_SOURCES[code] for code in codes]


def bodies_of(*objects: tuple[float, float, float, float, float]) -> HardBodies:
    """Return the radii of objects: override, table, rcs, class, type."""
    override, table, rcs, of_class, of_type = np.array(objects).T
    none = np.full(len(objects), NONE)
    return HardBodies(*hard_bodies(Sizes(override, none, table, none, rcs, of_class, of_type)), none)


def test_published_dimensions_go_before_a_table_and_that_before_a_stage() -> None:
    override, body, table, stage, rest = np.array(
        [[8, 7, 6, 5, 1], [NONE, 7, 6, 5, 1], [NONE, NONE, 6, 5, 1], [NONE, NONE, NONE, 5, 1]]
    ).T
    radius_m, source = hard_bodies(Sizes(override, body, table, stage, rest, rest, rest))
    assert radius_m.tolist() == [8, 7, 6, 5]
    assert words(source) == ["override", "body", "table", "stage"]


def test_the_first_rung_that_is_known_decides() -> None:
    bodies = bodies_of(
        (1.0, 2.0, 9.0 * np.pi, 4.0, 5.0),
        (NONE, 2.0, 9.0 * np.pi, 4.0, 5.0),
        (NONE, NONE, 9.0 * np.pi, 4.0, 5.0),
        (NONE, NONE, NONE, 4.0, 5.0),
        (NONE, NONE, NONE, NONE, 5.0),
    )
    assert bodies.radius_m.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert words(bodies.source) == ["override", "table", "rcs", "class", "type"]


@pytest.mark.parametrize("wrong", [0.0, -1.0, 0.009, 100.1, 250.0, 500.0, np.inf, -np.inf])
def test_a_value_out_of_range_is_not_used(wrong: float) -> None:
    bodies = bodies_of(
        (NONE, wrong, NONE, NONE, 1.5), (wrong, 2.0, NONE, NONE, 1.5), (NONE, NONE, NONE, wrong, 1.5)
    )
    assert bodies.radius_m.tolist() == [1.5, 2.0, 1.5]
    assert words(bodies.source) == ["type", "table", "type"]


def test_a_cross_section_is_a_disk_within_limits() -> None:
    known = [np.pi, 4.0 * np.pi, 399.0524, 1e-4, 5000.0]
    assert radius_of_rcs_m(known) == pytest.approx([1.0, 2.0, 11.27, 0.05, 15.0], rel=1e-3)
    assert np.isnan(radius_of_rcs_m([0.0, -1.0, NONE])).all()


def test_the_ends_of_the_range_are_allowed_and_nan_is_not() -> None:
    assert radius_allowed([SMALLEST_RADIUS_M, LARGEST_RADIUS_M, NONE]).tolist() == [True, True, False]
    assert radius_allowed(list(DEFAULT_RADIUS_M.values())).all()
    assert set(DEFAULT_RADIUS_M) == set(OBJECT_TYPES)


def test_the_inputs_stay_as_they_were() -> None:
    types = np.array([5.0])
    none = np.array([NONE])
    hard_bodies(Sizes(np.array([2.0]), none, none, none, none, none, types))
    assert types.tolist() == [5.0]


def test_a_pair_has_the_sum_and_the_less_certain_source() -> None:
    bodies = bodies_of(
        (NONE, NONE, NONE, NONE, 5.0),
        (NONE, NONE, NONE, 4.0, 5.0),
        (NONE, NONE, 9.0 * np.pi, NONE, 5.0),
        (NONE, 7.0, NONE, NONE, 5.0),
        (3.0, NONE, NONE, NONE, 1.5),
    )
    radius, source = combined_radius_m(bodies, np.array([0, 1, 2, 4, 4]), np.array([4, 2, 3, 3, 4]))
    assert radius.tolist() == [8.0, 7.0, 10.0, 10.0, 6.0]
    assert words(source) == ["type", "class", "rcs", "table", "override"]
    assert combined_radius_m(bodies, np.array([4]), np.array([0]))[1].tolist() == source[:1].tolist()


def test_the_published_table_is_in_range_but_for_one_value(shared_file: Callable[[str], Path]) -> None:
    with shared_file("hbr/HBR_Mass_Estimates_20260601.csv").open(newline="") as file:
        table = np.array([float(row["HBR"] or "nan") for row in csv.DictReader(file)])
    assert np.count_nonzero(~np.isnan(table)) == 23_583
    assert np.count_nonzero(radius_allowed(table)) == 23_582
    none = np.full(len(table), NONE)
    sizes = Sizes(none, none, table, none, none, none, np.ones(len(table)))
    assert hard_bodies(sizes)[0].max() == 66.1  # the ISS
