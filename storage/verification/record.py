"""How the forecasts of a store have done: what the counts of all of them say."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from screening.answers import answer
from screening.verification.shares import share_interval
from screening.vocabulary import PROBABILITY_LEVELS
from storage.disk.connections import file_reader
from storage.verification.outlook import Fates, became, of_groups, whole_days
from storage.verification.suspects import Suspect, suspects
from storage.verification.tallies import DAYS, SIGMAS, fates, tallies

NORMAL_MEDIAN = 0.6745  # of the absolute value of a standard normal variable
FEWEST_OF_A_LAW = 50
LARGEST_RATIO = 2.5  # of errors to their law, and its inverse the smallest
RED = ("critical", "high")
_LEVELS = (*PROBABILITY_LEVELS, "not listed")


@answer(kind="neither thrusts", days_ahead=1, encounters=1204.0, inside_50=0.52, inside_95=0.94)
class RegionsHeld:
    """How many errors of the miss the regions held that were said to hold 50 % and so on."""

    kind: str
    """Of pairs: starlink or oneweb (both are), both thrust, one thrusts, neither thrusts."""
    days_ahead: int
    """Whole days before TCA; 0: the last run before it."""
    encounters: float
    """Encounters."""
    inside_50: float
    """Share inside the region called 50 %."""
    inside_80: float
    """Share inside the region called 80 %."""
    inside_95: float
    """Share inside the region called 95 %."""
    inside_99: float
    """Share inside the region called 99 %."""
    between: list[list[float]]
    """90 % interval of each of these four shares, from its lower to its upper end: Wilson's, of the count."""


@answer(
    error_law="leo",
    since="2026-11-01",
    days_ahead=1,
    predictions=2408.0,
    radial=0.9,
    in_track=1.1,
    cross_track=0.8,
)
class ErrorsOfLaw:
    """Median errors of single objects, over what the quiet part of their law says."""

    error_law: str
    """The law of the object's errors."""
    since: str
    """First day, UTC, on which one of its encounters that were predicted so far ahead has passed."""
    days_ahead: int
    """Whole days before TCA; 0: the last run before it."""
    predictions: float
    """Predictions, each of two objects."""
    radial: float
    """Median error over the law's, radially: 1 is as said, 2 twice as large."""
    in_track: float
    """Likewise in-track."""
    cross_track: float
    """Likewise cross-track."""


@answer(days_ahead=1, from_probability=1e-5, encounters=310.0, said=3.1e-5, came=2.7e-5)
class ProbabilitiesSaid:
    """Probabilities of one order of magnitude, and what the last run before TCA made of them."""

    days_ahead: int
    """Whole days before TCA."""
    from_probability: float
    """From this to ten times as much."""
    encounters: float
    """Encounters."""
    said: float
    """Mean probability said."""
    came: float
    """Mean of the last run before TCA, 0 where it did not list the encounter: on average it is as said if
    the threshold is wide against the errors."""


@answer(days_ahead=3, level="high", encounters=1200.0, red=72.0, medium=300.0, low=500.0, vanished=328.0)
class WarningsFate:
    """What became of the encounters of one level."""

    days_ahead: int
    """Whole days before TCA at which the level was said."""
    level: str
    """Level said then; `not listed`: it was not among the events, and critical, high or medium at the end."""
    encounters: float
    """Encounters."""
    red: float
    """Of them critical or high in the last run before TCA."""
    medium: float
    """Of them medium."""
    low: float
    """Of them low, or without a probability."""
    vanished: float
    """Of them no longer below the threshold."""
    manoeuvred: float
    """Of all of them those with a manoeuvre of one object after the set that the prediction rests on."""


@answer(
    since="2026-11-01",
    until="2026-11-07",
    encounters=5210.0,
    warned=34.0,
    first_warned_days=2.3,
    settled_days=0.9,
)
class Verification:
    """How forecasts did: predictions of encounters that have passed, against what came."""

    since: str | None
    """First day counted, UTC; null: no encounter is judged yet."""
    until: str | None
    """Last day counted."""
    encounters: float
    """Encounters that have passed, and were compared."""
    warned: float
    """Encounters that any run rated critical or high."""
    first_warned_days: float | None
    """Days before TCA at which a run first did so, median; null: there is none."""
    settled_days: float | None
    """Days before TCA from which on they were critical or high in every run or in none, median."""
    regions: list[RegionsHeld]
    """By pair and lead."""
    errors: list[ErrorsOfLaw]
    """By law and lead."""
    probabilities: list[ProbabilitiesSaid]
    """By lead and order of magnitude."""
    warnings: list[WarningsFate]
    """By lead and level."""
    suspects: list[Suspect]
    """Objects that stand out."""
    words: list[str]
    """What of that matters most, as sentences."""


def verification(store: Path, since: date | None = None) -> Verification:
    """Return how the forecasts of a store did, of encounters from a day (UTC) on.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    counts = tallies(store)
    if since is not None:
        counts = counts.filter(pc.greater_equal(counts["day"], pa.scalar(since)))
    of_levels = fates(counts)
    with file_reader() as connection:
        connection.register("t", counts)
        warned, first_warned_days = _days_before(connection, "first_warned")
        ((first, last, encounters),) = connection.execute(
            "SELECT min(day)::VARCHAR, max(day)::VARCHAR, "
            "coalesce(sum(encounters) FILTER (measure = 'region' AND days_ahead = 0), 0.0) FROM t"
        ).fetchall()
        found = Verification(
            since=first,
            until=last,
            encounters=encounters,
            warned=warned,
            first_warned_days=first_warned_days,
            settled_days=_days_before(connection, "settled")[1],
            regions=_regions(connection),
            errors=_errors(connection),
            probabilities=_probabilities(connection),
            warnings=_warnings(of_levels),
            suspects=suspects(store, since),
            words=[],
        )
    found.words.extend(_words(found, of_levels))
    return found


def _regions(connection: duckdb.DuckDBPyConnection) -> list[RegionsHeld]:
    shares = ", ".join(
        f"coalesce(sum(encounters) FILTER (bin::DOUBLE <= {limit}), 0.0) / sum(encounters)"
        for limit in (0.5, 0.8, 0.95, 0.99)
    )
    rows = connection.execute(
        f"SELECT kind, days_ahead, sum(encounters), {shares} FROM t WHERE measure = 'region' "  # noqa: S608
        "GROUP BY kind, days_ahead ORDER BY kind, days_ahead"
    ).fetchall()
    return [
        RegionsHeld(*(*row, [[*share_interval(share, row[2])] for share in row[3:]]))  # row[2]: encounters
        for row in rows
    ]


def _errors(connection: duckdb.DuckDBPyConnection) -> list[ErrorsOfLaw]:
    rows = connection.execute(
        "SELECT kind, days_ahead, measure, bin::DOUBLE AS upto, sum(encounters), min(day)::VARCHAR FROM t "
        "WHERE measure IN ('radial', 'in_track', 'cross_track') GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    counted: dict[tuple[str, int], dict[str, list[tuple[float, float]]]] = {}
    first_days: dict[tuple[str, int], str] = {}
    for law, ahead, axis, upto, count, day in rows:
        first_days[law, ahead] = min(day, first_days.get((law, ahead), day))
        counted.setdefault((law, ahead), {}).setdefault(axis, []).append((upto, count))
    return [
        ErrorsOfLaw(
            error_law=law,
            since=first_days[law, ahead],
            days_ahead=ahead,
            predictions=sum(count for _, count in axes["in_track"]),
            **{axis: _median(bins, SIGMAS) / NORMAL_MEDIAN for axis, bins in axes.items()},
        )
        for (law, ahead), axes in counted.items()
    ]


def _days_before(connection: duckdb.DuckDBPyConnection, measure: str) -> tuple[float, float | None]:
    """Return how many encounters have a number of days before TCA, and the median."""
    rows = connection.execute(
        "SELECT bin::DOUBLE AS upto, sum(encounters) FROM t WHERE measure = ? GROUP BY upto ORDER BY upto",
        [measure],
    ).fetchall()
    return sum((count for _, count in rows), 0.0), _median(rows, DAYS) if rows else None


def _median(bins: list[tuple[float, float]], limits: Sequence[float]) -> float:
    """Return the median of what is counted up to ascending limits, evenly spread between two of these."""
    left = sum(count for _, count in bins) / 2.0
    for upto, count in bins:
        if count >= left:
            below = max((limit for limit in limits if limit < upto), default=0.0)
            return float(below + (min(upto, 2.0 * limits[-1]) - below) * left / count)
        left -= count
    return 0.0


def _probabilities(connection: duckdb.DuckDBPyConnection) -> list[ProbabilitiesSaid]:
    rows = connection.execute(
        "SELECT days_ahead, 10.0 ** bin::INTEGER, sum(encounters) AS n, sum(said) / n, sum(came) / n FROM t "
        "WHERE measure = 'probability' GROUP BY days_ahead, bin ORDER BY days_ahead, bin::INTEGER DESC"
    ).fetchall()
    return [ProbabilitiesSaid(*row) for row in rows]


def _warnings(of_levels: Fates) -> list[WarningsFate]:
    found = sorted(of_levels.items(), key=lambda one: (one[0][0], _LEVELS.index(one[0][1])))
    return [WarningsFate(ahead, level, *fate) for (ahead, level), fate in found]


def _words(found: Verification, of_levels: Fates) -> list[str]:
    if found.since is None:
        return ["No encounter has passed since the first run: there is nothing to compare yet."]
    groups = sorted(of_groups(of_levels).items(), key=lambda one: (one[0][1], one[0][0]))
    said = [became(fate, group, ahead) for (ahead, group), fate in groups if group != "low" and ahead]
    for ahead in sorted({ahead for ahead, _ in of_levels if ahead}):
        red_then = {level: fate.red for (days, level), fate in of_levels.items() if days == ahead}
        missed = sum(count for level, count in red_then.items() if level not in RED)
        if at_end := sum(red_then.values()):
            unlisted = red_then.get("not listed", 0.0)
            said.append(
                f"Critical or high in the last run before TCA: {at_end:,.0f}. {missed:,.0f} of them had been "
                f"rated lower {whole_days(ahead)} ahead, {unlisted:,.0f} of these not listed at all."
            )
    if found.first_warned_days is not None and found.settled_days is not None:
        said.append(
            f"Critical or high in some run: {found.warned:,.0f}. The first such run of half of them was "
            f"more than {found.first_warned_days:.1f} days before TCA; whether they stay so was settled for "
            f"half of them by {found.settled_days:.1f} days before TCA."
        )
    for axis in ("radial", "in_track", "cross_track"):
        for law in sorted({one.error_law for one in found.errors}):
            ratios = [
                getattr(one, axis)
                for one in found.errors
                if one.error_law == law and one.predictions >= FEWEST_OF_A_LAW
            ]
            off = [ratio for ratio in ratios if not 1.0 / LARGEST_RATIO <= ratio <= LARGEST_RATIO]
            if off:
                least, most = (f"{limit:.2g}" for limit in (min(off), max(off)))
                times = least if least == most else f"{least} to {most}"
                said.append(
                    f"The law {law} does not fit {axis.replace('_', '-')}: errors are {times} times what it "
                    "says."
                )
    return said
