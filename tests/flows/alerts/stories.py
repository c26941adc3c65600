"""Stories of encounters: runs and times, each with what an alert tells after it."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flows.alerts.changes import Look, Seen

START = datetime(2026, 11, 21, 6, tzinfo=UTC)
OURS, OTHER, THIRD = 100, 200, 300
HOURS = 24.0


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def row(
    level: str = "high",
    probability: float | None = 2e-5,
    *,
    event_id: int = 1,
    tca: float = 20.0,
    ours: int = OURS,
    other: int = OTHER,
    complexes: tuple[int, int] | None = None,
    miss_m: float = 3000.0,
    visit: bool = False,
) -> Seen:
    pair = (min(ours, other), max(ours, other))
    bodies = pair if complexes is None else (min(complexes), max(complexes))
    event = {
        "event_id": event_id,
        "probability_level": level,
        "probability_best": probability,
        "miss_distance_m": miss_m,
    }
    return Seen(event_id, ours, pair, bodies, at(tca), level, probability, miss_m, visit, event)


def unknown(**given: Any) -> Seen:
    return row("unknown", None, **given)


class Run:
    """A run some hours after the start, with a window of a day."""

    def __init__(
        self,
        hours: float,
        *rows: Seen,
        members: tuple[int, ...] = (OURS,),
        found: tuple[int, ...] | None = None,
        window: float = HOURS,
        missing: tuple[int, ...] = (),
        historic: bool = False,
    ) -> None:
        self.hours, self.rows = hours, rows
        ends = dict.fromkeys(members if found is None else found, at(hours + window))
        run_id = f"{at(hours):%Y%m%dT%H%M%S}"
        screened = frozenset(range(3000)) - set(missing)
        self.look = Look(run_id, at(hours), ends, frozenset(members), screened, historic)


class Passes(NamedTuple):
    """Time passes, to some hours after the start."""

    hours: float


Step = tuple[Run | Passes, list[str]]
NEW, AGAIN, RAISED, EASED = ["new 1"], ["new again 1"], ["raised 1"], ["eased 1"]
RESOLVED, CLOSED = ["resolved 1"], ["closed 1"]
QUIET: list[str] = []
STORIES: dict[str, list[Step]] = {
    "goes on as it is": [(Run(0, row()), NEW), (Run(6, row()), QUIET), (Run(12, row()), QUIET)],
    "worsens by a level": [
        (Run(0, row()), NEW),
        (Run(6, row("critical", 3e-5)), RAISED),
        (Run(12, row("critical", 3e-5)), QUIET),
    ],
    "worsens tenfold": [
        (Run(0, row("high", 2e-5)), NEW),
        (Run(6, row("high", 1.9e-4)), QUIET),
        (Run(12, row("high", 2e-4)), RAISED),
    ],
    "tenfold counts from what was told": [
        (Run(0, row("high", 2e-5)), NEW),
        (Run(3, row("high", 1e-6)), QUIET),
        (Run(6, row("high", 1e-4)), QUIET),
        (Run(9, row("high", 2e-4)), RAISED),
        (Run(12, row("high", 1e-3)), QUIET),
        (Run(15, row("high", 2.1e-3)), RAISED),
    ],
    "vanishing probabilities grow in vain": [
        (Run(0, row("high", 1e-30)), NEW),
        (Run(3, row("high", 1e-12)), QUIET),
        (Run(6, row("high", 9e-10)), QUIET),
        (Run(9, row("high", 1e-9)), RAISED),
    ],
    "a probability of zero": [(Run(0, row("high", 0.0)), NEW), (Run(6, row("high", 0.0)), QUIET)],
    "level flips to and fro": [
        (Run(0, row("high")), NEW),
        (Run(3, row("critical")), RAISED),
        (Run(6, row("high")), QUIET),
        (Run(9, row("critical")), QUIET),
        (Run(12, row("high")), QUIET),
    ],
    "unknown is told whatever the level, and raised by a number": [
        (Run(0, unknown()), NEW),
        (Run(6, unknown()), QUIET),
        (Run(9, row("high", 2e-5)), RAISED),
    ],
    "unknown turns out to be below the limits": [
        (Run(0, unknown()), NEW),
        (Run(6, row("medium", 2e-6)), QUIET),
        (Run(9, row("medium", 2e-6)), EASED),
    ],
    "a low probability appears, then grows": [
        (Run(0, unknown(miss_m=300.0)), NEW),
        (Run(3, row("low", 2e-8, miss_m=300.0)), QUIET),
        (Run(6, unknown(miss_m=300.0)), QUIET),
        (Run(9, row("low", 2e-7, miss_m=300.0)), RAISED),
    ],
    "what is known becomes unknown, and known again": [
        (Run(0, row("high", 2e-5)), NEW),
        (Run(3, unknown()), QUIET),
        (Run(6, unknown()), QUIET),
        (Run(9, row("high", 3e-5)), QUIET),
        (Run(12, row("critical", 1.1e-4)), RAISED),
    ],
    "what was low becomes unknown": [
        (Run(0, row("low", 1e-8, miss_m=300.0)), NEW),
        (Run(3, unknown(miss_m=300.0)), RAISED),
        (Run(6, row("low", 1e-8, miss_m=300.0)), QUIET),
        (Run(9, unknown(miss_m=300.0)), QUIET),
    ],
    "comes near for the first time": [
        (Run(0, row("low", 1e-9, miss_m=800.0)), QUIET),
        (Run(3, row("low", 1e-9, miss_m=499.9)), NEW),
        (Run(6, row("low", 1e-9, miss_m=60.0)), QUIET),
    ],
    "is likely, then near: no reason to tell it again": [
        (Run(0, row("high", 2e-5)), NEW),
        (Run(3, row("high", 2e-5, miss_m=40.0)), QUIET),
    ],
    "keeps away for two runs": [
        (Run(0, row("low", 1e-9, miss_m=400.0)), NEW),
        (Run(3, row("low", 1e-9, miss_m=600.0)), QUIET),
        (Run(6, row("low", 1e-9, miss_m=500.0)), EASED),
    ],
    "a visit has no probability, and is told by its distance": [
        (Run(0, unknown(visit=True)), QUIET),
        (Run(3, unknown(visit=True, miss_m=450.0)), NEW),
        (Run(6, unknown(visit=True, miss_m=50.0)), QUIET),
        (Run(9, unknown(visit=True)), QUIET),
        (Run(12, unknown(visit=True)), EASED),
    ],
    "eases within the limits": [
        (Run(0, row("critical")), NEW),
        (Run(6, row("high")), QUIET),
        (Run(12, row("high")), QUIET),
    ],
    "eases below the limits": [
        (Run(0, row()), NEW),
        (Run(6, row("medium")), QUIET),
        (Run(12, row("low")), EASED),
        (Run(15), QUIET),
    ],
    "vanishes for one run": [
        (Run(0, row()), NEW),
        (Run(6), QUIET),
        (Run(12, row()), QUIET),
        (Run(15), QUIET),
        (Run(16, row()), QUIET),
    ],
    "vanishes for two": [
        (Run(0, row()), NEW),
        (Run(6), QUIET),
        (Run(12), RESOLVED),
        (Run(15), QUIET),
        (Passes(21), QUIET),
    ],
    "comes back": [
        (Run(0, row("critical", 1e-3)), NEW),
        (Run(3), QUIET),
        (Run(6), RESOLVED),
        (Run(9, row("high", 2e-5)), AGAIN),
        (Run(12, row("high", 2e-4)), RAISED),
        (Run(13), QUIET),
        (Run(14), RESOLVED),
        (Run(15, row()), AGAIN),
        (Passes(21), CLOSED),
    ],
    "TCA passes": [
        (Run(0, row()), NEW),
        (Passes(19.9), QUIET),
        (Passes(20), CLOSED),
        (Passes(21), QUIET),
        (Run(21), QUIET),
    ],
    "TCA passes before a run": [
        (Run(0, row()), NEW),
        (Run(24), CLOSED),
        (Run(30), QUIET),
        (Passes(90), QUIET),
    ],
    "TCA passes while it is absent": [(Run(0, row()), NEW), (Run(18), QUIET), (Run(20.5), CLOSED)],
    "TCA moves a little after it was closed": [
        (Run(0, row()), NEW),
        (Passes(20), CLOSED),
        (Run(19.99, row(tca=20.15)), QUIET),
        (Run(20, row(tca=20.12)), QUIET),
    ],
    "TCA moves by hours after it was closed": [
        (Run(0, row()), NEW),
        (Passes(20), CLOSED),
        (Run(20.2, row(tca=25)), AGAIN),
    ],
    "over before it is told": [(Run(0, row(tca=0.05)), QUIET), (Passes(1), QUIET)],
    "TCA moves beyond the window": [
        (Run(0, row(tca=23.9)), NEW),
        (Run(1, window=22.5), QUIET),
        (Run(2, window=21), QUIET),
        (Run(3), QUIET),
        (Run(4), RESOLVED),
    ],
    "runs of another window": [
        (Run(0, row()), NEW),
        (Run(3, window=2), QUIET),
        (Run(6, window=2), QUIET),
        (Run(9, row()), QUIET),
    ],
    "one absence in the window, one outside": [
        (Run(0, row()), NEW),
        (Run(3), QUIET),
        (Run(6, window=2), QUIET),
        (Run(9), RESOLVED),
    ],
    "skipped and failed runs resolve nothing": [
        (Run(0, row()), NEW),
        (Run(6), QUIET),
        (Passes(12), QUIET),
        (Passes(18), QUIET),
        (Run(19), RESOLVED),
    ],
    "the same run twice": [
        (Run(0, row()), NEW),
        (Run(0, row()), QUIET),
        (Run(6), QUIET),
        (Run(6), QUIET),
        (Run(12), RESOLVED),
        (Run(12), QUIET),
    ],
    "an older run comes late": [
        (Run(6, row()), NEW),
        (Run(0, row("critical")), QUIET),
        (Run(12, row()), QUIET),
    ],
    "historic runs tell nothing": [
        (Run(0, row(), historic=True), QUIET),
        (Run(3, row()), NEW),
        (Run(6, historic=True), QUIET),
        (Run(9, historic=True), QUIET),
    ],
    "its object leaves the fleet": [
        (Run(0, row()), NEW),
        (Run(6, members=(THIRD,)), RESOLVED),
        (Run(12, members=(THIRD,)), QUIET),
    ],
    "its object is missing in the catalogue": [
        (Run(0, row()), NEW),
        (Run(3, found=()), QUIET),
        (Run(6, found=()), QUIET),
        (Run(9), QUIET),
        (Run(12), RESOLVED),
    ],
    "the other object is missing in the catalogue": [
        (Run(0, row()), NEW),
        (Run(3, missing=(OTHER,)), QUIET),
        (Run(6, missing=(OTHER,)), QUIET),
        (Passes(20), CLOSED),
    ],
    "both objects are the fleet's": [
        (Run(0, row(), row(ours=OTHER, other=OURS), members=(OURS, OTHER)), NEW),
        (Run(6, row("critical"), row("critical", ours=OTHER, other=OURS), members=(OURS, OTHER)), RAISED),
        (Run(9, row("critical", ours=OTHER, other=OURS), members=(OTHER,)), QUIET),
        (Run(12, members=(OTHER,)), QUIET),
        (Run(15, members=(OTHER,)), RESOLVED),
    ],
    "its id changes hands": [
        (Run(0, row()), NEW),
        (Run(6, row(event_id=7, tca=20.1)), QUIET),
        (Run(9, row("critical", event_id=7, tca=20.1)), ["raised 7"]),
        (Run(12), QUIET),
        (Run(15), ["resolved 7"]),
        (Run(18, row(event_id=9, tca=20.05)), ["new again 9"]),
    ],
    "the pair meets again a revolution later": [
        (Run(0, row(), row(event_id=2, tca=21.6)), ["new 1", "new 2"]),
        (Run(6, row(event_id=2, tca=21.6)), QUIET),
        (Run(12, row(event_id=2, tca=21.6)), RESOLVED),
        (Passes(22), ["closed 2"]),
    ],
    "a station and two vehicles at it are told once": [
        (
            Run(
                0,
                *(
                    row(event_id=k, ours=OURS, other=200 + k, complexes=(OURS, 200), probability=k * 1e-5)
                    for k in (1, 2, 3)
                ),
            ),
            ["new 3"],
        ),
        (
            Run(
                6,
                *(
                    row(event_id=k, ours=OURS, other=200 + k, complexes=(OURS, 200), probability=1e-5)
                    for k in (1, 2, 3)
                ),
            ),
            QUIET,
        ),
        (
            Run(
                9,
                row(event_id=1, other=201, complexes=(OURS, 200)),
                row(event_id=3, other=203, complexes=(OURS, 200)),
            ),
            QUIET,
        ),
        (Run(12, row(event_id=1, other=201, complexes=(OURS, 200))), QUIET),
        (
            Run(
                15,
                row("critical", event_id=2, other=202, complexes=(OURS, 200)),
                row(event_id=1, other=201, complexes=(OURS, 200)),
            ),
            ["raised 2"],
        ),
        (Run(16), QUIET),
        (Run(17), ["resolved 2"]),
    ],
    "two encounters of two objects": [
        (Run(0, row(), row("critical", event_id=2, other=THIRD, tca=10)), ["new 1", "new 2"]),
        (Run(6, row("critical"), row("critical", event_id=2, other=THIRD, tca=10)), RAISED),
        (Run(12, row("critical")), ["closed 2"]),
    ],
}
