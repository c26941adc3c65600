"""How one object's files did over time: when each came, what was missing between, how far they were off."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.ephemeris_checks.successive import Difference, difference
from storage.times import datetime64_us, time_text, utc_datetime
from storage.trajectories.kept import trajectories_of
from storage.trajectories.scores import Outage, ScoredFile, ScoredLead, TrajectoryScorecard
from storage.trajectories.trajectory_file import Trajectory

MOST_FILES = 60  # the last ones
LEADS_HOURS = (0.0, 6.0, 12.0, 24.0, 48.0, 72.0, 168.0, np.inf)
_LONGEST_THRUST_HOURS = 1.0  # a file may have no states while its object thrusts
_CHI_SQUARE_95 = 7.815  # of three degrees of freedom


def scorecard(store: Path, norad_id: int) -> TrajectoryScorecard:
    """Return how the definitive trajectories of an object did, each against the one that came next.

    Raises StoreError if the store cannot be read.
    """
    files = [one for one in trajectories_of(store, norad_id, None) if one.about.kind == "definitive"]
    files = sorted(files, key=lambda one: (one.about.added, one.ephemeris.segments[0].usable_from))
    files = files[-MOST_FILES:]
    pairs = [difference(older.ephemeris, newer.ephemeris) for older, newer in pairwise(files)]
    beside = [*pairs, None] if files else []
    scored = [_scored(one, pair) for one, pair in zip(files, beside, strict=True)]
    return TrajectoryScorecard(norad_id, scored, _by_lead(pairs), _outages(files))


def _scored(one: Trajectory, pair: Difference | None) -> ScoredFile:
    begins, ends = one.ephemeris.segments[0].usable_from, one.ephemeris.segments[-1].usable_to
    overlap_hours, largest_m = 0.0, None
    if pair is not None and len(pair.lead_hours):
        overlap_hours = round(float(np.ptp(pair.lead_hours)), 3)
        largest_m = round(float(np.linalg.norm(pair.off_rtn_m, axis=1).max()), 3)
    return ScoredFile(
        id=one.id,
        source=one.about.source,
        added=time_text(one.about.added),
        begins=_text(begins),
        ends=_text(ends),
        age_hours=round(_hours(datetime64_us(one.about.added) - begins), 3),
        overlap_hours=overlap_hours,
        largest_m=largest_m,
    )


def _by_lead(pairs: Sequence[Difference]) -> list[ScoredLead]:
    if not pairs:
        return []
    lead_hours = np.concatenate([one.lead_hours for one in pairs])
    off_m = np.concatenate([one.off_rtn_m for one in pairs])
    chi_square = np.concatenate([one.chi_square for one in pairs])
    found = []
    for begin, end in pairwise(LEADS_HOURS):
        here = (lead_hours >= begin) & (lead_hours < end)
        if here.any():
            found.append(_lead(begin, end, off_m[here], chi_square[here]))
    return found


def _lead(begin: float, end: float, off_m: FloatArray, chi_square: FloatArray) -> ScoredLead:
    r_m, t_m, n_m = (round(float(x), 3) for x in np.sqrt((off_m**2).mean(axis=0)))
    given = chi_square[np.isfinite(chi_square)]
    return ScoredLead(
        from_hours=begin,
        to_hours=end if np.isfinite(end) else None,
        compared=len(off_m),
        radial_m=r_m,
        in_track_m=t_m,
        cross_track_m=n_m,
        chi_square=round(float(given.mean()), 4) if len(given) else None,
        within_95=round(float((given <= _CHI_SQUARE_95).mean()), 4) if len(given) else None,
    )


def _outages(files: Sequence[Trajectory]) -> list[Outage]:
    """Return when no file had states, between the first and the last of all."""
    spans = sorted((part.usable_from, part.usable_to) for one in files for part in (one.ephemeris.segments))
    found, covered = [], spans[0][1] if spans else None
    for begin, end in spans[1:]:
        assert covered is not None
        if _hours(begin - covered) > _LONGEST_THRUST_HOURS:
            found.append(Outage(_text(covered), _text(begin), round(_hours(begin - covered), 3)))
        covered = max(covered, end)
    return found


def _hours(time: np.timedelta64) -> float:
    return float(time / np.timedelta64(1, "s")) / 3600.0


def _text(instant: np.datetime64) -> str:
    return time_text(utc_datetime(instant))
