"""Histories of element sets with burns of known time and size."""

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, UtcArray, julian_date

START = np.datetime64("2024-03-01T03:00:00", "us")
BURN_DAY, SPACING_DAYS = 25.4, 0.9
REV_DAY = 14.5
PLANTED_M_S = 0.02
REV_PER_M_S = 3.0 * REV_DAY / (1e3 * (MU_KM3_S2 * REV_DAY * 2.0 * np.pi / SECONDS_PER_DAY) ** (1.0 / 3.0))


def history(
    seed: int = 1,
    *,
    dv_m_s: float = PLANTED_M_S,
    sets: int = 60,
    number: int = 7,
    span_days: float = 0.0,
    start: UtcArray = START,
) -> ElementArray:
    """Sets of a satellite at 700 km with a burn along its motion, each with errors of its own.

    In circular orbit v is (mu n)^(1/3), and a burn of dv along it changes n by -3 n dv / v. Each set is
    a line fitted to the places of `span_days` before it.
    """
    random = np.random.default_rng(seed)
    out = np.zeros(sets, ELEMENT_DTYPE)
    day = np.arange(sets) * SPACING_DAYS + random.uniform(0.0, 0.2, sets)
    out["epoch_jd"], out["epoch_day_fraction"] = julian_date(start + (day * 8.64e10).astype("m8[us]"))
    turned, shown = fitted(day - BURN_DAY, span_days)
    change = -REV_PER_M_S * dv_m_s
    out["norad_id"] = number
    out["mean_motion_rev_day"] = REV_DAY + change * shown + random.normal(0.0, 2e-7, sets)
    out["eccentricity"], out["inclination_deg"] = 1e-4, 98.2
    # SGP4 turns node and perigee by itself; these are its own rates, so that the sets fly one orbit.
    out["raan_deg"], out["argument_of_perigee_deg"] = 100.0, 90.0
    turns = REV_DAY * day + change * turned
    out["mean_anomaly_deg"] = (360.0 * turns + random.normal(0.0, 5e-4, sets)) % 360.0
    return _with_rates(out, day)


def _with_rates(out: ElementArray, day: np.ndarray) -> ElementArray:
    """Add to the angles what SGP4 itself adds between epochs, from one set propagated by python-sgp4."""
    record = satrecs(out[:1])[0]
    per_day = 1440.0 * 180.0 / np.pi
    out["raan_deg"] = (out["raan_deg"] + record.nodedot * per_day * day) % 360.0
    out["argument_of_perigee_deg"] = (out["argument_of_perigee_deg"] + record.argpdot * per_day * day) % 360.0
    out["mean_anomaly_deg"] = (
        out["mean_anomaly_deg"] + (record.mdot * per_day - 360.0 * out["mean_motion_rev_day"][0]) * day
    ) % 360.0
    return out


def fitted(days: FloatArray, span_days: float) -> tuple[FloatArray, FloatArray]:
    """Where lines end that are fitted to a path with a bend of 1, days after it, and their slopes."""
    if span_days == 0.0:
        return np.maximum(days, 0.0), (days > 0.0) * 1.0
    before = np.linspace(-span_days, 0.0, 401)
    lines = [np.polyfit(before, np.maximum(since + before, 0.0), 1) for since in days]
    return np.array([line[1] for line in lines]), np.array([line[0] for line in lines])
