"""Equinoctial elements: orbits from them, and how both change with each other.

An object's elements refer to its own radial, in-track and cross-track axes at TCA. There the nominal orbit
lies in the plane of reference, so that no inclination, retrograde or equatorial, is singular. In the order

    n       mean motion, rad/s
    h, k    e sin w, e cos w: the eccentricity vector along in-track and radial, w from the radial axis
    p, q    tan(i/2) sin W, tan(i/2) cos W
    l       mean longitude M + w + W at TCA, rad

(Broucke & Cefola 1972, On the equinoctial orbit elements, Celestial Mechanics 5, 303; Vallado 2013, section
2.4.3.) Errors that are Gaussian in them follow the orbit's curve, which Cartesian ones do not.
"""

import math

from screening.kernels import kernel
from screening.risk.geometry.two_body import MU_M3_S2

_KEPLER_STEPS = 30
_KEPLER_TOLERANCE = 1e-12


@kernel
def elements_at(r, v_radial, v_in_track, elements, partials):  # type: ignore[no-untyped-def]
    """Fill `elements` (6,) of a state in its own RTN, m and m/s, and their derivatives (6, 6) to that state.

    The state is (r, 0, 0), (v_radial, v_in_track, 0). Returns False, and fills nothing, if the orbit is not
    an ellipse.
    """
    inverse_axis = 2.0 / r - (v_radial * v_radial + v_in_track * v_in_track) / MU_M3_S2
    momentum = r * v_in_track
    if not (inverse_axis > 0.0 and momentum > 0.0):
        return False
    a = 1.0 / inverse_axis
    n = math.sqrt(MU_M3_S2 * inverse_axis) * inverse_axis
    k = momentum * v_in_track / MU_M3_S2 - 1.0
    h = -momentum * v_radial / MU_M3_S2
    if not h * h + k * k < 1.0:
        return False
    # The eccentric longitude at which the object lies on the radial axis.
    root = math.sqrt(1.0 - h * h - k * k)
    beta = 1.0 / (1.0 + root)
    cosine = k + (1.0 - k * k * beta) * r / (a * root)
    sine = h - h * k * beta * r / (a * root)
    longitude = math.atan2(sine, cosine)
    sine, cosine = math.sin(longitude), math.cos(longitude)
    elements[0], elements[1], elements[2], elements[3], elements[4] = n, h, k, 0.0, 0.0
    elements[5] = longitude + h * cosine - k * sine

    partials[:, :] = 0.0
    speed2 = v_radial * v_radial + v_in_track * v_in_track
    moved = r * v_radial  # r . v
    x_h, y_h, x_k, y_k = _in_plane_partials(a, h, k, beta, root, sine, cosine)
    x_f, y_f = _along(a, h, k, beta, sine, cosine)
    for j in range(6):
        dx = 1.0 if j == 0 else 0.0
        dy = 1.0 if j == 1 else 0.0
        du = 1.0 if j == 3 else 0.0
        dv = 1.0 if j == 4 else 0.0
        d_inverse = -2.0 * dx / (r * r) - 2.0 * (v_radial * du + v_in_track * dv) / MU_M3_S2
        partials[0, j] = 1.5 * n * a * d_inverse
        # e = ((v^2 - mu/r) r - (r.v) v) / mu
        d_factor = 2.0 * (v_radial * du + v_in_track * dv) + MU_M3_S2 / (r * r) * dx
        d_moved = dx * v_radial + dy * v_in_track + r * du
        factor = speed2 - MU_M3_S2 / r
        d_k = (d_factor * r + factor * dx - d_moved * v_radial - moved * du) / MU_M3_S2
        d_h = (factor * dy - d_moved * v_in_track - moved * dv) / MU_M3_S2
        partials[1, j], partials[2, j] = d_h, d_k
        # What of the displacement is no change of shape or size is one along the ellipse.
        along_x = dx + r * a * d_inverse - x_h * d_h - x_k * d_k
        along_y = dy - y_h * d_h - y_k * d_k
        d_longitude = (along_x * x_f + along_y * y_f) / (x_f * x_f + y_f * y_f)
        partials[5, j] = d_longitude * (1.0 - h * sine - k * cosine) + cosine * d_h - sine * d_k
    # The plane: p = w_x / (1 + w_z), q = -w_y / (1 + w_z) of the orbit's normal w.
    partials[3, 2] = -0.5 / r
    partials[4, 2] = -0.5 * v_radial / momentum
    partials[4, 5] = 0.5 * r / momentum
    return True


@kernel
def least_distance(elements):  # type: ignore[no-untyped-def]
    """Return how near the centre an orbit comes, m: not a number, or below 0, if it is no ellipse."""
    n, h, k = elements[0], elements[1], elements[2]
    return (MU_M3_S2 / (n * n)) ** (1.0 / 3.0) * (1.0 - math.sqrt(h * h + k * k))


@kernel
def ellipse_of(elements):  # type: ignore[no-untyped-def]
    """Return whether elements (6,) are those of an ellipse, and what of it is the same at all times.

    That is: n, h, k, l, the semi-major axis, root, beta, p, q, and the axes of the orbit's plane.
    """
    n, h, k, p, q = elements[0], elements[1], elements[2], elements[3], elements[4]
    square = h * h + k * k
    a = (MU_M3_S2 / (n * n)) ** (1.0 / 3.0)
    root = math.sqrt(1.0 - square)
    beta = 1.0 / (1.0 + root)
    scale = 1.0 / (1.0 + p * p + q * q)
    f = ((1.0 - p * p + q * q) * scale, 2.0 * p * q * scale, -2.0 * p * scale)
    g = (2.0 * p * q * scale, (1.0 + p * p - q * q) * scale, 2.0 * q * scale)
    return n > 0.0 and square < 1.0, (n, h, k, elements[5], a, root, beta, p, q, f, g)


@kernel
def place_on(ellipse, seconds):  # type: ignore[no-untyped-def]
    """Return position and velocity, and sine and cosine of the eccentric longitude, `seconds` from TCA.

    Along the axes to which the elements refer, by two-body motion.
    """
    n, h, k, mean, a, _, beta, _, _, f, g = ellipse
    sine, cosine = _eccentric_longitude(mean + n * seconds, h, k)
    x, y, distance = _in_plane(a, h, k, beta, sine, cosine)
    x_f, y_f = _along(a, h, k, beta, sine, cosine)
    position = (x * f[0] + y * g[0], x * f[1] + y * g[1], x * f[2] + y * g[2])
    velocity = (
        n * (x_f * f[0] + y_f * g[0]) / distance,
        n * (x_f * f[1] + y_f * g[1]) / distance,
        n * (x_f * f[2] + y_f * g[2]) / distance,
    )
    return position, velocity, (sine, cosine)


@kernel
def derive_place(ellipse, seconds, longitude, partials):  # type: ignore[no-untyped-def]
    """Fill the derivatives (3, 6) to the elements of the position that `place_on` returned."""
    n, h, k, _, a, root, beta, p, q, f, g = ellipse
    sine, cosine = longitude
    x, y, distance = _in_plane(a, h, k, beta, sine, cosine)
    x_f, y_f = _along(a, h, k, beta, sine, cosine)
    x_h, y_h, x_k, y_k = _in_plane_partials(a, h, k, beta, root, sine, cosine)
    # The mean longitude is kept: the eccentric one turns with h and k.
    f_h, f_k = -cosine / distance, sine / distance
    scale = 1.0 / (1.0 + p * p + q * q)
    f_p = (-2.0 * p, 2.0 * q, -2.0)
    g_p = (2.0 * q, 2.0 * p, 0.0)
    f_q = (2.0 * q, 2.0 * p, 0.0)
    g_q = (2.0 * p, -2.0 * q, 2.0)
    for i in range(3):
        place = x * f[i] + y * g[i]
        along = x_f * f[i] + y_f * g[i]  # to the eccentric longitude
        speed = n * along / distance
        partials[i, 0] = -2.0 * place / (3.0 * n) + speed * seconds / n
        partials[i, 1] = x_h * f[i] + y_h * g[i] + along * f_h
        partials[i, 2] = x_k * f[i] + y_k * g[i] + along * f_k
        partials[i, 3] = scale * (x * f_p[i] + y * g_p[i] - 2.0 * p * place)
        partials[i, 4] = scale * (x * f_q[i] + y * g_q[i] - 2.0 * q * place)
        partials[i, 5] = speed / n


@kernel
def _in_plane(a, h, k, beta, sine, cosine):  # type: ignore[no-untyped-def]
    """Return x and y in the orbit's plane, and the distance over the semi-major axis."""
    x = a * ((1.0 - h * h * beta) * cosine + h * k * beta * sine - k)
    y = a * ((1.0 - k * k * beta) * sine + h * k * beta * cosine - h)
    return x, y, 1.0 - h * sine - k * cosine


@kernel
def _along(a, h, k, beta, sine, cosine):  # type: ignore[no-untyped-def]
    """Return the derivatives of x and y in the orbit's plane to the eccentric longitude."""
    x_f = a * (-(1.0 - h * h * beta) * sine + h * k * beta * cosine)
    y_f = a * ((1.0 - k * k * beta) * cosine - h * k * beta * sine)
    return x_f, y_f


@kernel
def _in_plane_partials(a, h, k, beta, root, sine, cosine):  # type: ignore[no-untyped-def]
    """Return the derivatives of x and y in the orbit's plane to h and k."""
    d_beta = beta * beta / root  # to half of h^2 + k^2
    turned_x = k * sine - h * cosine
    turned_y = h * cosine - k * sine
    x_h = a * (h * d_beta * h * turned_x + beta * (turned_x - h * cosine))
    y_h = a * (h * d_beta * k * turned_y + beta * k * cosine - 1.0)
    x_k = a * (k * d_beta * h * turned_x + beta * h * sine - 1.0)
    y_k = a * (k * d_beta * k * turned_y + beta * (turned_y - k * sine))
    return x_h, y_h, x_k, y_k


@kernel
def _eccentric_longitude(mean, h, k):  # type: ignore[no-untyped-def]
    """Return sine and cosine of F in l = F + h cos F - k sin F, by Newton's method."""
    longitude = mean
    for _ in range(_KEPLER_STEPS):
        sine, cosine = math.sin(longitude), math.cos(longitude)
        step = (longitude + h * cosine - k * sine - mean) / (1.0 - h * sine - k * cosine)
        step = min(max(step, -1.0), 1.0)
        if longitude - step == longitude:
            return sine, cosine
        longitude -= step
        if abs(step) < _KEPLER_TOLERANCE:
            break
    return math.sin(longitude), math.cos(longitude)
