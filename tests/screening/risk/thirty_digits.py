"""The 2-D integral with 30 digits: error functions as they stand, nothing cut above exp(-50)."""

import mpmath as mp

DIGITS = 30
NEGLIGIBLE = 50  # exponent below the peak, exp(-50) = 2e-22
PANELS = 12  # on either side of the peak


def log_probability(
    miss_major: float, miss_minor: float, s_major: float, s_minor: float, radius: float
) -> mp.mpf:
    """Return the natural logarithm of the probability in the disk."""
    with mp.workdps(DIGITS):
        geometry = (abs(miss_major), abs(miss_minor), s_major, s_minor, radius)
        major, minor, s1, s2, r = (mp.mpf(float(value)) for value in geometry)

        def chord(half: mp.mpf) -> mp.mpf:
            a, b = (major - half) / (mp.sqrt(2) * s1), (major + half) / (mp.sqrt(2) * s1)
            return (mp.erf(b) - mp.erf(a)) / 2 if a <= 0 else (mp.erfc(a) - mp.erfc(b)) / 2

        def integrand(t: mp.mpf) -> mp.mpf:
            half, z = r * mp.cos(t), (r * mp.sin(t) - minor) / s2
            return mp.exp(-z * z / 2) * chord(half) * half / (s2 * mp.sqrt(2 * mp.pi))

        peak = _peak(integrand)
        first, last = (_cut(integrand, peak, edge) for edge in (-mp.pi / 2, mp.pi / 2))
        points = [first + (peak - first) * k / PANELS for k in range(PANELS)]
        points += [peak + (last - peak) * k / PANELS for k in range(PANELS + 1)]
        return mp.log(mp.quad(integrand, points, method="gauss-legendre", maxdegree=4))


def _peak(integrand):  # type: ignore[no-untyped-def]
    low, high = -mp.pi / 2, mp.pi / 2
    # The integrand is log-concave along the diameter: the Gaussian and the disk are.
    while high - low > mp.mpf(10) ** -9:
        a, b = low + (high - low) * mp.mpf("0.4"), high - (high - low) * mp.mpf("0.4")
        low, high = (a, high) if integrand(a) < integrand(b) else (low, b)
    return (low + high) / 2


def _cut(integrand, peak, edge):  # type: ignore[no-untyped-def]
    lowest = integrand(peak) * mp.exp(-NEGLIGIBLE)
    if integrand(edge + (peak - edge) * mp.mpf(10) ** -12) > lowest:
        return edge
    inside, outside = peak, edge
    for _ in range(20):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if integrand(middle) < lowest else (middle, outside)
    return outside
