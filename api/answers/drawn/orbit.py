"""One revolution of an object around an instant."""

from datetime import datetime

import numpy as np

from api.models.positions import ObjectOrbit
from screening.orbits.timegrid import window
from screening.risk.views.object_orbit import object_orbit
from screening.vocabulary import TRAJECTORY_KINDS
from storage.in_memory.object_paths import flown_by
from storage.in_memory.snapshot import Snapshot
from storage.times import datetime64_us, time_text, utc_datetime
from storage.trajectories.refusals import NotKnown

# Decimals of sent values: 1 ms, 1 cm, 0.1 m on the ground.
_S, _KM, _DEG = 3, 5, 6


def orbit_at(snapshot: Snapshot, norad_id: int, at: datetime | None, now: datetime) -> ObjectOrbit:
    """Compute an object's revolution around an instant; None: now, or when a historic window begins.

    Raises:
        UsageError: the instant is too far from the run's window.
        NotKnown: the run has no such object, or nothing says where it is then.
    """
    run = snapshot.run
    instant = at or (run.window_start if run.historic else now)
    flown = flown_by(snapshot, norad_id, instant)
    ephemerides = [one.ephemeris for one in flown.trajectories]
    orbit = object_orbit(flown.elements, ephemerides, window(datetime64_us(instant), 0.0))
    if orbit is None:
        raise NotKnown(
            f"No orbit is available for object {norad_id} at {time_text(instant)}: either SGP4 fails (the "
            "object "
            "has decayed), or its only source is an ephemeris that does not cover this time."
        )
    kind = "ephemeris" if orbit.ephemeris is not None else TRAJECTORY_KINDS[flown.elements["trajectory"][0]]
    ((name,),) = snapshot.objects(("name",), [norad_id])
    around, (perigee_km, apogee_km) = orbit.orbit, orbit.apsides_km
    age = datetime64_us(instant) - orbit.epoch
    return ObjectOrbit(
        norad_id=norad_id,
        name=str(name),
        run_id=run.run_id,
        at=instant,
        seconds_from_at=np.round(around.seconds, _S),
        r_itrf_at_instant_km=np.round(around.r_itrf_at_instant_km, _KM),
        latitude_deg=np.round(around.latitude_deg, _DEG),
        longitude_deg=np.round(around.longitude_deg, _DEG),
        altitude_km=np.round(around.altitude_km, _KM),
        period_min=orbit.period_s / 60.0,
        perigee_km=perigee_km,
        apogee_km=apogee_km,
        inclination_deg=orbit.inclination_deg,
        epoch=utc_datetime(orbit.epoch),
        age_hours=float(age / np.timedelta64(1, "us")) / 3.6e9,
        trajectory=kind,
    )
