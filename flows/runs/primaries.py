"""Find what comes near a few objects of a catalogue file, in this process, and store it as an analysis."""

from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from flows.runs.run import Prepared, Request, Stages, prepare
from flows.settings import FlowSettings
from flows.sources.files import Source
from screening.encounters import EncounterArray, among_themselves
from screening.errors import UsageError
from screening.kernel_files import keep_kernels_in
from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.known_paths import OnEphemerides, known_paths
from screening.risk.score import score
from screening.search.few_objects.primary import screen_primaries
from screening.search.results import Screening
from storage.analyses.stored import Analysis, store_analysis
from storage.disk.run_ids import stamp
from storage.reading.known_objects import knowledge_of, known_objects
from storage.times import utc_datetime

SHOWN_NUMBERS = 10


class FleetOutcome(NamedTuple):
    """The result of a search for a few primaries."""

    prepared: Prepared
    primaries: int
    screening: Screening
    rows: pa.Table  # rows of the table `analyses`
    seconds_by_stage: dict[str, float]


def run_primaries(
    source: Source, request: Request, norad_ids: list[int], settings: FlowSettings, stages: Stages
) -> FleetOutcome:
    """Find what comes near some objects of a catalogue, rate it and store it as an analysis.

    Raises UsageError for an object that the catalogue does not have, InputError for a request that cannot be
    screened, and StoreError if the analysis cannot be stored.
    """
    prepared = prepare(source, request, settings.store, datetime.now(UTC))
    elements = prepared.elements
    primaries = _indices(elements, norad_ids, source.name)
    keep_kernels_in(settings.kernel_cache)
    with stages("screen"):
        paths, flown_by = known_paths(elements, prepared.ephemerides, prepared.span)
        screening = screen_primaries(elements, paths, request.threshold_km, primaries)
        screening = screening.asked_first(primaries)
    with stages("rate"):
        conjunctions = _rated(prepared, screening.encounters, flown_by, settings)
    with stages("store"):
        analysis = Analysis(
            mode="full",
            primaries=tuple(elements["norad_id"][primaries].tolist()),
            run_id=stamp(prepared.started),
            basis=source.sha256,
            start=None if request.start is None else utc_datetime(request.start),
            hours=request.hours,
            threshold_km=request.threshold_km,
            computed_at=datetime.now(UTC),
            synthetic=prepared.synthetic,
        )
        rows = store_analysis(settings.store, analysis, conjunctions, elements)
    return FleetOutcome(prepared, len(primaries), screening, rows, stages.seconds)


def _indices(elements: ElementArray, norad_ids: list[int], catalogue: str) -> npt.NDArray[np.int32]:
    wanted = np.unique(np.array(norad_ids, np.int64))
    unknown = wanted[~np.isin(wanted, elements["norad_id"])]
    if len(unknown):
        named = ", ".join(map(str, unknown[:SHOWN_NUMBERS].tolist()))
        more = f" and {len(unknown) - SHOWN_NUMBERS} more" if len(unknown) > SHOWN_NUMBERS else ""
        raise UsageError(
            f"--primary {named}{more}: not among the {len(elements):,} objects of {catalogue}, whose "
            f"numbers range from {elements['norad_id'][0]} to {elements['norad_id'][-1]}."
        )
    return np.searchsorted(elements["norad_id"], wanted).astype(np.int32)


def _rated(
    prepared: Prepared,
    encounters: EncounterArray,
    flown_by: OnEphemerides | None,
    settings: FlowSettings,
) -> ConjunctionArray:
    """Rate encounters with what the store knows about their objects."""
    involved, own = among_themselves(encounters)
    some = prepared.elements[involved]
    known = knowledge_of(known_objects(settings.store, prepared.elements, involved))
    known = known._replace(on_ephemerides=flown_by and flown_by.of(involved))
    return score(own, some, prepared.span, known)
