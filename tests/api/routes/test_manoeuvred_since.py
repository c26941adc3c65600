"""An event says which of its objects have manoeuvred since the element set that it rests on."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from screening.histories.burns import MANOEUVRE_DTYPE
from storage.disk.current import NOTHING_EXPIRED
from storage.disk.layout import manoeuvre_file, replace_parquet
from storage.in_memory.snapshot import Snapshot, _recent
from storage.manoeuvres.kept import manoeuvre_table
from storage.times import datetime64_us
from tests.api.conftest import serving

pytestmark = pytest.mark.slow
FIRST = {"primary": 17842, "secondary": 270293}
NOW = datetime(2024, 11, 1, tzinfo=UTC)
HOUR, none = timedelta(hours=1), (None, None)


@pytest.fixture
def asked(dangerous_store: Path, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Give a function that stores burns of an event's objects, and returns what is said of it."""
    store = tmp_path / "store"
    shutil.copytree(dangerous_store, store, symlinks=True)

    def of(*burns: tuple[str, datetime], form: str = "") -> dict[str, Any]:
        found = np.zeros(len(burns), MANOEUVRE_DTYPE)
        for row, (who, at) in zip(found, burns, strict=True):
            row["norad_id"], row["dv_m_s"], row["sigmas"] = FIRST[who], 0.312, 9.0
            row["from"], row["at"], row["to"] = (datetime64_us(at + k * HOUR) for k in (-1, 0, 1))
        path = manoeuvre_file(store, "searched-20241101T000000Z-0001")
        replace_parquet(manoeuvre_table(found, NOW, None), path)
        with serving(store) as client:
            (event, *_) = client.get("/conjunctions", params={"norad_id": FIRST["primary"]}).json()[
                "conjunctions"
            ]
            answer = client.get(f"/conjunctions/{event['id']}{form}")
            return answer.json() if "json" in answer.headers["Content-Type"] else {"text": answer.text}

    return of


def times(event: dict[str, Any]) -> tuple[datetime, datetime, datetime]:
    return tuple(datetime.fromisoformat(event[name]) for name in ("primary_epoch", "secondary_epoch", "tca"))  # type: ignore[return-value]


def marks(event: dict[str, Any]) -> tuple[str | None, str | None]:
    return event["primary_manoeuvred_at"], event["secondary_manoeuvred_at"]


def test_a_burn_between_epoch_and_tca_voids_the_prediction(asked: Callable[..., dict[str, Any]]) -> None:
    event = asked()
    assert marks(event) == none
    assert event["words"]["manoeuvred"] == ""
    epoch, other_epoch, tca = times(event)
    assert marks(asked(("primary", epoch - HOUR), ("secondary", tca + HOUR))) == none
    burnt = asked(("secondary", other_epoch + 3 * HOUR), ("secondary", other_epoch + 9 * HOUR))
    primary, secondary = marks(burnt)
    assert primary is None
    assert secondary is not None
    assert datetime.fromisoformat(secondary) == other_epoch + 3 * HOUR, "the first"
    when = other_epoch + 3 * HOUR
    name = burnt["secondary_name"]
    said = f"{name} has manoeuvred since (0.31 m/s on {when.day} {when:%b %H:%M} UTC): the event describes"
    assert burnt["words"]["manoeuvred"].startswith(said)
    both = asked(("secondary", tca - HOUR), ("primary", tca - 2 * HOUR))
    assert None not in marks(both)
    assert both["words"]["manoeuvred"].count("has manoeuvred since") == 2


def test_report_and_trend_show_it(asked: Callable[..., dict[str, Any]]) -> None:
    _, _, tca = times(asked())
    burns = ("secondary", tca - 2 * HOUR), ("primary", tca - HOUR), ("primary", NOW - 90 * HOUR)
    report = unescape(asked(*burns, form="/report?format=html")["text"])
    assert "has manoeuvred since (0.31 m/s on 1 Nov" in report
    trend = asked(*burns, form="/trend")
    assert [(one["norad_id"], one["hours_to_tca"]) for one in trend["manoeuvres"]] == [
        (FIRST["secondary"], 2.0),
        (FIRST["primary"], 1.0),
    ]


def test_a_replay_does_not_know_what_was_found_later(dangerous_store: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(dangerous_store, store, symlinks=True)
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    found = np.zeros(2, MANOEUVRE_DTYPE)
    for row, hours in zip(found, (1, 5), strict=True):
        row["norad_id"], row["sigmas"], row["dv_m_s"] = 7, 9.0, 1.0
        row["from"], row["at"], row["to"] = (datetime64_us(NOW + (hours + k) * HOUR) for k in (-1, 0, 1))
    times_found = np.array([datetime64_us(snapshot.run.finished + k * HOUR) for k in (-1, 1)])
    path = manoeuvre_file(store, "searched-20241101T000000Z-0001")
    replace_parquet(manoeuvre_table(found, times_found, None), path)
    for replay, count in ((False, 2), (True, 1)):
        snapshot = Snapshot.load(store)
        assert snapshot is not None
        run = replace(snapshot.run, replay=replay)
        rows = snapshot.rows(_recent(store, run, NOTHING_EXPIRED), [])
        assert len(rows) == count
