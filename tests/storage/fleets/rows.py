"""Made-up rows of what runs find for a fleet."""

from datetime import UTC, datetime, timedelta
from typing import Any

from storage.disk.run_ids import start_of
from storage.fleets.encounters import Look
from storage.fleets.searched import Searched

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TCA = datetime(2026, 11, 22, 3, 4, 5, 678_901, tzinfo=UTC)

at = start_of


def row(event_id: int, **given: Any) -> dict[str, Any]:
    """Return a row of `fleet_events`: high, tomorrow, found by the first run."""
    return {
        "event_id": event_id,
        "run_id": "20261121T060000Z",
        "origin": "run",
        "computed_at": start_of("20261121T060000Z"),
        "primary_norad_id": 25544,
        "secondary_norad_id": 34602,
        "primary_name": "ISS (ZARYA)",
        "secondary_name": "COSMOS 2251 DEB",
        "tca": TCA,
        "miss_distance_m": 1234.5,
        "relative_speed_m_s": 14_321.0,
        "probability": 2.5e-5,
        "probability_2d": 2.5e-5,
        "probability_mc": None,
        "encounter": "fast",
        "risk_level": "high",
        "inside_to": None,
        "norad_id": 25544,
        "volume": "box:2x25x25",
        "miss_radial_km": -0.2,
        "miss_in_track_km": 1.2,
        "miss_cross_track_km": 0.1,
        **given,
    }


def look(
    run_id: str,
    *rows: dict[str, Any],
    members: tuple[int, ...] = (25544,),
    found: tuple[int, ...] | None = None,
    hours: float = 72.0,
    historic: bool = False,
    missing: tuple[int, ...] = (),
    volume: str = "box:2x25x25",
) -> Look:
    """Return what a run found that looked three days ahead around the ISS."""
    start = start_of(run_id)
    ends = dict.fromkeys(members if found is None else found, start + timedelta(hours=hours))
    screened = frozenset({*members, 34602, 34603}) - set(missing)
    volumes = dict.fromkeys(ends, volume)
    return Look(run_id, rows, Searched(run_id, start, ends, volumes, frozenset(members), screened, historic))
