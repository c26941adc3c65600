"""How far an impulse carries an object: the difference of two flights, with and without it.

Both are flown by the Earth's gravity with J2 from the same state. Their difference needs far less than either
path: what is common to both, drag and all the rest of a real orbit, cancels. It is expressed along radial,
in-track and cross-track of the flight without the impulse, and laid upon the object's own path, which by then
is kilometres away from that flight: the axes turn with it.
"""

import math

import numpy as np

from screening.kernels import inlined_kernel, kernel
from screening.orbits.flight import flown
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import FloatArray

# Of a step, in radians of a circular orbit of that radius. The errors of both flights are alike: after three
# days displacements are within 2.5e-4 of those of an integration to 1e-12, most within 1e-5.
_STEP_RAD = 0.04


def displacements(
    r_km: FloatArray, v_km_s: FloatArray, dv_rtn_km_s: FloatArray, after_s: FloatArray
) -> FloatArray:
    """Return where impulses carry an object, relative to its path without them.

    Args:
        r_km: (n, 3) positions at the impulses, TEME.
        v_km_s: (n, 3) velocities just before them.
        dv_rtn_km_s: (n, m, 3) m impulses at each of these states, in the object's RTN.
        after_s: (n, k) ascending times from the impulses, 0 or more.

    Returns:
        (n, m, k, 6) differences in km and km/s along the axes R, T, N of the path without the impulse at that
        time; velocities are inertial. NaN where a path hits the Earth.
    """
    shape = (*dv_rtn_km_s.shape[:2], after_s.shape[1], 6)
    out = np.empty(shape)
    _displace(
        np.ascontiguousarray(r_km),
        np.ascontiguousarray(v_km_s),
        np.ascontiguousarray(dv_rtn_km_s),
        np.ascontiguousarray(after_s),
        out,
    )
    return out


@kernel
def _displace(
    r_km: FloatArray, v_km_s: FloatArray, dv_rtn_km_s: FloatArray, after_s: FloatArray, out: FloatArray
) -> None:
    """Fill the differences (n, m, k, 6)."""
    times = after_s.shape[1]
    plain, burnt = np.empty((times, 6)), np.empty((times, 6))
    axes, start = np.empty((3, 3)), np.empty(6)
    for n in range(len(r_km)):
        start[:3], start[3:] = r_km[n], v_km_s[n]
        fly_through(start, after_s[n], plain)
        for m in range(dv_rtn_km_s.shape[1]):
            start[:3], start[3:] = r_km[n], v_km_s[n]
            _turn_to_rtn(start, axes)
            for axis in range(3):
                for component in range(3):
                    start[3 + component] += axes[axis, component] * dv_rtn_km_s[n, m, axis]
            fly_through(start, after_s[n], burnt)
            for k in range(times):
                _turn_to_rtn(plain[k], axes)
                for axis in range(3):
                    shift, change = 0.0, 0.0
                    for component in range(3):
                        shift += axes[axis, component] * (burnt[k, component] - plain[k, component])
                        change += axes[axis, component] * (burnt[k, 3 + component] - plain[k, 3 + component])
                    out[n, m, k, axis], out[n, m, k, 3 + axis] = shift, change


@inlined_kernel
def fly_through(start, after_s, states):  # type: ignore[no-untyped-def]
    """Fill the states (k, 6) at times (k,) after a state (6,); NaN from where the path meets the surface."""
    x, y, z, vx, vy, vz = start[0], start[1], start[2], start[3], start[4], start[5]
    now = 0.0
    for k in range(len(after_s)):
        while now < after_s[k]:
            radius = math.sqrt(x * x + y * y + z * z)
            if not radius > EARTH_RADIUS_KM:
                x = y = z = vx = vy = vz = np.nan
                break
            h = min(after_s[k] - now, _STEP_RAD * radius * math.sqrt(radius / MU_KM3_S2))
            x, y, z, vx, vy, vz = flown(x, y, z, vx, vy, vz, h)
            now = now + h if now + h > now else after_s[k]
        states[k, 0], states[k, 1], states[k, 2] = x, y, z
        states[k, 3], states[k, 4], states[k, 5] = vx, vy, vz


@inlined_kernel
def _turn_to_rtn(state, axes):  # type: ignore[no-untyped-def]
    """Fill the axes R, T, N of a state (6,) as rows (3, 3)."""
    x, y, z, vx, vy, vz = state[0], state[1], state[2], state[3], state[4], state[5]
    nx, ny, nz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
    radius, normal = math.sqrt(x * x + y * y + z * z), math.sqrt(nx * nx + ny * ny + nz * nz)
    axes[0, 0], axes[0, 1], axes[0, 2] = x / radius, y / radius, z / radius
    axes[2, 0], axes[2, 1], axes[2, 2] = nx / normal, ny / normal, nz / normal
    axes[1, 0] = axes[2, 1] * axes[0, 2] - axes[2, 2] * axes[0, 1]
    axes[1, 1] = axes[2, 2] * axes[0, 0] - axes[2, 0] * axes[0, 2]
    axes[1, 2] = axes[2, 0] * axes[0, 1] - axes[2, 1] * axes[0, 0]
