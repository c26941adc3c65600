"""Replays of element sets as they were published, every six hours: events followed, forecasts that held."""

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from flows.alerts.outbox import RUN, close_passed, note_run
from flows.alerts.worker import advance
from flows.runs.fleet_look import fleet_look
from flows.runs.run import Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.history import read_history
from screening.vocabulary import ProbabilityLevel
from storage.disk.layout import replace_parquet
from storage.histories.incoming import import_histories
from storage.in_memory.changes import Changes, changes
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.alerts.encounters import note_progress
from storage.state.alerts.plans import keep_plan
from storage.state.database import query_state, service_state
from storage.state.fleets import FleetObject, NewFleet, create_fleet
from storage.times import time_text
from storage.verification.record import verification
from storage.vocabulary import FIRST_ORGANISATION
from tests.api.conftest import Clock, serving
from tests.burnt_by_hand import burnt, satellite
from tests.flows.alerts.alerting import taken
from tests.flows.alerts.by_the_rules import LEVELS, Looked, Row, Told, reports, told_of
from tests.runs import SILENT

pytestmark = pytest.mark.slow

FIRST = datetime(2026, 5, 26, tzinfo=UTC)
STEP = timedelta(hours=6)
RUNS = 10
HOURS, THRESHOLD_KM = 48.0, 5.0
NOTED = timedelta(minutes=2)  # after the start of a run
FEWEST = 50  # encounters of which a share is held against what was said
FLEET = 10
ALERTS: tuple[tuple[ProbabilityLevel, float | None], ...] = (("high", 500.0), ("medium", None), ("low", None))


class Week(NamedTuple):
    """Ten runs, and what was seen of each while it was the newest."""

    store: Path
    run_ids: list[str]
    changes: list[Changes | None]
    numbers: frozenset[int]  # of the fleet

    def rows(self, query: str, *places: int) -> list[tuple[Any, ...]]:
        """Ask the events of runs, `r0`, `r1` ..., and their objects, `s0`, `s1` ..., from their files."""
        with duckdb.connect() as connection:
            for k, place in enumerate(places):
                folder = self.store / "runs" / f"run_id={self.run_ids[place]}"
                for name, file in (("r", "conjunctions"), ("s", "screened")):
                    connection.read_parquet(str(folder / f"{file}.parquet")).create_view(f"{name}{k}")
            return connection.execute(query).fetchall()


@pytest.fixture(scope="module")
def replayed(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Week:
    """Replay, and look around a fleet: the objects that have most events above low in the first run."""
    store = tmp_path_factory.mktemp("week") / "store"
    made = Week(store, [], [], frozenset())
    import_histories(
        store, sorted(shared_file("history/published").iterdir()), datetime(2026, 11, 26, tzinfo=UTC)
    )
    settings = FlowSettings(store=store)
    for place in range(RUNS):
        as_of = FIRST + place * STEP
        outcome = run_catalogue(
            read_history(store, as_of),
            Request(None, HOURS, THRESHOLD_KM, as_of=as_of),
            settings,
            Stages(SILENT.stage),
            SILENT,
        )
        made.run_ids.append(outcome.run_id)
        if not made.numbers:
            made = made._replace(numbers=watched_fleet(made))
        looked = fleet_look(outcome, settings)
        assert looked is not None
        assert not looked.problems
        assert looked.beyond == 0  # so the run's own rows are all there is
        made.changes.append(changes(newest_snapshot(store)))
        note_run(settings, outcome.run_id, as_of + NOTED)
        advance(settings, as_of + NOTED)
    return made


@pytest.fixture(scope="module")
def week(replayed: Week) -> Path:
    return replayed.store


def watched_fleet(made: Week) -> frozenset[int]:
    """Make a fleet and its alerts, and return its objects."""
    found = made.rows(
        "SELECT unnest([primary_norad_id, secondary_norad_id]) AS n FROM r0 "
        "WHERE probability_level IN ('critical', 'high', 'medium') "
        f"GROUP BY n ORDER BY count(*) DESC, n LIMIT {FLEET}",
        0,
    )
    numbers = [int(number) for (number,) in found]
    objects = tuple(FleetObject(number) for number in numbers)
    fleet = create_fleet(made.store, NewFleet("mine", objects, volume=f"sphere:{THRESHOLD_KM:g}"), FIRST)
    for level, near_m in ALERTS:
        to = target(f"{level}@example.org")
        new = NewAlert(fleet.id, to, "test", level=level, near_m=near_m, daily=True, manoeuvres=True)
        create_alert(made.store, new, FIRST)
    return frozenset(numbers)


def test_an_encounter_is_followed_from_run_to_run(week: Path) -> None:
    with connect(week) as connection:
        followed = connection.execute(
            "SELECT event_id, count(*), max(tca) - min(tca), count(DISTINCT least(primary_norad_id, "
            "secondary_norad_id) || '-' || greatest(primary_norad_id, secondary_norad_id)) "
            "FROM conjunction_history WHERE encounter = 'fast' GROUP BY event_id HAVING count(*) >= 3"
        ).fetchall()
        runs = connection.execute("SELECT replay, historic FROM runs").fetchall()
    assert len(followed) > 1000
    assert {pairs for *_, pairs in followed} == {1}
    assert max(count for _, count, *_ in followed) <= 8  # runs whose 48 h reach to it
    assert max(moved for _, _, moved, _ in followed) < timedelta(minutes=40)  # at most ten from run to run
    assert runs == [(True, True)] * RUNS


def test_regions_hold_what_they_say(week: Path) -> None:
    record = verification(week)
    assert record.encounters > 1000
    held = [one for one in record.regions if one.encounters >= FEWEST]
    assert {one.kind for one in held} >= {"starlink", "one thrusts"}
    for one in held:
        assert one.inside_50 > 0.4, one
        assert one.inside_95 > 0.9, one
    (oneweb,) = (one for one in record.regions if one.kind == "oneweb" and one.days_ahead == 1)
    assert oneweb.encounters > 20
    assert 0.3 < oneweb.inside_50 < 0.8  # nor far too wide


def test_what_became_of_each_level_adds_up(week: Path) -> None:
    for one in verification(week).warnings:
        assert one.red + one.medium + one.low + one.vanished == one.encounters
        assert one.manoeuvred <= one.encounters


def test_replays_send_nothing(replayed: Week) -> None:
    assert query_state(replayed.store, "SELECT * FROM outbox") == []
    assert query_state(replayed.store, "SELECT * FROM alert_encounters") == []


KINDS = ("new", "first_looked_for", "raised", "eased", "gone", "not_looked_for")


def test_new_raised_eased_and_gone_are_what_differs_between_the_files(replayed: Week) -> None:
    """Fast encounters are found again by their objects and TCA, not by their ids."""
    assert replayed.changes[0] is None
    seen = dict.fromkeys(KINDS, 0)
    for place in range(1, RUNS):
        found, expected = replayed.changes[place], differences(replayed, place)
        assert found is not None
        assert found.before == replayed.run_ids[place - 1]
        for kind in KINDS:
            part = getattr(found, kind)
            assert sorted(LEVELS[code] for code in part.levels) == sorted(expected[kind].values()), kind
            assert set(part.worst.tolist()) <= expected[kind].keys(), kind
            seen[kind] += len(part.levels)
    assert all(seen[kind] for kind in KINDS if kind != "not_looked_for"), seen


def differences(made: Week, place: int) -> dict[str, dict[int, str]]:
    """Return the events, with their levels, that changed from the run before."""
    start = FIRST + place * STEP
    both = [
        f"{side} AS (SELECT *, list_position({LEVELS}, probability_level::VARCHAR) AS rank, "
        f"least(primary_norad_id, secondary_norad_id) AS a, greatest(primary_norad_id, secondary_norad_id) "
        f"AS b FROM r{k}), known{k} AS (SELECT norad_id FROM s{k} WHERE NOT failed)"
        for k, side in enumerate(("o", "n"))
    ]
    screened = [
        f"coalesce(o.a, n.a) IN (FROM known{k}) AND coalesce(o.b, n.b) IN (FROM known{k})" for k in (0, 1)
    ]
    rows = made.rows(
        f"WITH {', '.join(both)} SELECT o.event_id, n.event_id, o.rank, n.rank, "
        f"coalesce(n.probability_level, o.probability_level), {', '.join(screened)}, "
        "least(n.tca, n.inside_from), greatest(o.tca, o.inside_to) "
        "FROM o FULL JOIN n ON o.a = n.a AND o.b = n.b AND (abs(epoch(o.tca - n.tca)) <= 600 "
        "OR (o.event_id = n.event_id AND 'slow' IN (o.encounter, n.encounter)))",
        place - 1,
        place,
    )
    kinds: dict[str, dict[int, str]] = {kind: {} for kind in KINDS}
    for then, now, rank_then, rank_now, level, known_then, known_now, begins, ends in rows:
        if then is None:
            in_time = begins.replace(tzinfo=UTC) < start - STEP + timedelta(hours=HOURS)
            kinds["new" if known_then and in_time else "first_looked_for"][now] = level
        elif now is not None and rank_now < rank_then:
            kinds["raised"][now] = level
        elif now is not None and rank_now > rank_then and level != "unknown":
            kinds["eased"][now] = level
        elif now is None and ends.replace(tzinfo=UTC) > start:
            kinds["gone" if known_now else "not_looked_for"][then] = level
    return kinds


Found = tuple[int, int, datetime, float, float | None, str]  # run, event, TCA, miss, probability, level


def followed(made: Week) -> list[list[Found]]:
    """Return what runs had of each fast encounter: the same objects, TCAs at most ten minutes apart."""
    chains: dict[tuple[int, int], list[list[Found]]] = {}
    for place in range(RUNS):
        rows = made.rows(
            "SELECT primary_norad_id, secondary_norad_id, event_id, tca, miss_distance_m, probability_best, "
            "probability_level FROM r0 WHERE encounter = 'fast' AND event_id NOT IN "
            "(SELECT event_id FROM r0 WHERE encounter = 'slow')",
            place,
        )
        for one, other, event, tca, *values in rows:
            of_pair = chains.setdefault((min(one, other), max(one, other)), [])
            found = (place, event, tca.replace(tzinfo=UTC), *values)
            near = [chain for chain in of_pair if abs(chain[-1][2] - found[2]) <= timedelta(minutes=10)]
            if near:
                min(near, key=lambda chain: abs(chain[-1][2] - found[2])).append(found)
            else:
                of_pair.append([found])
    return [chain for of_pair in chains.values() for chain in of_pair]


def test_an_encounter_keeps_its_id_and_its_trend_is_what_each_run_had(replayed: Week) -> None:
    chains = followed(replayed)
    ids = [{event for _, event, *_ in chain} for chain in chains]
    assert {len(of_one) for of_one in ids} == {1}
    assert len(set.union(*ids)) == len(chains)
    longest = sorted(chains, key=lambda chain: (-len(chain), chain[0][1]))
    gone = [one for one in longest if one[-1][0] < RUNS - 1 and one[-1][2] > FIRST + RUNS * STEP]
    raised = [one for one in longest if {level for *_, level in one} > {"low"}]
    with serving(replayed.store, Clock(FIRST + RUNS * STEP)) as client:
        for chain in [*longest[:4], *gone[:4], *raised[:4]]:
            answer = client.get(f"/conjunctions/{chain[0][1]}/trend").raise_for_status().json()
            for point, (place, _, tca, miss_m, probability, level) in zip(
                answer["points"], chain, strict=True
            ):
                made = FIRST + place * STEP
                assert point["run_id"] == replayed.run_ids[place]
                assert datetime.fromisoformat(point["made"]) == made
                assert abs(datetime.fromisoformat(point["tca"]) - tca) < timedelta(milliseconds=1)
                assert point["hours_to_tca"] == pytest.approx((tca - made) / timedelta(hours=1))
                assert point["miss_distance_m"] == pytest.approx(miss_m)
                assert (point["probability"], point["probability_level"]) == (probability, level)


def test_a_plan_is_followed_as_each_run_has_it_by_hand(replayed: Week) -> None:
    """The burn is chosen with the first run that has the event; later ones have other element sets."""
    end, lead, dv_rtn_m_s = FIRST + RUNS * STEP, timedelta(hours=4.3), (0.01, 0.04, -0.02)
    ahead = [one for one in followed(replayed) if one[0][2] - lead > end and len(one) > 2]
    moved_on = sorted(ahead, key=lambda one: -max(p or 0.0 for *_, p, _ in one))
    seen = set()
    with serving(replayed.store, Clock(end)) as client:
        for chain in moved_on[:3]:
            place, event_id, tca, miss_m, chance, _ = chain[0]
            rows = {
                run: replayed.rows(
                    "SELECT primary_norad_id, primary_epoch, secondary_norad_id, secondary_epoch FROM r0 "
                    f"WHERE event_id = {event_id}",
                    run,
                )[0]
                for run, *_ in chain
            }
            number, burn_at = rows[place][0], tca - lead
            keep_plan(replayed.store, {
                "event_id": event_id, "norad_id": number, "name": "", "other_norad_id": rows[place][2],
                "other_name": "", "burns": (",".join([time_text(burn_at), *map(str, dv_rtn_m_s)]),),
                "goal": 1e-6, "days": 0.0, "threshold_km": 5.0, "size_error": 0.0,
                "direction_error_deg": 0.0, "run_id": replayed.run_ids[place], "tca": tca,
                "miss_distance_m": miss_m, "probability": chance, "miss_after_m": None,
                "probability_after": None, "at": FIRST, "made_by": "test", "credential_id": None,
                "organisation_id": FIRST_ORGANISATION,
            })  # fmt: skip
            answer = client.get(f"/conjunctions/{event_id}/plans").raise_for_status().json()
            (plan,) = answer["plans"]
            seen.add(plan["state"])
            for point, (run, _, tca_then, miss_then_m, chance_then, _) in zip(
                plan["points"], chain, strict=True
            ):
                assert (point["run_id"], point["probability"]) == (replayed.run_ids[run], chance_then)
                assert point["miss_distance_m"] == pytest.approx(miss_then_m)
                sides = dict(zip(rows[run][::2], rows[run][1::2], strict=True))
                own = satellite(replayed.store, number, sides.pop(number).replace(tzinfo=UTC))
                ((other, epoch),) = sides.items()
                by_hand = burnt(
                    own, satellite(replayed.store, other, epoch.replace(tzinfo=UTC)), tca_then, burn_at,
                    np.array(dv_rtn_m_s),
                )  # fmt: skip
                # SGP4's own path bends a little otherwise than the flight back to the burn.
                assert point["miss_after_m"] == pytest.approx(by_hand.miss_m, rel=3e-3, abs=1.0)
    assert seen


class Sent(NamedTuple):
    """A message of an alert."""

    run: int  # place; of what has passed since, that of the next run
    at: datetime
    data: dict[str, Any]


@pytest.fixture(scope="module")
def sent(replayed: Week, tmp_path_factory: pytest.TempPathFactory) -> list[list[Sent]]:
    """Note the runs hour by hour as a service of these days would: what each alert is sent."""
    store = tmp_path_factory.mktemp("present") / "store"
    shutil.copytree(replayed.store, store)
    for path in store.glob("runs/run_id=2*/run.parquet"):
        run = pq.read_table(path, partitioning=None)
        place = run.schema.get_field_index("historic")
        replace_parquet(run.set_column(place, run.schema.field(place), pa.array([False])), path)
    with service_state(store) as state:
        for number in range(1, len(ALERTS) + 1):
            note_progress(state, number, {RUN: "0"})  # else they would begin with the newest run
    settings, found = FlowSettings(store=store), [[] for _ in ALERTS]
    for hour in range(RUNS * 6):
        place, now = hour // 6, FIRST + hour * STEP / 6 + NOTED
        if hour % 6 == 0:
            note_run(settings, replayed.run_ids[place], now)
        close_passed(settings, now)
        for message in taken(store, now):
            one = Sent(place + (hour % 6 > 0), now, message.body["data"])
            found[message.alert_id - 1].append(one)
    return found


def looked(made: Week) -> list[Looked]:
    """Return what each run had of the fleet."""
    numbers = ", ".join(map(str, made.numbers))
    runs = []
    for place in range(RUNS):
        rows = made.rows(
            "SELECT event_id, tca, probability_level, probability_best, miss_distance_m, encounter = 'slow', "
            "primary_norad_id, secondary_norad_id, primary_complex_id, secondary_complex_id FROM r0 "
            f"WHERE primary_norad_id IN ({numbers}) OR secondary_norad_id IN ({numbers})",
            place,
        )
        assert all(one[8:] == (None, None) for one in rows)
        of_fleet = {one[0]: Row(one[1].replace(tzinfo=UTC), *one[2:6], frozenset(one[6:8])) for one in rows}
        screened = {number for (number,) in made.rows("SELECT norad_id FROM s0 WHERE NOT failed", place)}
        start = FIRST + place * STEP
        until = start + timedelta(hours=HOURS)
        runs.append(Looked(start + NOTED, until, of_fleet, frozenset(screened)))
    return runs


@pytest.mark.parametrize("number", range(len(ALERTS)))
def test_an_alert_is_sent_what_the_files_say(replayed: Week, sent: list[list[Sent]], number: int) -> None:
    expected = set(told_of(looked(replayed), reports(*ALERTS[number])))
    messages = [one for one in sent[number] if one.run < RUNS]
    counts: Counter[tuple[int, str]] = Counter()
    for one in messages:
        counts.update({(one.run, kind): count for kind, count in one.data["counts"].items() if count})
        assert {Told(one.run, each["change"], each["event_id"]) for each in one.data["events"]} <= expected
        assert sum(one.data["counts"].values()) == len(one.data["events"]) + one.data["more"] > 0
    assert counts == Counter((one.run, one.change) for one in expected)
    quiet = set(range(RUNS)) - {one.run for one in expected}
    assert quiet or ALERTS[number][0] != "medium"
    assert not quiet & {one.run for one in messages}


def test_no_encounter_is_told_twice_or_gone_when_it_has_passed(
    replayed: Week, sent: list[list[Sent]]
) -> None:
    (level, near_m), messages = ALERTS[0], sent[0]
    last: dict[int, str] = {}
    for one in messages:
        assert one.data["more"] == 0
        for each in one.data["events"]:
            was, change = last.get(each["event_id"]), each["change"]
            assert (was in (None, "eased", "resolved")) == (change == "new"), each
            assert each.get("again", False) == (change == "new" and was is not None)
            passed = datetime.fromisoformat(each["tca"]) <= one.at
            assert passed == (change == "closed"), each
            last[each["event_id"]] = change
    ever = {
        event
        for run in looked(replayed)
        for event, row in run.rows.items()
        if row.tca > run.compared and (row.level in ("critical", level) or row.miss_m < (near_m or 0.0))
    }
    assert last.keys() == ever
    assert len(ever) > 40
