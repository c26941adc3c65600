"""Models of fleets: what is sent, checked strictly, and the answers, for OpenAPI."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from api.models.overview import ByLevel
from api.models.requests import ListedNoradId, WholeNumber
from api.models.responses import STRICT, Conjunction
from screening.answers import answer
from screening.errors import UsageError
from screening.vocabulary import (
    LARGEST_RADIUS_M,
    MAX_NORAD_ID,
    SMALLEST_RADIUS_M,
    ManoeuvreClass,
    ProbabilityLevel,
)
from screening.volumes.shapes import LARGEST_KM, volume_of
from storage.fleets.managed import FleetFacts
from storage.state.fleet_rules import (
    LONGEST_CONTACT,
    LONGEST_NAME,
    LONGEST_PATTERN,
    MOST_NUMBERS,
    NOT_SAID,
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
_AXES = "from the fleet's object to the other one at TCA, in the RTN of the fleet's object"
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
        "`objects` together replace its present ones.",
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
        f"as in runs), `{BOUNDING}` (of the sphere around the object, where it is published) or "
        f"{SMALLEST_RADIUS_M:g} to {LARGEST_RADIUS_M:g}, m, as text. A new fleet has `{SHADOW}`.",
        examples=[BOUNDING],
        json_schema_extra={"pattern": _RADIUS},
    )
    contact: str = Field(
        default_factory=str,
        max_length=LONGEST_CONTACT,
        description="Contact for operators of the other object, in one line: shown in messages and reports "
        "that are shared. Empty: none.",
        examples=["Example Space, flight@example.org, +49 30 123456"],
    )
    manoeuvre_class: ManoeuvreClass = Field(
        default_factory=lambda: NOT_SAID,
        description="How its objects avoid others, by the classes of the Space Safety Coalition: none, "
        "minimal (by drag), manual (by command), automated, crewed; unknown: as the service knows. Your "
        "organisation alone sees who gives way by it. A new fleet has `unknown`.",
        examples=["manual"],
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


@answer(
    members=15, unknown=[], inside=12,
    words="15 satellites. Of the events of the newest run (24 h, up to 10 km) 12 are inside: 1 high.",
)  # fmt: skip
class FleetPreview:
    """What a fleet would have, by the newest run, before it is made or changed."""

    members: int
    """Objects of the newest run that would be its."""
    unknown: list[int]
    """Numbers given that the newest run does not have."""
    inside: int
    """Events of the newest run with TCAs to come inside its volumes, each once."""
    levels: ByLevel
    """How many of them have each level, by the probability."""
    words: str
    """The same as a sentence. The search once it is saved also finds what is beyond the run."""


class FleetChanges(FleetFields):
    """What is to change in a fleet; what is not sent stays."""

    name: str = Field(
        default_factory=str,
        min_length=1,
        max_length=LONGEST_NAME,
        description=_ABOUT_NAME,
        examples=["mine"],
    )


@answer(searching=False, search_problem=None)
class ListedFleet(FleetFacts):
    """A fleet, and how many objects of the newest run are its."""

    searching: bool
    """Whether it is being searched in the newest run, or waits for that, after a change."""
    search_problem: str | None
    """Why it could not be searched; null: nothing prevented it."""


@answer(total=2)
class FleetList:
    """Fleets."""

    fleets: list[ListedFleet]
    """In the order they were made."""
    total: int
    """Number of all fleets, regardless of `limit`."""


@answer(norad_id=17842, name="SL-8 DEB")
class Member:
    """An object of the newest run that is a fleet's."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name in the catalogue."""


@answer(run_id="20241101T000000Z", total=12)
class MemberList:
    """The objects of the newest run that are a fleet's as it is now."""

    run_id: str
    """The newest run."""
    members: list[Member]
    """By number; none if the pattern fits too many."""
    total: int
    """How many there are."""


@answer(
    norad_id=17842, name="SL-8 DEB", found=True, volume="box:2x25x25", hours=72.0, events=3, worst="high",
    next_tca="2024-11-01T13:05:41.266855Z",
)  # fmt: skip
class Satellite:
    """An object of a fleet as of the newest run's search."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name in the catalogue; empty: not in it."""
    found: bool
    """Whether it is in the catalogue of the run."""
    volume: str
    """The volume around it; empty: not in the catalogue."""
    hours: float
    """h, look-ahead from the start of the run's window."""
    events: int
    """Events inside its volume whose TCA has not passed."""
    worst: ProbabilityLevel | None
    """Their most dangerous level by the probability; null: none."""
    next_tca: datetime | None
    """UTC, the soonest of their TCAs; null: none."""


@answer(run_id="20241101T000000Z", total=12)
class SatelliteList:
    """The objects of a fleet."""

    run_id: str
    """The newest run."""
    satellites: list[Satellite]
    """By number."""
    total: int
    """How many there are."""


@answer(events=3, worst="high", next_tca="2024-11-01T13:05:41.266855Z", new=1)
class Coming:
    """The events inside the volumes of a fleet, each once, whose TCA has not passed."""

    events: int
    """How many."""
    worst: ProbabilityLevel | None
    """Their most dangerous level by the probability; null: none."""
    next_tca: datetime | None
    """UTC, the soonest of their TCAs; null: none."""
    new: int | None
    """How many of them are new, as in `GET /fleets/{id}/changes`; null: no earlier run searched the
    fleet."""


@answer(events=140, worst="medium")
class OutsideInShort:
    """What the run has of the fleet's objects outside its volumes."""

    events: int
    """How many; those of a complex count once."""
    worst: ProbabilityLevel | None
    """Their most dangerous level by the probability; null: none."""


@answer(id=1, alerts_on=2, alerts_off=0)
class Standing:
    """How a fleet stands at the newest run."""

    id: int
    """Id of the fleet."""
    coming: Coming | None
    """Null: the newest run has not searched the fleet."""
    outside: OutsideInShort
    """The run's other events of its objects; all of them, if it has not searched the fleet."""
    alerts_on: int
    """Alerts of it that are on."""
    alerts_off: int
    """Alerts of it that are off."""


@answer(run_id="20241101T000000Z", total=2)
class StandingList:
    """How fleets stand."""

    run_id: str
    """The newest run."""
    fleets: list[Standing]
    """In the order of `GET /fleets`."""
    total: int
    """Number of all fleets, regardless of `limit`."""


FleetEvent: Any = create_model(
    "FleetEvent",
    __base__=Conjunction,
    __doc__="An event, as it is seen from an object of the fleet.",
    fleet_norad_id=(int, Field(description="The fleet's object, on either side.", examples=[17842])),
    volume=(str, Field(description="The volume around it.", examples=["box:2x25x25"])),
    fleet_miss_radial_km=(float, Field(description=f"km, radial, {_AXES}.", examples=[-0.012])),
    fleet_miss_in_track_km=(float, Field(description=f"km, in-track, {_AXES}.", examples=[-0.005])),
    fleet_miss_cross_track_km=(float, Field(description=f"km, cross-track, {_AXES}.", examples=[-0.061])),
    fleet_hard_body_radius_m=(
        float | None,
        Field(
            description="m, combined hard-body radius that the fleet uses; null: the run's. "
            "`probability_best`, its method and the levels are computed with `hard_body_radius_m`: this "
            "one, except for a later analysis on demand.",
            examples=[None],
        ),
    ),
)


@answer(total=12, next="eyJydW4iOiIyMDI0MTEwMVQwMDAwMDBaIn0")
class FleetEventPage:
    """A page of the events inside the volumes of a fleet."""

    conjunctions: list[FleetEvent]
    """In the requested order; an event of two objects of the fleet once for each."""
    total: int
    """Number of events that match, on all pages together."""
    next: str | None
    """Pass it as `cursor` to get the next page; null: this is the last."""


@answer(run_id="20241101T000000Z", total=140)
class OutsideEvents:
    """What the newest run has of a fleet's objects outside the fleet's volumes."""

    run_id: str
    """The newest run."""
    total: int
    """How many; those of a complex count once."""
    by_level: ByLevel
    """How many at each level by the probability."""
    conjunctions: list[Conjunction]
    """The most dangerous first."""
