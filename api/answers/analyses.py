"""Find what comes near one object, on demand: plain functions for HTTP and the command line.

quick  searches the ephemeris that the newest run left: no propagation, no probability, risk by distance
full   propagates by SGP4, takes each coarse minimum through the fine stage, and rates what it finds
"""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from api.answers.basis import Basis
from api.answers.on_trajectory import on_trajectory
from api.answers.rows import EVENT_FIELDS, records
from api.errors import NotFound, NotReady
from api.models.responses import AnalysisResult
from screening.answers import same_fields
from screening.encounters import EncounterArray, among_themselves
from screening.errors import StoreError
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.conjunctions import ConjunctionArray
from screening.search.results import Screening
from storage.analyses.asked import Bounds
from storage.analyses.stored import Analysis, store_analysis
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.rows.records import proximity_table
from storage.times import datetime64_us, utc_datetime, utc_rows
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import AnalysisMode

# The search is imported where it is used: it imports numba, which an idle service does not need.

IndexArray = npt.NDArray[np.int32]
# Of analyses on demand: per mode, and events in all; the oldest are replaced.
KEPT = Bounds(analyses=100, events=50_000)
Rate = Callable[[EncounterArray], ConjunctionArray]


class Question(NamedTuple):
    """The request for an analysis."""

    mode: AnalysisMode
    primary_norad_id: int
    hours: float
    threshold_km: float
    trajectory: Trajectory | None = None  # the path of that object, in place of what it flies in the run


def question_on(trajectory: Trajectory, hours: float, threshold_km: float) -> Question:
    """Return the question what comes near a trajectory."""
    return Question("full", trajectory.ephemeris.norad_id, hours, threshold_km, trajectory)


class Answer(NamedTuple):
    """The result of an analysis, as stored."""

    primary_norad_id: int
    trajectory_id: str | None  # that it was on; None: as the run had it
    analyzed_at: datetime  # UTC
    total_candidates: int
    total_events: int  # found; `events` may have only the nearest of them
    events: pa.Table  # rows of the table `analyses`, the nearest first
    proximities: pa.Table  # rows of the table `proximities`
    covered_until: datetime  # UTC; later approaches are unknown
    searched: Literal["all", "payloads"]  # objects among which it was searched


def analyse(
    basis: Basis,
    question: Question,
    store: Path,
    now: datetime,
    *,
    max_events: int | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> Answer:
    """Answer a question from `now` on (UTC), or from a historic window's start on, and store the answer.

    Of a trajectory only its usable span is searched, and the window begins with it, if it begins later; what
    a hypothetical one meets is not stored. Only the nearest `max_events` are rated, stored and returned.
    `go_on` is called between portions of the work, and may raise; nothing is stored then.

    Raises:
        NotFound: the run has no such object.
        BadParameter: the trajectory has ended, or begins too late.
        NotReady: the mode is quick, and the newest run left no ephemeris, none of the object, or it has
            ended.
        StoreError: the answer cannot be stored.
    """
    begins = basis.run.window_start if basis.run.historic else now
    span = window(datetime64_us(begins), question.hours)
    if question.trajectory is not None:
        basis, span = on_trajectory(basis, question.trajectory, span)
    place = _place(basis, question.primary_norad_id)
    if question.mode == "quick":
        span = _covered(basis, span, question.primary_norad_id)
    go_on()
    screening, rate = _searched(basis, question, span, place)
    go_on()
    found = len(screening.encounters)
    screening = _nearest(screening, max_events)
    rated = rate(screening.encounters)
    go_on()
    computed_at = datetime.now(UTC)
    rows = store_analysis(
        store,
        Analysis(
            mode=question.mode,
            primaries=(question.primary_norad_id,),
            run_id=basis.run.run_id,
            basis=basis.run.run_id,
            start=None,
            hours=question.hours,
            threshold_km=question.threshold_km,
            computed_at=computed_at,
            synthetic=basis.run.synthetic,
        ),
        rated,
        basis.elements,
        KEPT,
        keep=question.trajectory is None or question.trajectory.about.kind == "definitive",
    )
    start = utc_datetime(span.start)
    return Answer(
        primary_norad_id=question.primary_norad_id,
        trajectory_id=question.trajectory and question.trajectory.id,
        analyzed_at=computed_at,
        total_candidates=screening.candidates,
        total_events=found,
        events=rows.sort_by([("miss_distance_m", "ascending")]),
        proximities=proximity_table(screening.proximities, basis.elements, start, run_id=basis.run.run_id),
        covered_until=_known_until(screening, span, int(place[0])),
        searched="payloads" if question.mode == "quick" and _of_payloads_only(basis) else "all",
    )


def _place(basis: Basis, norad_id: int) -> IndexArray:
    numbers = basis.elements["norad_id"]
    place = int(np.searchsorted(numbers, norad_id))
    if place == len(numbers) or numbers[place] != norad_id:
        raise NotFound(
            f"No object {norad_id} among the {len(numbers):,} objects of the run {basis.run.run_id}."
        )
    return np.array([place], np.int32)


def _of_payloads_only(basis: Basis) -> bool:
    assert not isinstance(basis.ephemeris, StoreError)
    return len(basis.ephemeris.norad_ids) < len(basis.elements)


def _covered(basis: Basis, span: TimeWindow, norad_id: int) -> TimeWindow:
    """Return the part of a window that the ephemeris covers for an object."""
    from storage.disk.ephemeris_states import NotKept, NotYet

    if isinstance(basis.ephemeris, NotKept | NotYet):
        raise NotReady(str(basis.ephemeris)) from basis.ephemeris
    if isinstance(basis.ephemeris, StoreError):
        raise NotReady(
            f"Run {basis.run.run_id} has no usable ephemeris; the next run will write one. Until then use "
            "mode `full`."
        ) from basis.ephemeris
    if _of_payloads_only(basis) and norad_id not in basis.ephemeris.norad_ids:
        payloads, objects = len(basis.ephemeris.norad_ids), len(basis.elements)
        raise NotReady(
            f"The run {basis.run.run_id} left an ephemeris of its {payloads:,} payloads only, because that "
            f"of all {objects:,} objects would be larger than SKYSIEVE_EPHEMERIS_MAX_MB allows: {norad_id} "
            "has none. Use mode `full`."
        )
    left_s = float((basis.ephemeris.end - span.start) / np.timedelta64(1, "us")) / 1e6
    if left_s <= 0.0:
        raise NotReady(
            f"The ephemeris of the run {basis.run.run_id} ended at {basis.ephemeris.end}Z; the next run "
            "brings a new one. Use mode `full`."
        )
    return span._replace(seconds=min(span.seconds, left_s))


def _searched(
    basis: Basis, question: Question, span: TimeWindow, place: IndexArray
) -> tuple[Screening, Rate]:
    """Return what is found, and what rates it."""
    from screening.risk.objects.known_paths import known_of_ephemerides, known_paths
    from screening.risk.score import by_distance, score
    from screening.search.few_objects.from_ephemeris import screen_on_ephemeris
    from screening.search.few_objects.primary import screen_by_fine_stage

    elements = basis.elements
    if question.mode == "quick":
        assert not isinstance(basis.ephemeris, StoreError)
        screening = screen_on_ephemeris(elements, basis.ephemeris, span, question.threshold_km, place)
        given = known_of_ephemerides(elements, basis.flown_by, span)
        return screening.asked_first(place), lambda found: by_distance(found, elements, span, given)
    paths, on_ephemerides = known_paths(elements, basis.flown_by, span)
    known = basis.known._replace(on_ephemerides=on_ephemerides)
    screening = screen_by_fine_stage(elements, paths, question.threshold_km, place)

    def rated(found: EncounterArray) -> ConjunctionArray:
        involved, own = among_themselves(found)
        return score(own, elements[involved], span, known.of(involved))

    return screening.asked_first(place), rated


def _nearest(screening: Screening, max_events: int | None) -> Screening:
    encounters = screening.encounters
    if max_events is None or len(encounters) <= max_events:
        return screening
    nearest = np.argsort(encounters["miss_distance_km"], kind="stable")[:max_events]
    return screening._replace(encounters=encounters[np.sort(nearest)])


def _known_until(screening: Screening, span: TimeWindow, place: int) -> datetime:
    """Return the end of the window, or when SGP4 fails for the object itself for the rest of it."""
    failure = screening.failures.get(place)
    seconds = span.seconds if failure is None or math.isnan(failure.lost_s) else failure.lost_s
    return utc_datetime(span._replace(seconds=seconds).end)


def analysis_result(found: Answer) -> AnalysisResult:
    """Return an analysis as HTTP and `skysieve analyze --json` have it."""
    events = (tuple(row.values()) for row in utc_rows(found.events.select(EVENT_COLUMNS)))
    return AnalysisResult(
        **same_fields(AnalysisResult, found)
        | {"events": records(EVENT_FIELDS, events), "proximities": utc_rows(found.proximities)},
        truncated=found.total_events > len(found.events),
    )
