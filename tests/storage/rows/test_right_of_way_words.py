"""Who gives way, in words."""

import pytest

from screening.risk.objects.bodies.right_of_way import Mover
from storage.rows.words.right_of_way import who_gives_way

ROW = {
    "primary_name": "SENTINEL-1A",
    "secondary_name": "OTHER",
    "primary_norad_id": 1,
    "secondary_norad_id": 2,
}
MANUAL = Mover("manual", "seen to")


@pytest.mark.parametrize(
    ("other", "gives_way", "words"),
    [
        (
            Mover("none", "debris"),
            "primary",
            "By custom SENTINEL-1A gives way: OTHER cannot manoeuvre (debris).",
        ),
        (
            Mover("minimal", "it changes its path by drag alone"),
            "primary",
            "By custom SENTINEL-1A gives way: it moves by command, OTHER hardly can.",
        ),
        (
            MANUAL,
            "agree",
            (
                "Neither has the right of way: SENTINEL-1A (seen to) and OTHER (seen to) are of the same "
                "class, so their operators agree who moves."
            ),
        ),
        (
            Mover("automated", "its constellation avoids collisions by itself"),
            "secondary",
            "By custom OTHER gives way: it avoids collisions by itself, SENTINEL-1A moves by command.",
        ),
        (
            Mover("crewed", "a spacecraft with a crew"),
            "primary",
            "By custom SENTINEL-1A gives way: OTHER has a crew on board.",
        ),
        (
            Mover("unknown", "of unknown type"),
            "unknown",
            "Who gives way is unknown, as no one here knows whether OTHER (of unknown type) can manoeuvre.",
        ),
    ],
)
def test_a_steered_satellite_and_another(other: Mover, gives_way: str, words: str) -> None:
    found = who_gives_way(ROW, MANUAL, other)
    assert (found.gives_way, found.words) == (gives_way, words)
    assert "not law" in found.source


def test_who_said_so_is_named() -> None:
    said = Mover("automated", "says its operator, in the fleet mine", said=True)
    assert who_gives_way(ROW, MANUAL, said).words == (
        "By custom OTHER gives way: it avoids collisions by itself (says its operator, in the fleet mine), "
        "SENTINEL-1A moves by command."
    )


def test_of_two_that_cannot_move_it_says_why() -> None:
    found = who_gives_way(ROW, Mover("none", "out of use"), Mover("none", "a rocket body"))
    assert found.gives_way == "neither"
    assert found.words == (
        "No one can give way: neither SENTINEL-1A (out of use) nor OTHER (a rocket body) can manoeuvre."
    )


def test_a_crew_keeps_clear_of_what_cannot() -> None:
    found = who_gives_way(ROW, Mover("crewed", "a spacecraft with a crew"), Mover("none", "debris"))
    assert found.words == "By custom SENTINEL-1A gives way: OTHER cannot manoeuvre (debris)."
