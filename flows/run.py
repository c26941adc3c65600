"""How one run goes, as plain functions: read, check, screen, rate, publish."""

import hashlib
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flows.fan_out import Progress, cluster, screen_on_cluster
from flows.settings import FlowSettings
from screening.errors import InputError
from screening.orbits.catalogue import parse_catalogue
from screening.orbits.elements import Catalogue
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.score import score
from screening.search.assemble import Screening, assemble
from screening.search.plan import Plan, plan
from screening.search.request import check_request, default_start, old_epochs
from storage.publish import publish_run
from storage.runs import Run

VERSIONS_OF = ("skysieve", "numpy", "numba", "sgp4", "duckdb", "dask")


class Source(NamedTuple):
    """A catalogue as it came, and where from."""

    name: str
    text: bytes


class Request(NamedTuple):
    """What is to be screened."""

    start: np.datetime64 | None  # UTC; None: now, or the time of a historic catalogue
    hours: float
    threshold_km: float


class Outcome(NamedTuple):
    """What a run led to."""

    run_id: str
    catalogue: Catalogue
    screening: Screening
    span: TimeWindow
    historic: bool
    old_epochs: int
    seconds_by_stage: dict[str, float]


class Reporter(NamedTuple):
    """Whom a run tells how it goes."""

    stage: Callable[[str], None]
    planned: Callable[[Plan], None]
    progress: Progress


class Stages:
    """The stages of a run, timed and reported as they begin."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self.seconds: dict[str, float] = {}
        self._report = report

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        self._report(name)
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began


def read_file(path: Path) -> Source:
    """Read a catalogue file; raises InputError if it cannot be read."""
    try:
        return Source(str(path), path.read_bytes())
    except OSError as error:
        raise InputError(
            f"The catalogue {path.absolute()} cannot be read ({error.strerror}). Expected a file with "
            "element sets, OMM (CSV, JSON, XML, KVN) or TLE."
        ) from error


def run_catalogue(source: Source, request: Request, settings: FlowSettings, report: Reporter) -> Outcome:
    """Screen a catalogue, publish the run in the store, and return what it led to.

    Raises InputError for a catalogue or a request that cannot be screened, ClusterError if the workers fail
    and StoreError if the run cannot be published; the store is then as it was.
    """
    started = datetime.now(UTC)
    check_request(request.hours, request.threshold_km)
    stages = Stages(report.stage)
    with stages("read"):
        catalogue = parse_catalogue(source.text, source_name=source.name)
        span, historic = _window(catalogue, request, started)
        old = int(old_epochs(catalogue.elements, span).sum())
    screening = _screen(catalogue, span, request.threshold_km, settings, report, stages)
    with stages("rate"):
        conjunctions = score(screening.encounters, catalogue.elements, span)
    with stages("publish"):
        run = _record(source, request, span, historic, old, started, screening, stages.seconds)
        run_id = publish_run(
            settings.store,
            run,
            conjunctions,
            screening.proximities,
            catalogue.elements,
            rejected=catalogue.rejected,
        )
    return Outcome(run_id, catalogue, screening, span, historic, old, stages.seconds)


def _window(catalogue: Catalogue, request: Request, started: datetime) -> tuple[TimeWindow, bool]:
    now = np.datetime64(started.replace(tzinfo=None), "us")
    start = default_start(catalogue.elements, now)
    return window(start.instant if request.start is None else request.start, request.hours), start.historic


def _screen(
    catalogue: Catalogue,
    span: TimeWindow,
    threshold_km: float,
    settings: FlowSettings,
    report: Reporter,
    stages: Stages,
) -> Screening:
    with ExitStack() as until_screened:
        with stages("start workers"):
            client = until_screened.enter_context(cluster(settings.scheduler, settings.workers))
            workers = len(client.scheduler_info()["workers"])
        with stages("screen"):
            cut = plan(len(catalogue.elements), span.seconds, workers)
            report.planned(cut)
            parts = screen_on_cluster(client, catalogue.elements, span, threshold_km, cut, report.progress)
    with stages("join"):
        return assemble(catalogue.elements, span, threshold_km, parts)


def _record(
    source: Source,
    request: Request,
    span: TimeWindow,
    historic: bool,
    old: int,
    started: datetime,
    screening: Screening,
    seconds_by_stage: dict[str, float],
) -> Run:
    codes = [failure.code for failure in screening.failures.values()]
    return Run(
        source=source.name,
        catalogue_sha256=hashlib.sha256(source.text).hexdigest(),
        started=started,
        finished=datetime.now(UTC),
        window_start=span.start.astype(datetime),
        window_end=span.end.astype(datetime),
        threshold_km=request.threshold_km,
        historic=historic,
        failed_by_code={code: codes.count(code) for code in sorted(set(codes))},
        flagged_old_epoch=old,
        candidates=screening.candidates,
        seconds_by_stage=dict(seconds_by_stage),
        versions=_versions(),
    )


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in VERSIONS_OF}
