"""The steps of a run: prepare, search, rate, publish. The scheduled flow makes each step a Prefect task."""

import logging
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from flows.cluster.fan_out import Progress, cluster, screen_on_cluster, told_with_limit
from flows.cluster.remote import certificates_of
from flows.runs.ephemeris import staged_ephemeris
from flows.runs.known_objects import knowledge_of, known_objects
from flows.settings import FlowSettings
from flows.sources.catalogues import Source
from screening.errors import StoreError
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.score import score
from screening.search.all_pairs.assemble import co_orbiting, join
from screening.search.all_pairs.plan import Plan, plan
from screening.search.request import check_request, default_start, old_epochs
from screening.search.results import Screening
from screening.search.staying_close.crowds import check_crowd, check_same_sets
from screening.search.staying_close.same_sets import same_sets
from screening.synthetic.marks import is_synthetic
from screening.vocabulary import OBJECT_TYPES
from storage.machine.kernel_folder import kernels_below
from storage.rows.run_record import Run
from storage.times import naive_utc
from storage.writing.objects_table import ObjectArray, set_complexes
from storage.writing.publish import publish_run
from storage.writing.retention import compact, retention_of

VERSIONS_OF = ("skysieve", "numpy", "numba", "sgp4", "duckdb", "dask")

Function = TypeVar("Function", bound=Callable[..., Any])

log = logging.getLogger("skysieve")


class Request(NamedTuple):
    """What to screen."""

    start: np.datetime64 | None  # UTC; None: now, or the time of a historic catalogue
    hours: float
    threshold_km: float


class Prepared(NamedTuple):
    """A catalogue ready to be screened, and the window."""

    source: Source
    span: TimeWindow
    threshold_km: float
    historic: bool
    synthetic: bool
    old_epochs: int  # element sets with an epoch more than 30 days from the window
    started: datetime  # UTC


class Outcome(NamedTuple):
    """The result of a run."""

    run_id: str
    prepared: Prepared
    screening: Screening
    seconds_by_stage: dict[str, float]
    problem: str  # why nothing could expire in the store; empty: nothing prevented it


class Reporter(NamedTuple):
    """Receives reports on the progress of a run."""

    stage: Callable[[str], None]
    planned: Callable[[Plan], None]
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
    prepared = step("prepare", prepare)(source, request, datetime.now(UTC))
    screening = step("screen", search)(prepared, settings, stages, report)
    with ExitStack() as until_published:
        with stages("rate"):
            objects = known_objects(settings.store, source.content.elements)
            set_complexes(objects, screening.proximities)
            payload = objects["object_type"] == OBJECT_TYPES.index("payload")
            ephemeris = until_published.enter_context(
                staged_ephemeris(source.content.elements, prepared.span, settings, payload)
            )
            conjunctions = step("rate", rate)(prepared, screening, objects, settings.workers)
        with stages("publish"):
            run_id = step("publish", publish)(
                prepared, screening, conjunctions, objects, settings.store, stages.seconds, ephemeris
            )
            report.published(run_id)
    with stages("compact"):
        problem = remove_expired(settings, datetime.now(UTC))
    return Outcome(run_id, prepared, screening, stages.seconds, problem)


def prepare(source: Source, request: Request, now: datetime) -> Prepared:
    """Determine the window of a run that starts `now` (UTC)."""
    check_request(request.hours, request.threshold_km)
    elements = source.content.elements
    start = default_start(elements, np.datetime64(naive_utc(now), "us"))
    span = window(start.instant if request.start is None else request.start, request.hours)
    return Prepared(
        source=source,
        span=span,
        threshold_km=request.threshold_km,
        historic=start.historic,
        synthetic=is_synthetic(elements),
        old_epochs=int(old_epochs(elements, span).sum()),
        started=now,
    )


def search(prepared: Prepared, settings: FlowSettings, stages: Stages, report: Reporter) -> Screening:
    """Find all encounters and proximities of the window, on the cluster that the settings name."""
    kernels_below(settings.kernel_cache)
    elements, span = prepared.source.content.elements, prepared.span
    with ExitStack() as until_screened:
        with stages("start workers"):
            workers = until_screened.enter_context(
                cluster(settings.scheduler, settings.workers, certificates_of(settings))
            )
            threads = sum(workers.client.nthreads().values())
        with stages("screen"):
            sets, most = same_sets(elements), settings.max_events
            propagator = Propagator(elements, span)
            with told_with_limit(most):
                check_same_sets(elements, sets, most)
                check_crowd(propagator.subset(sets.first), sets, most)
            cut = plan(len(sets.first), span.seconds, prepared.threshold_km, threads)
            report.planned(cut)
            beside = until_screened.enter_context(ThreadPoolExecutor(1)).submit(
                lambda: co_orbiting(elements, propagator, prepared.threshold_km, most=most)
            )
            parts = screen_on_cluster(
                workers,
                elements,
                span,
                prepared.threshold_km,
                cut,
                report.progress,
                max_events=settings.max_events,
            )
    with stages("join"), told_with_limit(most):
        return join(beside.result(), prepared.threshold_km, parts, most=most)


def rate(prepared: Prepared, screening: Screening, objects: ObjectArray, threads: int) -> ConjunctionArray:
    """Rate the encounters with what is known about the objects (in the order of the elements)."""
    elements = prepared.source.content.elements
    return score(screening.encounters, elements, prepared.span, knowledge_of(objects), threads)


def publish(
    prepared: Prepared,
    screening: Screening,
    conjunctions: ConjunctionArray,
    objects: ObjectArray,
    store: Path,
    seconds_by_stage: dict[str, float],
    ephemeris: Callable[[], Path | None] = lambda: None,
) -> str:
    """Publish the run in the store, with the ephemeris that is being staged, and return its id."""
    codes = [failure.code for failure in screening.failures.values()]
    source = prepared.source
    run = Run(
        source=source.name,
        catalogue_sha256=source.sha256,
        started=prepared.started,
        finished=datetime.now(UTC),
        window_start=prepared.span.start.astype(datetime),
        window_end=prepared.span.end.astype(datetime),
        threshold_km=prepared.threshold_km,
        historic=prepared.historic,
        synthetic=prepared.synthetic,
        failed_by_code={code: codes.count(code) for code in sorted(set(codes))},
        flagged_old_epoch=prepared.old_epochs,
        candidates=screening.candidates,
        seconds_by_stage=dict(seconds_by_stage),
        versions=_versions(),
        rejected=source.content.more_rejected,
    )
    catalogue = source.content
    return publish_run(
        store,
        run,
        conjunctions,
        screening.proximities,
        catalogue.elements,
        rejected=catalogue.rejected,
        objects=objects,
        ephemeris=ephemeris,
    )


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


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in VERSIONS_OF}
