"""Models of `GET /runs/current/overview`: fields, units and meanings."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.models.responses import STRICT
from screening.risk.tiers import Limits
from screening.vocabulary import NearLevel, ProbabilityLevel, RiskLevel


class ByLevel(BaseModel):
    """Numbers of events by the level of their probability."""

    model_config = STRICT

    critical: int = Field(description="Events of this level.", examples=[2])
    high: int = Field(description="Events of this level.", examples=[9])
    medium: int = Field(description="Events of this level.", examples=[31])
    unknown: int = Field(description="Events whose probability could not be computed.", examples=[310])
    low: int = Field(description="Events of this level.", examples=[4210])


class NewPath(BaseModel):
    """A trajectory by which an object flies since the newest run."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number of the object.", examples=[25544])
    trajectory_id: str = Field(description="Id of the trajectory.", examples=["3f2a90c1d4e5b687"])
    added: datetime = Field(description="UTC, when it was added.", examples=["2026-11-21T11:30:00Z"])
    added_by: str | None = Field(
        description="Who added it: name of a credential, `command line`, or the setting of its source.",
        examples=["flight dynamics"],
    )
    departs_at: datetime | None = Field(
        description="UTC, since when it is more than 100 km and 10 sigma from the element set; null: it is "
        "not, or was not compared.",
        examples=[None],
    )


class Near(BaseModel):
    """Numbers of events by their miss alone."""

    model_config = STRICT

    critical: int = Field(description="Under 100 m.", examples=[12])
    high: int = Field(description="100 m to under 500 m.", examples=[280])
    medium: int = Field(description="500 m to under 1,000 m.", examples=[880])


class OverviewEvent(BaseModel):
    """An event in short, as its run found it."""

    model_config = STRICT

    id: int = Field(description="Id of the event.", examples=[3896461733156320])
    tca: datetime = Field(description="UTC, time of closest approach.", examples=["2024-11-01T13:05:41.266Z"])
    encounter: str = Field(description="fast, slow.", examples=["fast"])
    primary_norad_id: int = Field(description="Catalogue number of the primary.", examples=[17842])
    primary_name: str = Field(description="Its name.", examples=["SL-8 DEB"])
    secondary_norad_id: int = Field(description="Catalogue number of the secondary.", examples=[270293])
    secondary_name: str = Field(description="Its name.", examples=["UNKNOWN"])
    risk_level: RiskLevel = Field(description="critical, high, medium, low.", examples=["critical"])
    probability_level: ProbabilityLevel = Field(
        description="By the probability alone: critical, high, medium, unknown, low.", examples=["critical"]
    )
    near_level: NearLevel | None = Field(
        description="By the miss alone: critical, high, medium; null: 1,000 m or more.", examples=["critical"]
    )
    level_before: ProbabilityLevel | None = Field(
        description="Of a raised or eased event, its `probability_level` in the run before.",
        examples=["medium"],
    )
    miss_distance_m: float = Field(description="m, distance at TCA.", examples=[62.16])
    relative_speed_m_s: float | None = Field(description="m/s, at TCA.", examples=[14926.7])
    probability: float | None = Field(
        description="The probability that the level goes by; null: none.", examples=[1.26e-4]
    )
    new_path: NewPath | None = Field(
        description="Of an event that is gone, the trajectory by which one of its objects flies then and did "
        "not in the run before: it may be why.",
        examples=[None],
    )


class Changed(BaseModel):
    """Events that changed in one way."""

    model_config = STRICT

    total: int = Field(description="How many.", examples=[4252])
    by_level: ByLevel = Field(
        description="By probability: now, of those that the newest run has not, before."
    )
    worst: list[OverviewEvent] = Field(
        description="The 20 most dangerous; of an encounter with a complex only the worst row."
    )


class AltitudeInclination(BaseModel):
    """Events by altitude and inclination; the first and the last interval hold what lies beyond, too."""

    model_config = STRICT

    altitude_edges_km: list[float] = Field(
        description="km above the WGS-84 ellipsoid, of the primary at TCA: n + 1 edges, ascending."
    )
    inclination_edges_deg: list[float] = Field(
        description="Degrees, of the primary's osculating orbit at TCA: m + 1 edges, ascending."
    )
    counts: list[list[int]] = Field(description="Events: n lists, one an altitude, of m numbers.")
    without_state: int = Field(description="Events that messages without states tell.", examples=[0])


class HourCounts(BaseModel):
    """Events in each hour by the level of their probability."""

    model_config = STRICT

    critical: list[int] = Field(description="Events of this level in each hour.")
    high: list[int] = Field(description="Events of this level in each hour.")
    medium: list[int] = Field(description="Events of this level in each hour.")
    unknown: list[int] = Field(description="Events in each hour whose probability could not be computed.")
    low: list[int] = Field(description="Events of this level in each hour.")


class PerHour(BaseModel):
    """Events by the hour of their TCA, within the run's window, both ends included."""

    model_config = STRICT

    starts: list[datetime] = Field(description="UTC, when each hour begins, from the start of the window on.")
    end: datetime = Field(
        description="UTC, end of the window and of the last interval, which may be shorter than an hour."
    )
    counts: HourCounts = Field(description="Events in each hour.")
    outside_window: int = Field(
        description="Events whose TCA lies outside the window, such as those of messages.", examples=[0]
    )


class MissProbability(BaseModel):
    """Events by miss and probability.

    The first and the last interval hold what lies beyond, too, but for probabilities below the first edge.
    """

    model_config = STRICT

    log10_miss_edges: list[float] = Field(description="log10 of the miss in m: n + 1 edges, ascending.")
    log10_probability_edges: list[float] = Field(
        description="log10 of the probability that the level goes by: m + 1 edges, ascending."
    )
    counts: list[list[int]] = Field(description="Events: n lists, one a miss, of m numbers.")
    below: list[int] = Field(
        description="Events with a probability below the first edge, many of them 0: n numbers, one a miss."
    )
    without_probability: int = Field(description="Events without a probability.", examples=[412])


class Overview(BaseModel):
    """The newest run at a glance."""

    model_config = STRICT

    run_id: str = Field(description="The newest run.", examples=["20241101T060000Z"])
    before: str | None = Field(
        description="The run before; null: the store keeps none of the same kind (historic, synthetic).",
        examples=["20241101T000000Z"],
    )
    new: Changed | None = Field(
        description="Events that the run before did not have, though it would have found them; null "
        "without a run before."
    )
    first_looked_for: Changed | None = Field(
        description="Other events that the run before did not have: outside its window, beyond its "
        "threshold, or of an object that it did not screen, or only in part."
    )
    raised: Changed | None = Field(
        description="Events of a higher level by probability than in the run before; unknown is above low."
    )
    eased: Changed | None = Field(
        description="Events of a lower level by probability than in the run before; none that became unknown."
    )
    gone: Changed | None = Field(
        description="Events of the run before that the newest has no more, though it would have found them; "
        "none that had passed by then."
    )
    not_looked_for: Changed | None = Field(
        description="Other events of the run before that the newest has not, and had not passed: beyond its "
        "threshold or window, or of an object that it did not screen, or only in part. Nobody knows whether "
        "they still stand."
    )
    events: int = Field(description="Events counted below, as known now.", examples=[131032])
    by_level: ByLevel = Field(description="How many of each level by probability.")
    near: Near = Field(description="How many of them are near, whatever their probability.")
    altitude_inclination: AltitudeInclination = Field(description="Where they are.")
    per_hour: PerHour = Field(description="When they are.")
    miss_probability: MissProbability = Field(description="How near and how likely.")
    limits: Limits = Field(description="The limits of the levels by probability.")
