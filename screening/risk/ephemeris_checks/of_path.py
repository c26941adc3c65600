"""Checks of the path as a whole: jumps, thrusts, and the way from the object's element set."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from screening.orbits.ephemerides import Segment
from screening.orbits.interpolated import POINTS, Interpolated, tracks_of
from screening.orbits.timegrid import window
from screening.risk.ephemeris_checks.findings import Judge, Place
from screening.risk.ephemeris_checks.of_covariances import sigma_m
from screening.risk.objects.departure import (
    JUMP_KM,
    VALID_DAYS,
    Distance,
    Jump,
    beginnings,
    jumps,
)

_M_PER_KM = 1000.0
Instant = np.datetime64
Cut = Sequence[Sequence[Segment]]  # the parts between thrusts of each segment of a file


def check_jumps(judge: Judge, segments: Sequence[Segment], cut: Cut) -> list[Jump]:
    """Find where a path goes on elsewhere, and single states beside it; return both."""
    usable = [part for parts in cut for part in parts if len(part.epochs) >= POINTS]
    found = jumps(usable) + [
        one for segment, parts in zip(segments, cut, strict=True) for one in _stray(segment, parts)
    ]
    places = [Place(one.at, one.km * _M_PER_KM, _jump_words(one, segments)) for one in found]
    judge.add_places("jump", places)
    return found


def _jump_words(one: Jump, segments: Sequence[Segment]) -> str:
    sigma = next((s for s in (_sigma_at(segment, one.at) for segment in segments) if s), None)
    sigmas = f", {one.km * _M_PER_KM / sigma:,.3g} sigmas of its own covariance" if sigma else ""
    return f"it jumps by {one.km:,.3g} km{sigmas}, more than a thrust explains"


def _sigma_at(segment: Segment, at: Instant) -> float | None:
    """Return the 1-sigma error of the nearest covariance before an instant, m; None: there is none."""
    if not len(segment.covariance_epochs) or not segment.epochs[0] <= at <= segment.epochs[-1]:
        return None
    place = int(np.searchsorted(segment.covariance_epochs, at, side="right")) - 1
    return float(sigma_m(segment)[max(place, 0)])


def _stray(segment: Segment, parts: Sequence[Segment]) -> list[Jump]:
    """Return states between two parts that fit together, far from both."""
    found = []
    for before, after in pairwise(part for part in parts if len(part.epochs) >= POINTS):
        between = np.flatnonzero((segment.epochs > before.epochs[-1]) & (segment.epochs < after.epochs[0]))
        if not len(between):
            continue
        span = window(before.usable_to, 0.0)
        gap_s = float((after.usable_from - before.usable_to) / np.timedelta64(1, "us")) / 1e6
        times_s = (segment.epochs[[*between, between[-1] + 1]] - span.start) / np.timedelta64(1, "us") / 1e6
        on_path = Interpolated(tracks_of([before, after], span), span, np.arange(2), gap_s)
        which = np.zeros(len(times_s), np.int32)
        _, ahead_km, v_km_s = on_path.at(which, times_s)
        _, r_km, behind_km_s = on_path.at(np.ones(1, np.int32), np.array([gap_s]))
        thrust_km = float(np.linalg.norm(behind_km_s[0] - v_km_s[-1])) * gap_s
        if np.linalg.norm(r_km[0] - ahead_km[-1]) > JUMP_KM + thrust_km:
            continue  # a jump of all that follows
        away_km = np.linalg.norm(segment.r_teme_km[between] - ahead_km[:-1], axis=1)
        found += [
            Jump(segment.epochs[i], float(km))
            for i, km in zip(between.tolist(), away_km, strict=True)
            if km > JUMP_KM + thrust_km
        ]
    return found


def thrusts(cut: Cut, jumped: Sequence[Jump]) -> list[Instant]:
    """Return when a path thrusts: where it was cut, but at its jumps."""
    elsewhere = np.array([one.at for one in jumped], "M8[us]")
    found = []
    for parts in cut:
        for before, after in pairwise(parts):
            if not ((elsewhere >= before.epochs[-1]) & (elsewhere <= after.epochs[0])).any():
                found.append(before.epochs[-1])
    return found


def check_departure(judge: Judge, away: Sequence[Distance], cut: Cut, thrust_at: Sequence[Instant]) -> None:
    """Find where a path is too far from the element set for errors, and for a thrust of its own."""
    usable = [part for parts in cut for part in parts if len(part.epochs) >= POINTS]
    begins = {away[0].at, *beginnings(usable)}
    far = [(one, "" if one.at in begins else _explained(one, thrust_at)) for one in away if one.is_far]
    if not far:
        return
    one, why = next((each for each in far if not each[1]), far[0])
    judge.add(
        "departure",
        f"it is {one.km:,.0f} km from the element set, {one.sigmas:,.0f} times its 1-sigma error{why}",
        value=one.km,
        at=one.at,
        severity="warning" if why else None,
    )


def _explained(one: Distance, thrust_at: Sequence[Instant]) -> str:
    """Return why a path may be so far from the element set; empty: there is no reason."""
    if thrust_at and one.at > thrust_at[0]:
        return ", after a thrust"
    return f", {one.age_days:.1f} days from its epoch" if one.age_days > VALID_DAYS else ""
