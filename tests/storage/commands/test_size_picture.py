"""The picture of a size: areas and heights are to scale."""

import math

import pytest

from storage.shell.object_facts import PERSON_M, size_picture

ROWS, CELLS_IN_A_SQUARE = 15, 2.0


@pytest.mark.parametrize(("radius_m", "around_m"), [(0.9, 0.9), (1.8, 2.42), (2.0, 4.5), (54.5, 54.5)])
def test_areas_are_to_scale(radius_m: float, around_m: float) -> None:
    lines = size_picture(radius_m, around_m)
    row_m = max(PERSON_M, 2.0 * around_m) / ROWS
    text = "".join(lines)
    areas_m2 = {"#": math.pi * radius_m**2, ".": math.pi * (around_m**2 - radius_m**2)}
    for mark, area_m2 in areas_m2.items():
        assert text.count(mark) == pytest.approx(area_m2 / row_m**2 * CELLS_IN_A_SQUARE, rel=0.1, abs=1.0)


def test_a_person_stands_beside_it() -> None:
    small, large = size_picture(0.25, 0.25), size_picture(54.5, 54.5)
    assert len(small) == ROWS, "a person is larger than a satellite of half a metre"
    assert small[0].strip() == "o"
    assert large[-1].endswith("i")
    assert "o" not in "".join(large)


@pytest.mark.parametrize("radius_m", [0.01, 0.05, 0.1])
def test_even_the_smallest_piece_is_seen(radius_m: float) -> None:
    assert "#" in "".join(size_picture(radius_m, radius_m))
