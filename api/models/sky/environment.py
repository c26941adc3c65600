"""Answers: how crowded the sky is, and who causes an operator's work."""

from typing import Any, Literal

from api.models.responses import model_of
from screening.answers import Numbers, TableOrNull, answer
from storage.sky_schema import ENVIRONMENT

Approaching: Any = model_of(
    "Approaching",
    "Fast approaches a day in a shell, or of groups of objects, and what they may come to in a year.",
    [column for column in ENVIRONMENT.columns if column.name not in ("run_id", "days")],
)


@answer(run_id="20241101T000000Z", days=1.0)
class Environment:
    """How crowded the sky is, by shell and by groups of objects.

    Expected collisions are sums of the probabilities of stored events, which are those below the run's
    threshold; beside them what random nodes and phases would give. Both are of objects that do nothing:
    constellations keep apart and avoid what comes.
    """

    run_id: str
    """The run that counted."""
    days: float | None
    """Days, length of its window; null: the run has not counted."""
    rows: list[Approaching]
    """Shells upward; of each kind of groups those with the most approaches first."""


@answer(
    run_id="20241101T000000Z", days=1.0, objects=26773.5, approaches_1km_day=985.0,
    approaches_5km_day=24344.0, within_1km_day=144.0, within_5km_day=2068.0, collisions_year=1.654,
    fragments_year=1002.0,
    outside_1km_day=528.0, gas_outside_1km_day=569.8, gas_outside_collisions_year=0.407,
)  # fmt: skip
class EnvironmentOfRun:
    """How crowded the sky was in one run, all shells together."""

    run_id: str
    """The run that counted."""
    days: float
    """Days, length of its window."""
    objects: float
    """Mean number of objects in all shells."""
    approaches_1km_day: float | None
    """1/day, closer than 1 km; null: beyond the run's threshold."""
    approaches_5km_day: float | None
    """1/day, closer than 5 km; null: likewise."""
    within_1km_day: float | None
    """1/day, of these between two satellites of one constellation, which its operator screens."""
    within_5km_day: float | None
    """1/day, likewise."""
    collisions_year: float
    """1/year, sum of the probabilities of events below the run's threshold."""
    fragments_year: float
    """1/year, pieces of 10 cm or more, likewise."""
    outside_1km_day: float | None
    """1/day, closer than 1 km, where neither is of a constellation."""
    gas_outside_1km_day: float
    """1/day, likewise if nodes and phases were random."""
    gas_outside_collisions_year: float
    """1/year, collisions where neither is of a constellation, if nodes and phases were random."""


@answer(total=31)
class EnvironmentSeries:
    """How crowded the sky was in each run; counts stay when runs expire."""

    runs: list[EnvironmentOfRun]
    """The first run before the others."""
    total: int
    """Number of runs."""


@answer(run_id="20241101T000000Z")
class ObjectDensity:
    """Where the objects of the newest run are, by the time that each spends at an altitude."""

    run_id: str
    """The run whose element sets these are."""
    altitude_edges_km: Numbers
    """km above the Earth's radius at the equator: n + 1 edges, ascending. The outermost hold more."""
    inclination_edges_deg: Numbers
    """Degrees: m + 1 edges, ascending."""
    objects: TableOrNull
    """Mean numbers of objects: n lists, one an altitude, of m numbers."""


@answer(
    kind="type",
    group="debris",
    approaches_1km_day=15.0,
    approaches_5km_day=313.0,
    share=0.76,
    collisions_year=0.0045,
)
class WorkShare:
    """The approaches with one group of others."""

    kind: Literal["type", "owner", "constellation"]
    """By what the other is: its type, its owner, its constellation."""
    group: str
    """The group; an owner as abbreviated by GCAT, `unknown` or `none`."""
    approaches_1km_day: float
    """1/day, closer than 1 km."""
    approaches_5km_day: float
    """1/day, closer than 5 km."""
    share: float
    """Of the approaches with others closer than 5 km, 0 to 1."""
    collisions_year: float
    """1/year, sum of probabilities."""


@answer(
    run_id="20241101T000000Z", days=1.0, objects=654, approaches_1km_day=18.0, approaches_5km_day=525.0,
    within_1km_day=0.0, within_5km_day=113.0, collisions_year=0.0068,
)  # fmt: skip
class Workload:
    """Who causes the work of an operator: with whom its objects have fast approaches, in the newest run."""

    run_id: str
    """The newest run."""
    days: float
    """Days, length of its window."""
    objects: int
    """Number of the operator's objects."""
    approaches_1km_day: float
    """1/day, closer than 1 km, those among its own objects included."""
    approaches_5km_day: float
    """1/day, closer than 5 km or the run's threshold, likewise."""
    within_1km_day: float
    """1/day, closer than 1 km among its own objects."""
    within_5km_day: float
    """1/day, closer than 5 km among its own objects."""
    collisions_year: float
    """1/year, sum of the probabilities of all of these."""
    shares: list[WorkShare]
    """Approaches with others: by type, by owner, by constellation, the most first."""
