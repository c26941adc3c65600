"""The errors of both objects of a message for the encounter plane: repaired, completed, correlated."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.encounter_plane import (
    ROUNDING_OF_EIGENVALUES,
    EncounterPlane,
    covariance_of_miss,
    encounter_plane,
)
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.messages.drag import cross_covariance
from screening.risk.messages.encounter import Encounter
from screening.risk.messages.message import ConjunctionMessage, MessageObject
from screening.risk.probability.unknown_covariance import likeliest_covariance

# Hall, Hejduk & Johnson 2017, "Remediating non-positive definite state covariances for collision probability
# estimation", AAS 17-567: eigenvalues are clipped at (1e-4 R)^2.
CLIPPED_SIGMA = 1e-4  # of the combined hard-body radius
SLIGHTLY_NEGATIVE = -1e-2  # of the largest eigenvalue; lower ones are not from rounding

_TOO_LARGE = "the shared drag errors exceed the covariances; errors are taken as independent"
MISSING = {(True, True): "", (False, True): "primary", (True, False): "secondary", (False, False): "both"}


class Errors(NamedTuple):
    """The errors of one encounter, in the frame of its states."""

    covariances: tuple[FloatArray, FloatArray]  # (1, 6, 6), or (1, 3, 3), m and m/s
    cross: FloatArray | None  # (1, 6, 6) of the primary's error with the secondary's
    missing: str  # whose covariance is missing: of MISSING
    remediated: bool
    notes: list[str]
    plane: EncounterPlane  # with the errors correlated
    independent: EncounterPlane  # as if they were not

    @property
    def position(self) -> tuple[FloatArray, FloatArray]:
        """The covariances (1, 3, 3) of the positions."""
        return self.covariances[0][:, :3, :3], self.covariances[1][:, :3, :3]


def errors_of(
    message: ConjunctionMessage, states: Encounter, radius_m: float, *, shared_drag: bool = True
) -> Errors:
    """Repair slightly indefinite covariances, complete missing ones, and correlate shared drag errors."""
    objects = (message.primary, message.secondary)
    given = [each.covariance_rtn for each in objects]
    repaired = [(np.zeros((3, 3)), False) if one is None else remediated(one, radius_m) for one in given]
    missing = MISSING[given[0] is not None, given[1] is not None]
    if missing:
        repaired = [
            (_without_drag(one[0], each, radius_m), one[1])
            for one, each in zip(repaired, objects, strict=True)
        ]
    known = [
        rtn_covariance_to_inertial(covariance[None], states.r_m[i : i + 1], states.v_m_s[i : i + 1])
        for i, (covariance, _) in enumerate(repaired)
    ]
    if missing:
        known = _completed(known, missing, states, radius_m)
    first, second = known
    cross = cross_covariance(message, states) if shared_drag else None
    independent, clipped = _plane(states, first, second, None, radius_m)
    plane, correlated = independent, None
    if cross is not None:
        plane, clipped_too = _plane(states, first, second, cross[None, :3, :3], radius_m)
        if plane.positive_definite[0]:
            correlated, clipped = cross[None], clipped_too
        else:
            plane = independent
    return Errors(
        covariances=(first, second),
        cross=correlated,
        missing=missing,
        notes=[_TOO_LARGE] if correlated is None and cross is not None else [],
        remediated=clipped or any(changed for _, changed in repaired),
        plane=plane,
        independent=independent,
    )


def remediated(covariance: FloatArray, radius_m: float) -> tuple[FloatArray, bool]:
    """Clip the eigenvalues of the position part of a covariance (m, m) if it is slightly indefinite.

    Returns the covariance and whether it was changed. A grossly indefinite one is returned unchanged.
    """
    eigenvalues, vectors = np.linalg.eigh(covariance[:3, :3])
    largest = max(float(eigenvalues[-1]), 0.0)
    if eigenvalues[0] >= -ROUNDING_OF_EIGENVALUES * largest or eigenvalues[0] < SLIGHTLY_NEGATIVE * largest:
        return covariance, False
    clipped = np.maximum(eigenvalues, (CLIPPED_SIGMA * radius_m) ** 2)
    repaired = covariance.copy()
    repaired[:3, :3] = vectors @ (clipped[:, np.newaxis] * vectors.T)
    return repaired, True


def _plane(
    states: Encounter, first: FloatArray, second: FloatArray, cross: FloatArray | None, radius_m: float
) -> tuple[EncounterPlane, bool]:
    """Return the encounter plane with no sigma below the clipped one, and whether a negative one was."""
    r_m, v_m_s = states.r_m[:, np.newaxis], states.v_m_s[:, np.newaxis]
    covariances = first[:, :3, :3], second[:, :3, :3]
    plane = encounter_plane(r_m[0], v_m_s[0], r_m[1], v_m_s[1], *covariances, cross)
    sigma_m = np.array([CLIPPED_SIGMA * radius_m])
    if plane.sigma_minor_m[0] >= sigma_m[0] or not all(map(_is_covariance, covariances)):
        return plane, False
    combined = covariance_of_miss(*covariances, cross)
    smaller = float(plane.minor_axis[0] @ combined[0] @ plane.minor_axis[0])
    larger = float(plane.sigma_major_m[0]) ** 2
    if not smaller >= SLIGHTLY_NEGATIVE * larger:
        return plane, False
    sigma_major_m = np.maximum(plane.sigma_major_m, sigma_m)
    definite = np.array([True])
    return (
        plane._replace(sigma_minor_m=sigma_m, sigma_major_m=sigma_major_m, positive_definite=definite),
        bool(smaller < -ROUNDING_OF_EIGENVALUES * larger),
    )


def _is_covariance(covariance: FloatArray) -> bool:
    eigenvalues = np.linalg.eigvalsh(covariance[0])
    return bool(eigenvalues[0] >= -ROUNDING_OF_EIGENVALUES * max(float(eigenvalues[-1]), 0.0))


def _without_drag(covariance: FloatArray, each: MessageObject, radius_m: float) -> FloatArray:
    """Remove from a position covariance what the other object's unknown drag error may cancel.

    With D1, D2 the errors from one sigma of density, C1 + C2 - D1 D2' - D2 D1' is the sum of C1 - D1 D1',
    C2 - D2 D2' and (D1 - D2)(D1 - D2)': of C1, only C1 - D1 D1' is certain to remain in the miss.
    """
    error = each.drag_error_rtn[:3]
    if np.isnan(error).any() or not covariance.any():
        return covariance[:3, :3]
    eigenvalues, vectors = np.linalg.eigh(covariance[:3, :3] - np.outer(error, error))
    clipped = np.maximum(eigenvalues, (CLIPPED_SIGMA * radius_m) ** 2)
    left: FloatArray = vectors @ (clipped[:, np.newaxis] * vectors.T)
    return left


def _completed(known: list[FloatArray], missing: str, states: Encounter, radius_m: float) -> list[FloatArray]:
    """Give the object without a covariance the one that makes a collision likeliest.

    If both have none, the secondary gets it: the miss depends on the sum alone.
    """
    r_m, v_m_s = states.r_m[:, np.newaxis], states.v_m_s[:, np.newaxis]
    position = [covariance[:, :3, :3] for covariance in known]
    plane = encounter_plane(r_m[0], v_m_s[0], r_m[1], v_m_s[1], position[0], position[1])
    axes = np.concatenate([plane.major_axis, plane.minor_axis])
    eigenvalues, vectors = np.linalg.eigh(axes @ (position[0] + position[1])[0] @ axes.T)
    clipped = np.maximum(eigenvalues, (CLIPPED_SIGMA * radius_m) ** 2)
    in_plane = vectors @ (clipped[:, np.newaxis] * vectors.T)
    worst = likeliest_covariance(axes @ (states.r_m[1] - states.r_m[0]), in_plane, radius_m)
    which = 0 if missing == "primary" else 1
    completed = list(known)
    completed[which] = (axes.T @ worst @ axes)[np.newaxis]
    return completed
