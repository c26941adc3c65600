"""Points on either side of a volume's surface."""

import numpy as np
import pytest

from screening.volumes.inside import inside, reach_km, relative_rtn_km, volume_array
from screening.volumes.shapes import volume_of

A_MICROMETRE_KM = 1e-9


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("box:0.4x44x51", (0.4, -44.0, 51.0)),
        ("box:40x77x107", (-40.0, 0.0, 0.0)),
        ("ellipsoid:10x20x30", (0.0, -20.0, 0.0)),
        ("ellipsoid:10x20x30", (10 / 3**0.5, 20 / 3**0.5, -30 / 3**0.5)),
        ("sphere:5", (3.0, 0.0, -4.0)),
    ],
)
def test_just_inside_counts_and_just_outside_does_not(text: str, surface: tuple[float, ...]) -> None:
    volumes = volume_array([volume_of(text)] * 2)
    points = np.array(surface) * np.array([[1 - A_MICROMETRE_KM], [1 + A_MICROMETRE_KM]])
    assert inside(volumes, points).tolist() == [True, False]


def test_corners_of_boxes_are_inside_and_corners_around_ellipsoids_are_not() -> None:
    volumes = volume_array([volume_of("box:0.4x25x25"), volume_of("ellipsoid:0.4x25x25")])
    corner = np.array([[0.4, 25.0, 25.0]] * 2)
    assert inside(volumes, corner).tolist() == [True, False]
    assert reach_km(volumes).tolist() == pytest.approx([35.357602, 25.0], abs=1e-6)
    # The largest of the handbook: corners at 138 km.
    assert reach_km(volume_array([volume_of("box:40x77x107")]))[0] == pytest.approx(137.76, abs=0.01)


def test_axes_are_those_of_the_volumes_object() -> None:
    # Above the x axis, flying along y: cross-track is z (CCSDS 508.0-B-1, RTN).
    r_km, v_km_s = np.array([[7000.0, 0.0, 0.0]]), np.array([[0.5, 7.5, 0.0]])
    other_km = r_km + np.array([[1.0, 2.0, 3.0]])
    assert relative_rtn_km(r_km, v_km_s, other_km)[0] == pytest.approx([1.0, 2.0, 3.0])
