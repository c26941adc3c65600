"""Count collisions among whole orbits: a brute-force Monte Carlo to compare `probability_3d` with.

Nothing here is shared with what it checks. Errors are Gaussian in equinoctial elements of the inertial frame
(turned half about its x axis for retrograde orbits), whose derivatives to the state come from steps along the
imaginary axis; orbits move as ellipses in perifocal coordinates; every sample's own closest approach is
sought and compared with the radius. Plain sampling, without importance.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.kernels import kernel

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

MU_M3_S2 = 398600.8e9  # of SGP4, with which the project propagates everywhere
_IMAGINARY_STEP = 1e-30
_AT_ONCE = 50_000  # samples
_NODES_PER_REVOLUTION = 96  # of the scan: relative distance has few harmonics of the revolution
_STEPS = 40
_LONGEST_STEP_S = 200.0


class Counted(NamedTuple):
    """What was drawn, and how often it came within the radius."""

    samples: int
    hits: int  # samples with at least one meeting
    meetings: int  # closest approaches within the radius; without a scan the same

    @property
    def probability(self) -> float:
        """The share of hits."""
        return self.hits / self.samples

    @property
    def expected_meetings(self) -> float:
        """The mean number of meetings."""
        return self.meetings / self.samples

    @property
    def noise(self) -> float:
        """One standard deviation of the probability, relative to it."""
        return math.inf if self.hits == 0 else math.sqrt((1.0 - self.probability) / self.hits)


def count_hits(
    states: Floats,
    root_rtn: Floats,
    radius_m: float,
    samples: int,
    seed: int,
    half_window_s: float = 0.0,
    enough_hits: int | None = None,
) -> Counted:
    """Draw orbits and count those that come within `radius_m` of each other.

    states (2, 6), m and m/s, inertial; root_rtn (12, m) as in `probability_3d`. With a half-window all
    approaches within it count, otherwise the one to which Newton's method leads from TCA. Stops early at
    `enough_hits`.
    """
    elements, spread, sides = elements_of(states, root_rtn)
    nodes = math.ceil(half_window_s * elements[0, 0] / math.pi * _NODES_PER_REVOLUTION)
    rng = np.random.default_rng(seed)
    drawn, hits, meetings = 0, 0, 0
    while drawn < samples and (enough_hits is None or hits < enough_hits):
        z = rng.standard_normal((min(_AT_ONCE, samples - drawn), root_rtn.shape[1]))
        some = _count(elements, spread, sides, z, radius_m, half_window_s, nodes)
        drawn, hits, meetings = drawn + len(z), hits + some[0], meetings + some[1]
    return Counted(drawn, hits, meetings)


def elements_of(states: Floats, root_rtn: Floats) -> tuple[Floats, Floats, Floats]:
    """Return elements (2, 6), how they spread with the normals (2, 6, m), and the side of each (2,)."""
    sides = np.where(np.cross(states[:, :3], states[:, 3:])[:, 2] < 0.0, -1.0, 1.0)
    elements, spread = np.empty((2, 6)), np.empty((2, 6, root_rtn.shape[1]))
    for which in range(2):
        turn = np.kron(np.eye(2), np.diag([1.0, sides[which], sides[which]]))
        state = turn @ states[which]
        elements[which] = equinoctial(state).real
        stepped = [equinoctial(state + 1j * _IMAGINARY_STEP * column).imag for column in np.eye(6)]
        jacobian = np.stack(stepped, axis=1) / _IMAGINARY_STEP
        own = np.kron(np.eye(2), _own_axes(states[which]))
        spread[which] = jacobian @ turn @ own.T @ root_rtn[6 * which : 6 * which + 6]
    return elements, spread, sides


def equinoctial(state: npt.NDArray[np.generic]) -> Complexes:
    """Return mean motion, h, k, p, q and mean longitude of a state (6,), real or with an imaginary step."""
    both = state.astype(complex)
    r, v = both[:3], both[3:]
    distance = np.sqrt(r @ r)
    axis = 1.0 / (2.0 / distance - v @ v / MU_M3_S2)
    momentum = np.cross(r, v)
    normal = momentum / np.sqrt(momentum @ momentum)
    p, q = normal[0] / (1.0 + normal[2]), -normal[1] / (1.0 + normal[2])
    f = np.array([1.0 - p * p + q * q, 2.0 * p * q, -2.0 * p]) / (1.0 + p * p + q * q)
    g = np.cross(normal, f)
    shape = np.cross(v, momentum) / MU_M3_S2 - r / distance
    true_longitude = _angle(complex(r @ g), complex(r @ f))
    # True less eccentric, and eccentric less mean anomaly; neither needs the perigee.
    sine, cosine = r @ v / np.sqrt(MU_M3_S2 * axis), 1.0 - distance / axis  # times the eccentricity
    ahead = 2.0 * np.arctan(sine / (1.0 + np.sqrt(1.0 - shape @ shape) - cosine)) + sine
    return np.array([np.sqrt(MU_M3_S2 / axis**3), shape @ g, shape @ f, p, q, true_longitude - ahead])


def _angle(sine: complex, cosine: complex) -> complex:
    """Return the angle of numbers with tiny imaginary parts."""
    turned = (cosine.real * sine.imag - sine.real * cosine.imag) / (sine.real**2 + cosine.real**2)
    return complex(math.atan2(sine.real, cosine.real), turned)


def _own_axes(state: Floats) -> Floats:
    radial = state[:3] / np.linalg.norm(state[:3])
    normal = np.cross(state[:3], state[3:])
    normal /= np.linalg.norm(normal)
    return np.array([radial, np.cross(normal, radial), normal])


@kernel
def _count(elements, spread, sides, z, radius, half_window_s, nodes):  # type: ignore[no-untyped-def]
    """Return how many samples z (n, m) hit, and how many meetings they have."""
    orbits, relative = np.empty((2, 9)), np.empty(6)
    moved, hits, meetings = np.empty(6), 0, 0
    for n in range(len(z)):
        bound = True
        for which in range(2):
            for i in range(6):
                moved[i] = elements[which, i]
                for j in range(z.shape[1]):
                    moved[i] += spread[which, i, j] * z[n, j]
            bound = bound and _orbit(moved, sides[which], orbits[which])
        if not bound:
            continue
        if nodes == 0:
            found = 1 if _newton_miss(orbits, relative) < radius else 0
        else:
            found = _scan(orbits, relative, radius, half_window_s, nodes)
        meetings += found
        hits += found > 0
    return hits, meetings


@kernel
def misses(elements, spread, sides, z, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n,) with the misses of samples z (n, m) at the approach to which Newton's method leads."""
    orbits, relative, moved = np.empty((2, 9)), np.empty(6), np.empty(6)
    for n in range(len(z)):
        bound = True
        for which in range(2):
            for i in range(6):
                moved[i] = elements[which, i]
                for j in range(z.shape[1]):
                    moved[i] += spread[which, i, j] * z[n, j]
            bound = bound and _orbit(moved, sides[which], orbits[which])
        out[n] = _newton_miss(orbits, relative) if bound else np.inf


@kernel
def _orbit(elements, side, orbit):  # type: ignore[no-untyped-def]
    """Fill mean motion, eccentricity, mean anomaly at TCA, and both half axes of the ellipse (3,), (3,)."""
    n, h, k, p, q, longitude = elements
    eccentricity = math.hypot(h, k)
    if not (n > 0.0 and eccentricity < 1.0):
        return False
    perigee = math.atan2(h, k)
    orbit[0], orbit[1], orbit[2] = n, eccentricity, longitude - perigee
    major = (MU_M3_S2 / (n * n)) ** (1.0 / 3.0)
    minor = major * math.sqrt(1.0 - eccentricity * eccentricity)
    # By classical angles, node and inclination.
    node, inclination = math.atan2(p, q), 2.0 * math.atan(math.hypot(p, q))
    cw, sw = math.cos(perigee - node), math.sin(perigee - node)
    cn, sn, ci, si = math.cos(node), math.sin(node), math.cos(inclination), math.sin(inclination)
    orbit[3] = major * (cn * cw - sn * sw * ci)
    orbit[4] = side * major * (sn * cw + cn * sw * ci)
    orbit[5] = side * major * sw * si
    orbit[6] = minor * (-cn * sw - sn * cw * ci)
    orbit[7] = side * minor * (-sn * sw + cn * cw * ci)
    orbit[8] = side * minor * cw * si
    return True


@kernel
def _relative(orbits, seconds, relative):  # type: ignore[no-untyped-def]
    """Fill position and velocity (6,) of the secondary from the primary; return position times velocity."""
    relative[:] = 0.0
    for which in range(2):
        orbit, sign = orbits[which], 2.0 * which - 1.0
        eccentricity, mean = orbit[1], orbit[2] + orbit[0] * seconds
        anomaly = mean + eccentricity * math.sin(mean) / (1.0 - eccentricity * math.cos(mean))
        for _ in range(_STEPS):
            step = anomaly - eccentricity * math.sin(anomaly) - mean
            step /= 1.0 - eccentricity * math.cos(anomaly)
            anomaly -= min(max(step, -0.5), 0.5)
            if abs(step) < 1e-8:  # the next is its square
                break
        sine, cosine = math.sin(anomaly), math.cos(anomaly)
        rate = orbit[0] / (1.0 - eccentricity * cosine)
        for i in range(3):
            relative[i] += sign * (orbit[3 + i] * (cosine - eccentricity) + orbit[6 + i] * sine)
            relative[3 + i] += sign * rate * (orbit[6 + i] * cosine - orbit[3 + i] * sine)
    return relative[0] * relative[3] + relative[1] * relative[4] + relative[2] * relative[5]


@kernel
def _length(vector):  # type: ignore[no-untyped-def]
    return math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)


@kernel
def _newton_miss(orbits, relative):  # type: ignore[no-untyped-def]
    """Return the miss at the closest approach near TCA."""
    seconds = 0.0
    for _ in range(_STEPS):
        along = _relative(orbits, seconds, relative)
        speed = _length(relative[3:])
        step = -along / (speed * speed)
        if abs(step) * speed < 0.01:  # m along the relative velocity
            break
        seconds += min(max(step, -_LONGEST_STEP_S), _LONGEST_STEP_S)
    return _length(relative)


@kernel
def _scan(orbits, relative, radius, half_window_s, nodes):  # type: ignore[no-untyped-def]
    """Return how many closest approaches within the window, its ends included, are within the radius."""
    found, step = 0, 2.0 * half_window_s / nodes
    along_before, distance_before, speed_before = 0.0, 0.0, 0.0
    for k in range(nodes + 1):
        along = _relative(orbits, k * step - half_window_s, relative)
        distance, speed = _length(relative), _length(relative[3:])
        if (k == 0 and along > 0.0) or (k == nodes and along < 0.0):
            found += distance < radius
        near = k > 0 and min(distance, distance_before) < radius + 1.5 * step * max(speed, speed_before)
        if k > 0 and along_before < 0.0 <= along and near:
            early, late = (k - 1) * step - half_window_s, k * step - half_window_s
            low, high = along_before, along
            for _ in range(_STEPS):  # false position, the end that stays halved (Illinois)
                middle = (early * high - late * low) / (high - low)
                value = _relative(orbits, middle, relative)
                if abs(value) < 1e-3 * radius * _length(relative[3:]) or late - early < 1e-6:
                    break
                if value < 0.0:
                    early, low, high = middle, value, 0.5 * high
                else:
                    late, high, low = middle, value, 0.5 * low
            found += _length(relative) < radius
        along_before, distance_before, speed_before = along, distance, speed
    return found
