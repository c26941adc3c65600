"""Answers of `GET /runs/current/overview`: fields, units and meanings."""

from datetime import datetime

from screening.answers import CountArray, TimeText, answer
from screening.risk.tiers import Limits
from screening.risk.views.overview import AltitudeInclination, MissProbability
from screening.vocabulary import NearLevel, ProbabilityLevel, RiskLevel


@answer(critical=2, high=9, medium=31, unknown=310, low=4210)
class ByLevel:
    """Numbers of events by the level of their probability."""

    critical: int
    """Events of this level."""
    high: int
    """Events of this level."""
    medium: int
    """Events of this level."""
    unknown: int
    """Events whose probability could not be computed."""
    low: int
    """Events of this level."""


@answer(
    norad_id=25544, trajectory_id="3f2a90c1d4e5b687", added="2026-11-21T11:30:00Z",
    added_by="flight dynamics", departs_at=None,
)  # fmt: skip
class NewPath:
    """A trajectory by which an object flies since the newest run."""

    norad_id: int
    """Catalogue number of the object."""
    trajectory_id: str
    """Id of the trajectory."""
    added: datetime
    """UTC, when it was added."""
    added_by: str | None
    """Who added it: name of the organisation, or the setting of its source."""
    departs_at: TimeText | None
    """UTC, since when it is more than 100 km and 10 sigma from the element set; null: it is not, or was not
    compared."""


@answer(critical=12, high=280, medium=880)
class Near:
    """Numbers of events by their miss alone."""

    critical: int
    """Under 100 m."""
    high: int
    """100 m to under 500 m."""
    medium: int
    """500 m to under 1,000 m."""


@answer(
    id=3896461733156320, tca="2024-11-01T13:05:41.266Z", encounter="fast", primary_norad_id=17842,
    primary_name="SL-8 DEB", secondary_norad_id=270293, secondary_name="UNKNOWN", risk_level="critical",
    probability_level="critical", near_level="critical", level_before="medium", miss_distance_m=62.16,
    relative_speed_m_s=14926.7, probability=1.26e-4, new_path=None,
)  # fmt: skip
class OverviewEvent:
    """An event in short, as its run found it."""

    tca: datetime
    """UTC, time of closest approach."""
    encounter: str
    """fast, slow."""
    primary_norad_id: int
    """Catalogue number of the primary."""
    primary_name: str
    """Its name."""
    secondary_norad_id: int
    """Catalogue number of the secondary."""
    secondary_name: str
    """Its name."""
    risk_level: RiskLevel
    """critical, high, medium, low."""
    probability_level: ProbabilityLevel
    """By the probability alone: critical, high, medium, unknown, low."""
    miss_distance_m: float
    """m, distance at TCA."""
    relative_speed_m_s: float | None
    """m/s, at TCA."""
    id: int
    """Id of the event."""
    near_level: NearLevel | None
    """By the miss alone: critical, high, medium; null: 1,000 m or more."""
    probability: float | None
    """The probability that determines the level; null: none."""
    level_before: ProbabilityLevel | None
    """Of a raised or eased event, its `probability_level` in the run before."""
    new_path: NewPath | None
    """For an event that is gone, the trajectory that one of its objects now follows and did not follow in the
    run before, which may be why."""


@answer(total=4252)
class Changed:
    """Events that changed in one way."""

    total: int
    """How many."""
    by_level: ByLevel
    """By probability: now; for those that the newest run lacks, before."""
    worst: list[OverviewEvent]
    """The 20 most dangerous; of an encounter with a complex only the worst row."""


@answer()
class HourCounts:
    """Events in each hour by the level of their probability."""

    critical: CountArray
    """Events of this level in each hour."""
    high: CountArray
    """Events of this level in each hour."""
    medium: CountArray
    """Events of this level in each hour."""
    unknown: CountArray
    """Events in each hour whose probability could not be computed."""
    low: CountArray
    """Events of this level in each hour."""


@answer(outside_window=0)
class PerHour:
    """Events by the hour of their TCA, within the run's window, both ends included."""

    starts: list[datetime]
    """UTC, when each hour begins, from the start of the window on."""
    end: datetime
    """UTC, end of the window and of the last interval, which may be shorter than an hour."""
    counts: HourCounts
    """Events in each hour."""
    outside_window: int
    """Events whose TCA lies outside the window, such as those of messages."""


@answer(run_id="20241101T060000Z", before="20241101T000000Z", events=131032)
class Overview:
    """The newest run at a glance."""

    run_id: str
    """The newest run."""
    before: str | None
    """The run before; null: the store keeps none of the same kind (historic, synthetic)."""
    new: Changed | None
    """Events that the run before did not have, though it would have found them; null without a run before."""
    first_looked_for: Changed | None
    """Other events that the run before did not have: outside its window, beyond its threshold, or of an
    object that it did not screen, or only in part."""
    raised: Changed | None
    """Events of a higher level by probability than in the run before; unknown is above low."""
    eased: Changed | None
    """Events of a lower level by probability than in the run before, without those that became unknown."""
    gone: Changed | None
    """Events of the run before that the newest run no longer has, though it would have found them; none that
    had passed by then."""
    not_looked_for: Changed | None
    """Other events of the run before that the newest run lacks and that had not passed: beyond its threshold
    or window, or of an object that it did not screen, or only in part. Whether they are still valid is
    unknown."""
    events: int
    """Events counted below, as known now."""
    by_level: ByLevel
    """How many of each level by probability."""
    near: Near
    """How many of them are near, whatever their probability."""
    altitude_inclination: AltitudeInclination
    """Where they are."""
    per_hour: PerHour
    """When they are."""
    miss_probability: MissProbability
    """How near and how likely."""
    limits: Limits
    """The limits of the levels by probability."""
