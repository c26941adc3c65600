"""Which objects of a catalogue belong to a fleet."""

import csv
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from storage.fleets import members as members_module
from storage.fleets.members import Member, TooManyMembers, members_of, name_filter
from storage.state.fleets import Fleet, FleetObject

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
NUMBERS = [5, 25544, 44713, 44714, 44800]
NAMES = ["VANGUARD 1", "ISS (ZARYA)", "STARLINK-1007", "STARLINK-1008", "starlink-2000 "]


def _fleet(*objects: FleetObject, pattern: str = "") -> Fleet:
    return Fleet(1, "mine", NOW, "", None, "", "handbook", 72.0, pattern, objects=objects)


def test_an_objects_own_volume_and_hours_go_before_the_fleets() -> None:
    found = members_of(
        _fleet(FleetObject(5), FleetObject(25544, "box:2x25x25"), FleetObject(44713, None, 24.0)),
        NUMBERS,
        NAMES,
    )
    assert found.members == (
        Member(5, "VANGUARD 1", "handbook", 72.0),
        Member(25544, "ISS (ZARYA)", "box:2x25x25", 72.0),
        Member(44713, "STARLINK-1007", "handbook", 24.0),
    )
    assert found.unknown == ()


def test_numbers_and_names_together_name_each_object_once() -> None:
    found = members_of(
        _fleet(FleetObject(44713, "sphere:1"), FleetObject(6), FleetObject(99), pattern="Starlink-*"),
        np.array(NUMBERS[::-1]),
        NAMES[::-1],
    )
    assert [(one.norad_id, one.volume) for one in found.members] == [
        (44713, "sphere:1"),
        (44714, "handbook"),
        (44800, "handbook"),
    ]
    assert found.unknown == (6, 99)


@pytest.mark.parametrize(
    ("pattern", "numbers"),
    [
        ("STARLINK-100?", [44713, 44714]),
        ("STARLINK-100[89]", [44714]),
        ("*(*)", [25544]),
        ("STARLINK", []),  # the whole name
        ("ISS.(ZARYA)", []),  # a point is a point
        ("*", NUMBERS),
        ("[", []),
        ("*" * 100, NUMBERS),
    ],
)
def test_patterns_as_the_shell_has_them(pattern: str, numbers: list[int]) -> None:
    found = members_of(_fleet(pattern=pattern), NUMBERS, NAMES)
    assert [one.norad_id for one in found.members] == numbers


def test_an_empty_catalogue_has_nothing() -> None:
    assert members_of(_fleet(FleetObject(5), pattern="*"), [], []) == ((), (5,))


def test_too_many_objects_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members_module, "MOST_MEMBERS", 4)
    with pytest.raises(TooManyMembers, match=r"'mine' would have 5 objects, more than the 4 .* '\*' matches"):
        members_of(_fleet(pattern="*"), NUMBERS, NAMES)
    assert len(members_of(_fleet(pattern="[SV]*"), NUMBERS, NAMES).members) == 4


def test_the_real_catalogue_has_as_many_as_a_plain_comparison_finds(
    shared_file: Callable[[str], Path],
) -> None:
    with shared_file("gp_onorbit_20241101.csv").open() as file:
        rows = [(int(row["NORAD_CAT_ID"]), row["OBJECT_NAME"]) for row in csv.DictReader(file)]
    numbers, names = map(list, zip(*rows, strict=True))
    expected = sorted(number for number, name in rows if name.startswith("STARLINK-3"))
    found = members_of(_fleet(FleetObject(25544), pattern="starlink-3*"), numbers, names)
    assert len(expected) > 1000
    assert [one.norad_id for one in found.members if one.norad_id != 25544] == expected
    with pytest.raises(TooManyMembers):
        members_of(_fleet(pattern="*"), numbers, names)


def test_a_pattern_of_many_stars_does_not_take_for_ever() -> None:
    """With backtracking it would try every way of placing 49 letters among 10,000."""
    assert not name_filter("*A" * 49 + "*B")("A" * 10_000)
