"""Replace general element sets by CelesTrak's supplemental ones, which are fitted to operators' ephemerides.

Of several sets of an object the one counts whose epoch is nearest to the start of the window and not after
it: they are fitted to a prediction from their epoch on, the ISS's one after the other to six hours each, and
one after a planned manoeuvre does not hold before.
"""

import logging
from datetime import datetime
from typing import NamedTuple

import numpy as np

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB, catalogue_reading
from flows.sources.download import Web
from flows.sources.files import Source
from flows.sources.names import supgp_origin
from flows.sources.newest_text import Reader, Reading, fetch_remote
from screening.errors import SkysieveError
from screening.orbits.elements import Catalogue, ElementArray
from screening.orbits.texts.catalogue import parse_every_set
from screening.orbits.timegrid import UtcArray, instants
from screening.search.request import default_start
from screening.vocabulary import TRAJECTORY_KINDS
from storage.times import datetime64_us

# Predictions last some three days: a set that is so much older than the general one is no better.
MOST_OLDER = np.timedelta64(2, "D")
_SUPGP = TRAJECTORY_KINDS.index("supgp")

log = logging.getLogger("skysieve")


class Supplemented(NamedTuple):
    """A catalogue with supplemental sets."""

    source: Source
    said: str  # how many sets were replaced
    problems: tuple[str, ...]  # files that could not be had, or are not the newest


def with_supplemental_sets(
    source: Source, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB
) -> Supplemented:
    """Replace the sets of a catalogue for which there are supplemental ones. `now` is UTC.

    Objects that the catalogue does not have are left out: among them are planned launches. A file that
    cannot be had is logged as a warning and returned, and the general sets stay; nothing is raised.
    """
    parts, problems = [], []
    for file in settings.supgp.split(","):
        try:
            found = fetch_remote(
                supgp_origin(file, settings), _reader(file, web.limits.max_bytes), settings, now, web
            )
        except SkysieveError as error:
            problems.append(f"supgp:{file}: {error}")
            continue
        if found.decision == "last_good":
            problems.append(f"supgp:{file}: {found.reason}")
        parts.append(found.content.elements)
    for problem in problems:
        log.warning("%s", problem)
    if not parts:
        said = "no supplemental element sets; all are general ones"
        return Supplemented(source, said, tuple(problems))
    general = source.content.elements
    start = default_start(general, datetime64_us(now)).instant
    elements, replaced = _merged(general, np.concatenate(parts), start)
    told = f"{replaced:,} of {len(general):,} element sets are supplemental ones"
    content = source.content._replace(elements=elements)
    return Supplemented(
        source._replace(content=content, name=f"{source.name} with supgp"), told, tuple(problems)
    )


def _reader(file: str, max_bytes: int) -> Reader[Catalogue]:
    def read(text: bytes) -> Reading[Catalogue]:
        found = parse_every_set(text, source_name=f"supgp:{file}", max_bytes=max_bytes)
        return catalogue_reading(found, len(np.unique(found.elements["norad_id"])))

    return read


def _merged(
    general: ElementArray, supplemental: ElementArray, start: np.datetime64
) -> tuple[ElementArray, int]:
    """Return the general sets (n,), replaced where a supplemental one is good, and how many were replaced."""
    chosen = _chosen(supplemental, start)
    chosen = chosen[np.isin(chosen["norad_id"], general["norad_id"])]
    places = np.searchsorted(general["norad_id"], chosen["norad_id"])
    young = _epochs(chosen) >= _epochs(general[places]) - MOST_OLDER
    chosen, places = chosen[young], places[young]
    merged = general.copy()
    merged[places] = chosen
    for name in ("name", "object_id"):
        merged[name][places] = general[name][places]
    merged["trajectory"][places] = _SUPGP
    return merged, len(places)


def _chosen(sets: ElementArray, start: np.datetime64) -> ElementArray:
    """Return one set of each object: the newest of those not after the start, else the earliest of all."""
    epochs = _epochs(sets)
    before = epochs <= start
    apart = np.abs(epochs - start).astype(np.int64)
    order = np.lexsort((apart, ~before, sets["norad_id"]))
    first = np.append(True, np.diff(sets["norad_id"][order]) != 0)
    chosen: ElementArray = sets[order[first]]
    return chosen


def _epochs(sets: ElementArray) -> UtcArray:
    return instants(sets["epoch_jd"], sets["epoch_day_fraction"])
