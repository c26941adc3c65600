"""Checks of the covariances: where there are some, whether they are possible, how large they are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.ephemerides import Segment
from screening.orbits.texts.ephemerides.objects import AsWritten
from screening.orbits.timegrid import FloatArray
from screening.risk.ephemeris_checks.findings import Judge, Place
from screening.risk.ephemeris_checks.rules import ALL_OR_NONE, BETWEEN, SMALLEST_SIGMA_M
from screening.risk.objects.departure import FAR_KM

_M_PER_KM = 1000.0


class Sigmas(NamedTuple):
    """The 1-sigma errors of positions, root of the sum of the variances; None: no covariance."""

    smallest_m: float | None
    largest_m: float | None


def check_covariances(judge: Judge, segments: Sequence[Segment], written: Sequence[AsWritten]) -> Sigmas:
    """Check the covariances of the segments of a file."""
    _coverage(judge, segments)
    repaired = [at for one in written for at in one.repaired]
    judge.add_places(
        "covariance_definite", [Place(at, 0.0, "a covariance with a negative eigenvalue") for at in repaired]
    )
    sigmas_m = np.concatenate([np.empty(0), *(sigma_m(one) for one in segments)])
    epochs = np.concatenate([np.empty(0, "M8[us]"), *(one.covariance_epochs for one in segments)])
    if not len(sigmas_m):
        return Sigmas(None, None)
    too_large = sigmas_m > FAR_KM * _M_PER_KM
    too_small = sigmas_m < SMALLEST_SIGMA_M
    for where, limit, words in (
        (too_small, SMALLEST_SIGMA_M, "smaller than any orbit is known; are its units right?"),
        (too_large, FAR_KM * _M_PER_KM, "larger than any orbit is unknown; are its units right?"),
    ):
        if where.any():
            i = int(np.argmax(where))
            count = f" ({where.sum():,} of {len(where):,})"
            said = f"the 1-sigma error of the position is {sigmas_m[i]:.3g} m{count}, {words}"
            judge.add("covariance_size", said, value=float(sigmas_m[i]), at=epochs[i], limit=limit)
    return Sigmas(float(sigmas_m.min()), float(sigmas_m.max()))


def sigma_m(segment: Segment) -> FloatArray:
    """Return the 1-sigma errors of the position (k,), m, of the covariances of a segment."""
    variances_km2 = np.trace(segment.covariance_rtn[:, :3, :3], axis1=1, axis2=2)
    sigmas: FloatArray = np.sqrt(np.maximum(variances_km2, 0.0)) * _M_PER_KM
    return sigmas


def _coverage(judge: Judge, segments: Sequence[Segment]) -> None:
    states = sum(len(one.epochs) for one in segments)
    own = [np.isin(one.epochs, one.covariance_epochs) for one in segments]
    share = float(sum(each.sum() for each in own)) / states
    limit = judge.limit("covariance")
    if limit is None:
        judge.without_limit("covariance", f"{share:.0%} of its states have a covariance", share)
        return
    assert isinstance(limit.value, tuple)
    if limit.value == (ALL_OR_NONE,) and share == 0.0:
        return
    if limit.value == (BETWEEN,):
        own = [_around(one) for one in segments]
        share = float(sum(each.sum() for each in own)) / states
    if share == 1.0:
        return
    first = next(
        one.epochs[int(np.argmin(has))] for one, has in zip(segments, own, strict=True) if not has.all()
    )
    words = (
        "it has no covariance, so its events get no probability"
        if share == 0.0
        else f"{1.0 - share:.0%} of its states have no covariance ({limit.value[0]})"
    )
    judge.add("covariance", words, value=share, at=first)


def _around(segment: Segment) -> npt.NDArray[np.bool_]:
    """Return which states (n,) lie between two covariances, or at one."""
    given = segment.covariance_epochs
    if not len(given):
        return np.zeros(len(segment.epochs), np.bool_)
    around: npt.NDArray[np.bool_] = (segment.epochs >= given[0]) & (segment.epochs <= given[-1])
    return around
