"""A store of an earlier form is brought up to date where it lies; every command refuses a newer one."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import duckdb
import pytest
import typer

from screening.errors import StoreError
from skysieve.command_line import app, main
from storage.analyst_file.tables_and_views import VIEWS
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.layout import SCHEMA_VERSION
from storage.reading.newest_run import connect
from storage.reading.read_only_sql import query
from storage.schema import TABLES
from tests.earlier_stores import RELEASES, as_if_made_at, columns_of, unpacked
from tests.storage.test_migration import ROWS, SECOND, new_run

OBJECT = "900000002"
# Of README.
SQL_OF_TODAY = (
    "SELECT count(*) FROM fleet_events",
    "SELECT count(*) FROM messages",
    "SELECT regime, count(*) FROM objects GROUP BY ALL",
    "SELECT tca, primary_name, probability_best FROM conjunctions ORDER BY probability_best DESC",
    "SELECT primary_manoeuvring FROM conjunction_history",
)


def commands() -> Iterator[str]:
    """Yield every command that has the option --store, as it is typed."""

    def below(command: click.Command, path: list[str]) -> Iterator[str]:
        if isinstance(command, click.Group):
            for name, part in command.commands.items():
                yield from below(part, [*path, name])
        elif any("--store" in one.opts for one in command.params):
            yield " ".join(path)

    return below(typer.main.get_command(app), [])


def set_form(store: Path, form: int) -> None:
    path = store / "current.json"
    path.write_text(sealed_json(opened_json(path.read_bytes()) | {"schema_version": form}))


def form_of(store: Path) -> Any:
    return opened_json((store / "current.json").read_bytes())["schema_version"]


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A store that release 0.1.0 has written, where it has always been."""
    return as_if_made_at(unpacked("0.1.0", tmp_path))


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str, Path], tuple[int, str, str]]:
    """Return a function that runs a command on a store; it returns exit code, output and errors."""

    def run(line: str, store: Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["skysieve", *line.split(), "--store", str(store)])
        monkeypatch.chdir(store.parent)
        with pytest.raises(SystemExit) as stop:
            main()
        said = capsys.readouterr()
        return int(stop.value.code or 0), said.out, said.err

    return run


@pytest.mark.parametrize("release", RELEASES)
def test_a_form_has_one_set_of_columns(release: str, tmp_path: Path) -> None:
    """If this fails, columns have changed since the release: raise SCHEMA_VERSION."""
    store = unpacked(release, tmp_path)
    names = {table: {c.name for c in made.columns} for table, made in {**TABLES, **VIEWS}.items()}
    same = {table: set(columns) for table, columns in columns_of(store).items()} == names
    assert (form_of(store) == SCHEMA_VERSION) == same


def test_columns_change_only_with_the_form() -> None:
    """If this fails, columns have changed: raise SCHEMA_VERSION, also between releases, and say both here."""
    columns = {
        table: [(c.name, str(c.type)) for c in made.columns] for table, made in {**TABLES, **VIEWS}.items()
    }
    digest = hashlib.sha256(repr(columns).encode()).hexdigest()[:12]
    assert (SCHEMA_VERSION, digest) == (6, "140554005f76")


@pytest.mark.parametrize("command", list(commands()))
def test_every_command_refuses_a_store_of_a_newer_form(
    command: str, earlier: Path, typed: Callable[[str, Path], tuple[int, str, str]]
) -> None:
    set_form(earlier, SCHEMA_VERSION + 1)
    before = {path: path.stat().st_mtime_ns for path in earlier.rglob("*")}
    code, _, errors = typed(command, earlier)
    assert code == 1
    assert f"schema version {SCHEMA_VERSION + 1}, written by a newer release" in errors
    assert {path: path.stat().st_mtime_ns for path in earlier.rglob("*")} == before


def test_nothing_is_written_into_a_store_of_a_newer_form(earlier: Path) -> None:
    """Python callers too: the files without rows keep the columns of that release."""
    set_form(earlier, SCHEMA_VERSION + 1)
    before = {path: path.stat().st_mtime_ns for path in earlier.rglob("*")}
    with pytest.raises(StoreError, match="newer release"):
        new_run(earlier)
    assert {path: path.stat().st_mtime_ns for path in earlier.rglob("*") if ".sqlite" not in path.name} == {
        path: at for path, at in before.items() if ".sqlite" not in path.name
    }


@pytest.mark.slow
def test_sql_of_today_is_answered_at_once(earlier: Path) -> None:
    assert set(columns_of(earlier)) < {*TABLES, *VIEWS}
    for sql in SQL_OF_TODAY:
        _, rows = query(earlier, sql)
        assert list(rows)
    columns = columns_of(earlier)
    for name, table in {**TABLES, **VIEWS}.items():
        assert set(columns[name]) == {column.name for column in table.columns}, name
    assert form_of(earlier) == SCHEMA_VERSION


@pytest.mark.slow
def test_what_the_release_wrote_is_the_same_after_it(earlier: Path) -> None:
    columns = {
        table: [name for name in names if (table, name) != ("objects", "status")]  # which is a new vocabulary
        for table, names in columns_of(earlier).items()
        if table in ROWS
    }

    def rows() -> dict[str, list[Any]]:
        with duckdb.connect(str(earlier / "skysieve.duckdb"), read_only=True) as file:
            return {
                table: file.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY ALL").fetchall()
                for table, names in columns.items()
            }

    before = rows()
    assert {table: len(found) for table, found in before.items()} == ROWS
    with connect(earlier):
        assert form_of(earlier) == SCHEMA_VERSION
    assert rows() == before


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("export all.duckdb", "all.duckdb"),
        ("status", SECOND),
        ("status --json", SECOND),
        ("events --json", '"run_id"'),
        ("check", ""),
        ("compact", ""),
        ("ephemeris " + OBJECT, ""),
        ("objects show " + OBJECT, OBJECT),
        ("objects set " + OBJECT + " --radius-m 2", OBJECT),
        ("trajectories list", "Departs"),
        ("fleets create mine --norad-id " + OBJECT, "mine"),
        ("fleets list", ""),
        ("messages list", ""),
        ("messages export all.zip", ""),
        ("alerts list", ""),
        ("alerts log", ""),
        ("cdm --risk high --output cdm.zip", ""),
        ("report --risk high --output report.html", "report.html"),
        ("analyze " + OBJECT + " --hours 1", "covered until"),
        ("tokens list", "release 0.1.0"),
    ],
)
def test_commands_answer_where_the_store_has_always_been(
    line: str, says: str, earlier: Path, typed: Callable[[str, Path], tuple[int, str, str]]
) -> None:
    code, output, errors = typed(line, earlier)
    assert code == 0, errors
    assert says in output + errors
    assert list(query(earlier, "SELECT count(*) FROM fleet_events")[1]) == [(0,)]


def test_what_cannot_be_written_says_how_it_is_brought_up_to_date(
    earlier: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreError, match="run `skysieve status` as its owner once") as refused:
        connect(earlier)
    assert "an earlier release" in str(refused.value)
    assert form_of(earlier) == 1


def test_a_store_without_its_analyst_file_says_so(earlier: Path) -> None:
    (earlier / "skysieve.duckdb").unlink()
    with pytest.raises(StoreError, match="is missing"):
        connect(earlier)
