"""Element histories with position errors that are known, as if fitted to noisy observations."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, seconds_since
from screening.synthetic.inverse import elements_through, motion

EPOCH_JD = 2460615.5  # 2024-11-01
METRES_PER_KM = 1000.0


class Law(NamedTuple):
    """What the element sets of an object err by: sigmas at the epoch in m, and in-track growth in m/day."""

    r_m: FloatArray  # (objects,)
    t_m: FloatArray  # at least 2 r_m, since a radial swing is an in-track swing of twice the size
    n_m: FloatArray
    t_growth_m_day: FloatArray


def noisy_history(
    truth: ElementArray, law: Law, sets: int, step_days: float, random: np.random.Generator
) -> ElementArray:
    """Return `sets` element sets of each object of `truth`, sorted, one every `step_days` or so.

    The error of each set moves as an object moves beside another one (Clohessy & Wiltshire 1960), with
    amplitudes such that its sigmas are those of the law at every time: radial and cross-track swing, in-track
    also drifts.
    """
    count = len(truth) * sets
    owner = np.repeat(np.arange(len(truth)), sets)
    day = (np.tile(np.arange(sets), len(truth)) + random.uniform(0.0, 0.5, count)) * step_days
    span = TimeWindow(EPOCH_JD, 0.0, float(day.max()) * SECONDS_PER_DAY)
    template = truth[owner]
    r_km, v_km_s = motion(template, span, day * SECONDS_PER_DAY)
    template["epoch_jd"], template["epoch_day_fraction"] = EPOCH_JD + np.floor(day), day % 1.0
    error_r_km, error_v_km_s = _errors(truth, law, owner, (r_km, v_km_s), random)
    times_s = seconds_since(span, template["epoch_jd"], template["epoch_day_fraction"])
    noisy, met = elements_through(template, span, times_s, r_km + error_r_km, v_km_s + error_v_km_s)
    assert met.all()
    return noisy


def _errors(
    truth: ElementArray,
    law: Law,
    owner: npt.NDArray[np.int64],
    state: tuple[FloatArray, FloatArray],
    random: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Draw position and velocity errors (n, 3), km and km/s, TEME."""
    r_km, v_km_s = state
    axes = rtn_axes(r_km, v_km_s)
    rate = (truth["mean_motion_rev_day"] * 2.0 * np.pi / SECONDS_PER_DAY)[owner]
    a, b = (random.normal(0.0, law.r_m[owner]) / METRES_PER_KM for _ in "ab")
    c, d = (random.normal(0.0, law.n_m[owner]) / METRES_PER_KM for _ in "cd")
    constant = random.normal(0.0, np.sqrt(law.t_m**2 - 4.0 * law.r_m**2)[owner]) / METRES_PER_KM
    drift_km_s = random.normal(0.0, law.t_growth_m_day[owner]) / METRES_PER_KM / SECONDS_PER_DAY
    offset = np.stack([a, constant + 2.0 * b, c], axis=1)
    position = np.einsum("nij,ni->nj", axes, offset)
    radial = rate * b - rate * offset[:, 1]
    in_track = _in_track_km_s(rate, drift_km_s, radial, position, (r_km, v_km_s, axes))
    velocity = np.stack([radial, in_track, rate * d], axis=1)
    return position, np.einsum("nij,ni->nj", axes, velocity)


def _in_track_km_s(
    rate: FloatArray,
    drift_km_s: FloatArray,
    radial_km_s: FloatArray,
    position_km: FloatArray,
    orbit: tuple[FloatArray, FloatArray, FloatArray],
) -> FloatArray:
    """Return the in-track velocity error for which the energy is that of an orbit with this drift."""
    r_km, v_km_s, axes = orbit
    semi_major_km = np.cbrt(MU_KM3_S2 / rate**2)
    energy = -MU_KM3_S2 * drift_km_s / (3.0 * rate * semi_major_km**2)
    pull = np.array([acceleration_km_s2(*r) for r in r_km])
    speed = np.einsum("nij,nj->ni", axes, v_km_s)
    work = np.einsum("nj,nj->n", pull, position_km)
    in_track: FloatArray = (energy + work - speed[:, 0] * radial_km_s) / speed[:, 1]
    return in_track
