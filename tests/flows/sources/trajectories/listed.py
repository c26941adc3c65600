"""Names and texts of ephemerides as Starlink publishes them, of made-up satellites."""

import numpy as np

from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.timegrid import FloatArray, UtcArray

_GPS_EPOCH = np.datetime64("1980-01-06T00:00:00", "us")
_GPS_MINUS_UTC = np.timedelta64(18, "s")
_LOWER = np.tril_indices(6)


def file_name(norad_id: int, name: str, begins: np.datetime64, ends: np.datetime64) -> str:
    start = begins.astype("M8[m]").item()
    stop = int((ends - _GPS_EPOCH + _GPS_MINUS_UTC) / np.timedelta64(1, "s"))
    return f"MEME_{norad_id}_{name}_{start:%j%H%M}_Operational_{stop}_UNCLASSIFIED.txt"


def ephemeris_text(
    epochs: UtcArray, r_teme_km: FloatArray, v_teme_km_s: FloatArray, sigma_uvw_m: tuple[float, float, float]
) -> bytes:
    """Return the text of states (n, 3), each with the same covariance."""
    r_km, v_km_s = rotations_to_teme("EME2000", epochs).from_teme(r_teme_km, v_teme_km_s)
    covariance = np.diag([*((np.array(sigma_uvw_m) / 1e3) ** 2), 1e-12, 1e-12, 1e-12])[_LOWER]
    numbers = [f"{number:.10e}" for number in covariance]
    triangle = "\n".join(" ".join(numbers[k : k + 7]) for k in (0, 7, 14))
    start, stop = (epoch.astype("M8[s]").item() for epoch in (epochs[0], epochs[-1]))
    lines = [
        f"created:{start} UTC",
        f"ephemeris_start:{start} UTC ephemeris_stop:{stop} UTC step_size:60",
        "ephemeris_source:blend",
        "UVW",
    ]
    for epoch, r, v in zip(epochs, r_km, v_km_s, strict=True):
        at = epoch.astype("M8[ms]").item()
        state = " ".join(f"{x:.10f}" for x in (*r, *v))
        lines += [f"{at:%Y%j%H%M%S}.{at.microsecond // 1000:03d} {state}", triangle]
    return ("\n".join(lines) + "\n").encode()
