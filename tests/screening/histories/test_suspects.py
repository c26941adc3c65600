"""Objects whose newest sets may show a burn are told from the others without propagation."""

import numpy as np
import pytest

from screening.histories import suspects
from screening.histories.burns import FEWEST_SETS, MANOEUVRE_DTYPE, manoeuvres
from screening.histories.suspects import manoeuvres_lately, manoeuvres_of_many
from screening.orbits.elements import ElementArray
from tests.screening.histories.made_up import BURN_DAY, SPACING_DAYS, history

BURNT_AT = int(BURN_DAY / SPACING_DAYS) + 1  # the first set after the burn
NONE = np.zeros(0, MANOEUVRE_DTYPE)


def several(sets: int) -> ElementArray:
    """Return the first sets of one object that burns, and of two that do not."""
    quiet = [history(number, dv_m_s=0.0, number=number)[:sets] for number in (6, 8)]
    return np.concatenate([quiet[0], history()[:sets], quiet[1]])


def test_a_burn_is_found_once_a_set_follows_the_first_that_shows_it() -> None:
    found = {
        sets: manoeuvres_lately(several(sets), NONE)["norad_id"].tolist() for sets in range(12, BURNT_AT + 4)
    }
    assert {sets for sets, numbers in found.items() if numbers == [7]} >= {BURNT_AT + 2, BURNT_AT + 3}
    assert all(numbers == [] for sets, numbers in found.items() if sets < BURNT_AT + 2)


def test_what_is_stored_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = several(BURNT_AT + 2)
    found = manoeuvres_lately(sets, NONE)
    asked: list[int] = []
    monkeypatch.setattr(suspects, "manoeuvres_of_many", lambda part: asked.append(len(part)) or part)
    manoeuvres_lately(sets, found)
    manoeuvres_lately(sets, NONE)
    assert asked == [0, BURNT_AT + 2]


def test_the_first_look_and_a_history_just_long_enough_count_all_steps() -> None:
    assert manoeuvres_lately(several(60), NONE)["norad_id"].tolist() == []
    assert manoeuvres_lately(several(60), NONE, first_look=True)["norad_id"].tolist() == [7]
    short = history()[BURNT_AT - 5 : BURNT_AT - 5 + FEWEST_SETS]
    assert len(manoeuvres_lately(short, NONE)) == 1


def test_parts_are_whole_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    many = np.concatenate([history(number=number, sets=40 + number) for number in range(1, 8)])
    expected = manoeuvres(many)
    assert len(expected) == 7
    for size in (1, 90, 200, 10_000):
        monkeypatch.setattr(suspects, "_SETS_AT_ONCE", size)
        found = manoeuvres_of_many(many)
        assert found["norad_id"].tolist() == expected["norad_id"].tolist()
        np.testing.assert_allclose(found["dv_t_m_s"], expected["dv_t_m_s"], rtol=1e-6)
    assert len(manoeuvres_of_many(many[:0])) == 0


def test_the_newest_set_alone_shows_nothing() -> None:
    """A single set may be bad: the next one would return."""
    sets = history(dv_m_s=0.0)
    sets["mean_motion_rev_day"][-1] += 1e-4
    assert len(manoeuvres_lately(sets, NONE, first_look=True)) == 0
    assert len(manoeuvres_of_many(sets)) == 0
