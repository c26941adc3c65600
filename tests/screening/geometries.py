"""How two objects can meet: pairs of states at a place, with a direction of flight and a miss distance."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tests.screening.planting import Crossing, circular_km_s, crossing, velocity_km_s

FloatArray = npt.NDArray[np.float64]

X, Y, Z = np.eye(3)


def unit(direction: FloatArray) -> FloatArray:
    out: FloatArray = direction / np.linalg.norm(direction)
    return out


def at_radius(direction: FloatArray, radius_km: float) -> FloatArray:
    return radius_km * unit(direction)


def head_on(r: FloatArray, along: FloatArray, miss_km: float) -> Crossing:
    v = circular_km_s(float(np.linalg.norm(r))) * along
    return crossing(r, v, -0.999 * v, miss_km)


def crossing_at(angle_deg: float) -> Callable[[FloatArray, FloatArray, float], Crossing]:
    def make(r: FloatArray, along: FloatArray, miss_km: float) -> Crossing:
        radius_km = float(np.linalg.norm(r))
        across = np.cross(r / radius_km, along)
        turn = np.radians(angle_deg)
        speed = circular_km_s(radius_km)
        return crossing(
            r, speed * along, speed * (np.cos(turn) * along + np.sin(turn) * across), miss_km, 0.7
        )

    return make


def overtaking(r: FloatArray, along: FloatArray, miss_km: float) -> Crossing:
    """In one plane and direction: an eccentric orbit at its perigee passes a circular one."""
    radius_km = float(np.linalg.norm(r))
    _, fast = velocity_km_s(radius_km, radius_km, 1.4 * radius_km)
    return crossing(r, circular_km_s(radius_km) * along, fast * along, miss_km)


def co_planar(r: FloatArray, along: FloatArray, miss_km: float) -> Crossing:
    """In one plane and direction: one rises while the other falls."""
    radius_km = float(np.linalg.norm(r))
    radial, transverse = velocity_km_s(radius_km, 0.93 * radius_km, 1.6 * radius_km)
    up = r / radius_km
    return crossing(r, radial * up + transverse * along, -radial * up + transverse * along, miss_km, 1.1)


def eccentric_perigee(r: FloatArray, along: FloatArray, miss_km: float) -> Crossing:
    """A highly eccentric orbit at its perigee against a circular one at a right angle."""
    radius_km = float(np.linalg.norm(r))
    _, fast = velocity_km_s(radius_km, radius_km, 42_000.0 + radius_km)
    across = np.cross(r / radius_km, along)
    return crossing(r, fast * along, circular_km_s(radius_km) * across, miss_km, 0.3)


def slow_neighbours(r: FloatArray, along: FloatArray, miss_km: float) -> Crossing:
    """Two objects of the same ring with 20 m/s between them, as in the geostationary one."""
    up = r / np.linalg.norm(r)
    across = np.cross(up, along)
    v = circular_km_s(float(np.linalg.norm(r))) * along
    return crossing(r, v, v + 0.02 * across, miss_km)


Geometry = Callable[[FloatArray, FloatArray, float], Crossing]

GEOMETRIES: dict[str, tuple[Geometry, FloatArray, FloatArray]] = {
    "head-on": (head_on, at_radius(X + Y + Z, 7000.0), unit(X - Y)),
    "at a right angle": (crossing_at(90.0), at_radius(Y - Z, 7150.0), X),
    "over the Earth's pole": (crossing_at(75.0), at_radius(Z, 7200.0), X),
    "retrograde": (crossing_at(160.0), at_radius(X, 6900.0), -Y),
    "at 3 degrees": (crossing_at(3.0), at_radius(Y + 0.3 * Z, 6928.0), X),
    "overtaking": (overtaking, at_radius(-X + 0.4 * Z, 6900.0), -Y),
    "in one plane": (co_planar, at_radius(Y + Z, 7400.0), X),
    "eccentric perigee": (eccentric_perigee, at_radius(X - Y + Z, 6640.0), unit(X + Y)),
    "high above": (crossing_at(50.0), at_radius(X + Y, 26_560.0), Z),
    "geosynchronous": (slow_neighbours, at_radius(-X + Y, 42_164.0), unit(-X - Y + 0.1 * Z)),
}
