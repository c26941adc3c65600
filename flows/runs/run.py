"""The steps of a run: prepare, search and rate, publish. The scheduled flow makes each a Prefect task."""

import logging
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from flows.cluster.certificates import certificates_of
from flows.cluster.fan_out import Progress, capacity, cluster, parts_on_cluster, told_with_limit
from flows.cluster.threads import Threads
from flows.runs.ephemeris import Writing, staged_ephemeris
from flows.runs.forecast import refuse_what_does_not_fit
from flows.runs.planning import forecast_of, this_machine
from flows.runs.skipped_sources import record_skipped
from flows.settings import FlowSettings
from flows.sources.files import Source
from screening.encounters import EncounterArray, ProximityArray, among_themselves
from screening.errors import SkysieveError, StoreError
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.texts.unreadable import mostly_rejected
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.objects.known_paths import known_paths
from screening.risk.score import score
from screening.search.all_pairs.assemble import co_orbiting, join
from screening.search.all_pairs.chosen_plan import Planned
from screening.search.request import Start, catalogue_epoch, check_request, default_start, old_epochs
from screening.search.results import Failure
from screening.search.staying_close.crowds import check_count, check_crowd, check_same_sets
from screening.search.staying_close.same_sets import first_paths
from screening.synthetic.marks import is_synthetic
from screening.vocabulary import OBJECT_TYPES
from storage.histories.fitted_laws import SHIPPED
from storage.machine.allocator import give_back_freed
from storage.machine.kernel_folder import kernels_below
from storage.manoeuvres.kept import ManoeuvreArray
from storage.reading.known_objects import knowledge_of, look_up
from storage.rows.run_record import Run
from storage.sky.decays import forecast_decays
from storage.sky.environment import count_environment
from storage.sky.note import note_changes
from storage.times import datetime64_us, utc_datetime
from storage.trajectories.flown import flown
from storage.trajectories.kept import definitive_trajectories
from storage.verification.judge import judge
from storage.writing.found_events import FoundEvents
from storage.writing.objects_table import ObjectArray, set_complexes, set_on_ephemerides
from storage.writing.publish import publish_run
from storage.writing.retention import compact, retention_of

VERSIONS_OF = ("skysieve", "numpy", "numba", "sgp4", "duckdb", "dask")

Function = TypeVar("Function", bound=Callable[..., Any])

log = logging.getLogger("skysieve")


class Request(NamedTuple):
    """What to screen."""

    start: np.datetime64 | None  # UTC; None: now, or the time of a historic catalogue if that is allowed
    hours: float
    threshold_km: float
    processes: int = 0  # that search on this machine instead of threads, with one thread each
    may_be_historic: bool = True  # whether an old catalogue is screened in its own time
    as_of: datetime | None = None  # UTC: the run is a replay of this time; None: it is of now


class Prepared(NamedTuple):
    """A catalogue ready to be screened, and the window."""

    source: Source
    span: TimeWindow
    threshold_km: float
    historic: bool
    replay: bool
    synthetic: bool
    old_epochs: int  # element sets with an epoch more than 30 days from the window
    started: datetime  # UTC
    elements: ElementArray  # of the catalogue, and of objects that are known by trajectories only
    ephemerides: Ephemerides  # that replace element sets
    trajectories: tuple[str, ...]  # their ids


class Searched(NamedTuple):
    """What the search of a window has found, besides the conjunctions."""

    proximities: ProximityArray  # PROXIMITY_DTYPE, pointing into the catalogue's elements
    failures: dict[int, Failure]  # by object index
    candidates: int


class Outcome(NamedTuple):
    """The result of a run."""

    run_id: str
    prepared: Prepared
    searched: Searched
    conjunctions: int
    slow: int  # of the conjunctions
    seconds_by_stage: dict[str, float]
    problem: str  # why nothing could expire in the store; empty: nothing prevented it
    objects: ObjectArray  # what is known about the objects, in the order of `prepared.elements`


class Reporter(NamedTuple):
    """Receives reports on the progress of a run."""

    stage: Callable[[str], None]
    planned: Callable[[Planned], None]
    progress: Progress
    published: Callable[[str], None] = lambda _run_id: None


class Step(Protocol):
    """Wraps a plain function in what is called instead."""

    def __call__(self, name: str, function: Function, /) -> Function:
        """Return `function`, or a wrapper of it known as `name`."""


def plain(_name: str, function: Function) -> Function:
    """Return a step unchanged."""
    return function


class Stages:
    """The stages of a run, which are timed, and reported as they begin."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self.seconds: dict[str, float] = {}
        self.current = ""
        self._report = report

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time the block as a stage."""
        self.current = name
        self._report(name)
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began


def run_catalogue(
    source: Source,
    request: Request,
    settings: FlowSettings,
    stages: Stages,
    report: Reporter,
    step: Step = plain,
) -> Outcome:
    """Screen a catalogue, publish the run in the store, and return the result.

    Raises InputError for a request that cannot be screened, ClusterError if the workers fail, TooManyEvents
    if it finds more than the settings allow and StoreError if the run cannot be published; the store is then
    as it was.
    """
    now = request.as_of or datetime.now(UTC)
    prepared = step("prepare", prepare)(source, request, settings.store, now)
    with ExitStack() as until_published:
        with stages("look up"):
            elements, objects, manoeuvres, error_laws = look_up(
                settings.store, prepared.elements, as_of=request.as_of
            )
            prepared = prepared._replace(elements=elements)
            set_on_ephemerides(objects, prepared.ephemerides)
        payload = objects["object_type"] == OBJECT_TYPES.index("payload")
        ephemeris = until_published.enter_context(
            staged_ephemeris(prepared.elements, prepared.span, settings, payload, prepared.ephemerides)
        )
        found = until_published.enter_context(FoundEvents(settings.store))
        searched = step("screen", search)(
            prepared, objects, found, settings, stages, report, request.processes
        )
        give_back_freed()
        with stages("publish"):
            set_complexes(objects, searched.proximities)
            run_id = step("publish", publish)(
                prepared,
                searched,
                found,
                objects,
                settings.store,
                stages.seconds,
                ephemeris,
                manoeuvres,
                error_laws,
            )
            report.published(run_id)
        with stages("ephemeris"):
            ephemeris.finish(run_id, sum(stages.seconds.values()))
        conjunctions, slow = len(found), int(np.count_nonzero(found.events()["slow"]))
    with stages("verify"):
        verify_what_passed(settings.store, run_id, source.content.elements)
    with stages("sky"):
        survey_sky(settings.store, run_id, prepared, objects)
    with stages("compact"):
        problem = remove_expired(settings, _finished(prepared, stages.seconds))
    return Outcome(run_id, prepared, searched, conjunctions, slow, stages.seconds, problem, objects)


def prepare(source: Source, request: Request, store: Path, now: datetime) -> Prepared:
    """Determine the window of a run that starts `now` (UTC), and by what the objects fly in it.

    A replay is a historic run whose clock shows the time that it is of, so `now` is that.
    """
    check_request(request.hours, request.threshold_km)
    elements = source.content.elements
    this_second = datetime64_us(now.replace(microsecond=0))
    replay = request.as_of is not None
    may_be_historic = request.may_be_historic and not replay
    start = default_start(elements, this_second) if may_be_historic else Start(this_second, replay)
    span = window(start.instant if request.start is None else request.start, request.hours)
    trajectories = definitive_trajectories(store, span)
    if replay:
        trajectories = [one for one in trajectories if one.about.added <= now]
    objects = flown(elements, trajectories)
    return Prepared(
        source=source,
        span=span,
        threshold_km=request.threshold_km,
        historic=start.historic,
        replay=replay,
        synthetic=is_synthetic(elements),
        old_epochs=int(old_epochs(elements, span, mostly_rejected(source.content)).sum()),
        started=now,
        elements=objects.elements,
        ephemerides=objects.ephemerides,
        trajectories=objects.ids,
    )


def search(
    prepared: Prepared,
    objects: ObjectArray,
    found: FoundEvents,
    settings: FlowSettings,
    stages: Stages,
    report: Reporter,
    processes: int = 0,
) -> Searched:
    """Find and rate the conjunctions of the window on the cluster of the settings, and add them to `found`.

    With `processes` these search on this machine instead of threads.

    `objects` has the facts about the objects (in the order of the elements).
    """
    kernels_below(settings.kernel_cache)
    elements, span, threshold_km = prepared.elements, prepared.span, prepared.threshold_km
    known, most = knowledge_of(objects), settings.max_events
    with ExitStack() as until_screened:
        with stages("start workers"):
            workers = until_screened.enter_context(
                cluster(
                    settings.scheduler,
                    settings.workers,
                    certificates_of(settings),
                    processes,
                )
            )
            threads = capacity(workers, elements, span)
        with stages("screen"):
            propagator, flown_by = known_paths(elements, prepared.ephemerides, span)
            known = known._replace(on_ephemerides=flown_by)
            pieces = flown_by and flown_by.pieces
            firsts = first_paths(elements, propagator)
            sets = firsts.sets
            with told_with_limit(most):
                check_same_sets(elements, sets, most)
                check_crowd(firsts, most)
            machine = this_machine(settings, remote=bool(settings.scheduler), processes=processes)
            searched = sets.first
            if pieces is not None:
                searched = searched[pieces.of_objects(searched).objects]
            told = forecast_of(elements, searched, span, threshold_km, threads, machine, settings)
            refuse_what_does_not_fit(told, machine, most)
            report.planned(told.planned)
            beside = until_screened.enter_context(ThreadPoolExecutor(1)).submit(
                lambda: co_orbiting(elements, propagator, threshold_km, most=most, firsts=firsts)
            )
            unsettled = []
            parts = parts_on_cluster(
                workers,
                elements,
                firsts,
                known,
                threshold_km,
                told.planned.plan,
                report.progress,
                max_events=most,
                pieces=pieces,
            )
            with closing(parts):
                for part in parts:
                    found.add(part.conjunctions)
                    unsettled.append(part.unsettled)
    with stages("join"), told_with_limit(most):
        joined = join(beside.result(), threshold_km, unsettled, most=most)
        check_count(len(found) + len(joined.encounters), len(joined.proximities), most)
        involved, own = among_themselves(joined.encounters)
        for rated in _rated_in_threads(own, elements[involved], span, known.of(involved), settings.workers):
            found.add(rated)
    return Searched(joined.proximities, joined.failures, joined.candidates)


def _rated_in_threads(
    encounters: EncounterArray,
    elements: ElementArray,
    span: TimeWindow,
    known: ObjectKnowledge,
    threads: int,
) -> Iterator[ConjunctionArray]:
    """Yield encounters rated, every so many by one thread: a few of neighbours take nearly all the time."""
    rows = [np.arange(first, len(encounters), threads) for first in range(min(threads, len(encounters)))]
    yield from Threads(threads).results(
        lambda some, every: score(every[some], elements, span, known), rows, encounters
    )


def publish(
    prepared: Prepared,
    searched: Searched,
    found: FoundEvents,
    objects: ObjectArray,
    store: Path,
    seconds_by_stage: dict[str, float],
    ephemeris: Writing | None = None,
    manoeuvres: ManoeuvreArray | None = None,
    error_laws: str = SHIPPED,
) -> str:
    """Publish the run in the store, with its ephemeris if that is written already, and return its id."""
    codes = [failure.code for failure in searched.failures.values()]
    source = prepared.source
    run = Run(
        source=source.name,
        catalogue_sha256=source.sha256,
        started=prepared.started,
        finished=_finished(prepared, seconds_by_stage),
        window_start=utc_datetime(prepared.span.start),
        window_end=utc_datetime(prepared.span.end),
        threshold_km=prepared.threshold_km,
        historic=prepared.historic,
        replay=prepared.replay,
        error_laws=error_laws,
        synthetic=prepared.synthetic,
        failed_by_code={code: codes.count(code) for code in sorted(set(codes))},
        flagged_old_epoch=prepared.old_epochs,
        candidates=searched.candidates,
        seconds_by_stage=dict(seconds_by_stage),
        versions=_versions(),
        rejected=source.content.more_rejected,
        ephemeris=ephemeris.kept.what if ephemeris else None,
        ephemeris_reason=ephemeris.kept.reason if ephemeris else "",
        trajectories=" ".join(prepared.trajectories),
        catalogue_epoch=utc_datetime(catalogue_epoch(source.content.elements)),
        catalogue_decision=source.decision,
        catalogue_reason=source.reason,
    )
    return publish_run(
        store,
        run,
        found,
        searched.proximities,
        prepared.elements,
        rejected=source.content.rejected,
        objects=objects,
        failed=searched.failures,
        manoeuvres=manoeuvres,
        ephemeris=ephemeris.if_done if ephemeris else lambda: None,
    )


def verify_what_passed(store: Path, run_id: str, elements: ElementArray) -> None:
    """Judge earlier predictions by what has come since; why that fails is logged: the run is published."""
    try:
        judge(store, run_id, elements)
    except StoreError as error:
        log.warning("Predictions are not verified: %s", error)


def survey_sky(store: Path, run_id: str, prepared: Prepared, objects: ObjectArray) -> None:
    """Note what the run shows of the sky as a whole; why a step fails is logged and in `status`."""
    elements, span, read = prepared.elements, prepared.span, prepared.source.content
    steps: dict[str, Callable[[], object]] = {
        "changes of the catalogue": lambda: note_changes(store, run_id, read.elements, read.superseded),
    }
    if not prepared.synthetic:
        steps["re-entries"] = lambda: forecast_decays(store, run_id, elements, objects, span.start)
        steps["environment"] = lambda: count_environment(
            store, run_id, elements, objects, span, prepared.threshold_km
        )
    for name, step in steps.items():
        try:
            step()
        except SkysieveError as error:
            record_skipped(store, prepared.started, name, str(error))
        except Exception as error:  # whatever it is: the run stands
            log.exception("%s", name)
            record_skipped(store, prepared.started, name, f"{type(error).__name__}: {error}")


def remove_expired(settings: FlowSettings, now: datetime) -> str:
    """Remove expired data from the store; return what prevents it, empty if nothing does.

    That is logged and raises nothing: the run is published.
    """
    try:
        compact(settings.store, now, retention_of(settings))
    except StoreError as error:
        log.warning("Nothing expires: %s", error)
        return f"Nothing expires: {error}"
    return ""


def _finished(prepared: Prepared, seconds_by_stage: dict[str, float]) -> datetime:
    """Return the time of the end of a run, in a replay by its own clock."""
    if prepared.replay:
        return prepared.started + timedelta(seconds=sum(seconds_by_stage.values()))
    return datetime.now(UTC)


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in VERSIONS_OF}
