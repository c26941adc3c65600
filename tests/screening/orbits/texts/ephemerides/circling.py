"""Texts of ephemerides of an object on a circle, to spoil in tests."""

from collections.abc import Callable

import numpy as np

from screening.orbits.timegrid import FloatArray, UtcArray

START = np.datetime64("2024-11-01T00:00:00", "us")
RADIUS_KM = 7000.0
SPEED_KM_S = 7.546
# Sigmas 10, 100, 10 m and 1, 0.1, 0.1 m/s; uncorrelated.
VARIANCES = (1e-4, 1e-2, 1e-4, 1e-6, 1e-8, 1e-8)

Line = Callable[[np.datetime64, FloatArray, FloatArray], str]


def states(count: int = 20, step_s: float = 60.0) -> tuple[UtcArray, FloatArray, FloatArray]:
    """Return epochs, positions and velocities (n, 3) of an orbit inclined by 50 degrees."""
    seconds = np.arange(count) * step_s
    angle = seconds * SPEED_KM_S / RADIUS_KM
    across = np.array([0.0, np.cos(np.radians(50.0)), np.sin(np.radians(50.0))])
    along = np.array([1.0, 0.0, 0.0])
    r_km = RADIUS_KM * (np.cos(angle)[:, None] * along + np.sin(angle)[:, None] * across)
    v_km_s = SPEED_KM_S * (np.cos(angle)[:, None] * across - np.sin(angle)[:, None] * along)
    return START + (seconds * 1e6).astype("m8[us]"), r_km, v_km_s


def triangle(matrix: FloatArray) -> str:
    """Return the lower triangle of a matrix, a row a line."""
    return "\n".join(" ".join(f"{x:.12e}" for x in row[: i + 1]) for i, row in enumerate(matrix))


def oem(
    *,
    count: int = 20,
    metadata: dict[str, str] | None = None,
    covariances: str = "",
    scale: float = 1.0,
) -> str:
    """Return an OEM in KVN, with other values of its metadata; lines 1 to 3 are its header."""
    epochs, r_km, v_km_s = states(count)
    values = {
        "OBJECT_NAME": "CIRCLING",
        "OBJECT_ID": "2024-001A",
        "CENTER_NAME": "EARTH",
        "REF_FRAME": "EME2000",
        "TIME_SYSTEM": "UTC",
        "START_TIME": f"{epochs[0]}",
        "STOP_TIME": f"{epochs[-1]}",
        **(metadata or {}),
    }
    lines = [
        "CCSDS_OEM_VERS = 2.0",
        f"CREATION_DATE = {START}",
        "ORIGINATOR = TESTS",
        "META_START",
    ]
    lines += [f"{keyword} = {value}" for keyword, value in values.items()]
    lines.append("META_STOP")
    lines += [
        f"{epoch} " + " ".join(f"{x:.9f}" for x in (*r * scale, *v * scale))
        for epoch, r, v in zip(epochs, r_km, v_km_s, strict=True)
    ]
    return "\n".join(lines) + "\n" + covariances


def covariance(matrix: FloatArray, frame: str = "RTN", epoch: np.datetime64 = START) -> str:
    """Return the block of one covariance of an OEM."""
    frames = f"COV_REF_FRAME = {frame}\n" if frame else ""
    return f"COVARIANCE_START\nEPOCH = {epoch}\n{frames}{triangle(matrix)}\nCOVARIANCE_STOP\n"
