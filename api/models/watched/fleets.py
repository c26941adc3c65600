"""Models of fleets: what is sent, checked strictly, and the answers, for OpenAPI."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from api.models.requests import ListedNoradId, WholeNumber
from api.models.responses import STRICT
from screening.errors import UsageError
from screening.vocabulary import LARGEST_RADIUS_M, MAX_NORAD_ID, SMALLEST_RADIUS_M
from screening.volumes.shapes import LARGEST_KM, volume_of
from storage.state.fleet_rules import (
    LONGEST_CONTACT,
    LONGEST_NAME,
    LONGEST_PATTERN,
    MOST_NUMBERS,
    checked_radius,
)
from storage.vocabulary import BOUNDING, FLEET_HOURS_RANGE, SHADOW

_SIZE = r"([0-9]{1,3}(\.[0-9]{1,9})?)"
_VOLUME = rf"^(handbook|sphere:{_SIZE}|(box|ellipsoid):{_SIZE}x{_SIZE}x{_SIZE})$"
_RADIUS = rf"^({SHADOW}|{BOUNDING}|{_SIZE})$"
_VOLUME_TEXT = (
    "`handbook`, `sphere:KM`, `box:RxTxN` or `ellipsoid:RxTxN`: half-lengths and semi-axes in km, radial, "
    f"in-track, cross-track, above 0 and up to {LARGEST_KM:g}"
)
_ABOUT_NAME = "Unique whatever its case; printable, not a number."
_MOST_WITH_THEIR_OWN = 500  # 45 kB of the 64 that a body may have; `skysieve fleets` takes more
_LOW_H, _HIGH_H = FLEET_HOURS_RANGE


def _checked(rule: Callable[[str], object]) -> AfterValidator:
    """Return a check that a text is as the store allows it."""

    def checked(text: str) -> str:
        try:
            rule(text)
        except UsageError as error:
            raise ValueError(str(error)) from error
        return text

    return AfterValidator(checked)


VolumeText = Annotated[str, _checked(volume_of)]
RadiusText = Annotated[str, _checked(checked_radius)]


def _volume(text: str) -> str:
    made: str = Field(
        default_factory=str,
        max_length=60,
        description=text,
        examples=["box:2x25x25"],
        json_schema_extra={"pattern": _VOLUME},
    )
    return made


def _hours(text: str) -> float | None:
    made: float | None = Field(
        default=None, ge=_LOW_H, le=_HIGH_H, allow_inf_nan=False, description=text, examples=[72.0]
    )
    return made


class GivenObject(BaseModel):
    """An object of a fleet, given by its number."""

    model_config = STRICT

    norad_id: WholeNumber = Field(ge=1, le=MAX_NORAD_ID, description="Catalogue number.", examples=[25544])
    volume: VolumeText | None = Field(
        default=None,
        max_length=60,
        description=f"Its own volume: {_VOLUME_TEXT}. Null: the fleet's.",
        examples=["box:2x25x25"],
        json_schema_extra={"pattern": _VOLUME},
    )
    hours: float | None = _hours("Its own look-ahead, h. Null: the fleet's.")


class FleetFields(BaseModel):
    """What a fleet has besides its name. What is not sent is, or stays, as it is without it."""

    model_config = STRICT

    # No text may be null; which were sent is in `model_fields_set`.
    norad_ids: list[ListedNoradId] = Field(
        default_factory=list,
        max_length=MOST_NUMBERS,
        description="Catalogue numbers of objects with the fleet's volume and hours.",
        examples=[[25544, 48274]],
    )
    objects: list[GivenObject] = Field(
        default_factory=list,
        max_length=_MOST_WITH_THEIR_OWN,
        description="Objects with a volume or hours of their own. When a fleet is changed, `norad_ids` and "
        "`objects` together replace those it has.",
    )
    name_pattern: str = Field(
        default_factory=str,
        max_length=LONGEST_PATTERN,
        description="Objects of these names too, looked up at each run: a shell pattern (`*`, `?`, "
        "`[...]`) of the whole name, whatever its case. Empty: none.",
        examples=["STARLINK-3*"],
    )
    volume: VolumeText = _volume(
        f"What counts around its objects: {_VOLUME_TEXT}. A new fleet has `handbook`."
    )
    hours: float | None = _hours("How far to look ahead, h. Null: as far as the run.")
    radius: RadiusText = Field(
        default_factory=str,
        max_length=20,
        description=f"Hard-body radius of its objects, for this fleet alone: `{SHADOW}` (of the mean shadow, "
        f"as runs have it), `{BOUNDING}` (of the sphere around the object, where it is published) or "
        f"{SMALLEST_RADIUS_M:g} to {LARGEST_RADIUS_M:g}, m, as text. A new fleet has `{SHADOW}`.",
        examples=[BOUNDING],
        json_schema_extra={"pattern": _RADIUS},
    )
    contact: str = Field(
        default_factory=str,
        max_length=LONGEST_CONTACT,
        description="Whom operators of the other object may ask, in one line: shown in messages and reports "
        "that are handed on. Empty: nobody.",
        examples=["Example Space, flight@example.org, +49 30 123456"],
    )


class FleetRequest(FleetFields):
    """A fleet that is to be made: it needs a name, and numbers, an owner or a pattern."""

    model_config = ConfigDict(
        **STRICT,
        json_schema_extra={"examples": [{"name": "mine", "norad_ids": [25544], "volume": "box:2x25x25"}]},
    )

    name: str = Field(min_length=1, max_length=LONGEST_NAME, description=_ABOUT_NAME, examples=["mine"])
    owner: str = Field(
        default_factory=str,
        max_length=40,
        description="The satellites of this owner in the newest run, an abbreviation of GCAT (`owner` of "
        "`GET /objects`), as if each were in `norad_ids`. Empty: none.",
        examples=["SES"],
    )


class FleetChanges(FleetFields):
    """What is to change in a fleet; what is not sent stays."""

    name: str = Field(
        default_factory=str,
        min_length=1,
        max_length=LONGEST_NAME,
        description=_ABOUT_NAME,
        examples=["mine"],
    )


class FleetObjectTold(BaseModel):
    """An object of a fleet, given by its number."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number.", examples=[25544])
    volume: str | None = Field(description="Its own volume; null: the fleet's.", examples=[None])
    hours: float | None = Field(description="Its own look-ahead, h; null: the fleet's.", examples=[None])


class FleetTold(BaseModel):
    """A fleet, and how many objects of the newest run are its."""

    model_config = STRICT

    id: int = Field(description="Of the fleet; it is not given again.", examples=[1])
    name: str = Field(description="Its name.", examples=["mine"])
    created: datetime = Field(description="UTC, when it was made.", examples=["2026-11-21T06:00:00Z"])
    made_by: str = Field(description="Name of the credential that made it.", examples=["ground segment"])
    contact: str = Field(description="Shown to the other side; empty: none.", examples=["ops@example.org"])
    volume: str = Field(description="What counts around its objects.", examples=["box:2x25x25"])
    hours: float | None = Field(description="Look-ahead, h; null: the run's.", examples=[72.0])
    radius: str = Field(
        description=f"Hard-body radius of its objects: `{SHADOW}`, `{BOUNDING}`, or metres.", examples=["5"]
    )
    name_pattern: str = Field(
        description="Objects of these names too; empty: none.", examples=["STARLINK-3*"]
    )
    objects: list[FleetObjectTold] = Field(description="Objects given by number, in their order.")
    members: int | None = Field(
        description="Objects of the newest run that are its; null: there is no run, or its pattern fits too "
        "many.",
        examples=[12],
    )
    unknown: list[int] = Field(
        description="Numbers given that the newest run does not have.", examples=[[99999]]
    )
    searching: bool = Field(
        description="Whether it is being searched in the newest run, or waits for that, after a change.",
        examples=[False],
    )
    search_problem: str | None = Field(
        description="Why it could not be searched; null: nothing prevented it.", examples=[None]
    )


class Member(BaseModel):
    """An object of the newest run that is a fleet's."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number.", examples=[17842])
    name: str = Field(description="Name in the catalogue.", examples=["SL-8 DEB"])


class MemberList(BaseModel):
    """The objects of the newest run that are a fleet's as it is now."""

    model_config = STRICT

    run_id: str = Field(description="The newest run.", examples=["20241101T000000Z"])
    members: list[Member] = Field(description="By number; none if the pattern fits too many.")
    total: int = Field(description="How many there are.", examples=[12])


class FleetList(BaseModel):
    """Fleets."""

    model_config = STRICT

    fleets: list[FleetTold] = Field(description="In the order they were made.")
    total: int = Field(description="Number of all fleets, regardless of `limit`.", examples=[2])
