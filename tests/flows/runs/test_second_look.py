"""After a run, alarming events of Starlinks are evaluated again on their operator's ephemerides."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from api.answers.geometry import event_details
from api.answers.stored_events import event_with_history, stored_event
from flows.runs.run import Outcome
from flows.runs.second_look import Looked, second_look
from flows.settings import FlowSettings
from flows.sources.download import Limits, Web
from flows.sources.files import Source
from screening.orbits.elements import Catalogue
from screening.orbits.timegrid import window
from storage.in_memory.snapshot import newest_snapshot
from storage.reading.newest_run import connect
from storage.trajectories.kept import definitive_trajectories, trajectories
from tests.flows.misbehaving_server import (
    Answer,
    MisbehavingServer,
    of_length,
    silent,
    status,
    tagged,
    text,
)
from tests.flows.runs.starlink_scene import (
    AHEAD_KM,
    FRAGMENTS,
    HOURS,
    MISS_KM,
    SIGMA_UVW_M,
    Scene,
    ahead,
    make_scene,
)
from tests.flows.sources.trajectories.listed import ephemeris_text, file_name
from tests.runs import START, make_run

NOW = datetime(2024, 11, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
ONE_METRE, ONE_MILLISECOND = 1.0, 1e-3
WEB = Web(lambda _seconds: None, limits=Limits(silence_s=0.5, total_s=5.0))
pytestmark = pytest.mark.timeout(600)  # kernels may have to be compiled


@pytest.fixture(scope="module")
def scene(catalogue_lines: list[str]) -> Scene:
    return make_scene(catalogue_lines, START)


@pytest.fixture
def settings(server: MisbehavingServer, scene: Scene, store: Path) -> FlowSettings:
    server.answer = scene.published()
    return FlowSettings(
        store=store,
        trajectory_sources="starlink",
        workers=1,
    )


@pytest.fixture
def outcome(settings: FlowSettings, scene: Scene) -> Outcome:
    source = Source("made up", "0" * 64, Catalogue(scene.elements, [], 0, "omm-csv"), "file")
    return make_run(source, settings.store, hours=HOURS)


def look(outcome: Outcome, settings: FlowSettings, now: datetime = NOW) -> Looked:
    found = second_look(outcome, settings, now, WEB)
    assert found is not None
    return found


def rows(store: Path, sql: str) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(sql).fetchall()


def levels(settings: FlowSettings) -> list[str]:
    """Return the levels of the events as they are shown, by TCA."""
    return [str(level) for (level,) in rows(settings.store, "SELECT risk_level FROM events ORDER BY tca")]


def test_the_level_of_an_event_changes_and_its_history_says_why(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome
) -> None:
    before = rows(settings.store, "SELECT event_id, risk_level FROM conjunctions ORDER BY tca")
    assert [level for _, level in before] == ["critical"] * 3
    found = look(outcome, settings)
    assert (found.wanted, found.events, found.changed, found.fetched, found.problems) == (3, 3, 3, 3, ())
    after = rows(settings.store, "SELECT event_id, risk_level, origin FROM events ORDER BY tca")
    assert [one for one, _, _ in after] == [one for one, _ in before]
    assert {row[1:] for row in after} == {("low", "second_look")}
    snapshot = newest_snapshot(settings.store)
    event, history = event_with_history(snapshot, int(str(before[0][0])))
    assert event["origin"] == "second_look"
    assert [(one["origin"], one["risk_level"]) for one in history] == [
        ("run", "critical"),
        ("second_look", "low"),
    ]
    run, looked = history
    sides = {str(one[f"{who}_name"])[:8]: who for one in history for who in ("primary", "secondary")}
    who = sides["STARLINK"]
    assert (run[f"{who}_trajectory"], looked[f"{who}_trajectory"]) == ("gp", "ephemeris")
    assert looked[f"{who}_covariance_source"] == "trajectory"
    assert looked[f"{who}_sigma_t_m"] == pytest.approx(SIGMA_UVW_M[1], rel=1e-6)
    assert looked[f"{sides['FRAGMENT']}_trajectory"] == "gp"
    assert run["miss_distance_m"] == pytest.approx(1e3 * MISS_KM, abs=ONE_METRE)
    assert 10e3 < float(str(looked["miss_distance_m"])) <= 1.01e3 * AHEAD_KM


@pytest.mark.slow
def test_the_path_behind_the_event_is_the_ephemeris(settings: FlowSettings, outcome: Outcome) -> None:
    look(outcome, settings)
    snapshot = newest_snapshot(settings.store)
    kept = {one.norad_id: one.id for one in trajectories(settings.store)}
    for (event_id,) in rows(settings.store, "SELECT event_id FROM conjunctions"):
        event, _, _, behind = event_details(snapshot, stored_event(snapshot, int(str(event_id))))
        found = [one and one.id for one in behind]
        assert found == [kept.get(side.norad_id) for side in event.sides]
        assert sum(one is not None for one in found) == 1


@pytest.mark.slow
def test_on_an_ephemeris_of_its_own_element_set_an_event_is_where_it_was(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene
) -> None:
    epochs = np.arange(START, START + np.timedelta64(1, "D"), np.timedelta64(60, "s"))
    same = {
        number: ephemeris_text(
            epochs, *ahead(scene.elements[scene.elements["norad_id"] == number][0], 0.0, START), SIGMA_UVW_M
        )
        for number in scene.names
    }
    server.answer = scene._replace(texts=same).published()
    assert look(outcome, settings).events == 3
    apart = rows(
        settings.store,
        "SELECT abs(epoch_us(c.tca) - epoch_us(a.tca)) / 1e6, abs(c.miss_distance_m - a.miss_distance_m), "
        "a.primary_norad_id = c.primary_norad_id FROM conjunctions c JOIN analyses a USING (event_id)",
    )
    assert len(apart) == 3
    for tca_s, miss_m, same_sides in apart:
        assert same_sides
        assert float(str(tca_s)) < ONE_MILLISECOND
        assert float(str(miss_m)) < ONE_METRE


@pytest.mark.slow
def test_only_what_is_needed_is_fetched_and_once(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene
) -> None:
    others = [
        file_name(number, f"STARLINK-{number}", START, START + np.timedelta64(1, "D"))
        for number in range(70_000, 70_050)
    ]
    listed = scene.manifest + "".join(f"{name}\n" for name in others).encode()
    server.answer = scene.published(manifest=tagged(listed, '"list"'))
    look(outcome, settings)
    assert server.paths() == ["/e/MANIFEST.txt", *(f"/e/{name}" for name in sorted_by_event(scene))]
    again = look(outcome, settings, NOW + 2 * HOUR)
    assert (again.events, again.fetched) == (3, 0)
    assert server.paths()[4:] == ["/e/MANIFEST.txt"]
    assert server.requests[-1].headers["if-none-match"] == '"list"'


def sorted_by_event(scene: Scene) -> list[str]:
    """Return the names of the files in the order of the events, which are equally dangerous: by id."""
    return [name for _, name in sorted(scene.names.items())]


@pytest.mark.slow
def test_what_it_keeps_is_restricted_and_not_for_the_next_run(
    settings: FlowSettings, outcome: Outcome
) -> None:
    look(outcome, settings)
    kept = trajectories(settings.store)
    assert {(one.about.kind, one.about.restricted) for one in kept} == {("hypothetical", True)}
    assert len(kept) == 3
    assert definitive_trajectories(settings.store, window(START, HOURS)) == []
    look(outcome, settings, NOW + timedelta(days=3))  # they have ended
    assert trajectories(settings.store) == []


@pytest.mark.slow
def test_no_event_no_request(server: MisbehavingServer, settings: FlowSettings, scene: Scene) -> None:
    fragments = scene.elements[scene.elements["norad_id"] > FRAGMENTS[0] - 1]
    source = Source("made up", "0" * 64, Catalogue(fragments, [], 0, "omm-csv"), "file")
    quiet = make_run(source, settings.store, hours=HOURS)
    assert look(quiet, settings) == Looked(0, 0, 0, 0, ())
    assert server.requests == []


@pytest.mark.slow
def test_it_is_switched_off_by_default(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome
) -> None:
    off = settings.model_copy(update={"trajectory_sources": ""})
    assert second_look(outcome, off, NOW) is None
    assert server.requests == []


@pytest.mark.slow
def test_no_more_files_are_fetched_than_allowed(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.runs.second_look.MOST_FILES", 1)
    found = look(outcome, settings)
    assert (found.wanted, found.events, found.fetched) == (3, 1, 1)
    assert "; 1 are fetched" in found.problems[0]
    assert len(server.requests) == 2
    assert sorted(levels(settings)) == ["critical", "critical", "low"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (status("404 Not Found"), "404"),
        (of_length(100_000, b"created:"), "was cut off"),
        (text(b"<html>"), "none of OEM or OCM"),
        (silent, "sent nothing for"),
    ],
)
def test_one_file_that_cannot_be_had_stops_no_other(
    server: MisbehavingServer,
    settings: FlowSettings,
    outcome: Outcome,
    scene: Scene,
    answer: Answer,
    told: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first = min(scene.names)
    server.answer = scene.published(**{f"file_{first}": answer})
    found = look(outcome, settings)
    assert (found.wanted, found.events) == (3, 2)
    (problem,) = found.problems
    assert told in problem
    assert [problem in record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert sorted(levels(settings)) == ["critical", "low", "low"]


@pytest.mark.slow
def test_a_cut_file_is_used_only_for_the_time_that_it_has(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene
) -> None:
    """The text ends an hour after it begins, before every TCA."""
    cut = {
        number: b"".join(whole.splitlines(keepends=True)[: 4 + 4 * 50])
        for number, whole in scene.texts.items()
    }
    server.answer = scene._replace(texts=cut).published()
    found = look(outcome, settings)
    assert found.events == 0
    assert len(found.problems) == 3
    assert "there are no states around" in found.problems[0]
    assert levels(settings) == ["critical"] * 3


@pytest.mark.slow
def test_the_ephemeris_of_another_satellite_is_refused(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene
) -> None:
    one, other, _ = sorted(scene.names)
    server.answer = scene._replace(texts=scene.texts | {one: scene.texts[other]}).published()
    found = look(outcome, settings)
    assert found.events == 2
    (problem,) = found.problems
    assert "another satellite's" in problem
    assert str(one) in problem


@pytest.mark.slow
@pytest.mark.parametrize("line", ["403 Forbidden", "429 Too Many Requests", "503 Service Unavailable"])
def test_a_server_that_says_stop_is_asked_nothing_more(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene, line: str
) -> None:
    server.answer = scene.published(**{f"file_{min(scene.names)}": status(line)})
    found = look(outcome, settings)
    assert (found.events, len(server.requests)) == (0, 2)
    assert line[:3] in found.problems[0]
    assert levels(settings) == ["critical"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("answer", [status("404 Not Found"), text(b""), silent])
def test_without_a_list_the_run_stays_as_it_is(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene, answer: Answer
) -> None:
    server.answer = scene.published(manifest=answer)
    found = look(outcome, settings)
    assert (found.events, len(found.problems)) == (0, 1)
    assert levels(settings) == ["critical"] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "full", ["storage.trajectories.kept.write_trajectory", "storage.analyses.second_looks.replace_parquet"]
)
def test_a_full_disk_leaves_the_run_as_it_is(
    settings: FlowSettings, outcome: Outcome, full: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(full, refuse)
    found = look(outcome, settings)
    assert "No space left" in found.problems[0]
    assert levels(settings) == ["critical"] * 3


@pytest.mark.slow
def test_a_slow_server_is_left_alone_after_three_files(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, scene: Scene
) -> None:
    server.answer = scene.published(**{f"file_{number}": silent for number in scene.names})
    found = look(outcome, settings)
    assert (found.events, len(server.requests)) == (0, 4)
    assert "Fetching stops" in found.problems[-1]


@pytest.mark.slow
def test_fetching_ends_after_its_time(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.runs.second_look.LONGEST_S", -1.0)
    found = look(outcome, settings)
    assert (found.events, found.fetched, server.paths()) == (0, 0, ["/e/MANIFEST.txt"])
    assert "3 files are left out" in found.problems[0]


@pytest.mark.slow
def test_one_that_is_damaged_in_the_store_is_fetched_again(
    server: MisbehavingServer, settings: FlowSettings, outcome: Outcome
) -> None:
    look(outcome, settings)
    path = next((settings.store / "trajectories").glob("*.parquet"))
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    again = look(outcome, settings, NOW + 2 * HOUR)
    assert (again.events, again.fetched, again.problems) == (3, 1, ())
