"""Break-ups against a published one, and against launches and old clouds of the same weeks."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.fragmentation.event import Cloud, belongs, break_up, cloud, possible_parents
from screening.fragmentation.launches import families, launches_of
from screening.orbits.elements import ElementArray
from tests.skies_of_2021 import DAYS, EVENT, LAUNCHES, PARENT, PIECES, sky

A_DAY = np.timedelta64(1, "D")
NOW = np.datetime64("2021-12-22T12:00")


@pytest.fixture(scope="module")
def before(shared_file: Callable[[str], Path]) -> ElementArray:
    return sky(shared_file, DAYS[0], LAUNCHES)


@pytest.fixture(scope="module")
def pieces(shared_file: Callable[[str], Path]) -> ElementArray:
    found = sky(shared_file, DAYS[2], [PIECES])
    return found[np.char.find(found["name"], "DEB") >= 0]


@pytest.fixture(scope="module")
def pinched(pieces: ElementArray) -> Cloud:
    found = cloud(pieces, NOW)
    assert found is not None
    return found


def test_the_time_and_the_parent_are_those_published(pinched: Cloud, before: ElementArray) -> None:
    assert abs(pinched.at - EVENT) < A_DAY
    near = before[possible_parents(pinched, before)]
    whole = near[np.char.find(near["name"], "DEB") < 0]
    assert whole["norad_id"].tolist() == [PARENT]
    event = break_up(pinched, whole)
    assert event is not None
    assert abs(event.at - EVENT) < A_DAY
    assert abs(event.at - EVENT) < 3 * event.uncertainty_hours * np.timedelta64(1, "h")
    # Tracked pieces left at some tens to 200 m/s in all directions (an object of 1.75 t was hit head-on).
    assert (event.speeds_m_s > 10).all()
    assert (event.speeds_m_s < 200).all()


def test_few_and_late_pieces_give_the_same_day(
    shared_file: Callable[[str], Path], pieces: ElementArray, before: ElementArray
) -> None:
    """Every twelfth of those of December; and those first catalogued in January, most of high drag."""
    parent = before[before["norad_id"] == PARENT]
    later = sky(shared_file, DAYS[3], [PIECES])
    late = later[~np.isin(later["norad_id"], pieces["norad_id"]) & (later["norad_id"] > 49000)]
    for some, now in ((pieces[::12], NOW), (late, NOW + 14 * A_DAY)):
        found = cloud(some, now)
        assert found is not None
        event = break_up(found, parent)
        assert event is not None
        assert abs(event.at - EVENT) < A_DAY


def test_another_stage_of_the_launch_is_no_parent(pinched: Cloud, before: ElementArray) -> None:
    stage = before[(before["object_id"] == "1982-092B")]
    assert len(stage) == 1
    assert break_up(pinched, stage) is None


def test_pieces_belong_and_others_do_not(pinched: Cloud, pieces: ElementArray, before: ElementArray) -> None:
    event = break_up(pinched, before[before["norad_id"] == PARENT])
    assert event is not None
    own = belongs(pieces, event.at, event.r_km, event.v_km_s)
    assert own.mean() > 0.7, "drag has moved the others too far"
    others = before[launches_of(before["object_id"]) != "1982-092"]
    assert len(others) > 200
    assert belongs(others, event.at, event.r_km, event.v_km_s).sum() <= 1


@pytest.mark.parametrize(
    ("day", "launch"),
    [
        (1, "21102"),  # nine small satellites of one rocket
        (1, "21104"),  # Starlink, with four rods of the stack
        (2, "21115"),
        (3, "21125"),
        (3, "21132"),  # OneWeb
        (4, "22001"),  # Starlink, in several planes already
        (1, "02032"),  # NOAA 17 broke up eight months earlier
        (1, "99025"),  # Fengyun 1C, 2007
        (3, "87011"),  # coolant of Cosmos 1818, 2008
    ],
)
def test_launches_and_old_clouds_are_none(shared_file: Callable[[str], Path], day: int, launch: str) -> None:
    known, now = (sky(shared_file, DAYS[at], [launch]) for at in (day - 1, day))
    new = now[~np.isin(now["norad_id"], known["norad_id"])]
    assert len(new) >= 10
    text = DAYS[day]
    found = cloud(new, np.datetime64(f"{text[:4]}-{text[4:6]}-{text[6:]}"))
    parents = now[np.char.find(now["name"], "DEB") < 0][:3]
    assert found is None or all(break_up(found, parents[[at]]) is None for at in range(len(parents)))


def test_families_are_launches_and_planes(pieces: ElementArray, before: ElementArray) -> None:
    some = np.concatenate([pieces[:30], before[before["object_id"] == "1999-025A"]])
    assert [len(family) for family in families(some, 10)] == [30]
    some["object_id"] = ""
    assert [len(family) for family in families(some, 10)] == [30]
    assert launches_of(np.array(["1982-092A", "", "82092A", "2021-104BE"])).tolist() == [
        *("1982-092", "", "", "2021-104")
    ]
