"""Two-body motion over a fraction of a revolution, and its state transition matrices."""

import numpy as np
import numpy.typing as npt

from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.timegrid import FloatArray

MU_M3_S2 = MU_KM3_S2 * 1e9

ComplexArray = npt.NDArray[np.complex128]

# Derivatives by a step along the imaginary axis lose no digits however small the step (Squire & Trapp 1998).
_IMAGINARY_STEP = 1e-30
_NEWTON_STEPS = 60


def orbital_period_s(state: FloatArray) -> float:
    """Return the period of a state (6,) in m and m/s; infinite if the orbit is unbound."""
    inverse_axis = 2.0 / np.linalg.norm(state[:3]) - np.dot(state[3:], state[3:]) / MU_M3_S2
    return float(2.0 * np.pi / np.sqrt(MU_M3_S2 * inverse_axis**3)) if inverse_axis > 0 else np.inf


def propagate_two_body(state: FloatArray, seconds: FloatArray) -> FloatArray:
    """Move a bound state (6,), in m and m/s, by times (k,); returns (k, 6)."""
    moved: FloatArray = _propagate(state[np.newaxis].astype(complex), seconds[:, np.newaxis])[:, 0].real
    return moved


def transition_matrices(state: FloatArray, seconds: FloatArray) -> FloatArray:
    """Return the derivatives (k, 6, 6) of the state at times (k,) to the state (6,) at time 0."""
    stepped = state + 1j * _IMAGINARY_STEP * np.eye(6)
    moved = _propagate(stepped, seconds[:, np.newaxis])  # (k, which component was stepped, 6)
    derivatives: FloatArray = moved.imag.transpose(0, 2, 1) / _IMAGINARY_STEP
    return derivatives


def _propagate(state: ComplexArray, seconds: FloatArray) -> ComplexArray:
    """Move states (m, 6) by times (k, 1) with Lagrange's f and g; returns (k, m, 6).

    Kepler's equation in the difference E of eccentric anomalies (Battin 1999, section 4.3), by Newton's
    method; its derivative r / a is positive everywhere. Written for complex states: no absolute values.
    """
    r, v = state[:, :3], state[:, 3:]
    r0 = np.sqrt((r * r).sum(axis=1))
    a = 1.0 / (2.0 / r0 - (v * v).sum(axis=1) / MU_M3_S2)
    sigma = (r * v).sum(axis=1) / np.sqrt(MU_M3_S2 * a)
    anomaly = seconds * np.sqrt(MU_M3_S2 / a**3)  # mean, and the first guess of E
    mean = anomaly
    for _ in range(_NEWTON_STEPS):
        sine, cosine = np.sin(anomaly), np.cos(anomaly)
        distance = 1.0 - (1.0 - r0 / a) * cosine + sigma * sine
        error = anomaly - (1.0 - r0 / a) * sine + sigma * (1.0 - cosine) - mean
        step = error / distance
        limited = np.where(np.abs(step.real) > 1.0, np.sign(step.real), step)
        anomaly = anomaly - limited
        # One more step after this one makes the imaginary part as good as the real one.
        if np.abs(limited.real).max(initial=0.0) < 1e-9:
            break
    anomaly = anomaly - _kepler_correction(anomaly, mean, r0 / a, sigma)
    sine, cosine = np.sin(anomaly), np.cos(anomaly)
    distance = a * (1.0 - (1.0 - r0 / a) * cosine + sigma * sine)
    f = 1.0 - a / r0 * (1.0 - cosine)
    g = seconds - np.sqrt(a**3 / MU_M3_S2) * (anomaly - sine)
    f_rate = -np.sqrt(MU_M3_S2 * a) / (distance * r0) * sine
    g_rate = 1.0 - a / distance * (1.0 - cosine)
    position = f[..., np.newaxis] * r + g[..., np.newaxis] * v
    velocity = f_rate[..., np.newaxis] * r + g_rate[..., np.newaxis] * v
    return np.concatenate([position, velocity], axis=-1)


def _kepler_correction(
    anomaly: ComplexArray, mean: ComplexArray, relative_radius: ComplexArray, sigma: ComplexArray
) -> ComplexArray:
    sine, cosine = np.sin(anomaly), np.cos(anomaly)
    distance = 1.0 - (1.0 - relative_radius) * cosine + sigma * sine
    error = anomaly - (1.0 - relative_radius) * sine + sigma * (1.0 - cosine) - mean
    correction: ComplexArray = error / distance
    return correction
