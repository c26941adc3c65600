"""What a fleet's feeds tell: what stands, what is off, what is left out."""

from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest

from storage.fleets.encounters import MOST, Look, encounters, looks_at, within_reach
from storage.fleets.events import members_path
from storage.fleets.searched import searched
from storage.rows.limits import EVERYTHING, Limits, limits_of_risk
from tests.made_up_run import make_run, publish
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet
from tests.storage.fleets.rows import NOON, at, look, row

FLEETS_MADE = NOON.replace(tzinfo=UTC)
FIRST, SECOND, THIRD = "20261121T060000Z", "20261121T120000Z", "20261121T180000Z"
HIGH = Limits()
LATE = NOON.replace(hour=19)


def test_the_newest_run_decides_what_stands() -> None:
    before, after = row(1, miss_distance_m=900.0), row(1, miss_distance_m=150.0, computed_at=at(SECOND))
    (only,) = encounters([look(FIRST, before), look(SECOND, after)], HIGH, NOON)
    assert (only.row["miss_distance_m"], only.cancelled, only.changed) == (150.0, "", at(SECOND))


def rated(number: int, level: str, miss_m: float = 1234.5, **given: Any) -> dict[str, Any]:
    probability = {"critical": 2e-4, "high": 2e-5, "medium": 2e-6, "low": 2e-7}.get(level)
    numbers = {"probability_best": probability, "probability": probability, "probability_2d": probability}
    return row(number, probability_level=level, miss_distance_m=miss_m, **{**numbers, **given})


def test_levels_below_the_wanted_one_are_left_out_but_for_near_and_unknown_ones() -> None:
    levels = ("critical", "high", "medium", "low")
    found = [rated(number, level) for number, level in enumerate(levels)]
    found += [rated(4, "low", 499.0), rated(5, "low", 500.0), rated(6, "unknown")]
    found += [rated(7, "unknown", encounter="slow"), rated(8, "unknown", 99.0, encounter="slow")]
    told = {
        limits: {one.row["event_id"] for one in encounters([look(FIRST, *found)], limits, NOON)}
        for limits in (Limits("critical", None), HIGH, limits_of_risk("medium"), EVERYTHING)
    }
    assert told == {
        Limits("critical", None): {0, 6},
        HIGH: {0, 1, 4, 6, 8},
        Limits("medium", 1000.0): {0, 1, 2, 4, 5, 6, 8},
        EVERYTHING: set(range(9)),
    }


def test_rows_of_earlier_releases_are_rated_by_their_numbers() -> None:
    """They have no `probability_best`, and no level where they had no probability."""
    old = [
        row(1),
        row(2, probability=None, probability_2d=None),
        row(3, probability=2e-7, probability_2d=1e-7),
    ]
    found = encounters([look(FIRST, *old)], Limits("high", None), NOON)
    assert {one.row["event_id"] for one in found} == {1, 2}


def test_what_a_newer_run_no_longer_has_is_cancelled_with_the_time_of_that_run() -> None:
    (only,) = encounters([look(FIRST, row(1)), look(SECOND), look(THIRD)], HIGH, LATE)
    assert SECOND in only.cancelled
    assert only.changed == at(SECOND)


@pytest.mark.parametrize(
    "later",
    [
        look(SECOND, hours=12.0),  # the TCA lies beyond its look-ahead
        look(SECOND, found=()),  # its catalogue had not the fleet's object
    ],
)
def test_a_run_that_could_not_find_it_does_not_cancel_it(later: Look) -> None:
    """Any run that had looked at fleets cancelled what it had not, as soon as a look-ahead was shortened."""
    (stands,) = encounters([look(FIRST, row(1)), later], HIGH, NOON)
    assert stands.cancelled == ""
    (off,) = encounters([look(FIRST, row(1)), later, look(THIRD)], HIGH, LATE)
    assert THIRD in off.cancelled
    assert off.changed == at(THIRD)


def test_an_object_that_was_not_screened_cancels_nothing() -> None:
    (stands,) = encounters([look(FIRST, row(1)), look(SECOND, missing=(34602,))], HIGH, NOON)
    assert stands.cancelled == ""
    (off,) = encounters([look(FIRST, row(1)), look(SECOND, missing=(34603,))], HIGH, NOON)
    assert off.cancelled


def test_what_left_the_fleet_is_cancelled_with_that_reason() -> None:
    (off,) = encounters([look(FIRST, row(1)), look(SECOND, members=(20580,))], HIGH, NOON)
    assert off.cancelled == "25544 is no longer in the fleet"


def test_what_has_passed_is_not_cancelled_by_the_run_after_it() -> None:
    passed = row(1, tca=at(SECOND) - timedelta(seconds=1))
    (only,) = encounters([look(FIRST, passed), look(SECOND)], HIGH, NOON)
    assert only.cancelled == ""


def test_what_fell_below_the_level_has_eased_and_what_rises_again_stands() -> None:
    """It was cancelled, although the encounter was still there."""
    runs = [look(FIRST, row(1)), look(SECOND, rated(1, "low", computed_at=at(SECOND)))]
    (eased,) = encounters(runs, HIGH, NOON)
    assert eased.eased == (
        "its level is low now, and it is not within the limits: "
        "high or worse by probability, or nearer than 500 m"
    )
    assert (eased.cancelled, eased.changed) == ("", at(SECOND))
    (on,) = encounters([*runs, look(THIRD, row(1, computed_at=at(THIRD)))], HIGH, LATE)
    assert (on.cancelled, on.eased, on.changed) == ("", "", at(THIRD))
    (off,) = encounters([*runs, look(THIRD)], HIGH, LATE)
    assert THIRD in off.cancelled
    assert (off.eased, off.changed) == ("", at(THIRD))


def test_a_change_of_what_is_told_is_always_later_than_the_one_before() -> None:
    """Also if a second look on the old run was made after the new run had begun."""
    looked = row(1, computed_at=at(SECOND) + timedelta(minutes=3))
    (stands,) = encounters([look(FIRST, looked)], HIGH, NOON)
    (off,) = encounters([look(FIRST, looked), look(SECOND)], HIGH, NOON)
    assert off.cancelled
    assert off.changed >= stands.changed


def test_an_encounter_of_two_objects_of_the_fleet_is_told_once() -> None:
    both = [row(1, norad_id=25544), row(1, norad_id=20580)]
    (only,) = encounters([look(FIRST, *both)], HIGH, NOON)
    assert only.row["norad_id"] == 20580


def test_what_must_not_be_handed_on_is_not_told() -> None:
    assert encounters([look(FIRST, row(1, origin="restricted_message"))], EVERYTHING, NOON) == []


def test_three_days_after_its_tca_it_is_left_out() -> None:
    (tca,) = {row(1)["tca"]}
    runs = [look(FIRST, row(1))]
    assert len(encounters(runs, HIGH, tca + timedelta(days=3, seconds=-1))) == 1
    assert encounters(runs, HIGH, tca + timedelta(days=3)) == []


def test_of_too_many_the_most_dangerous_are_told_by_time() -> None:
    many = [row(number, tca=NOON + timedelta(seconds=MOST * 2 - number)) for number in range(1, MOST + 6)]
    many[0].update(probability=2e-4)
    many[1].update(probability=None, probability_2d=None)  # below every medium probability
    found = encounters([look(FIRST, *many)], HIGH, NOON)
    assert len(found) == MOST
    numbers = [one.row["event_id"] for one in found]
    assert 1 in numbers
    assert 2 not in numbers
    assert [one.row["tca"] for one in found] == sorted(one.row["tca"] for one in found)


@pytest.mark.parametrize("runs", [[], [look(FIRST)]])
def test_nothing_found_is_no_entry(runs: list[Look]) -> None:
    assert encounters(runs, EVERYTHING, NOON) == []


def test_runs_of_three_days_are_within_reach() -> None:
    runs = ["20261118T055959Z", "20261118T060000Z", THIRD, SECOND, f"{FIRST}-002", FIRST]
    expected = ["20261118T060000Z", FIRST, f"{FIRST}-002"]
    assert within_reach(runs, f"{FIRST}-002") == expected


@pytest.mark.slow
def test_a_run_that_left_the_fleet_out_and_a_historic_one_are_no_looks(store: Path) -> None:
    """Both cancelled all that the runs before them had found."""
    first = publish(store, make_run())
    fleet, other = plant_fleet(store, FLEETS_MADE), plant_fleet(store, FLEETS_MADE, "other")
    plant_events(store, first, fleet, events_of(store, first))
    left_out = publish(store, make_run(hours_later=1))
    plant_events(store, left_out, other, [])
    historic = make_run(hours_later=2)
    only_past = publish(store, historic._replace(run=replace(historic.run, historic=True)))
    plant_events(store, only_past, fleet, [])
    assert [one.run_id for one in looks_at(store, fleet.id, EVERYTHING)] == [first]
    newest = publish(store, make_run(hours_later=3))
    plant_events(store, newest, fleet, [])
    assert [one.run_id for one in looks_at(store, fleet.id, EVERYTHING)] == [first, newest]
    members_path(store, first).unlink()  # as after its expiry
    assert searched(store, first, fleet.id) is None


def test_historic_runs_alone_are_told(store: Path) -> None:
    made = make_run()
    run_id = publish(store, made._replace(run=replace(made.run, historic=True)))
    fleet = plant_fleet(store, FLEETS_MADE)
    plant_events(store, run_id, fleet, events_of(store, run_id))
    assert [one.run_id for one in looks_at(store, fleet.id, EVERYTHING)] == [run_id]
