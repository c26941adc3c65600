"""Plans over HTTP: kept, followed over runs, dropped; on a collision that is planted."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from api.answers.plans.outcome import outcome_of
from api.answers.stored_events import stored_event
from api.models.watched.plans import EventPlans
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from storage.in_memory.snapshot import newest_snapshot
from storage.state.alerts.plans import MOST_OF_AN_EVENT
from storage.state.credentials import create_credential
from storage.times import datetime64_us, parse_time
from tests.api.client import Client
from tests.api.conftest import Clock, serving, serving_with
from tests.api.planted_collision import (
    MOVED,
    NOW,
    OTHER,
    Planted,
    burn,
    events_by_name,
    planted,
    post,
    refused,
    run_of,
)

ENOUGH = burn(6.0, 0.3)
LATER = NOW + timedelta(minutes=30)  # of a second run


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return planted(tmp_path_factory.mktemp("plans"), historic=False)


@pytest.fixture
def made(once: Planted, tmp_path: Path) -> Planted:
    shutil.copytree(once.store.parent, tmp_path, dirs_exist_ok=True)
    return once._replace(store=tmp_path / "store")


@pytest.fixture
def client(made: Planted) -> Iterator[Client]:
    with serving(made.store, Clock(NOW)) as client:
        yield client


def event_of(client: Client) -> dict[str, Any]:
    return events_by_name(client)[MOVED]


def keep(client: Client, event_id: int, *burns: dict[str, float], **more: object) -> Any:
    body = {"burns": burns or [ENOUGH], "days": 0.0, **more}
    return client.request("POST", f"/conjunctions/{event_id}/plans", json=body)


def plans(client: Client, event_id: int) -> list[dict[str, Any]]:
    answer = client.get(f"/conjunctions/{event_id}/plans")
    assert answer.status_code == 200, answer.text
    TypeAdapter(EventPlans).validate_json(answer.content)
    found: list[dict[str, Any]] = answer.json()["plans"]
    return found


@pytest.mark.slow
def test_a_plan_is_kept_followed_and_dropped(client: Client) -> None:
    event = event_of(client)
    assert plans(client, event["id"]) == []
    answer = keep(client, event["id"])
    assert answer.status_code == 201, answer.text
    kept = answer.json()
    at = parse_time(event["tca"]) - timedelta(hours=6)
    assert kept["made_by"] == "test"
    assert kept["words"] == f"{MOVED}: 0.3 m/s along flight at {at:%Y-%m-%d %H:%M:%S} UTC"
    assert client.get("/v1/plans").json() == {"plans": [kept]}
    (one,) = plans(client, event["id"])
    assert one["plan"] == kept
    assert (one["state"], one["raised"], one["hours_to_burn"]) == (
        "holds", [], pytest.approx(3.0, abs=0.01)
    )  # fmt: skip
    assert one["words"].startswith("The plan holds: miss ")
    (point,) = one["points"]
    assert (point["miss_after_m"], point["probability_after"]) == (
        kept["miss_after_m"], kept["probability_after"]
    )  # fmt: skip
    path = f"/conjunctions/{event['id']}/plans/{kept['id']}"
    assert client.request("DELETE", path.replace(str(event["id"]), "5")).status_code == 404
    assert client.request("DELETE", path).status_code == 204
    assert client.request("DELETE", path).status_code == 404
    assert client.get("/plans").json() == {"plans": []}


@pytest.mark.slow
@pytest.mark.parametrize("dv_t_m_s", [0.01, 0.03])
def test_with_the_burn_it_is_what_the_whole_path_by_sgp4_has(client: Client, dv_t_m_s: float) -> None:
    """Its tails are others by a little: the whole path counts unplanned burns from the planned one on."""
    event = event_of(client)
    keep(client, event["id"], burn(6.0, dv_t_m_s))
    (one,) = plans(client, event["id"])
    (point,) = one["points"]
    answer = post(client, event["id"], burns=[burn(6.0, dv_t_m_s)], days=0.0)
    whole = answer.json()["burns"]["encounter"]
    assert point["miss_after_m"] == pytest.approx(whole["miss_distance_m"], rel=1e-3)
    assert point["probability_after"] == pytest.approx(whole["probability"], rel=0.04)


def test_another_encounter_that_the_burn_leads_into_is_named(client: Client) -> None:
    """The two meet again one revolution later."""
    event = event_of(client)
    keep(client, event["id"], days=0.5)
    (one,) = plans(client, event["id"])
    assert one["state"] == "raises"
    checked = post(client, event["id"], burns=[ENOUGH], days=0.5).json()["burns"]
    assert len(one["raised"]) == checked["raised"] > 0
    for other in one["raised"]:
        assert other["probability"] >= 1e-6
        assert parse_time(other["tca"]) > parse_time(event["tca"]) + timedelta(minutes=30)
    first = one["raised"][0]
    assert f"encounter: with {first['other_name']} ({first['other_norad_id']}) at" in one["words"]


@pytest.mark.slow
def test_what_is_not_enough_or_not_needed_is_said(client: Client) -> None:
    event = event_of(client)
    keep(client, event["id"], burn(6.0, 1e-4))
    keep(client, event["id"], burn(6.0, 0.01), burn(2.0, 0.3))
    keep(client, event["id"], ENOUGH, goal=0.5)
    small, two, needless = plans(client, event["id"])
    assert small["state"] == "not_enough"
    assert "not enough" in small["words"]
    assert (two["state"], len(two["plan"]["burns"])) == ("holds", 2)
    assert two["plan"]["dv_m_s"] == pytest.approx(0.31)
    assert needless["state"] == "not_needed"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("hours", "state", "says"),
    [
        (-30, "holds", "The burn is in"),  # the clock of the service was ahead when it was kept
        (3.5, "burn_passed", "No data from after it have come yet"),
        (10, "ended", "show no manoeuvre"),
        (24 * 400, "ended", "TCA has passed"),
    ],
)
def test_it_goes_by_the_clock_and_stores_nothing(made: Planted, hours: float, state: str, says: str) -> None:
    with serving(made.store, Clock(NOW)) as client:
        event = event_of(client)
        keep(client, event["id"])
    with serving(made.store, Clock(NOW + timedelta(hours=hours))) as client:
        (one,) = plans(client, event["id"])
    assert one["state"] == state
    assert says in one["words"]
    with serving(made.store, Clock(NOW)) as client:
        (one,) = plans(client, event["id"])
    assert one["state"] == "holds"


@pytest.mark.slow
def test_without_its_object_or_its_event_in_the_newest_run(made: Planted) -> None:
    with serving(made.store, Clock(NOW)) as client:
        event = event_of(client)
        keep(client, event["id"])
    other = made.elements["name"] == OTHER
    run_of(made.store.parent, made.elements[~other], LATER, historic=False)
    with serving(made.store, Clock(LATER)) as client:
        (one,) = plans(client, event["id"])
    assert (one["state"], one["raised"], len(one["points"])) == ("not_followed", None, 1)
    assert "it did not screen" in one["words"]
    away = made.elements.copy()
    away["mean_anomaly_deg"][other] += 20.0
    run_of(made.store.parent, away, LATER + timedelta(minutes=1), historic=False)
    with serving(made.store, Clock(LATER)) as client:
        (one,) = plans(client, event["id"])
    assert (one["state"], one["raised"], len(one["points"])) == ("gone", None, 1)


@pytest.mark.slow
def test_once_the_element_set_is_newer_than_the_burn_it_is_in_there(made: Planted) -> None:
    with serving(made.store, Clock(NOW)) as client:
        event = event_of(client)
        keep(client, event["id"])
    late = made.elements.copy()
    late["epoch_day_fraction"][made.moved] = 5.0 / 24.0  # an hour after the burn
    revolutions = late["mean_motion_rev_day"][made.moved] * (
        5.0 / 24.0 - made.elements["epoch_day_fraction"][made.moved]
    )
    late["mean_anomaly_deg"][made.moved] = (late["mean_anomaly_deg"][made.moved] + 360.0 * revolutions) % 360
    run_of(made.store.parent, late, LATER, historic=False)
    with serving(made.store, Clock(NOW + timedelta(hours=4))) as client:
        (one,) = plans(client, event["id"])
    if one["state"] == "burn_passed":  # else the set, made by hand, leads past the encounter
        assert one["points"][-1]["miss_after_m"] is None
        assert "begin after the burn" in one["points"][-1]["not_computed"]
    assert one["state"] in ("burn_passed", "gone")


@pytest.mark.slow
def test_on_an_operators_ephemeris_its_own_errors_count(client: Client, made: Planted) -> None:
    """Such a side has no tails; without a covariance the miss is followed alone."""
    snapshot = newest_snapshot(made.store)
    event = stored_event(snapshot, event_of(client)["id"])
    if event.primary.name != MOVED:
        event = event._replace(primary=event.secondary, secondary=event.primary)
    at = datetime64_us(event.tca - timedelta(hours=6))
    burns, number = [Impulse(at, (0.0, 0.03, 0.0))], event.primary.norad_id
    none = {"error_law": None, "tail_share": 0.0, "burn_share": 0.0, "burn_in_track_m": 0.0}
    theirs = event.primary._replace(trajectory="ephemeris", others=event.primary.others | none)
    by_law, by_operator, unrated = (
        outcome_of(event._replace(primary=side), number, burns, Execution())
        for side in (event.primary, theirs, theirs._replace(sigma_t_m=None))
    )
    assert by_law.miss_m == by_operator.miss_m == unrated.miss_m
    assert by_law.probability is not None
    assert by_operator.probability is not None
    assert by_operator.probability < by_law.probability  # what is left of it was in the tails
    assert (unrated.probability, unrated.why_not) == (None, "")


@pytest.mark.slow
def test_what_cannot_be_planned_is_refused(client: Client) -> None:
    event_id = event_of(client)["id"]
    refused(keep(client, event_id, burn(9.5)), 422, "burn_at", "too early")
    refused(keep(client, event_id, {"at": "2026-11-22T11:00:00Z"}), 422, "burn_at", "does not change")  # type: ignore[dict-item]
    refused(keep(client, 5), 404, None, "no event 5")
    assert client.get("/conjunctions/5/plans").status_code == 404
    for wrong in ({"burns": []}, {"search": True}, {"trajectory_id": "0" * 16}, {"goal": 2}):
        assert keep(client, event_id, **wrong).status_code == 422, wrong
    for _ in range(MOST_OF_AN_EVENT):
        assert keep(client, event_id).status_code == 201
    refused(keep(client, event_id), 409, None, "drop one first")


@pytest.mark.slow
def test_who_may_only_read_follows_and_changes_nothing(made: Planted) -> None:
    with serving(made.store, Clock(NOW)) as client:
        event_id = event_of(client)["id"]
        number = keep(client, event_id).json()["id"]
        assert keep(client.without_credential(), event_id).status_code == 401
    secret = create_credential(made.store, "bearer", "screen", datetime.now(UTC), role="viewer").secret
    for reader in (serving_with(made.store, secret, Clock(NOW)), serving(made.store, Clock(NOW), demo=True)):
        with reader as client:
            assert keep(client, event_id).status_code == 403
            path = f"/conjunctions/{event_id}/plans/{number}"
            assert client.request("DELETE", path).status_code == 403
            assert len(plans(client, event_id)) == 1
