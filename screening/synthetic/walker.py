"""Constellations whose members keep clear of each other: slots in evenly spaced planes, and their phasing."""

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.synthetic.population import Walker

_TURN_DEG = 360.0


def walker_slots(
    walker: Walker, count: int, scale: float, inclination_deg: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the nodes, arguments of latitude (count,), degrees, and planes (count,) of a constellation.

    `scale` is the ratio of its objects to those in reality; on a logarithmic scale, half of it goes into the
    number of planes, half into the objects per plane. The last slots may stay empty.
    """
    planes = max(1, min(count, round(walker.planes * scale**0.5)))
    slots = -(-count // planes)
    plane, slot = np.arange(count, dtype=float) % planes, np.arange(count) // planes
    nodes_deg = walker.nodes_span_deg / planes * np.arange(planes)
    phasing = widest_phasing(nodes_deg, slots, inclination_deg)
    argument_of_latitude_deg = _TURN_DEG / slots * (slot + phasing / planes * plane)
    return nodes_deg[plane.astype(int)], argument_of_latitude_deg % _TURN_DEG, plane


def widest_phasing(nodes_deg: FloatArray, slots: int, inclination_deg: float) -> int:
    """Return the phasing (0 to planes - 1) that keeps objects of different planes furthest apart.

    Objects of plane p are ahead of those of plane 0 by phasing * p / planes of the way to the next slot. Two
    circular orbits of the same radius and inclination whose nodes differ by W bring two objects, whose
    arguments of latitude differ by U, to within 2 asin(sqrt((1 + cos a) / 2) |sin(D / 2)|) of each other,
    where cos a = cos^2 i + sin^2 i cos W and D = U + 2 atan(cos i tan(W / 2)), by spherical trigonometry.
    Finds what Liang, Chaudhry & Yanikomeroglu 2021 (arXiv:2109.13994) found by simulating constellations.
    """
    planes = len(nodes_deg)
    if planes == 1:
        return 0
    inclination = np.radians(inclination_deg)
    between = np.radians(nodes_deg[1:])
    cos_tilt = np.cos(inclination) ** 2 + np.sin(inclination) ** 2 * np.cos(between)
    lead_at_crossing = 2.0 * np.arctan(np.cos(inclination) * np.tan(between / 2.0))
    slot_width = 2.0 * np.pi / slots
    ahead = np.arange(planes)[:, None] * np.arange(1, planes) / planes * slot_width
    # The nearest object of the other plane at the crossing decides.
    nearest = np.abs((ahead + lead_at_crossing + slot_width / 2.0) % slot_width - slot_width / 2.0)
    closest = np.sqrt(np.maximum(1.0 + cos_tilt, 0.0) / 2.0) * np.sin(nearest / 2.0)
    return int(closest.min(axis=1).argmax())
