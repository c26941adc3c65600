"""Models of `POST /conjunctions/{id}/manoeuvres`: what is asked, checked strictly, and the answer."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.models.requests import BodyTime
from api.models.responses import STRICT
from screening.answers import FloatOrNull, Numbers, TableOrNull, TimeText, answer
from screening.vocabulary import (
    DEFAULT_DAYS_AFTER,
    DEFAULT_DIRECTION_ERROR_DEG,
    DEFAULT_GOAL,
    DEFAULT_SIZE_ERROR,
    DEFAULT_THRESHOLD_KM,
    LARGEST_DV_M_S,
    LONGEST_BEFORE_TCA_HOURS,
    LONGEST_DAYS_AFTER,
    MOST_BURNS,
    SMALLEST_GOAL,
    ProbabilityLevel,
    ProbabilityMethod,
    RiskLevel,
)
from storage.settings import ThresholdKm

# OpenAPI 3.1 cannot describe the events of a stream one by one: an example shows them.
EVENTS_CONTENT: Mapping[str, Any] = {
    "text/event-stream": {
        "schema": {
            "type": "string",
            "description": "Events `progress` (data: Progress), then one `result` (data: WhatIfResult) or "
            "`problem` (data: Problem); comments in between.",
        },
        "example": ": waiting\n\nevent: progress\n"
        'data: {"done":1,"of":15,"words":"screening the path as it is"}\n\nevent: result\ndata: {}\n\n',
    }
}


def _component(direction: str) -> float:
    part: float = Field(
        default=0.0,
        ge=-LARGEST_DV_M_S,
        le=LARGEST_DV_M_S,
        allow_inf_nan=False,
        description=f"m/s, {direction}.",
        examples=[0.05],
    )
    return part


class Burn(BaseModel):
    """A sudden change of velocity."""

    model_config = ConfigDict(
        **STRICT,
        json_schema_extra={"oneOf": [{"required": ["at"]}, {"required": ["before_hours"]}]},
    )

    # Neither may be null; which was given is in `model_fields_set`.
    at: BodyTime = Field(
        default_factory=lambda: datetime.min.replace(tzinfo=UTC),
        description="When. ISO 8601; without a zone: UTC.",
        examples=["2024-11-01T09:00:00Z"],
    )
    before_hours: float = Field(
        default_factory=float,
        gt=0,
        le=LONGEST_BEFORE_TCA_HOURS,
        allow_inf_nan=False,
        description="Instead: h before TCA.",
        examples=[12.0],
    )
    dv_r_m_s: float = _component("radially outwards")
    dv_t_m_s: float = _component("in-track, forwards")
    dv_n_m_s: float = _component("cross-track, along the angular momentum")

    @property
    def dv_rtn_m_s(self) -> tuple[float, float, float]:
        """The change of velocity along the axes of the path just before it."""
        return self.dv_r_m_s, self.dv_t_m_s, self.dv_n_m_s

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if len(self.model_fields_set & {"at", "before_hours"}) != 1:
            raise ValueError("expected either at or before_hours")
        return self


class BurnTerms(BaseModel):
    """Which object burns, how well, and what is to come of it."""

    model_config = STRICT

    object: Literal["primary", "secondary"] | None = Field(
        default=None,
        description="Which object burns; null: the one whose `can_manoeuvre` is yes, otherwise one for which "
        "it is unknown; if both qualify, the one launched later.",
        examples=["primary"],
    )
    goal: float = Field(
        default=DEFAULT_GOAL,
        ge=SMALLEST_GOAL,
        le=1,
        description="Probability that no encounter is to reach.",
        examples=[1e-6],
    )
    days: float = Field(
        default=DEFAULT_DAYS_AFTER,
        ge=0,
        le=LONGEST_DAYS_AFTER,
        description="Days after TCA that are screened too.",
        examples=[3.0],
    )
    threshold_km: ThresholdKm = Field(
        default=DEFAULT_THRESHOLD_KM, description="Encounters closer than this count, km.", examples=[10.0]
    )
    size_error: float = Field(
        default=DEFAULT_SIZE_ERROR,
        ge=0,
        le=1,
        description="1-sigma error of a burn's size, as a share of it.",
        examples=[0.01],
    )
    direction_error_deg: float = Field(
        default=DEFAULT_DIRECTION_ERROR_DEG,
        ge=0,
        le=90,
        description="Degrees, 1-sigma error of a burn's direction, in each of two planes.",
        examples=[1.0],
    )


class ManoeuvreRequest(BurnTerms):
    """Which burns to try, or to search for the cheapest sufficient one."""

    model_config = ConfigDict(
        **STRICT,
        json_schema_extra={
            "oneOf": [
                {"required": ["burns"]},
                {"required": ["search"], "properties": {"search": {"const": True}}},
            ],
        },
    )

    burns: list[Burn] = Field(
        default_factory=list,
        min_length=1,
        max_length=MOST_BURNS,
        description="What is tried, each an impulse.",
    )
    search: bool = Field(default=False, description="Instead: search for the cheapest burn along the track.")
    not_before: BodyTime | None = Field(
        default=None,
        description="Earliest instant of a burn, and the start of what is screened. ISO 8601; without a "
        "zone: UTC. Default: now.",
        examples=["2024-11-01T06:00:00Z"],
    )
    trajectory_id: str = Field(
        default_factory=str,  # not null; empty stands for none
        pattern="^[0-9a-f]{16}$",
        description="Stored trajectory of the object, without burns, in place of its path in the run.",
        examples=["3f2a90c1d4e5b687"],
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.burns) == self.search:
            raise ValueError("expected either burns, or search: true")
        return self


@answer(
    other_norad_id=40911, other_name="COSMOS 2251 DEB", tca="2024-11-01T13:05:41.266Z",
    miss_distance_m=62.16, miss_radial_m=-12.43, miss_in_track_m=-4.78, miss_cross_track_m=-60.71,
    relative_speed_m_s=14926.7, probability=1.26e-4, probability_method="2d",
    probability_level="critical", risk_level="critical",
)  # fmt: skip
class ComputedEncounter:
    """An encounter of the object that burns, which is its primary."""

    other_norad_id: int
    """Catalogue number of the other object."""
    other_name: str
    """Its name; empty: it has none."""
    tca: TimeText
    """UTC, time of closest approach."""
    miss_distance_m: float
    """m, distance at TCA."""
    miss_radial_m: float
    """m, in the RTN of the object that burns."""
    miss_in_track_m: float
    """m, as miss_radial_m."""
    miss_cross_track_m: float
    """m, as miss_radial_m."""
    relative_speed_m_s: float
    """m/s, at TCA."""
    probability: FloatOrNull
    """Collision probability that determines the level; null: unknown."""
    probability_method: ProbabilityMethod | None
    """How it was computed; null: unknown."""
    probability_level: ProbabilityLevel
    """Level by probability; unknown: none could be computed."""
    risk_level: RiskLevel
    """critical, high, medium, low."""


@answer()
class EncounterChange:
    """One encounter without the burns and with them."""

    before: ComputedEncounter | None
    """Without them; null: it is new."""
    after: ComputedEncounter | None
    """With them; null: it is gone."""


@answer(at="2024-11-01T01:05:41.266Z", before_tca_hours=12.0, dv_r_m_s=0.0, dv_t_m_s=0.05, dv_n_m_s=0.0)
class ComputedBurn:
    """A burn as it was computed."""

    at: TimeText
    """UTC."""
    before_tca_hours: float
    """h before the event's TCA."""
    dv_r_m_s: float
    """m/s, radial."""
    dv_t_m_s: float
    """m/s, in-track."""
    dv_n_m_s: float
    """m/s, cross-track."""


@answer(dv_m_s=0.05, semi_major_axis_change_m=89.7, problem=None, probability_sum=2.3e-7, raised=0)
class BurnsResult:
    """What burns change, on whole paths, against the whole catalogue."""

    burns: list[ComputedBurn]
    """In the order given."""
    dv_m_s: float
    """m/s, the sum of their sizes."""
    semi_major_axis_change_m: FloatOrNull
    """m, of the osculating orbit; null: see problem."""
    problem: str | None
    """Why it cannot be computed; of candidates of a search only."""
    encounter: ComputedEncounter | None
    """The event with the burns; null: they no longer meet, or see problem."""
    probability_sum: float | None
    """Sum of the probabilities of all encounters with the burns."""
    raised: int
    """Encounters that the burns bring to the goal or above."""
    changes: list[EncounterChange]
    """All encounters without the burns by TCA, then the new ones."""
    file_name: str
    """For files of the path or the burns, without an ending: the object, the first burn, the size of all."""


@answer(
    before_tca_hours=12.4, dv_m_s=0.41, dv_r_m_s=0.41, dv_t_m_s=0.0, dv_n_m_s=0.0, miss_distance_m=912.3,
    probability=9.8e-7,
)  # fmt: skip
class ComparedBurn:
    """A burn to compare with, computed around the event only."""

    before_tca_hours: float
    """h before the event's TCA."""
    dv_m_s: float
    """m/s, its size."""
    dv_r_m_s: float
    """m/s, radial."""
    dv_t_m_s: float
    """m/s, in-track."""
    dv_n_m_s: float
    """m/s, cross-track."""
    miss_distance_m: float
    """m, distance at TCA after it."""
    probability: float
    """Collision probability after it."""


@answer(
    at="2024-11-01T01:05:41.266Z", before_tca_hours=12.0, dv_t_m_s=-0.0325, direction="against flight",
    miss_distance_m=912.3, probability=9.8e-7, raised=0,
    words="Burn at 2024-11-01 01:05:41 UTC, 12.0 h before TCA: 0.0325 m/s against flight. Then the miss is "
    "912.3 m, the probability 9.80e-07. Screened against all other objects: it raises no other encounter.",
)  # fmt: skip
class BurnOffer:
    """A burn along the track that is enough."""

    at: TimeText
    """UTC."""
    before_tca_hours: float
    """h before the event's TCA."""
    dv_t_m_s: float
    """m/s, in-track."""
    direction: Literal["along flight", "against flight"]
    """The same in words."""
    miss_distance_m: float | None
    """m, distance at TCA after it; null: they no longer meet."""
    probability: float
    """Collision probability after it."""
    raised: int | None
    """Other encounters that it brings to the goal or above; null: not screened against other objects."""
    words: str
    """All of it, as a sentence."""


@answer()
class Offers:
    """What a search offers to whoever must decide when to burn."""

    cheapest: BurnOffer | None
    """The cheapest of all that raises no other encounter; null: none."""
    waiting: list[BurnOffer]
    """What waiting costs: the cheapest from a time of the trade space on, the earliest first; the last is
    half a revolution before TCA if up to 1 m/s is sufficient then, later only if none earlier is. Only the
    last is screened; empty: none up to 1 m/s is sufficient."""


@answer(revolution_hours=1.58)
class TradeSpace:
    """What burns along the track, each at its time and of its size, make of the event."""

    before_tca_hours: Numbers
    """h before TCA, ascending: the rows."""
    at: list[TimeText]
    """UTC of the rows."""
    dv_t_m_s: Numbers
    """m/s, ascending; 0 is in the middle: the columns."""
    miss_distance_m: TableOrNull
    """m, a list for each time; null: the path is not known, or they no longer meet."""
    miss_x_m: TableOrNull
    """m, across in the encounter plane, seen from the object that burns, to 0.1 m; as miss_distance_m."""
    miss_y_m: TableOrNull
    """m, up in that plane, as miss_x_m."""
    probability: TableOrNull
    """Collision probability, as miss_distance_m."""
    revolution_hours: float
    """h, one revolution of the object that burns."""


@answer(best=0)
class SearchResult:
    """The cheapest burns along the track that are enough."""

    best: int | None
    """Index of the cheapest of the candidates that raises no other encounter; null: none."""
    candidates: list[BurnsResult]
    """Cheapest first; empty: none up to 1 m/s is sufficient."""
    candidate_miss_m: TableOrNull
    """m, the miss of each candidate in the encounter plane: across and up, as miss_x_m and miss_y_m."""
    radial: ComparedBurn | None
    """The cheapest radial one; null: none up to 1 m/s."""
    cross_track: ComparedBurn | None
    """The cheapest cross-track one; null: none up to 1 m/s."""
    steered: ComparedBurn | None
    """The cheapest in-track one, turned into the direction that helps most; null: none up to 1 m/s."""
    offers: Offers
    """What is offered of them."""
    trade_space: TradeSpace
    """The trade space."""


@answer(done=4, of=15, words="screening burn 1 of 10 against everything")
class Progress:
    """The data of the event `progress`."""

    done: int
    """Steps done."""
    of: int
    """Steps in all, as far as known: it may become fewer."""
    words: str
    """What is being done now."""


@answer(
    event_id=3896461733156320, object="primary", norad_id=17842, name="COSMOS 1867", goal=1e-6,
    threshold_km=10.0, window_start="2024-11-01T00:00:00Z", window_end="2024-11-04T13:05:41.266Z",
    probability_sum=1.3e-4,
)  # fmt: skip
class WhatIfResult:
    """What burns make of an event, or the search for the cheapest."""

    event_id: int
    """Id of the event."""
    object: Literal["primary", "secondary"]
    """Which object of the event burns."""
    norad_id: int
    """Its catalogue number."""
    name: str
    """Its name."""
    goal: float
    """The goal, as asked."""
    threshold_km: float
    """Encounters closer than this count, km."""
    window_start: TimeText
    """UTC, from when on encounters count."""
    window_end: TimeText
    """UTC, until when."""
    rests_on: str
    """What the numbers can carry where the object flies by an element set, and why it cannot manoeuvre where
    that is known; otherwise empty."""
    encounter: ComputedEncounter
    """The event without burns, found again."""
    probability_sum: float
    """Sum of the probabilities of all encounters without burns."""
    burns: BurnsResult | None
    """The burns asked about; null: a search."""
    search: SearchResult | None
    """The search; null: burns were given."""
