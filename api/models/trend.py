"""Answers of `GET /conjunctions/{id}/trend`: fields, units and meanings."""

from datetime import datetime
from typing import Literal

from screening.answers import FloatOrNull, answer
from screening.risk.tiers import Limits
from screening.risk.views.better_data import BetterData
from screening.vocabulary import NearLevel, ProbabilityLevel, ProbabilityMethod, RiskLevel

Band = Literal["sigmas_half_to_double"]


@answer(
    kind="run", run_id="20241101T000000Z", received_id=None, message_id=None, originator=None,
    made="2024-11-01T00:00:09.358491Z", hours_to_tca=13.09, tca="2024-11-01T13:05:41.266Z", tca_shift_s=0.0,
    miss_distance_m=62.16, miss_radial_m=-12.43, miss_in_track_m=-4.78, miss_cross_track_m=-60.71,
    sigma_radial_m=463.2, sigma_in_track_m=1680.0, sigma_cross_track_m=241.0, miss_sigmas=0.215,
    probability=1.26e-4, probability_method="2d", probability_level="critical", near_level="critical",
    probability_low=3.3e-5, probability_high=4.7e-4, band="sigmas_half_to_double", probability_mc=1.27e-4,
    probability_mc_low=1.21e-4, probability_mc_high=1.32e-4, claimed_probability=None,
    primary_age_hours=28.49, secondary_age_hours=16.2, risk_level="critical", risk_basis="probability",
    probability_flag=None,
)  # fmt: skip
class TrendPoint:
    """What one run or one received message says of the event."""

    kind: Literal["run", "second_look", "fleet", "quick", "full", "message"]
    """What found it, as an event's `origin`; message: a received message."""
    run_id: str | None
    """The run; null for a message."""
    received_id: str | None
    """The message's `id` in `GET /messages`; null for a run."""
    message_id: str | None
    """The message's name as its sender writes it."""
    originator: str | None
    """Who sent the message; null: a run, or not said."""
    made: datetime
    """UTC, when it was computed, or the message made (if not stated: received); of a historic run, when its
    window begins."""
    hours_to_tca: float
    """h, from `made` to the TCA that it says; negative after TCA."""
    tca: datetime
    """UTC, its TCA."""
    tca_shift_s: float
    """s, its TCA minus the event's."""
    miss_distance_m: float | None
    """m, its miss distance."""
    miss_radial_m: FloatOrNull
    """m, secondary minus primary at its TCA, radial in the primary's RTN; null: without states."""
    miss_in_track_m: FloatOrNull
    """m, as miss_radial_m, in-track."""
    miss_cross_track_m: FloatOrNull
    """m, as miss_radial_m, cross-track."""
    sigma_radial_m: FloatOrNull
    """m, 1-sigma of the relative position, both errors together, radial in the primary's RTN; null: not known
    of both."""
    sigma_in_track_m: FloatOrNull
    """m, as sigma_radial_m, in-track."""
    sigma_cross_track_m: FloatOrNull
    """m, as sigma_radial_m, cross-track."""
    miss_sigmas: FloatOrNull
    """Mahalanobis distance: the miss in sigmas of the combined covariance, in the encounter plane."""
    probability: float | None
    """The probability that determines the level; null: none could be computed."""
    probability_low: float | None
    """Lower end of its band."""
    probability_high: float | None
    """Upper end of its band."""
    band: Band | None
    """sigmas_half_to_double: the least and the largest exact 2-D probability with all sigmas of both objects
    times 1/2 to 2. null: none, as where the probability is not that of the plane."""
    probability_mc: float | None
    """By Monte Carlo in the plane, which checks the integral; null: not run."""
    probability_mc_low: float | None
    """Lower end of its 95 % interval."""
    probability_mc_high: float | None
    """Upper end of it."""
    probability_method: ProbabilityMethod | None
    """How it was computed: 2d, 3d, trajectory_mc, bound (at most this); null: none, or by an earlier release.
    """
    probability_level: ProbabilityLevel
    """By the probability alone: critical, high, medium, unknown, low."""
    near_level: NearLevel | None
    """By the miss alone: critical, high, medium; null: 1,000 m or more."""
    claimed_probability: float | None
    """The probability that a message claims; null for a run."""
    primary_age_hours: float | None
    """h, age of the primary's element set at its TCA; null: on an ephemeris, or of a message."""
    secondary_age_hours: float | None
    """h, as primary_age_hours."""
    risk_level: RiskLevel
    """The worse of the two: critical, high, medium, low."""
    risk_basis: str
    """What decided the level: distance, probability, monte_carlo; of messages also claimed (the sender's
    probability), maximum (the largest that fits, because a covariance is missing)."""
    probability_flag: str | None
    """Why the 2-D probability is doubtful or missing, separated by spaces: slow, long, curved,
    non_positive_definite."""


@answer(norad_id=17842, at="2024-10-31T04:10:12.5Z", hours_to_tca=32.92, dv_m_s=0.31)
class TrendManoeuvre:
    """A manoeuvre of one of the two objects: what was said before has another path."""

    norad_id: int
    """Catalogue number of the object."""
    at: datetime
    """UTC, estimated time of the burn."""
    hours_to_tca: float
    """h, from it to the event's TCA."""
    dv_m_s: float
    """m/s, change of velocity, of what can be seen."""


@answer(
    norad_id=17842, made="2024-10-31T12:00:09Z", trajectory_id="3f2a90c1d4e5b687", added_by="Example Space",
    words="Since 2024-10-31 12:00 UTC SL-8 DEB flies by the ephemeris 3f2a90c1, added 2024-10-31 09:30 UTC "
    "by Example Space.",
)  # fmt: skip
class TrendPath:
    """A change of what the path of one of the two objects is from, from one run to the next."""

    norad_id: int
    """Catalogue number of the object."""
    made: datetime
    """UTC, `made` of the first point with it."""
    trajectory_id: str | None
    """Id of the operator's ephemeris; null: its element set again, or one that the store no longer has."""
    added_by: str | None
    """Who added it; null: not known, or no ephemeris."""
    words: str
    """The same in a sentence."""


@answer(
    id=3896461733156320, tca="2024-11-01T13:05:41.266Z", primary_norad_id=17842, secondary_norad_id=270293,
    restricted_messages=0,
)  # fmt: skip
class Trend:
    """How one event developed."""

    id: int
    """Id of the event."""
    tca: datetime
    """UTC, its TCA as known now."""
    primary_norad_id: int
    """Catalogue number of the primary."""
    secondary_norad_id: int
    """Catalogue number of the secondary."""
    limits: Limits
    """The limits of the levels by probability."""
    points: list[TrendPoint]
    """What runs and messages say, the oldest first."""
    manoeuvres: list[TrendManoeuvre]
    """Manoeuvres of both objects since the first of the points, and before TCA, the oldest first."""
    planned: list[TrendManoeuvre]
    """Burns of the plans kept for the event, the oldest first; what runs say is without them."""
    paths: list[TrendPath]
    """Where an object began to fly by another ephemeris, or by its element set again, the oldest first."""
    better_data: BetterData
    """When better data usually come, and what they would do to the level."""
    restricted_messages: int
    """How many messages about it are left out because they must not be shared."""
