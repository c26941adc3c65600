"""What is known about a trajectory, as the command line and HTTP tell it."""

from datetime import datetime
from typing import Any

from storage.times import time_text
from storage.trajectories.trajectory_file import Facts, check_record


def facts_record(one: Facts) -> dict[str, Any]:
    """Return what is known about a trajectory, for JSON; times are ISO 8601 with Z."""
    return {
        "id": one.id,
        "kind": one.about.kind,
        "norad_id": one.norad_id,
        "name": one.name,
        "object_id": one.object_id,
        "usable_from": time_text(one.usable_from.astype(datetime)),
        "usable_to": time_text(one.usable_to.astype(datetime)),
        "segments": one.segments,
        "states": one.states,
        "covariances": one.covariances,
        "restricted": one.about.restricted,
        "source": one.about.source,
        "source_sha256": one.about.source_sha256,
        "added": time_text(one.about.added),
        "added_by": one.about.added_by or None,
        "check": one.about.check and check_record(one.about.check),
        "notes": list(one.about.notes),
    }
