"""Which of a run's objects have an ephemeris: all, the payloads, or none, and why."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from storage.disk.checksums import opened_json
from storage.disk.ephemeris import ABOUT, ephemeris_folder

KEPT_OBJECTS = "kept"
MB = 1e6


class Kept(NamedTuple):
    """Which of a run's objects have an ephemeris, and why not all."""

    what: Literal["all", "payloads", "none"]
    objects: int  # that have one
    of: int  # objects of the run
    whole_mb: float | None = None  # what all would take, MB (1e6 bytes); None: not bounded
    max_mb: float | None = None  # what is allowed
    problem: str = ""  # why it could not be written, or was given up

    @property
    def reason(self) -> str:
        """Why not all have one; empty if all do."""
        if self.problem or self.what == "all":
            return self.problem
        return (
            f"that of all {self.of:,} objects would take {self.whole_mb:,.1f} MB, and "
            f"SKYSIEVE_EPHEMERIS_MAX_MB allows {self.max_mb:,.1f}"
        )

    @property
    def text(self) -> str:
        """Say in a line which objects have an ephemeris."""
        objects = {
            "all": f"all {self.objects:,} objects",
            "payloads": f"payloads only, {self.objects:,} of {self.of:,} objects",
            "none": "none",
        }[self.what]
        return f"{objects}; {self.reason}" if self.reason else objects


def kept_of(about: Mapping[str, Any]) -> Kept | None:
    """Return which objects an ephemeris has by its description; None: an earlier release wrote it, with all.

    Raises KeyError or TypeError for a description that is damaged.
    """
    return Kept(**about[KEPT_OBJECTS]) if KEPT_OBJECTS in about else None


def kept_by_run(store: Path, run_id: str) -> Kept | None:
    """Return which objects of a run have an ephemeris, None if it is not known: none, damaged, or old."""
    try:
        return kept_of(opened_json((ephemeris_folder(store, run_id) / ABOUT).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
