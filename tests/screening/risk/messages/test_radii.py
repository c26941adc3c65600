"""Hard-body radii that messages give in one of many ways, the better known before the less."""

import math

import pytest

from screening.risk.messages.score import score_message
from tests.screening.risk.message_texts import kvn, parts, read_messages
from tests.screening.risk.published import SharedFile


def radius(header: str, first: str, second: str) -> tuple[float, str]:
    """The combined radius and its source, with a line added to each part."""
    message = parts()
    del message[0]["HBR"]
    for part, line in zip(message, (header, first, second), strict=True):
        if line.startswith("COMMENT"):
            part[line] = ""
        elif line:
            keyword, _, value = line.partition("=")
            part[keyword.strip()] = value.strip()
    text = "\n".join(
        line.rstrip(" =") if line.startswith("COMMENT") else line for line in kvn(message).splitlines()
    )
    (read,) = read_messages(text)
    return read.hard_body_radius_m, read.hard_body_source


EXCLUSION = "COMMENT Exclusion Volume Radius : 5.000000 [m]"
OPERATOR = "COMMENT Operator Hard Body Radius : 6.00 [m]"


@pytest.mark.parametrize(
    ("header", "first", "second", "expected"),
    [
        ("", EXCLUSION, EXCLUSION, (10.0, "exclusion_volume")),
        ("", OPERATOR, EXCLUSION, (11.0, "exclusion_volume")),
        ("", OPERATOR, OPERATOR, (12.0, "operator")),
        ("", "HBR = 2 [m]", OPERATOR, (8.0, "object")),
        ("HBR = 20 [m]", OPERATOR, EXCLUSION, (20.0, "combined")),
        ("COMMENT HBR : 15.0 [m]", EXCLUSION, EXCLUSION, (15.0, "combined")),
        ("", "COMMENT EXCLUSION_VOLUME_RADIUS : 0.005 [km]", EXCLUSION, (10.0, "exclusion_volume")),
        ("", "EXCLUSION_VOLUME_RADIUS = 5.00", EXCLUSION, (10.0, "exclusion_volume")),
    ],
)
def test_the_better_known_radius_decides(
    header: str, first: str, second: str, expected: tuple[float, str]
) -> None:
    found = radius(header, first, second)
    assert found[0] == pytest.approx(expected[0], rel=1e-12)
    assert found[1] == expected[1]


@pytest.mark.parametrize("second", ["", "COMMENT Exclusion Volume Radius : 0.0 [m]"])
def test_one_object_without_any_leaves_none(second: str) -> None:
    radius_m, source = radius("", EXCLUSION, second)
    assert math.isnan(radius_m)
    assert source == ""


@pytest.mark.parametrize(
    ("name", "radius_m", "source"),
    [
        ("cdm/ION_SCV8_vs_STARLINK_1233.txt", 10.0, "exclusion_volume"),
        ("cara/DensityDecorrelationTestCaseCDM01.txt", 51.0, "exclusion_volume"),
        ("cara/DensityDecorrelationTestCaseCDM03.txt", 7.0, "exclusion_volume"),
    ],
)
def test_messages_of_the_us_centre(name: str, radius_m: float, source: str, shared_file: SharedFile) -> None:
    (message,) = read_messages(shared_file(f"ndm/{name}").read_bytes())
    assert (message.hard_body_radius_m, message.hard_body_source) == (radius_m, source)
    found = score_message(message, radius_m, samples=0, seed=1)
    assert f"the radius of {radius_m:g} m belongs to an exclusion volume" in "; ".join(found.remarks)
    given = score_message(message, 6.0, samples=0, seed=1)
    assert given.hard_body_source == "override"
    assert "exclusion volume" not in "; ".join(given.remarks)
