"""Encounters seen along their relative velocity, one after the other, to the last bit as with numpy and BLAS.

Sums are in the order in which einsum and BLAS have them.
"""

import math

from screening.kernels import fma, kernel
from screening.risk.geometry.rtn_kernel import dot

_VERTICAL = 1.0 - 1e-12


@kernel
def fill_radials_and_normals(r, along, across, upright):  # type: ignore[no-untyped-def]
    """Fill two unit vectors (n, 3) of the planes normal to unit vectors `along` (n, 3), at positions `r`."""
    for n in range(len(r)):
        distance = math.sqrt(r[n, 0] * r[n, 0] + r[n, 1] * r[n, 1] + r[n, 2] * r[n, 2])
        x, y, z = r[n, 0] / distance, r[n, 1] / distance, r[n, 2] / distance
        # A vertical relative velocity has no radial in its plane; any direction serves then.
        if abs(dot((x, y, z), along[n])) > _VERTICAL:
            x, y, z = z, -x, y
        beside = dot((x, y, z), along[n])
        x, y, z = x - beside * along[n, 0], y - beside * along[n, 1], z - beside * along[n, 2]
        length = math.sqrt(x * x + y * y + z * z)
        across[n, 0], across[n, 1], across[n, 2] = x / length, y / length, z / length
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            upright[n, i] = along[n, j] * across[n, k] - along[n, k] * across[n, j]


@kernel
def fill_projected(combined, along, across, upright, projected, sigma_along):  # type: ignore[no-untyped-def]
    """Fill covariances in the plane (n, 3), xx xy yy, and sigmas along the velocity (n,), of (n, 3, 3)."""
    for n in range(len(projected)):
        c, a, b, u = combined[n], across[n], upright[n], along[n]
        x = _row_times(a, c, 0), _row_times(a, c, 1), _row_times(a, c, 2)
        y = _row_times(b, c, 0), _row_times(b, c, 1), _row_times(b, c, 2)
        projected[n, 0] = fma(x[2], a[2], fma(x[1], a[1], x[0] * a[0]))
        projected[n, 1] = fma(x[2], b[2], fma(x[1], b[1], x[0] * b[0]))
        projected[n, 2] = fma(y[2], b[2], fma(y[1], b[1], y[0] * b[0]))
        spread = _times_column(c, 0, u), _times_column(c, 1, u), _times_column(c, 2, u)
        sigma_along[n] = math.sqrt(dot(u, spread))


@kernel
def _row_times(row, matrix, j):  # type: ignore[no-untyped-def]
    return fma(row[2], matrix[2, j], fma(row[1], matrix[1, j], row[0] * matrix[0, j]))


@kernel
def _times_column(matrix, i, column):  # type: ignore[no-untyped-def]
    return fma(matrix[i, 2], column[2], fma(matrix[i, 0], column[0], matrix[i, 1] * column[1]))


@kernel
def turn(cosine, sine, across, upright, major, minor):  # type: ignore[no-untyped-def]
    """Fill the axes (n, 3) that lie at angles from `across` towards `upright` (n, 3)."""
    for n in range(len(cosine)):
        for i in range(3):
            major[n, i] = cosine[n] * across[n, i] + sine[n] * upright[n, i]
            minor[n, i] = cosine[n] * upright[n, i] - sine[n] * across[n, i]


@kernel
def fill_products(vectors, axes, out):  # type: ignore[no-untyped-def]
    """Fill the products (n,) of vectors and axes (n, 3)."""
    for n in range(len(out)):
        out[n] = dot(vectors[n], axes[n])


@kernel
def find_roots(covariances, has):  # type: ignore[no-untyped-def]
    """Fill which symmetric (n, 3, 3) have a Cholesky factor."""
    for n in range(len(has)):
        one = covariances[n]
        a, b, c = one[0, 0], one[1, 0], one[2, 0]
        second = one[1, 1] - b * b / a
        beside = one[2, 1] - b * c / a
        third = one[2, 2] - c * c / a - beside * beside / second
        # A pivot of infinity or NaN compares as false.
        has[n] = a > 0.0 and second > 0.0 and third > 0.0 and a + second + third < math.inf
