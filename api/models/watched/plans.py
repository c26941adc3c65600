"""Models of plans: burns that were chosen for an event, and how they fare with later runs."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from api.models.manoeuvres import Burn, BurnTerms, ComputedEncounter
from screening.answers import answer
from screening.vocabulary import MOST_BURNS, ProbabilityLevel

PlanState = Literal[
    "holds", "not_enough", "raises", "not_needed", "gone", "burn_passed", "not_followed", "ended"
]


class PlanRequest(BurnTerms):
    """Which burns are planned for an event."""

    burns: list[Burn] = Field(
        min_length=1, max_length=MOST_BURNS, description="What is planned, each an impulse."
    )


@answer(at="2024-11-01T01:05:41.266Z", dv_r_m_s=0.0, dv_t_m_s=-0.0325, dv_n_m_s=0.0)
class PlannedBurn:
    """A planned burn."""

    at: datetime
    """UTC."""
    dv_r_m_s: float
    """m/s, radially outwards."""
    dv_t_m_s: float
    """m/s, in-track, forwards."""
    dv_n_m_s: float
    """m/s, cross-track, along the angular momentum."""


@answer(
    id=4, event_id=3896461733156320, norad_id=17842, name="COSMOS 1867", other_norad_id=40911,
    other_name="COSMOS 1867 DEB", dv_m_s=0.0325, goal=1e-6, days=3.0, run_id="20241031T180000Z",
    tca="2024-11-01T13:05:41.266Z", miss_distance_m=62.16, probability=1.26e-4, miss_after_m=912.3,
    probability_after=9.8e-7, at="2024-10-31T18:20:00Z", made_by="operations desk",
    words="COSMOS 1867: 0.0325 m/s against flight at 2024-11-01 01:05:41 UTC",
)  # fmt: skip
class ListedPlan:
    """Burns that were chosen for an event, and what the event was then."""

    id: int
    """Its id."""
    event_id: int
    """Id of the event."""
    norad_id: int
    """Catalogue number of the object that burns."""
    name: str
    """Its name."""
    other_norad_id: int
    """Catalogue number of the other object."""
    other_name: str
    """Its name."""
    burns: list[PlannedBurn]
    """By time."""
    dv_m_s: float
    """m/s, the sum of their sizes."""
    goal: float
    """Probability that no encounter is to reach."""
    days: float
    """Days after TCA that are screened too."""
    run_id: str
    """The newest run when it was chosen."""
    tca: datetime
    """UTC, time of closest approach then."""
    miss_distance_m: float
    """m, without the burns, then."""
    probability: float | None
    """Collision probability without them, then; null: none could be computed."""
    miss_after_m: float | None
    """m, with them, then; null: the two no longer meet, or it could not be computed."""
    probability_after: float | None
    """Collision probability with them, then; 0: the two no longer meet."""
    at: datetime
    """UTC, when it was chosen."""
    made_by: str
    """Name of the credential, or `command line`."""
    words: str
    """The burns as a phrase."""


@answer(
    kind="run", run_id="20241101T000000Z", received_id=None, made="2024-11-01T00:00:09.358491Z",
    hours_to_tca=13.09, tca="2024-11-01T13:05:41.266Z", miss_distance_m=70.2, probability=1.1e-4,
    probability_level="critical", miss_after_m=934.0, probability_after=8.7e-7, not_computed="",
)  # fmt: skip
class PlanPoint:
    """What one run or one received message makes of a plan."""

    kind: Literal["run", "second_look", "fleet", "quick", "full", "message"]
    """What found it, as an event's `origin`; message: a received message."""
    run_id: str | None
    """The run; null for a message."""
    received_id: str | None
    """The message's `id` in `GET /messages`; null for a run."""
    made: datetime
    """UTC, as in the event's trend."""
    hours_to_tca: float
    """h, from `made` to the TCA that it says."""
    tca: datetime
    """UTC, its TCA, without the burns."""
    miss_distance_m: float | None
    """m, without the burns."""
    probability: float | None
    """Collision probability without them; null: none could be computed."""
    probability_level: ProbabilityLevel
    """Level by that probability."""
    miss_after_m: float | None
    """m, with the burns; null: the two no longer meet, or see not_computed."""
    probability_after: float | None
    """Collision probability with them; 0: the two no longer meet; null: see not_computed."""
    not_computed: str
    """Why there is nothing with the burns; otherwise empty."""


@answer(state="holds", hours_to_burn=5.2, hours_to_tca=17.2)
class FollowedPlan:
    """A plan, and how it fares with the runs and messages since."""

    plan: ListedPlan
    """What was chosen."""
    state: PlanState
    """holds: the burns are needed and enough; not_enough: the probability with them is not below the goal;
    raises: they bring another encounter to the goal; not_needed: the probability is below the goal without
    them; gone: the two no longer come near; burn_passed: its last burn should have been flown; not_followed:
    the newest run lacks an object, or there is no probability; ended: TCA has passed."""
    words: str
    """The same in sentences."""
    hours_to_burn: float | None
    """h, to the next burn; null: none is ahead."""
    hours_to_tca: float
    """h, to TCA; negative after it."""
    points: list[PlanPoint]
    """The run it was chosen with, and all since, the oldest first."""
    raised: list[ComputedEncounter] | None
    """Other encounters that the burns bring to the goal or above, on the whole path by the newest run; null:
    not screened, as a burn has passed or the event is not in that run."""


@answer()
class EventPlans:
    """The plans of an event."""

    plans: list[FollowedPlan]
    """Oldest first."""


@answer()
class PlanList:
    """Plans of all events."""

    plans: list[ListedPlan]
    """The newest 1,000, newest first."""
