"""Compute how long a trajectory stays inside a sphere about the origin."""

import math

from screening.kernels import kernel

# As a fraction of the radius: how far the straight pieces of a cubic may deviate from it.
LARGEST_SAGITTA = 1e-3
_HERMITE_BULGE = 4.0 / 27.0  # the largest value of s (1 - s)^2


@kernel
def dwell_between(a, b, step_s, radius):  # type: ignore[no-untyped-def]
    """Return the seconds that the cubic between two nodes (6,) spends inside `radius`."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    # The cubic is the chord plus s (1-s)^2 p - s^2 (1-s) q, with these p and q.
    px, py, pz = step_s * a[3] - dx, step_s * a[4] - dy, step_s * a[5] - dz
    qx, qy, qz = step_s * b[3] - dx, step_s * b[4] - dy, step_s * b[5] - dz
    bulge = math.sqrt(px * px + py * py + pz * pz) + math.sqrt(qx * qx + qy * qy + qz * qz)
    reach = radius + _HERMITE_BULGE * bulge
    length2 = dx * dx + dy * dy + dz * dz
    s = -(a[0] * dx + a[1] * dy + a[2] * dz) / length2 if length2 > 0.0 else 0.0
    s = min(max(s, 0.0), 1.0)
    x, y, z = a[0] + s * dx, a[1] + s * dy, a[2] + s * dz
    if x * x + y * y + z * z > reach * reach:
        return 0.0
    pieces = 1 + int(math.sqrt(_HERMITE_BULGE * bulge / (LARGEST_SAGITTA * radius)))
    inside = 0.0
    x0, y0, z0 = a[0], a[1], a[2]
    for j in range(1, pieces + 1):
        s = j / pieces
        first, second = s * (1.0 - s) ** 2, s * s * (1.0 - s)
        x1 = a[0] + s * dx + first * px - second * qx
        y1 = a[1] + s * dy + first * py - second * qy
        z1 = a[2] + s * dz + first * pz - second * qz
        inside += _inside_part(x0, y0, z0, x1 - x0, y1 - y0, z1 - z0, radius)
        x0, y0, z0 = x1, y1, z1
    return inside * step_s / pieces


@kernel
def _inside_part(x, y, z, dx, dy, dz, radius):  # type: ignore[no-untyped-def]
    """Return the part [0, 1] of the straight piece from (x, y, z) by (dx, dy, dz) that lies in the sphere."""
    length2 = dx * dx + dy * dy + dz * dz
    outside2 = x * x + y * y + z * z - radius * radius
    if length2 == 0.0:
        return 1.0 if outside2 < 0.0 else 0.0
    middle = -(x * dx + y * dy + z * dz) / length2
    square = middle * middle - outside2 / length2
    if square <= 0.0:
        return 0.0
    half = math.sqrt(square)
    return max(0.0, min(1.0, middle + half) - max(0.0, middle - half))
