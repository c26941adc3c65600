"""The JSON of an analysis, for HTTP and for `skysieve analyze --json`."""

from api.answers.analyses import Answer
from api.answers.rows import EVENT_FIELDS, PROXIMITY_FIELDS, records
from storage.in_memory.event_columns import EVENT_COLUMNS


def analysis_json(answer: Answer) -> dict[str, object]:
    """Return what `AnalysisResult` in `api/models/responses.py` describes."""
    events = answer.events.select(EVENT_COLUMNS).to_pydict()
    proximities = answer.proximities.to_pydict()
    return {
        "primary_norad_id": answer.primary_norad_id,
        "trajectory_id": answer.trajectory_id,
        "analyzed_at": answer.analyzed_at,
        "total_candidates": answer.total_candidates,
        "total_events": answer.total_events,
        "truncated": answer.total_events > len(answer.events),
        "events": records(EVENT_FIELDS, zip(*events.values(), strict=True)),
        "proximities": records(PROXIMITY_FIELDS, zip(*proximities.values(), strict=True)),
        "covered_until": answer.covered_until,
        "searched": answer.searched,
    }
