"""Trigonometry without branches, so that the loop over the lanes of a block becomes vector instructions."""

from screening.kernels import inlined_lanes_kernel

TWO_PI = 6.283185307179586
SMALL_RAD = 0.12  # the first omitted terms of the series below: 2e-18
_PI = 3.141592653589793
_INVERSE_TWO_PI = 0.15915494309189535
_ROUNDING = 6755399441055744.0  # 1.5 * 2^52: adding and subtracting it rounds to an integer


@inlined_lanes_kernel
def sine_cosine(x):  # type: ignore[no-untyped-def]
    """Return sine and cosine: quarter-turn reduction (Cody & Waite 1980), minimax polynomials (fdlibm)."""
    k = (x * 0.6366197723675814 + _ROUNDING) - _ROUNDING
    y = ((x - k * 1.5707963267341256) - k * 6.077100506303966e-11) - k * 2.0222662487959506e-21
    z = y * y
    s = y + y * z * (
        -1.66666666666666324348e-01
        + z * (8.33333333332248946124e-03
        + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06
        + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))))
    )  # fmt: skip
    c = 1.0 - 0.5 * z + z * z * (
        4.16666666666666019037e-02
        + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05
        + z * (-2.75573143513906633035e-07
        + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))
    )  # fmt: skip
    turns = 0.25 * k
    quarter = turns - ((turns - 0.375 + _ROUNDING) - _ROUNDING)  # 0, 0.25, 0.5 or 0.75 of a turn
    odd = (quarter > 0.2 and quarter < 0.3) or quarter > 0.7
    sine = c if odd else s
    cosine = s if odd else c
    sine = -sine if quarter > 0.4 else sine
    cosine = -cosine if (quarter > 0.2 and quarter < 0.7) else cosine
    return sine, cosine


@inlined_lanes_kernel
def rotated(sine, cosine, angle):  # type: ignore[no-untyped-def]
    """Return sine and cosine of a sum with a small angle, below SMALL_RAD, by its series."""
    a2 = angle * angle
    ds = angle * (1.0 - a2 * (1.0 / 6.0 - a2 * (1.0 / 120.0 - a2 * (1.0 / 5040.0 - a2 * (1.0 / 362880.0)))))
    dc = 1.0 - a2 * (
        0.5 - a2 * (1.0 / 24.0 - a2 * (1.0 / 720.0 - a2 * (1.0 / 40320.0 - a2 * (1.0 / 3628800.0))))
    )
    return sine * dc + cosine * ds, cosine * dc - sine * ds


@inlined_lanes_kernel
def whole(x):  # type: ignore[no-untyped-def]
    """Round to the nearest integer, below 2^51."""
    return (x + _ROUNDING) - _ROUNDING


@inlined_lanes_kernel
def within_half_a_turn(angle):  # type: ignore[no-untyped-def]
    """Reduce an angle to between -pi and pi."""
    return angle - TWO_PI * whole(angle * _INVERSE_TWO_PI)


@inlined_lanes_kernel
def direction(y, x):  # type: ignore[no-untyped-def]
    """Return the angle of the vector (x, y): atan2 to 1e-15 rad. (0, 0) has none.

    A polynomial good to 1e-5 (Abramowitz & Stegun 1964, 4.4.49), then the remainder after rotating by it.
    """
    ax, ay = abs(x), abs(y)
    steep = ay > ax
    q = (ax if steep else ay) / (ay if steep else ax)
    q2 = q * q
    angle = q * (0.9998660 + q2 * (-0.3302995 + q2 * (0.1801410 + q2 * (-0.0851330 + q2 * 0.0208351))))
    angle = 0.5 * _PI - angle if steep else angle
    angle = _PI - angle if x < 0.0 else angle
    angle = -angle if y < 0.0 else angle
    sine, cosine = sine_cosine(angle)
    left = (y * cosine - x * sine) / (x * cosine + y * sine)  # tangent of at most 1e-5
    return angle + left * (1.0 - left * left * (1.0 / 3.0))
