"""What tests need to make a run."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from flows.runs.run import Outcome, Prepared, Reporter, Request, Searched, Stages, publish, run_catalogue
from flows.settings import FlowSettings
from flows.sources.catalogues import Source, read_file
from screening.risk.score import score
from screening.search.all_pairs.assemble import screen_catalogue
from storage.reading.known_objects import knowledge_of
from storage.reading.newest_run import connect
from storage.writing.found_events import FoundEvents
from storage.writing.objects_table import ObjectArray

START = np.datetime64("2024-11-01T00:00:00", "us")
SILENT = Reporter(stage=lambda _name: None, planned=lambda _plan: None, progress=lambda _done, _of: None)


def make_run(source: Source, store: Path, start: np.datetime64 | None = START, hours: float = 1.0) -> Outcome:
    """Screen a catalogue with one worker and a threshold of 10 km, and publish the run."""
    stages = Stages(SILENT.stage)
    return run_catalogue(
        source, Request(start, hours, 10.0), FlowSettings(store=store, workers=1), stages, SILENT
    )


def screen_and_publish(prepared: Prepared, objects: ObjectArray, store: Path) -> str:
    """Screen, rate and publish without a cluster; `objects` is what is known about the objects."""
    elements, span = prepared.source.content.elements, prepared.span
    screening = screen_catalogue(elements, span, prepared.threshold_km)
    searched = Searched(screening.proximities, screening.failures, screening.candidates)
    with FoundEvents(store) as found:
        found.add(score(screening.encounters, elements, span, knowledge_of(objects)))
        return publish(prepared, searched, found, objects, store, {})


def busiest_object(store: Path) -> int:
    """Return the object with the most fast events in the newest run, always the secondary of one of them."""
    with connect(store) as connection:
        (row,) = connection.execute(
            "WITH fast AS (FROM conjunctions WHERE encounter = 'fast') "
            "SELECT id FROM (SELECT primary_norad_id AS id FROM fast UNION ALL "
            "SELECT secondary_norad_id FROM fast) JOIN "
            "(SELECT DISTINCT secondary_norad_id AS id FROM fast) USING (id) "
            "GROUP BY id ORDER BY count(*) DESC, id LIMIT 1"
        ).fetchall()
    return int(row[0])


def source_of(lines: Sequence[str], folder: Path) -> Source:
    """Return the catalogue that these lines make as a file in a folder."""
    path = folder / "lines.csv"
    path.write_text("\n".join(lines))
    return read_file(path)
