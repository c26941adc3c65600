"""Fleets in `service.sqlite`: made, changed, removed, refused, and side by side."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from screening.errors import UsageError
from storage.state import fleets as fleets_module
from storage.state import sealed_rows, tables
from storage.state.database import (
    SERVICE_STATE,
    begin_attempt,
    newest_attempts,
    query_state,
    service_state,
    verify_state,
)
from storage.state.fleet_rules import FleetObject, NewFleet
from storage.state.fleets import NoSuchFleet, change_fleet, create_fleet, fleet, fleets, remove_fleet
from storage.state.sealed_rows import DamagedRow
from storage.state.tables import ServiceStateError

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
ISS = FleetObject(25544, "box:2x25x25", 48.0)


def _make(store: Path, name: str = "mine", **fields: object) -> fleets_module.Fleet:
    return create_fleet(store, NewFleet(name, (FleetObject(5), ISS))._replace(**fields), NOW)


def test_a_fleet_comes_back_as_it_was_made(store: Path) -> None:
    made = _make(store, volume="Sphere:5.0", hours=72, contact="ops@example.org", name_pattern="METEOR*")
    assert made == (
        1,
        "mine",
        NOW,
        "",
        None,
        "ops@example.org",
        "sphere:5",
        72.0,
        "METEOR*",
        "shadow",
        1,
        "unknown",
        (FleetObject(5, None, None), ISS),
    )
    assert fleets(store) == (made,)
    assert [fleet(store, wanted) for wanted in (1, "1", "mine", " MINE ")] == [made] * 4


def test_a_store_without_fleets_has_none(store: Path) -> None:
    assert fleets(store) == ()
    with pytest.raises(NoSuchFleet, match="'mine'"):
        fleet(store, "mine")


@pytest.mark.parametrize(
    "name", ['it\'s "mine"; DROP TABLE fleets', "衛星", "مهمة", "STRASSE 1", "-x", "f" * 100, "%s{0}\\n"]
)
def test_any_script_and_quotes_make_a_name(store: Path, name: str) -> None:
    _make(store, name)
    assert fleet(store, name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "f" * 101,
        "f" * 10_000,
        "a\nb",
        "a\x00b",
        "\x1b[31mred",
        "a\u202eb",
        "a\u200fb",
        "\ud800",
        "123",
        "٣",
    ],
)
def test_names_that_are_refused(store: Path, name: str) -> None:
    with pytest.raises(UsageError, match="name of a fleet") as refused:
        _make(store, name)
    assert len(str(refused.value)) < 600
    assert str(refused.value).isprintable()
    assert fleets(store) == ()


def test_a_name_is_unique_without_case_and_composition(store: Path) -> None:
    _make(store, "Caf\u00e9")
    _make(store, "other")
    for same in ("CAF\u00c9", "cafe\u0301", " Caf\u00e9 "):
        with pytest.raises(UsageError, match=r"already exists \(id 1\)"):
            _make(store, same)
        with pytest.raises(UsageError, match=r"already exists \(id 1\)"):
            change_fleet(store, "other", lambda one, same=same: one._replace(name=same))  # type: ignore[misc]
    assert change_fleet(store, 1, lambda one: one._replace(name="CAF\u00c9")).name == "CAF\u00c9"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"objects": ()}, "no objects"),
        ({"objects": (FleetObject(-1),)}, "-1 is not a catalogue number"),
        ({"objects": (FleetObject(0),)}, "0 is not a catalogue number"),
        ({"objects": (FleetObject(1_000_000_000),)}, "1 to 999999999"),
        ({"objects": (FleetObject(5), FleetObject(5, "sphere:1"))}, "Object 5 is given twice"),
        ({"objects": tuple(map(FleetObject, range(1, 5002)))}, "5,001 catalogue numbers are too many"),
        ({"objects": (FleetObject(5, "box:1x2"),)}, "'box:1x2' is not a screening volume"),
        ({"objects": (FleetObject(5, None, 0.5),)}, "0.5 hours"),
        ({"volume": "sphere:nan"}, "'sphere:nan' is not a screening volume"),
        ({"hours": 241.0}, "241 hours"),
        ({"hours": float("nan")}, "nan hours"),
        ({"name_pattern": "x" * 101}, "pattern of names"),
        ({"name_pattern": "a\nb"}, "pattern of names"),
        ({"contact": "a\r\nBCC: all"}, "contact of a fleet"),
        ({"contact": "x" * 201}, "contact of a fleet"),
        *(
            ({"radius": text}, "expected shadow, bounding, or 0.01 to 100 m")
            for text in ("0", "-1", "nan", "inf", "1e9", "big", "", "5 m", "\ud800")
        ),
    ],
)
def test_values_that_are_refused(store: Path, fields: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        _make(store, **fields)
    made = _make(store)
    with pytest.raises(UsageError, match=told):
        change_fleet(store, made.id, lambda one: one._replace(**fields))
    assert fleets(store) == (made,)


def test_a_number_given_twice_alike_is_there_once(store: Path) -> None:
    assert _make(store, objects=(ISS, FleetObject(5), ISS)).objects == (FleetObject(5), ISS)


def test_a_change_keeps_who_made_it_when(store: Path) -> None:
    made = _make(store, made_by="ground", credential_id=7)
    later = change_fleet(
        store,
        "mine",
        lambda one: one._replace(
            id=9,
            created=NOW + timedelta(1),
            made_by="x",
            credential_id=1,
            hours=12.0,
            objects=(FleetObject(9),),
        ),
    )
    assert later == made._replace(hours=12.0, objects=(FleetObject(9),))
    assert fleets(store) == (later,)


def test_a_removed_fleet_takes_its_alerts_feeds_and_what_waits(store: Path) -> None:
    gone, stays = _make(store, "gone"), _make(store, "stays")
    with service_state(store) as state, fleets_module.sealed(state, "alerts", "feeds"):
        for one in (gone, stays):
            state.execute(
                "INSERT INTO alerts VALUES (?, ?, 'email', 'a@example.org', 'high', NULL, NULL, 0, '', '', "
                "NULL, '', NULL, '', NULL, NULL, 0, 0)",
                (one.id * 10, one.id),
            )
            state.execute("INSERT INTO feeds VALUES (NULL, ?, '', '', NULL, NULL, x'00', NULL)", (one.id,))
            state.execute("INSERT INTO alert_progress VALUES (?, 'run', 'r')", (one.id * 10,))
            for number, told in enumerate(("waiting", "delivered")):
                state.execute(
                    "INSERT INTO outbox VALUES (?, ?, ?, 'test', '', '', '{}', ?, 0, NULL, NULL, NULL)",
                    (f"{one.id}-{number}", 2 * one.id + number, one.id * 10, told),
                )
    removed = remove_fleet(store, "gone", NOW)
    assert removed == (gone, 1, 1, 1)
    assert fleets(store) == (stays,)
    for table in ("alerts", "feeds", "fleet_objects"):
        assert set(query_state(store, f"SELECT fleet_id FROM {table}", tables=[table])) == {(stays.id,)}
    assert query_state(store, "SELECT alert_id FROM alert_progress") == [(stays.id * 10,)]
    states = dict(query_state(store, "SELECT id, state FROM outbox"))
    assert states == {"1-0": "cancelled", "1-1": "delivered", "2-0": "waiting", "2-1": "delivered"}
    with pytest.raises(NoSuchFleet):
        remove_fleet(store, "gone", NOW)
    assert _make(store, "gone").id == 3  # ids are not given again


def test_limits_of_how_many(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleets_module, "MOST_OF_A_CREDENTIAL", 2)
    monkeypatch.setattr(fleets_module, "MOST_FLEETS", 4)
    monkeypatch.setattr(fleets_module, "MOST_NUMBERS_IN_ALL", 9)
    for name in ("a", "b"):
        _make(store, name, credential_id=1)
    with pytest.raises(UsageError, match="Credential 1 has created 2 fleets"):
        _make(store, "c", credential_id=1)
    _make(store, "c")
    with pytest.raises(UsageError, match="together would have 10 catalogue numbers"):
        _make(store, "d", objects=tuple(map(FleetObject, range(1, 5))))
    _make(store, "d")
    with pytest.raises(UsageError, match="4 fleets, the most allowed"):
        _make(store, "e")


@pytest.mark.processes
def test_of_processes_that_make_the_same_fleet_one_does(store: Path, repository: Path) -> None:
    script = (
        "import sys; from datetime import *; from pathlib import Path\n"
        "from screening.errors import UsageError\n"
        "from storage.state.fleets import *\n"
        "try: create_fleet(Path(sys.argv[1]), NewFleet('Mine', (FleetObject(5),)), datetime.now(UTC))\n"
        "except UsageError as error: print(error)\n"
        "else: print('made')"
    )
    command = [sys.executable, "-c", script, str(store)]
    running = [subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    told = sorted(process.communicate()[0].strip() for process in running)
    assert told == ["A fleet named 'Mine' already exists (id 1)."] * 2 + ["made"]
    assert len(fleets(store)) == 1


def test_a_file_of_an_earlier_release_gets_the_tables(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:7])  # of the last release
        begin_attempt(store, NOW, "a.csv", "download")
    written = (store / SERVICE_STATE).read_bytes()
    assert fleets(store) == ()
    assert (store / SERVICE_STATE).read_bytes() == written  # whoever reads writes nothing
    assert _make(store).id == 1
    assert [one.source for one in newest_attempts(store, 9)] == ["a.csv"]
    assert verify_state(store / SERVICE_STATE)


@pytest.mark.parametrize(
    ("given", "kept"),
    [("Bounding", "bounding"), (" shadow ", "shadow"), ("5.0", "5"), ("0.01", "0.01"), ("1e2", "100")],
)
def test_a_radius_is_two_words_or_metres(store: Path, given: str, kept: str) -> None:
    assert _make(store, radius=given).radius == kept
    assert fleets(store)[0].radius == kept
    assert change_fleet(store, 1, lambda one: one._replace(radius="shadow")).radius == "shadow"
    assert verify_state(store / SERVICE_STATE)


@pytest.mark.parametrize("damage", ["", "UPDATE fleets SET contact = 'x'", "DELETE FROM fleets"])
def test_fleets_of_an_earlier_release_have_the_shadows_radius_and_no_class(
    store: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    before_radii = sealed_rows.SEALED["fleets"].removesuffix(", radius, organisation_id, manoeuvre_class")
    with monkeypatch.context() as before:
        before.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:12])
        before.setattr(sealed_rows, "SEALED", sealed_rows.SEALED | {"fleets": before_radii})
        with service_state(store) as state, sealed_rows.sealed(state, "fleets", "fleet_objects"):
            state.execute(
                "INSERT INTO fleets (id, name, created, made_by, contact, volume, name_pattern) "
                "VALUES (4, 'old', '2026-11-21T06:00:00Z', 'cli', '', 'handbook', 'METEOR*')"
            )
    if damage:
        with closing(sqlite3.connect(store / SERVICE_STATE)) as state, state:
            state.execute(damage)
        for _ in range(2):
            with pytest.raises(ServiceStateError, match="is damaged"):
                fleets(store)
            begin_attempt(store, NOW, "a.csv", "download")  # upgrades the file, and seals no damage
        return
    (old,) = fleets(store)
    assert (old.name, old.radius, old.manoeuvre_class) == ("old", "shadow", "unknown")
    change_fleet(store, "old", lambda one: one._replace(radius="bounding", manoeuvre_class="automated"))
    assert fleets(store) == (old._replace(radius="bounding", manoeuvre_class="automated"),)
    assert verify_state(store / SERVICE_STATE)


@pytest.mark.parametrize(
    "damage", ["UPDATE fleets SET contact = 'x'", "UPDATE fleet_objects SET hours = 3", "DELETE FROM fleets"]
)
def test_a_check_of_the_store_finds_damage(store: Path, damage: str) -> None:
    _make(store)
    assert verify_state(store / SERVICE_STATE)
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state, state:
        state.execute(damage)
    with pytest.raises(DamagedRow, match="in the table fleet"):
        verify_state(store / SERVICE_STATE)


@pytest.mark.parametrize("change", ["fleets SET volume = 'sphere:9'", "fleet_objects SET norad_id = 6"])
def test_damage_is_told_and_not_sealed(store: Path, change: str) -> None:
    _make(store, objects=(FleetObject(5),))
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state, state:
        state.execute(f"UPDATE {change}")
    for use in (
        lambda: fleets(store),
        lambda: _make(store, "other"),
        lambda: remove_fleet(store, "mine", NOW),
    ):
        with pytest.raises(ServiceStateError, match="is damaged"):
            use()
