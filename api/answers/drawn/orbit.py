"""One revolution of an object around an instant, and its JSON."""

from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import window
from screening.risk.views.object_orbit import ObjectOrbit, object_orbit
from screening.vocabulary import TRAJECTORY_KINDS
from storage.in_memory.object_paths import flown_by
from storage.in_memory.snapshot import Snapshot
from storage.times import naive_utc, time_text
from storage.trajectories.refusals import NotKnown

# Decimals of sent values: 1 ms, 1 cm, 0.1 m on the ground.
_S, _KM, _DEG = 3, 5, 6


class OrbitAt(NamedTuple):
    """The orbit of one object."""

    norad_id: int
    name: str
    run_id: str
    at: datetime  # naive UTC
    orbit: ObjectOrbit
    trajectory: str  # a word of TRAJECTORY_KINDS


def orbit_at(snapshot: Snapshot, norad_id: int, at: datetime | None, now: datetime) -> OrbitAt:
    """Compute an object's revolution around an instant; None: now, or when a historic window begins.

    Raises:
        UsageError: the instant is too far from the run's window.
        NotKnown: the run has no such object, or nothing says where it is then.
    """
    run = snapshot.run
    instant = naive_utc(at or (run.window_start if run.historic else now))
    flown = flown_by(snapshot, norad_id, instant)
    ephemerides = [one.ephemeris for one in flown.trajectories]
    orbit = object_orbit(flown.elements, ephemerides, window(np.datetime64(instant, "us"), 0.0))
    if orbit is None:
        raise NotKnown(
            f"Nothing is known of the orbit of {norad_id} at {time_text(instant)}: SGP4 fails (a decayed "
            "object), or only an ephemeris says where it is, and not then."
        )
    kind = "ephemeris" if orbit.ephemeris is not None else TRAJECTORY_KINDS[flown.elements["trajectory"][0]]
    ((name,),) = snapshot.objects(("name",), [norad_id])
    return OrbitAt(norad_id, str(name), run.run_id, instant, orbit, kind)


def orbit_json(found: OrbitAt) -> dict[str, object]:
    """Return what `ObjectOrbit` of `api/models/positions.py` describes."""
    orbit, around = found.orbit, found.orbit.orbit
    perigee_km, apogee_km = orbit.apsides_km
    age = np.datetime64(found.at, "us") - orbit.epoch
    return {
        "norad_id": found.norad_id,
        "name": found.name,
        "run_id": found.run_id,
        "at": found.at,
        "seconds_from_at": _rounded(around.seconds, _S),
        "r_itrf_at_instant_km": _rounded(around.r_itrf_at_instant_km, _KM),
        "latitude_deg": _rounded(around.latitude_deg, _DEG),
        "longitude_deg": _rounded(around.longitude_deg, _DEG),
        "altitude_km": _rounded(around.altitude_km, _KM),
        "period_min": orbit.period_s / 60.0,
        "perigee_km": perigee_km,
        "apogee_km": apogee_km,
        "inclination_deg": orbit.inclination_deg,
        "epoch": orbit.epoch.item(),
        "age_hours": float(age / np.timedelta64(1, "us")) / 3.6e9,
        "trajectory": found.trajectory,
    }


def _rounded(values: npt.NDArray[np.float64], decimals: int) -> list[object]:
    rounded: list[object] = np.round(values, decimals).tolist()
    return rounded
