"""The next step at an event, and by when."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from screening.risk.views.better_data import ExpectedData
from storage.rows.words.event import SIDES
from storage.rows.words.next_step import LOW, NOT_STEERED, PASSED, next_step

TCA = datetime(2024, 11, 1, 14, 55, tzinfo=UTC)
# A circular orbit of 7,000 km: half a revolution takes 48 min 34 s (mu = 398,600.4 km3/s2).
HIGHER = {"x_km": 8000.0, "y_km": 0.0, "z_km": 0.0, "vx_km_s": 0.0, "vy_km_s": 7.058656, "vz_km_s": 0.0}
CIRCULAR = {"x_km": 7000.0, "y_km": 0.0, "z_km": 0.0, "vx_km_s": 0.0, "vy_km_s": 7.546049, "vz_km_s": 0.0}


def row(probability: float | None, miss_m: float = 5000.0, **others: Any) -> dict[str, Any]:
    known = {
        "tca": TCA,
        "probability_best": probability,
        "probability": probability,
        "probability_2d": probability,
        "probability_mc": None,
        "probability_method": "2d",
        "probability_level": None,
        "miss_distance_m": miss_m,
        "diluted": False,
    }
    states = {f"primary_{name}": value for name, value in CIRCULAR.items()}
    states |= {f"secondary_{name}": value for name, value in HIGHER.items()}
    return known | states | {"primary_name": "LOW", "secondary_name": "HIGH"} | others


def said(event: dict[str, Any], hours_before: float = 8.0, steered: Sequence[str] = SIDES) -> str:
    expected = [
        ExpectedData("set", 5, TCA - timedelta(hours=9), 5.0),  # late
        ExpectedData("set", 5, TCA - timedelta(hours=4), 5.0),
    ]
    return next_step(event, expected, steered, TCA - timedelta(hours=hours_before))


def test_of_what_matters_it_says_when_to_look_and_by_when_to_decide() -> None:
    assert said(row(2e-4)) == (
        "Act now: ask both operators for better data, and have a burn ready. Look again at 1 Nov 10:55 UTC. "
        "Decide by 1 Nov 14:06 UTC: a later burn has less than half a revolution to act."
    )


@pytest.mark.parametrize(
    ("probability", "first"),
    [(2e-5, "Ask both operators"), (2e-6, "Wait for the next data."), (None, "Judge it by the miss")],
)
def test_what_to_do_follows_the_level(probability: float | None, first: str) -> None:
    assert said(row(probability)).startswith(first)


def test_diluted_data_come_first() -> None:
    assert said(row(2e-6, diluted=True)).startswith("Get better data first")


def test_near_the_encounter_only_a_burn_that_is_ready_helps() -> None:
    told = said(row(2e-4), hours_before=0.8)
    assert told.endswith("Less than half a revolution is left: only a burn that is ready still helps.")
    assert "Look again" not in told


def test_where_nothing_can_be_done_it_says_so() -> None:
    assert said(row(2e-4), hours_before=-1.0) == PASSED
    assert said(row(1e-9)) == LOW
    assert said(row(1e-9, miss_m=90.0)).startswith("Its miss alone")
    assert said(row(2e-4), steered=()) == NOT_STEERED


def test_without_a_state_there_is_no_time_to_decide() -> None:
    assert "Decide" not in said(row(2e-4, primary_x_km=None))


@pytest.mark.parametrize(("run_hours_before", "shown"), [(3.0, "1 Nov 11:55 UTC"), (5.0, "")])
def test_new_sets_show_with_the_run_after_them_if_that_is_before_tca(
    run_hours_before: float, shown: str
) -> None:
    """The set comes four hours before TCA, and runs every six."""
    expected = [ExpectedData("set", 5, TCA - timedelta(hours=4), 5.0)]
    run = ExpectedData("run", None, TCA - timedelta(hours=run_hours_before), 6.0)
    both = sorted([*expected, run], key=lambda one: one.kind == "run")
    text = next_step(row(2e-4), both, SIDES, TCA - timedelta(hours=8))
    assert (f"Look again at {shown}." in text) if shown else ("Look again" not in text)


def test_of_one_that_nobody_steers_the_other_is_asked_and_decides() -> None:
    """A circular orbit of 8,000 km: half a revolution takes 59 min 21 s."""
    assert said(row(2e-4), steered=["secondary"]) == (
        "Act now: ask the operator of HIGH for better data, and have a burn ready. "
        "Look again at 1 Nov 10:55 UTC. "
        "Decide by 1 Nov 13:55 UTC: a later burn has less than half a revolution to act."
    )


def test_it_never_says_to_wait_for_what_does_not_come() -> None:
    text = next_step(row(2e-6), [], SIDES, TCA - timedelta(hours=8))
    assert text.startswith("No newer data are usual before the encounter: judge it by these, or ask both")
    assert "Decide by" in text


def test_of_two_the_one_to_give_way_decides() -> None:
    assert "Decide by 1 Nov 13:55 UTC" in said(row(2e-4), steered=["secondary", "primary"])
