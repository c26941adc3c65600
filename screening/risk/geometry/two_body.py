"""Two-body motion over a revolution or so."""

import numpy as np

from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import FloatArray

MU_M3_S2 = MU_KM3_S2 * 1e9

_NEWTON_STEPS = 60


def orbital_period_s(state: FloatArray) -> float:
    """Return the period of a state (6,) in m and m/s; infinite if the orbit is unbound."""
    inverse_axis = 2.0 / np.linalg.norm(state[:3]) - np.dot(state[3:], state[3:]) / MU_M3_S2
    return float(2.0 * np.pi / np.sqrt(MU_M3_S2 * inverse_axis**3)) if inverse_axis > 0 else np.inf


def propagate_two_body(state: FloatArray, seconds: FloatArray) -> FloatArray:
    """Move a bound state (6,), in m and m/s, by times (k,) with Lagrange's f and g; returns (k, 6).

    Kepler's equation in the difference E of eccentric anomalies (Battin 1999, section 4.3), by Newton's
    method; its derivative r / a is positive everywhere.
    """
    r, v = state[:3], state[3:]
    r0 = float(np.linalg.norm(r))
    a = 1.0 / (2.0 / r0 - float(v @ v) / MU_M3_S2)
    sigma = float(r @ v) / np.sqrt(MU_M3_S2 * a)
    mean = seconds * np.sqrt(MU_M3_S2 / a**3)
    anomaly = mean.astype(float)
    for _ in range(_NEWTON_STEPS):
        sine, cosine = np.sin(anomaly), np.cos(anomaly)
        distance = 1.0 - (1.0 - r0 / a) * cosine + sigma * sine
        error = anomaly - (1.0 - r0 / a) * sine + sigma * (1.0 - cosine) - mean
        step = np.clip(error / distance, -1.0, 1.0)
        anomaly = anomaly - step
        if np.abs(step).max(initial=0.0) < 1e-12:
            break
    sine, cosine = np.sin(anomaly), np.cos(anomaly)
    distance = a * (1.0 - (1.0 - r0 / a) * cosine + sigma * sine)
    f = 1.0 - a / r0 * (1.0 - cosine)
    g = seconds - np.sqrt(a**3 / MU_M3_S2) * (anomaly - sine)
    f_rate = -np.sqrt(MU_M3_S2 * a) / (distance * r0) * sine
    g_rate = 1.0 - a / distance * (1.0 - cosine)
    position = f[:, np.newaxis] * r + g[:, np.newaxis] * v
    velocity = f_rate[:, np.newaxis] * r + g_rate[:, np.newaxis] * v
    moved: FloatArray = np.concatenate([position, velocity], axis=1)
    return moved
