"""Volumes as people write them."""

import math

import pytest

from screening.errors import UsageError
from screening.volumes.shapes import HANDBOOK, Volume, text_of, volume_of


@pytest.mark.parametrize(
    ("text", "volume", "canonical"),
    [
        ("sphere:5", Volume("sphere", 5.0, 5.0, 5.0), "sphere:5"),
        ("box:2x25x25", Volume("box", 2.0, 25.0, 25.0), "box:2x25x25"),
        # The largest of the handbook: 40 x 77 x 107 km.
        ("box:40x77x107", Volume("box", 40.0, 77.0, 107.0), "box:40x77x107"),
        ("ellipsoid:10x11x12", Volume("ellipsoid", 10.0, 11.0, 12.0), "ellipsoid:10x11x12"),
        (" Box:0.40X25.0X.5 ", Volume("box", 0.4, 25.0, 0.5), "box:0.4x25x0.5"),
        ("sphere:200", Volume("sphere", 200.0, 200.0, 200.0), "sphere:200"),
        ("sphere:0.00001", Volume("sphere", 1e-5, 1e-5, 1e-5), "sphere:0.00001"),
        ("HANDBOOK", HANDBOOK, "handbook"),
    ],
)
def test_a_volume_is_read_and_written(text: str, volume: Volume, canonical: str) -> None:
    assert volume_of(text) == volume
    assert text_of(volume) == canonical
    assert volume_of(canonical) == volume


def test_the_handbook_has_no_size_of_its_own() -> None:
    assert all(math.isnan(size) for size in volume_of("handbook")[1:])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "box",
        "box:",
        "cube:1x1x1",
        "box:0x1x1",
        "box:1x2",
        "box:1x2x3x4",
        "box:1x-2x3",
        "sphere:nan",
        "sphere:inf",
        "sphere:1x2x3",
        "sphere:0",
        "sphere:0.0",
        "sphere:200.001",
        "sphere:1e9",
        "sphere:1e1",
        "sphere:5km",
        "box:2kmx25kmx25km",
        "box:2 x 25 x 25",
        "box:2,25,25",
        "sphere:1.2.3",
        "sphere:.",
        "sphere:1_0",
        "sphere:\u0665",  # a digit of another script
        "handbook:5",
        "sphere:5\nsphere:6",
        "sphere:" + "9" * 10_000,
    ],
)
def test_what_is_no_volume_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(UsageError, match=r"box:2x25x25") as refused:
        volume_of(text)
    assert len(str(refused.value)) < 400
    assert "\n" not in str(refused.value)
