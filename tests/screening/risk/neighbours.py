"""Made pairs of objects that fly beside each other on a circular orbit, and their errors."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.joint_root import joint_root
from screening.risk.geometry.two_body import MU_M3_S2
from screening.risk.objects.state_errors import with_velocities

SEMI_MAJOR_M, INCLINATION_RAD = 7.0e6, 1.2
GEOSTATIONARY_M = 42_164e3

Rtn = tuple[float, float, float]


def speed_m_s(semi_major_m: float = SEMI_MAJOR_M) -> float:
    """Return the speed on a circular orbit."""
    return float(np.sqrt(MU_M3_S2 / semi_major_m))


def neighbours(
    miss_rtn_m: Rtn,
    velocity_rtn_m_s: Rtn,
    inclination_rad: float = INCLINATION_RAD,
    semi_major_m: float = SEMI_MAJOR_M,
) -> FloatArray:
    """Return the states (2, 6) of an object and of a neighbour, by its place and velocity in the RTN."""
    cosine, sine = np.cos(inclination_rad), np.sin(inclination_rad)
    to_inertial = np.kron(np.eye(2), [[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
    primary = np.array([semi_major_m, 0.0, 0.0, 0.0, speed_m_s(semi_major_m), 0.0])
    return np.stack([primary, primary + np.array(miss_rtn_m + velocity_rtn_m_s)]) @ to_inertial.T


def root_of(sigma_rtn_m: Rtn, states: FloatArray) -> FloatArray:
    """Return the errors (12, 12) of neighbours: those of positions, with velocities that belong to them."""
    positions = np.broadcast_to(np.diag(np.square(sigma_rtn_m)), (2, 3, 3))
    primary, secondary = with_velocities(positions, states[:, :3], states[:, 3:])
    return joint_root(primary, secondary, None)
