"""The axes of one state, radial, in-track, cross-track, and what lies along them or is turned out of them.

To the last bit as numpy has them in `local_axes` and with BLAS.
"""

import math

from screening.kernels import fma, kernel


@kernel
def fill_rtn(r, v, axes):  # type: ignore[no-untyped-def]
    """Fill the axes of a state as `rtn_axes` does, rows of (3, 3)."""
    distance = math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    x, y, z = r[1] * v[2] - r[2] * v[1], r[2] * v[0] - r[0] * v[2], r[0] * v[1] - r[1] * v[0]
    momentum = math.sqrt(x * x + y * y + z * z)
    normal = (x / momentum, y / momentum, z / momentum)
    for i in range(3):
        axes[0, i], axes[2, i] = r[i] / distance, normal[i]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        axes[1, i] = normal[j] * axes[0, k] - normal[k] * axes[0, j]


@kernel
def dot(a, b):  # type: ignore[no-untyped-def]
    """Return the product of two vectors (3,), in the order of einsum."""
    return a[0] * b[0] + a[2] * b[2] + a[1] * b[1]


@kernel
def fill_speeds(r, v, out):  # type: ignore[no-untyped-def]
    """Fill the speeds (n, 2) of states (n, 3) away from the Earth and along the track."""
    for n in range(len(out)):
        x, y, z = r[n, 0], r[n, 1], r[n, 2]
        radial = dot(r[n], v[n]) / math.sqrt(x * x + y * y + z * z)
        square = dot(v[n], v[n]) - radial * radial
        out[n, 0], out[n, 1] = radial, 0.0 if square < 0.0 else math.sqrt(square)


@kernel
def fill_along(r, v, vectors, axes, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n, 3) with vectors (n, 3) along the axes of states (n, 3); `axes` (3, 3) is work space."""
    for n in range(len(out)):
        fill_rtn(r[n], v[n], axes)
        for i in range(3):
            out[n, i] = dot(axes[i], vectors[n])


@kernel
def turn_out_sigmas(sigmas, r, v, axes, out):  # type: ignore[no-untyped-def]
    """Fill covariances (n, 3, 3) in the frame of states (n, 3), whose errors are sigmas (n, 3) along RTN."""
    for n in range(len(out)):
        fill_rtn(r[n], v[n], axes)
        for k in range(3):
            for i in range(3):
                axes[k, i] *= sigmas[n, k]
        for i in range(3):
            for j in range(3):
                first = axes[0, i] * axes[0, j]
                out[n, i, j] = fma(axes[2, i], axes[2, j], fma(axes[1, i], axes[1, j], first))
