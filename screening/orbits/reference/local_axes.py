"""The axes that turn with an orbit: radial, in-track, cross-track, and along the velocity."""

import numpy as np

from screening.orbits.timegrid import FloatArray


def rtn_axes(r: FloatArray, v: FloatArray) -> FloatArray:
    """Return the radial, in-track and cross-track unit vectors of states (n, 3), as rows of (n, 3, 3).

    Radial along r, cross-track along r x v, in-track completing the triad (CCSDS 508.0-B-1, "RTN"). Any
    units; the axes are in the frame of the states.
    """
    radial = r / np.linalg.norm(r, axis=1, keepdims=True)
    normal = np.cross(r, v)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    axes: FloatArray = np.stack([radial, np.cross(normal, radial), normal], axis=1)
    return axes


def tnw_axes(r: FloatArray, v: FloatArray) -> FloatArray:
    """Return the axes T, N, W as rows of (n, 3, 3): along v, W x T (down, in the plane), along r x v."""
    along = v / np.linalg.norm(v, axis=1, keepdims=True)
    normal = np.cross(r, v)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    axes: FloatArray = np.stack([along, np.cross(normal, along), normal], axis=1)
    return axes
