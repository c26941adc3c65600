"""Models of stored trajectories, for OpenAPI."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from api.models.responses import STRICT


class DistanceFromSet(BaseModel):
    """How far a path is from an element set."""

    model_config = STRICT

    at: datetime = Field(description="UTC.", examples=["2026-11-21T12:00:00Z"])
    km: float = Field(description="km.", examples=[1.84])
    sigmas: float = Field(
        description="The same in 1-sigma errors of the set: the root of the sum of the variances of its law.",
        examples=[0.7],
    )


class TrajectoryCheck(BaseModel):
    """A path beside the element set that its object had when it was added, up to 7 days from its epoch."""

    model_config = STRICT

    element_epoch: datetime = Field(
        description="UTC, of the element set.", examples=["2026-11-21T05:31:12.084Z"]
    )
    distances: list[DistanceFromSet] = Field(description="At its beginning, then every 6 h.")
    largest: DistanceFromSet = Field(description="The largest distance.")
    departs_at: datetime | None = Field(
        description="UTC, since when it flies another path: more than 100 km and 10 sigma from the element "
        "set; null: it does not.",
        examples=[None],
    )


class StoredTrajectory(BaseModel):
    """What is known about an operator's ephemeris in the store."""

    model_config = STRICT

    id: str = Field(description="16 hexadecimal digits, from its content.", examples=["3f2a90c1d4e5b687"])
    kind: Literal["definitive", "hypothetical"] = Field(
        description="`definitive`: its object flies so, in runs too; `hypothetical`: only asked about.",
        examples=["definitive"],
    )
    norad_id: int = Field(description="Catalogue number of its object.", examples=[25544])
    name: str = Field(description="Name of its object; empty: not said.", examples=["ISS"])
    object_id: str = Field(description="International designator; empty: not said.", examples=["1998-067A"])
    usable_from: datetime = Field(description="UTC, first instant.", examples=["2026-11-21T12:00:00Z"])
    usable_to: datetime = Field(description="UTC, last instant.", examples=["2026-12-06T12:00:00Z"])
    segments: int = Field(
        description="Parts between thrusts; nothing is interpolated across their ends.", examples=[3]
    )
    states: int = Field(description="States in all.", examples=[5560])
    covariances: int = Field(description="Covariances in all; 0: it has none.", examples=[0])
    restricted: bool = Field(
        description="Whether the terms of its source forbid handing it on: paths on it are not served.",
        examples=[False],
    )
    source: str = Field(description="The file that it is from.", examples=["ISS.OEM_J2K_EPH.xml"])
    source_sha256: str = Field(
        description="SHA-256 of that file.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    added: datetime = Field(description="UTC, when it was added.", examples=["2026-11-21T11:30:00Z"])
    added_by: str | None = Field(
        description="Name of the credential that added it, `command line`, or the setting that names its "
        "source; null: not known.",
        examples=["flight dynamics"],
    )
    check: TrajectoryCheck | None = Field(
        description="Its distance from the element set; null: hypothetical, added by an earlier release, or "
        "no set was within 7 days of it."
    )
    notes: list[str] = Field(
        description="What was repaired, left out or flagged when it was read.",
        examples=[["1 thrusts or jumps, the first at 2026-11-25T06:42:00.000000Z; nothing is interpolated"]],
    )


class TrajectoryList(BaseModel):
    """Stored trajectories."""

    model_config = STRICT

    trajectories: list[StoredTrajectory] = Field(
        description="By catalogue number, then by their first instant."
    )
    total: int = Field(description="Number of those that match, regardless of `limit`.", examples=[2])
