"""Alerts that an earlier release made and had told: they go on as they were, and tell nothing a second time.

`tests/storage/stores/README.md` says what the earlier release has left.
"""

import lzma
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from flows.alerts.channels.wording import wording
from flows.alerts.outbox import note_run
from storage.rows.limits import EVERYTHING, Limits
from storage.settings import StoreSettings
from storage.state.alerts.alerts import alerts
from storage.state.database import SERVICE_STATE
from storage.state.fleets import fleet
from storage.state.tables import ServiceStateError
from tests.flows.alerts.alerting import taken
from tests.flows.alerts.made_up_days import NUMBERS, Meeting, at, look, publish_meetings

CRITICAL, HIGH, MEDIUM, ALL, LIKELY, DIGEST = range(1, 7)
LEFT = Path(__file__).parents[2] / "storage" / "stores" / "alerts-form-8.sqlite.xz"
# As the earlier release had them, with the numbers that this one computes for the unknown ones.
FOUND = [
    (80.0, 1e-8),
    (300.0, 3e-7),
    (900.0, 2e-9),
    (3000.0, 3e-4),
    (3000.0, 1e-12),
    (4000.0, 1e-9),
    (400.0, 1e-9),
]
VISIT = Meeting(7, 27, at(20), "unknown", None, 300.0, visit=True)


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """Give a store with what the earlier release has left."""
    (tmp_path / SERVICE_STATE).write_bytes(lzma.decompress(LEFT.read_bytes()))
    return tmp_path


def level_by(probability: float) -> str:
    limits = (("critical", 1e-4), ("high", 1e-5), ("medium", 1e-6))
    return next((level for level, limit in limits if probability > limit), "low")


def meetings(found: list[tuple[float, float]]) -> list[Meeting]:
    return [Meeting(k, 20 + k, at(20), level_by(p), p, miss_m) for k, (miss_m, p) in enumerate(found)] + [
        VISIT
    ]


def after(store: Path, hours: float, found: list[tuple[float, float]]) -> dict[int, list[tuple[str, int]]]:
    """Note a run, deliver what is due, and return what each alert was told: change and encounter."""
    run_id = publish_meetings(store, hours, meetings(found))
    look(store, run_id, fleet(store, 1))
    now = at(hours) + timedelta(minutes=2)
    note_run(StoreSettings(store=store), run_id, now)
    changes = {}
    for message in taken(store, now):
        events = message.body["data"]["events"]
        assert wording(message.body).items, "it has words"
        changes[message.alert_id] = sorted(
            (one["change"], NUMBERS.index(one["other_norad_id"]) - 20) for one in events
        )
    return changes


def test_alerts_have_the_limits_that_their_level_had(left: Path) -> None:
    assert [Limits(one.level, one.near_m, one.min_probability) for one in alerts(left)] == [
        Limits("critical", 100.0),
        Limits("high", 500.0),
        Limits("medium", 1000.0),
        EVERYTHING,
        EVERYTHING._replace(min_probability=1e-8),
        Limits("high", 500.0),
    ]
    told_more = [one for one in alerts(left) if one.manoeuvres or one.acknowledgements]
    assert not told_more, "they tell what they told before"


@pytest.mark.slow
def test_what_was_told_is_not_told_again(left: Path) -> None:
    waited = {MEDIUM: [("raised", 3)], DIGEST: [("raised", 3)]}  # since the run before
    assert after(left, 6, FOUND) == waited
    assert after(left, 9, FOUND) == {}


@pytest.mark.slow
@pytest.mark.parametrize("state", ["waiting", "failed"])
def test_what_was_not_delivered_goes_out_once_with_what_comes_next(left: Path, state: str) -> None:
    with closing(sqlite3.connect(left / SERVICE_STATE)) as old, old:
        old.execute("UPDATE outbox SET state = ? WHERE state = 'waiting'", (state,))
    worse = [FOUND[0], FOUND[1], (900.0, 2e-6), *FOUND[3:]]
    told_now = after(left, 6, worse)
    assert told_now[MEDIUM] == [("raised", 2), ("raised", 3)]
    assert told_now.get(DIGEST) == ([("raised", 3)] if state == "waiting" else None)
    assert after(left, 9, worse) == {}


@pytest.mark.slow
def test_a_level_told_for_a_distance_does_not_hide_that_of_a_probability(left: Path) -> None:
    """The first encounter was told as critical, for its 80 m: now it is likely too."""
    after(left, 6, FOUND)
    worse = [(80.0, 2e-4), (300.0, 9e-7), (900.0, 2e-6), *FOUND[3:]]
    assert after(left, 9, worse) == {
        CRITICAL: [("raised", 0)],
        HIGH: [("raised", 0)],
        MEDIUM: [("raised", 0), ("raised", 2)],
        ALL: [("raised", 0), ("raised", 2)],
        LIKELY: [("new", 2), ("raised", 0)],
        DIGEST: [("raised", 0)],
    }


@pytest.mark.parametrize("change", ["risk = 'low'", "address = 'https://evil.example/'", "crc32 = crc32 + 1"])
def test_bringing_alerts_up_to_date_seals_no_damage(left: Path, change: str) -> None:
    with closing(sqlite3.connect(left / SERVICE_STATE)) as state, state:
        state.execute(f"UPDATE alerts SET {change} WHERE id = 2")
    with pytest.raises(ServiceStateError, match="is damaged"):
        alerts(left)
    with closing(sqlite3.connect(left / SERVICE_STATE)) as state:
        assert state.execute("PRAGMA user_version").fetchone() == (8,)
