"""Parameters of requests about trajectories and paths."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from api.http.parameters import MAX_OFFSET, NoradId, NoradIds, ShortText, UtcTime
from screening.vocabulary import MAX_NORAD_ID, MOST_BURNS, RuleSet
from storage.trajectories.trajectory_file import Kind
from storage.vocabulary import (
    MAX_PATH_STATES,
    PATH_RANGE_HOURS,
    PATH_STEP_RANGE_S,
    PathForm,
    PathFrame,
)

ObjectId = Annotated[
    int, Path(alias="id", ge=1, le=MAX_NORAD_ID, description="Catalogue number.", examples=[25544])
]


class PathParameters(BaseModel):
    """Parameters of `GET /objects/{id}/ephemeris`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: UtcTime | None = Field(
        default=None,
        description="First instant, ISO 8601; without a zone: UTC. Default: now, or the start of the run's "
        "window in a historic store. The path must lie within 30 days of the run's window.",
        examples=["2026-11-21T06:00:00Z"],
    )
    hours: float = Field(
        default=24.0,
        ge=PATH_RANGE_HOURS[0],
        le=PATH_RANGE_HOURS[1],
        allow_inf_nan=False,
        description="Length of the path, hours.",
    )
    step: float = Field(
        default=60.0,
        ge=PATH_STEP_RANGE_S[0],
        le=PATH_STEP_RANGE_S[1],
        allow_inf_nan=False,
        description=f"Time between states, s; at most {MAX_PATH_STATES:,} states are allowed.",
    )
    format: PathForm = Field(
        default="oem-kvn",
        description="An orbit ephemeris message (OEM 3.0) as KVN or XML, CSV, or the first state and the "
        "burns as an orbit parameter message (OPM 3.0).",
    )
    frame: PathFrame = Field(
        default="EME2000", description="Frame of the states; ITRF turns with the Earth. Covariances are RTN."
    )
    burn: list[ShortText] = Field(
        default_factory=list,
        max_length=MOST_BURNS,
        description="The path as it would be with this burn; repeatable: WHEN,R,T,N, "
        "the instant (ISO 8601; without a zone: UTC), and m/s radially outwards, along the track, across.",
        examples=[["2026-11-21T09:00:00Z,0,0.05,0"]],
    )
    mass: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Mass of the spacecraft, kg. Required in an OPM with burns.",
        examples=[260.0],
    )


class OrbitParameters(BaseModel):
    """Parameters of `GET /objects/{id}/orbit`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: UtcTime | None = Field(
        default=None,
        description="The instant in the middle, ISO 8601; without a zone: UTC. Default: now, or the start of "
        "the run's window in a historic store. It must lie within 30 days of the run's window.",
        examples=["2026-11-21T06:00:00Z"],
    )


_METRES = r"[0-9]{1,7}(\.[0-9]{1,6})?"


class UploadParameters(BaseModel):
    """Parameters of `POST /trajectories`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    norad_id: NoradId | None = Field(
        default=None,
        description="Catalogue number of the object, or the object to take from the file. Needed if the file "
        "does not name it.",
    )
    name: ShortText | None = Field(
        default=None,
        description="Name of the object, or the trajectory to take from the file.",
        examples=["ISS"],
    )
    kind: Kind = Field(
        default="definitive",
        description="`definitive`: the actual path, also in runs; `hypothetical`: for analyses only.",
    )
    sigma_rtn_m: str | None = Field(
        default=None,
        pattern=f"^{_METRES}(,{_METRES}){{2}}$",
        description="1-sigma errors in m, radial, in-track and cross-track, of a file without covariances.",
        examples=["30,200,20"],
    )
    force: bool = Field(
        default=False,
        description="Keep a definitive one even if it is far from its object's element set, or jumps.",
    )
    source: ShortText | None = Field(
        default=None,
        description="Name of the file. Starlink's files identify their satellite only by it.",
        examples=["MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt"],
    )


class CheckParameters(BaseModel):
    """Parameters of `POST /trajectories/check`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: RuleSet = Field(
        default="skysieve",
        description="The set of rules: `skysieve`'s own, or what `nasa` (NPR 8079.1), `sds` (the format "
        "Modified ITC, as brahe documents it), `tracss` or `spacex` ask for.",
    )
    norad_id: NoradId | None = Field(
        default=None, description="Catalogue number of the object, or the object to take from the file."
    )
    name: ShortText | None = Field(default=None, description="The trajectory to take from the file.")
    source: ShortText | None = Field(default=None, description="Name of the file, as when it is added.")


class TrajectoryParameters(BaseModel):
    """Parameters of `GET /trajectories`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    norad_id: NoradIds | None = Field(
        default=None,
        description="Only trajectories of these objects: catalogue numbers, separated by commas.",
    )
    kind: Kind | None = Field(default=None, description="Only trajectories of this kind.")
    limit: int = Field(default=1000, ge=1, le=10_000, description="Most trajectories to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Trajectories to skip.")
