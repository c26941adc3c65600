"""Whether one object is inside the volume around another one."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.volumes.shapes import Volume

VolumeArray = npt.NDArray[np.void]

VOLUME_DTYPE = np.dtype([("half_km", "f8", 3), ("is_box", "?")])  # radial, in-track, cross-track


def volume_array(volumes: Sequence[Volume]) -> VolumeArray:
    """Return volumes as records (n,); spheres are ellipsoids. None of them is the handbook's."""
    rows = np.zeros(len(volumes), VOLUME_DTYPE)
    rows["half_km"] = np.reshape([one[1:] for one in volumes], (len(volumes), 3))
    rows["is_box"] = [one.shape == "box" for one in volumes]
    assert np.isfinite(rows["half_km"]).all(), "the handbook's volume follows from an orbit"
    return rows


def reach_km(volumes: VolumeArray) -> FloatArray:
    """Return the radii (n,) of the spheres around volumes: to a box's corner, or the longest semi-axis."""
    corner_km = np.linalg.norm(volumes["half_km"], axis=1)
    farthest_km: FloatArray = np.where(volumes["is_box"], corner_km, volumes["half_km"].max(axis=1))
    return farthest_km


def relative_rtn_km(r_km: FloatArray, v_km_s: FloatArray, other_r_km: FloatArray) -> FloatArray:
    """Return where others (n, 3) are as seen from objects with states (n, 3), along these objects' RTN."""
    relative_km: FloatArray = np.einsum("nij,nj->ni", rtn_axes(r_km, v_km_s), other_r_km - r_km)
    return relative_km


def inside(volumes: VolumeArray, relative_km: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which points (n, 3) along RTN are inside volumes (n,), or on their surface."""
    shares = np.abs(relative_km) / volumes["half_km"]
    within: npt.NDArray[np.bool_] = np.where(
        volumes["is_box"], (shares <= 1.0).all(axis=1), np.einsum("ni,ni->n", shares, shares) <= 1.0
    )
    return within
