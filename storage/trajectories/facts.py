"""What is known about a trajectory, as the command line and HTTP show it."""

from screening.answers import TimeText, answer, same_fields
from storage.times import time_text, utc_datetime
from storage.trajectories.report import TrajectoryReport
from storage.trajectories.trajectory_file import Facts, Kind, TrajectoryCheck


@answer(
    id="3f2a90c1d4e5b687", kind="definitive", norad_id=25544, name="ISS", object_id="1998-067A",
    usable_from="2026-11-21T12:00:00Z", usable_to="2026-12-06T12:00:00Z", segments=3, states=5560,
    covariances=0, restricted=False, source="ISS.OEM_J2K_EPH.xml",
    source_sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    added="2026-11-21T11:30:00Z", added_by="ACME flight dynamics",
    notes=["1 thrusts or jumps, the first at 2026-11-25T06:42:00.000000Z; nothing is interpolated"],
)  # fmt: skip
class StoredTrajectory:
    """What is known about an operator's ephemeris in the store."""

    id: str
    """16 hexadecimal digits, from its content."""
    kind: Kind
    """`definitive`: its object flies so, in runs too; `hypothetical`: only asked about."""
    norad_id: int
    """Catalogue number of its object."""
    name: str
    """Name of its object; empty: not said."""
    object_id: str
    """International designator; empty: not said."""
    usable_from: TimeText
    """UTC, first instant."""
    usable_to: TimeText
    """UTC, last instant."""
    segments: int
    """Parts between thrusts; nothing is interpolated across their ends."""
    states: int
    """States in all."""
    covariances: int
    """Covariances in all; 0: it has none."""
    restricted: bool
    """Whether the terms of its source forbid handing it on: paths on it are not served."""
    source: str
    """The file that it is from."""
    source_sha256: str
    """SHA-256 of that file."""
    added: TimeText
    """UTC, when it was added."""
    added_by: str | None
    """Name of the organisation that added it, or the setting that names its source; null: not known."""
    check: TrajectoryCheck | None
    """Its distance from the element set; null: added by an earlier release, or no set was within 7 days of
    it."""
    report: TrajectoryReport | None
    """What its check found; null: added by an earlier release."""
    notes: tuple[str, ...]
    """What was repaired, left out or flagged when it was read."""


@answer(refused=None)
class CheckedFile:
    """The check of an ephemeris that is not kept."""

    report: TrajectoryReport
    """What the check found."""
    check: TrajectoryCheck | None
    """Its distance from the element set; null: none was within 7 days of it, or it cannot be read."""
    refused: str | None
    """Why it does not count as its object's path without `force`; null: it does, or cannot be read."""


def shown_facts(one: Facts) -> StoredTrajectory:
    """Return what is known about a trajectory; times are ISO 8601 with Z."""
    return StoredTrajectory(
        **same_fields(StoredTrajectory, one, one.about)
        | {"usable_from": time_text(utc_datetime(one.usable_from))}
        | {"usable_to": time_text(utc_datetime(one.usable_to))}
        | {"added": time_text(one.about.added), "added_by": one.about.added_by or None},
    )
