"""Screen a catalogue as the command `skysieve screen` does."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from numbers import Real
from operator import index
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, SupportsIndex, cast

import numpy as np
import pyarrow as pa

from flows.alerts.outbox import note_published
from flows.runs.display import summary, summary_of_primaries
from flows.runs.fleet_look import fleet_look
from flows.runs.primaries import run_primaries
from flows.runs.run import Prepared, Reporter, Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.files import Source
from flows.sources.history import check_past, read_history
from screening.errors import SkysieveError, UsageError
from screening.search.all_pairs.chosen_plan import Planned
from screening.search.request import check_request
from screening.vocabulary import DEFAULT_LOOK_AHEAD_HOURS, DEFAULT_THRESHOLD_KM
from skysieve.catalogue import Catalogue, source_of
from skysieve.run import Run, RunFacts, TableName
from skysieve.store import Store
from storage.disk.connections import is_interrupt
from storage.disk.run_ids import stamp
from storage.machine.garbage_collection import seldom_collected
from storage.reading.known_objects import known_objects
from storage.rows.records import proximity_table
from storage.settings import load_settings
from storage.shell.options import instant_of
from storage.times import aware_utc, datetime64_us, utc_datetime
from storage.writing.objects_table import ObjectArray, object_table, set_complexes, set_on_ephemerides

Progress = Callable[[str, float], object]

_FINISHED = "finished"
_OPTION = re.compile(r"(?<![^\s(`])--([a-z]+(?:-[a-z]+)*)")


def screen(
    catalogue: Catalogue | None = None,
    *,
    as_of: str | datetime | np.datetime64 | None = None,
    start: str | datetime | np.datetime64 | None = None,
    hours: float = DEFAULT_LOOK_AHEAD_HOURS,
    threshold_km: float = DEFAULT_THRESHOLD_KM,
    primary: Iterable[int] | None = None,
    workers: int | None = None,
    store: "str | PathLike[str] | None" = None,
    progress: Progress | None = None,
) -> Run:
    """Find all close approaches in a catalogue, rate them, and return them in memory.

    This is what `skysieve screen` does, with its settings (the SKYSIEVE_ variables) where no argument stands
    for them, and the same numbers. The first call on a machine compiles the search, about 20 s.

    Args:
        catalogue: the element sets.
        as_of: instead of a catalogue, a past time: the element sets that the history of `store` had then, of
            each object the newest. The window starts then, unless `start` is given, and the run is a replay.
        start: start of the window: a datetime, or a text in ISO 8601; UTC without a zone, as `as_of`. None:
            now, or the time of a catalogue more than 7 days old.
        hours: length of the window, 0.1 to 720.
        threshold_km: events closer than this are found, 0.1 to 100.
        primary: catalogue numbers: search only what comes near these objects, in one thread.
        workers: threads that search; None: one per core.
        store: folder of a store in which the run is published, as the command does, or the analysis of
            `primary` is kept. Facts, histories and ephemerides of objects are those of this store. None: a
            temporary one, without any of these, which is removed before the call returns or raises.
        progress: called with the name of the stage and how much of the search is done, 0 to 1, in the thread
            of the call; last with "finished" and 1. What it raises ends the run. Nothing is published then,
            unless the run was already.

    >>> import skysieve
    >>> run = skysieve.screen(skysieve.read_catalogue("catalogue.csv"), hours=3)
    >>> run.window_end - run.window_start
    datetime.timedelta(seconds=10800)
    >>> bool((run.conjunctions["miss_distance_m"] < 10_000).all())
    True

    Raises:
        UsageError: an argument is out of range, or the catalogue has no such `primary`.
        InputError: the history has no element set that was known at `as_of`.
        SkysieveError: the run needs more than there is, finds more than allowed, or cannot be published.
    """
    if not isinstance(catalogue, Catalogue | None):
        raise UsageError(
            f"screen takes a Catalogue, not a {type(catalogue).__name__}: read_catalogue(path) reads one, "
            "Catalogue.from_dataframe(frame) makes one."
        )
    _check_numbers(hours=hours, threshold_km=threshold_km)
    check_request(hours, threshold_km)
    numbers = _numbers(primary, workers)
    told = progress or (lambda _stage, _done: None)
    with _in_words_of_python(), seldom_collected(), _folder(store) as folder:
        check_past(catalogue=catalogue is not None, as_of=as_of is not None, primaries=bool(numbers))
        then = _instant("as_of", as_of)
        past = None if then is None else utc_datetime(then)
        if past is not None and store is None:
            raise UsageError("as_of screens the history of a store: name its folder as store.")
        request = Request(_instant("start", start), hours, threshold_km, as_of=past)
        settings = load_settings(
            FlowSettings,
            store=folder,
            workers=workers,
            threshold_km=threshold_km,
            look_ahead_hours=hours,
            ephemeris_max_mb=0.0 if store is None else None,  # for analyses later
        )
        read = None if past is None else read_history(settings.store, past)
        source = read or source_of(cast("Catalogue", catalogue))  # one of them is given
        if numbers:
            found = _around(numbers, source, request, settings, told)
        else:
            found = _everything(source, request, settings, told)
    run = _run(found, threshold_km, None if store is None else settings.store)
    told(_FINISHED, 1.0)
    return run


class _Found(NamedTuple):
    """What a run has found, and what it was."""

    run_id: str
    prepared: Prepared
    conjunctions: pa.Table
    proximities: pa.Table
    objects: ObjectArray
    summary: str


def _everything(source: Source, request: Request, settings: FlowSettings, progress: Progress) -> _Found:
    reporter = _reporter(progress)
    stages = Stages(reporter.stage)
    outcome = run_catalogue(source, request, settings, stages, reporter)
    said = summary(outcome)
    with stages("fleets"):
        around = fleet_look(outcome, settings)
    note_published(settings, outcome.run_id, datetime.now(UTC))
    published = Store(settings.store)
    return _Found(
        run_id=outcome.run_id,
        prepared=outcome.prepared,
        conjunctions=published.to_arrow("conjunctions", outcome.run_id),
        proximities=published.to_arrow("proximities", outcome.run_id),
        objects=outcome.objects,
        summary=said if around is None else f"{said}\n{around.text}",
    )


def _around(
    numbers: list[int], source: Source, request: Request, settings: FlowSettings, progress: Progress
) -> _Found:
    """Search what comes near some objects, the primaries."""
    outcome = run_primaries(source, request, numbers, settings, Stages(_reporter(progress).stage))
    prepared, proximities = outcome.prepared, outcome.screening.proximities
    run_id, start = stamp(prepared.started), utc_datetime(prepared.span.start)
    objects = known_objects(settings.store, prepared.elements)
    set_on_ephemerides(objects, prepared.ephemerides)
    set_complexes(objects, proximities)
    staying = _with_own_words(proximity_table(proximities, prepared.elements, start, run_id=run_id))
    return _Found(run_id, prepared, outcome.rows, staying, objects, summary_of_primaries(outcome))


def _run(found: _Found, threshold_km: float, store: Path | None) -> Run:
    span = found.prepared.span
    start, end = (utc_datetime(one) for one in (span.start, span.end))
    facts = RunFacts(found.run_id, start, end, threshold_km, store, found.summary)
    tables: dict[TableName, pa.Table] = {
        "conjunctions": found.conjunctions,
        "proximities": found.proximities,
        "objects": _with_own_words(object_table(found.objects, found.prepared.elements)),
    }
    return Run(facts, tables)


def _with_own_words(table: pa.Table) -> pa.Table:
    """Return a table whose dictionaries hold what occurs, each word once, as those read from a store do."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode()
        if pa.types.is_dictionary(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, table.schema)


def _reporter(progress: Progress) -> Reporter:
    """Return what turns the reports of a run into calls of `progress`."""
    stage, done = "", 0.0
    share: Callable[[int, int], float] = lambda part, of: part / max(1, of)  # noqa: E731

    def begin(name: str) -> None:
        nonlocal stage
        stage = name
        progress(stage, done)

    def plan(planned: Planned) -> None:
        nonlocal share
        share = planned.shares()

    def go_on(part: int, of: int) -> None:
        nonlocal done
        done = share(part, of)
        progress(stage, done)

    return Reporter(begin, plan, go_on)


def _instant(name: str, time: str | datetime | np.datetime64 | None) -> np.datetime64 | None:
    """Return the time of an argument; without a zone it is UTC."""
    if time is None:
        return None
    if isinstance(time, str):
        time = instant_of(time, name)
    if time != time:
        raise UsageError(f"{name} is not a time (NaT): leave it out, or give a datetime.")
    if isinstance(time, datetime):
        time = datetime64_us(aware_utc(time))
    if not isinstance(time, np.datetime64):
        raise UsageError(f"{name} is {time!r}; expected a datetime, or a text in ISO 8601.")
    instant: np.datetime64 = time.astype("M8[us]")
    return instant


def _numbers(primary: Iterable[int] | None, workers: int | None) -> list[int]:
    """Return the catalogue numbers of primaries; none, if everything is searched."""
    if workers is not None and _whole("workers", workers) < 1:
        raise UsageError(f"workers is {workers}; it must be at least 1.")
    if primary is None:
        return []
    if workers is not None:
        raise UsageError("primary searches in one thread: workers cannot be combined with it.")
    numbers = [_whole("primary", number) for number in _several(primary)]
    if not numbers:
        raise UsageError("primary is empty: name catalogue numbers, or leave it out to search everything.")
    return numbers


def _several(primary: object) -> Iterable[object]:
    if isinstance(primary, str) or not isinstance(primary, Iterable):
        raise UsageError(f"primary is {primary!r}; expected a list of catalogue numbers, such as [25544].")
    return primary


def _check_numbers(**values: object) -> None:
    for name, value in values.items():
        if not isinstance(value, Real):
            raise UsageError(f"{name} is {value!r}; expected a number.")


def _whole(name: str, value: object) -> int:
    if not isinstance(value, SupportsIndex):
        raise UsageError(f"{name} is {value!r}; expected a whole number.")
    return index(value)


@contextmanager
def _folder(store: "str | PathLike[str] | None") -> Iterator[Path]:
    """Yield the folder of a store; of None a new one, which is removed when the block ends."""
    if store is not None:
        yield Path(store)
        return
    temporary = TemporaryDirectory(prefix="skysieve-", ignore_cleanup_errors=True)
    try:
        yield Path(temporary.name)
    finally:
        try:
            temporary.cleanup()
        except KeyboardInterrupt:  # halfway
            temporary.cleanup()
            raise


@contextmanager
def _in_words_of_python() -> Iterator[None]:
    """Turn options of commands in messages of errors into the names of parameters, and Ctrl-C into itself."""
    try:
        yield
    except SkysieveError as error:
        text = _OPTION.sub(lambda option: option[1].replace("-", "_"), str(error))
        if text != str(error):
            error.args = (text,)
        raise
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise
