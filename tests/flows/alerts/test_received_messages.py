"""What only received messages tell reaches the alerts and lists of the fleets whose objects they name."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from flows.alerts.worker import advance
from storage.disk.current import read_current
from storage.fleets.events import fleet_events
from storage.messages.incoming import take
from tests.flows.alerts.made_up_days import NUMBERS, OURS, Meeting, at
from tests.flows.alerts.test_outbox import Watched
from tests.screening.risk.message_texts import SUMMARY, without_covariance
from tests.storage.messages.received import text

OTHER = NUMBERS[20]


@pytest.fixture
def watched(store: Path) -> Watched:
    """A fleet with an alert of the default limits, which knows a first run."""
    made = Watched(store)
    made.note(0, Meeting(1, 30, at(9)))
    made.deliver(0.1)
    return made


def take_one(
    watched: Watched,
    apart_km: float,
    *,
    errors: bool = True,
    sigma_m: float = 10.0,
    pair: tuple[int, int] = (OURS[0], OTHER),
) -> None:
    """Take a message an hour after the run about an encounter 20 h after it, the other one above."""
    first, second = (str(number) for number in pair)
    written = text(tca=at(20), made=at(1), pair=(first, second), probability="0")
    written = written.replace("7001.0 [km]", f"{7000.0 + apart_km} [km]")
    written = written.replace(" 100.0 [m**2]", f" {sigma_m**2} [m**2]")
    done = take(
        watched.store,
        (written if errors else without_covariance(written, 1, 2)).encode(),
        "a.cdm",
        at(1),
    )
    assert done.new == 1


def take_summary(watched: Watched, apart_m: float) -> None:
    """Take a summary of the same encounter, which has neither states nor a probability."""
    summary = SUMMARY | {
        "TCA": at(20).isoformat(),
        "CREATED": at(1).isoformat(sep=" "),
        "MIN_RNG": f"{apart_m:.0f}",
        "SAT_1_ID": str(OURS[0]),
        "SAT_2_ID": str(OTHER),
    }
    del summary["PC"]
    done = take(watched.store, json.dumps([summary]).encode(), "a.json", at(1), restricted=False)
    assert done.new == 1


def messages(watched: Watched, hours: float) -> list[tuple[str, int, str]]:
    advance(watched.settings, at(hours))
    return [
        (event["change"], event["other_norad_id"], event["probability_level"])
        for message in watched.deliver(hours)
        for event in message.body["data"]["events"]
    ]


def listed(watched: Watched) -> dict[int, tuple[float, float, float]]:
    current = read_current(watched.store)
    assert current is not None
    rows = fleet_events(watched.store, current.run_id, watched.fleet.id).to_pylist()
    names = ("miss_radial_km", "miss_in_track_km", "miss_cross_track_km")
    return {
        number: tuple(row[name] for name in names)
        for row in rows
        for number in (row["primary_norad_id"], row["secondary_norad_id"])
        if number not in OURS
    }


def test_an_unknown_probability_under_the_own_volume_is_sent_once_and_stays(watched: Watched) -> None:
    take_summary(watched, 800.0)
    assert messages(watched, 1.1) == [("new", OTHER, "unknown")]
    assert messages(watched, 1.2) == []
    for hours in (6, 12, 18):  # runs that do not have it
        watched.note(hours)
        assert OTHER not in [other for _, other, _ in messages(watched, hours + 0.1)]
        assert OTHER in listed(watched)
    assert [(change, other) for change, other, _ in messages(watched, 21)] == [("closed", OTHER)]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["a summary", "without errors"])
def test_what_is_not_known_is_not_sent_beyond_the_volume(watched: Watched, how: str) -> None:
    if how == "a summary":
        take_summary(watched, 60_000.0)
    else:
        take_one(watched, 60.0, errors=False)
    assert messages(watched, 1.1) == []
    assert OTHER not in listed(watched)


@pytest.mark.slow
def test_a_high_probability_is_sent_however_far_the_other_passes(watched: Watched) -> None:
    take_one(watched, 12.0, sigma_m=4000.0)
    assert messages(watched, 1.1) == [("new", OTHER, "high")]


@pytest.mark.slow
def test_a_low_probability_is_listed_inside_the_volume_and_not_sent(watched: Watched) -> None:
    take_one(watched, 1.0)
    assert messages(watched, 1.1) == []
    assert listed(watched)[OTHER] == pytest.approx((1.0, 0.0, 0.0), abs=2e-3)


@pytest.mark.slow
def test_the_miss_is_seen_from_the_object_of_the_fleet(watched: Watched) -> None:
    take_one(watched, 1.0, pair=(OTHER, OURS[0]))
    assert listed(watched)[OTHER] == pytest.approx((-1.0, 0.0, 0.0), abs=2e-3)


@pytest.mark.slow
def test_without_errors_the_bound_is_sent(watched: Watched) -> None:
    take_one(watched, 1.0, errors=False)
    assert messages(watched, 1.1) == [("new", OTHER, "critical")]


@pytest.mark.slow
def test_what_was_not_noted_before_a_run_is_sent_with_it(watched: Watched) -> None:
    take_summary(watched, 800.0)
    watched.note(6)
    assert messages(watched, 6 + timedelta(minutes=5) / timedelta(hours=1)) == [("new", OTHER, "unknown")]


@pytest.mark.slow
def test_messages_about_others_are_not_sent(watched: Watched) -> None:
    take_one(watched, 0.005, pair=(NUMBERS[40], OTHER))
    assert messages(watched, 1.1) == []
    assert OTHER not in listed(watched)
