"""Fly an object on by gravity with J2, by the method of Runge and Kutta."""

from screening.kernels import inlined_kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.timegrid import FloatArray


@inlined_kernel
def flown(x, y, z, vx, vy, vz, h):  # type: ignore[no-untyped-def]
    """Return a state in km and km/s some seconds later, also earlier, in one step of fourth order."""
    half = 0.5 * h
    a1x, a1y, a1z = acceleration_km_s2(x, y, z)
    mx, my, mz = x + half * vx, y + half * vy, z + half * vz
    a2x, a2y, a2z = acceleration_km_s2(mx, my, mz)
    q = half * half
    a3x, a3y, a3z = acceleration_km_s2(mx + q * a1x, my + q * a1y, mz + q * a1z)
    q = half * h
    a4x, a4y, a4z = acceleration_km_s2(x + h * vx + q * a2x, y + h * vy + q * a2y, z + h * vz + q * a2z)
    sixth = h / 6.0
    q = h * sixth
    return (
        x + h * vx + q * (a1x + a2x + a3x),
        y + h * vy + q * (a1y + a2y + a3y),
        z + h * vz + q * (a1z + a2z + a3z),
        vx + sixth * (a1x + 2.0 * (a2x + a3x) + a4x),
        vy + sixth * (a1y + 2.0 * (a2y + a3y) + a4y),
        vz + sixth * (a1z + 2.0 * (a2z + a3z) + a4z),
    )


@inlined_kernel
def fly(r_km: FloatArray, v_km_s: FloatArray, seconds: float, pieces: int) -> None:
    """Advance a state (3,) by some seconds, also backwards, in this many pieces."""
    for _ in range(pieces):
        r_km[0], r_km[1], r_km[2], v_km_s[0], v_km_s[1], v_km_s[2] = flown(
            r_km[0], r_km[1], r_km[2], v_km_s[0], v_km_s[1], v_km_s[2], seconds / pieces
        )
