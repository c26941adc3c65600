"""Fly an object on by gravity with J2, by the method of Runge and Kutta."""

from screening.kernels import inlined_kernel
from screening.orbits.acceleration import acceleration_km_s2
from screening.orbits.timegrid import FloatArray


@inlined_kernel
def fly(r_km: FloatArray, v_km_s: FloatArray, seconds: float, pieces: int, a: FloatArray) -> None:
    """Advance a state (3,) by some seconds, also backwards, in so many pieces; `a` (4, 3) is room."""
    h = seconds / pieces
    for _ in range(pieces):
        r, v = r_km.copy(), v_km_s.copy()
        a[0] = acceleration_km_s2(r[0], r[1], r[2])
        there = r + 0.5 * h * v
        a[1] = acceleration_km_s2(there[0], there[1], there[2])
        there = there + 0.25 * h * h * a[0]
        a[2] = acceleration_km_s2(there[0], there[1], there[2])
        there = r + h * v + 0.5 * h * h * a[1]
        a[3] = acceleration_km_s2(there[0], there[1], there[2])
        r_km[:] = r + h * v + h * h / 6.0 * (a[0] + a[1] + a[2])
        v_km_s[:] = v + h / 6.0 * (a[0] + 2.0 * (a[1] + a[2]) + a[3])
