"""How one object's files did over time: when each came, what was missing between, how far they were off."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.ephemeris_checks.successive import Difference, difference
from storage.times import datetime64_us, time_text, utc_datetime
from storage.trajectories.kept import trajectories, trajectories_of, trajectories_with
from storage.trajectories.scores import Outage, ScoredFile, ScoredLead, ScoredProvider, TrajectoryScorecard
from storage.trajectories.trajectory_file import Trajectory

MOST_FILES = 60  # the last ones
LEADS_HOURS = (0.0, 6.0, 12.0, 24.0, 48.0, 72.0, 168.0, np.inf)
_LONGEST_THRUST_HOURS = 1.0  # a file may have no states while its object thrusts
_CHI_SQUARE_95 = 7.815  # of three degrees of freedom


def scorecard(store: Path, norad_id: int) -> TrajectoryScorecard:
    """Return how the definitive trajectories of an object did, each against the one that came next.

    Raises StoreError if the store cannot be read.
    """
    files = _last(one for one in trajectories_of(store, norad_id, None) if one.about.kind == "definitive")
    pairs = _beside_the_next(files)
    beside = [*pairs, None] if files else []
    scored = [_scored(one, pair) for one, pair in zip(files, beside, strict=True)]
    return TrajectoryScorecard(norad_id, scored, _by_lead(pairs), _outages(files))


def scorecard_by_provider(store: Path) -> list[ScoredProvider]:
    """Return how the definitive trajectories of each provider did, over all its objects, by name.

    Each file beside the next one of the same object and provider. Only one object's files are in memory.

    Raises StoreError if the store cannot be read.
    """
    ids: dict[tuple[str, int], list[str]] = {}
    for one in trajectories(store):
        if one.about.kind == "definitive":
            ids.setdefault((one.about.added_by, one.norad_id), []).append(one.id)
    found = []
    for provider, of_it in groupby(sorted(ids), key=lambda key: key[0]):
        pairs: list[Difference] = []
        outages: list[Outage] = []
        ages: list[float] = []
        objects = list(of_it)
        for key in objects:
            files = _last(trajectories_with(store, ids[key]))
            pairs += _beside_the_next(files)
            outages += _outages(files)
            ages += [_age_hours(one) for one in files]
        found.append(
            ScoredProvider(
                provider=provider,
                objects=len(objects),
                files=len(ages),
                age_hours=round(float(np.median(ages)), 3) if ages else None,
                outages=len(outages),
                outage_hours=round(sum(one.hours for one in outages), 3),
                by_lead=_by_lead(pairs),
            )
        )
    return found


def _last(files: Iterable[Trajectory]) -> list[Trajectory]:
    """Return the last files in the order in which they were added."""
    in_order = sorted(files, key=lambda one: (one.about.added, one.ephemeris.segments[0].usable_from))
    return in_order[-MOST_FILES:]


def _beside_the_next(files: Sequence[Trajectory]) -> list[Difference]:
    return [difference(older.ephemeris, newer.ephemeris) for older, newer in pairwise(files)]


def _age_hours(one: Trajectory) -> float:
    """Return how old a file was when it was added, from its first instant."""
    return _hours(datetime64_us(one.about.added) - one.ephemeris.segments[0].usable_from)


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
        age_hours=round(_age_hours(one), 3),
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
