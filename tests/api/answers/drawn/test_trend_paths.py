"""The path that changed an event is named in its trend: a run by each of two ephemerides, then by neither."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from api.answers.drawn.trend_paths import changed_paths
from api.answers.stored_events import StoredEvent
from storage.trajectories.trajectory_file import About, Facts

BEGIN = datetime(2026, 11, 20, tzinfo=UTC)
TCA = BEGIN + timedelta(days=3)


def facts(path: str, norad_id: int, added_h: int, days: int = 7) -> Facts:
    about = About(
        "definitive", f"{path}.oem", "0" * 64, BEGIN + timedelta(hours=added_h), False, added_by="Alpha"
    )
    begins = np.datetime64("2026-11-19", "us")
    return Facts(path, about, norad_id, "X", "", begins, begins + np.timedelta64(days, "D"), 1, 10, 0)


def seen(hour: int, run_id: str, *on_ephemeris: bool) -> tuple[datetime, StoredEvent]:
    sides = [
        SimpleNamespace(norad_id=number, name=f"SAT-{number}", on_ephemeris=on)
        for number, on in zip((1, 2), on_ephemeris, strict=True)
    ]
    event = SimpleNamespace(run_id=run_id, tca=TCA, sides=sides)
    return BEGIN + timedelta(hours=hour), cast("StoredEvent", cast("Any", event))


def test_each_change_names_the_ephemeris_and_who_added_it() -> None:
    stored = [
        facts("a" * 16, 1, 1),
        facts("b" * 16, 1, 9),
        facts("c" * 16, 1, 10, days=3),  # it ends before TCA
        facts("d" * 16, 2, 2),
    ]
    of_runs = {
        "r2": frozenset({"a" * 16}),
        "r3": frozenset({"a" * 16}),
        "r4": frozenset(one.id for one in stored),
        "r6": frozenset({"e" * 16}),  # expired since
    }
    rows = [
        seen(0, "r1", False, False),
        seen(6, "r2", True, False),
        seen(12, "r3", True, False),
        seen(18, "r4", True, True),
        seen(24, "r5", False, False),
        seen(30, "r6", True, False),
    ]
    found = list(changed_paths(rows, of_runs, stored))
    assert [(one.norad_id, one.made.hour, one.trajectory_id, one.added_by) for one in found] == [
        (1, 6, "a" * 16, "Alpha"),
        (1, 18, "b" * 16, "Alpha"),
        (2, 18, "d" * 16, "Alpha"),
        (1, 0, None, None),
        (2, 0, None, None),
        (1, 6, None, None),
    ]
    assert found[1].words == (
        "Since 2026-11-20 18:00 UTC SAT-1 flies by the ephemeris bbbbbbbb, "
        "added 2026-11-20 09:00 UTC by Alpha."
    )
    assert found[3].words == "Since 2026-11-21 00:00 UTC SAT-1 flies by its element set again."
    assert "no longer has" in found[5].words
