"""The commands events, sql, status and export, as users and scripts call them."""

import csv
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from screening.errors import InputError, StoreError, UsageError
from screening.vocabulary import PROBABILITY_LEVELS, RISK_LEVELS
from storage import schema
from storage.analyst_file.tables_and_views import VIEWS
from storage.commands.store import app
from storage.reading.newest_run import connect, status
from storage.rows.danger import MOST_DANGEROUS_FIRST
from storage.shell.status_lines import age_text, print_status
from tests.naive_order import naive_key, naive_pieces_key

Command = Callable[..., Result]


@pytest.fixture
def command(published: Path) -> Command:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--store", str(published)])

    return run


def test_events_come_the_most_dangerous_first(command: Command, published: Path) -> None:
    listed = json.loads(command("events", "--json").output)
    keys = [naive_key(event) for event in listed]
    assert len(listed) == 60
    assert keys == sorted(keys)
    assert "event_id" not in listed[0]
    assert set(listed[0]) == {"id"} | {c.name for c in schema.CONJUNCTIONS.columns} - {"event_id"}
    assert datetime.fromisoformat(listed[0]["tca"]).tzinfo is not None
    assert listed[0]["tca"].endswith("Z")


@pytest.mark.slow
def test_events_by_expected_pieces_have_unknown_ones_last_and_ties_by_id(store: Path, make) -> None:
    run = make.run()
    for name in ("probability_best", "probability", "probability_2d", "probability_mc"):
        run.conjunctions[name] = np.round(run.conjunctions[name], -4) / 1e6  # 0 or 0.01: many alike
    run.conjunctions["fragments_10cm"] = np.round(run.conjunctions["fragments_10cm"], -3)
    run.conjunctions["probability_best"][:9] = 1e-3
    run.conjunctions["fragments_10cm"][:9] = 5e6  # unlikely, and still the most expected
    make.publish(store, run)
    asked = ["events", "--json", "--order", "fragments", "--store", str(store)]
    listed = json.loads(CliRunner().invoke(app, asked).output)
    keys = [naive_pieces_key(event) for event in listed]
    assert keys == sorted(keys)
    assert len({key for key, _ in keys}) < len(keys) == 60
    assert keys[-1][0] == float("inf") != keys[0][0]
    assert listed != sorted(listed, key=naive_key)


def test_events_are_filtered_by_level_object_and_limit(command: Command, make) -> None:
    made_up = make.run().conjunctions
    number = int(made_up["secondary_norad_id"][0])
    of_object = json.loads(command("events", "--json", "--norad-id", str(number)).output)
    expected = (made_up["primary_norad_id"] == number) | (made_up["secondary_norad_id"] == number)
    assert len(of_object) == expected.sum()
    assert all(number in (e["primary_norad_id"], e["secondary_norad_id"]) for e in of_object)
    high = json.loads(command("events", "--json", "--risk", "high").output)
    assert len(high) == (made_up["risk_level"] == RISK_LEVELS.index("high")).sum()
    assert {e["risk_level"] for e in high} == {"high"}
    assert len(json.loads(command("events", "--json", "--limit", "7").output)) == 7


@pytest.mark.slow
def test_a_reader_sees_both_levels_and_what_was_not_computed(
    published: Path, store: Path, make, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    run = make.run(hours_later=6)
    run.conjunctions["risk_level"] = RISK_LEVELS.index("low")
    for name in ("probability_best", "probability", "probability_2d", "probability_mc"):
        run.conjunctions[name][:30] = np.nan
        run.conjunctions[name][30:] = 3e-6
    run.conjunctions["probability_level"] = [PROBABILITY_LEVELS.index("unknown")] * 30 + [
        PROBABILITY_LEVELS.index("medium")
    ] * 30
    make.publish(store, run)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for width in ("60", "80", "100", "150", "200"):
        monkeypatch.setenv("COLUMNS", width)
        app(["events", "--store", str(store)], standalone_mode=False)
        shown = " ".join(capsys.readouterr().out.split())
        assert shown.count("unknown") == 30, width
        assert shown.count("medium") >= 30, width
    only = json.loads(
        CliRunner().invoke(app, ["events", "--level", "medium", "--json", "--store", str(store)]).output
    )
    assert len(only) == 30
    assert {event["probability_level"] for event in only} == {"medium"}


@pytest.mark.slow
def test_a_reader_sees_the_pieces_that_a_collision_would_leave(
    store: Path, make, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    run = make.run(conjunctions=2)
    run.conjunctions["fragments_10cm"] = [1210.7, np.nan]
    make.publish(store, run)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    app(["events", "--order", "fragments", "--store", str(store)], standalone_mode=False)
    shown = capsys.readouterr().out
    assert "Pieces: fragments of 10 cm or larger that a collision would produce" in shown
    assert sum("1,211" in line for line in shown.splitlines()) == 1


def test_filters_that_are_repeated_add_up(command: Command, make) -> None:
    made_up = make.run().conjunctions
    first, other = (int(number) for number in np.unique(made_up["primary_norad_id"])[:2])
    asked = ("events", "--json", "--norad-id", str(first), "--norad-id", str(other))
    of_both = json.loads(command(*asked).output)
    sides = ({e["primary_norad_id"], e["secondary_norad_id"]} for e in of_both)
    assert all(side & {first, other} for side in sides)
    alone = [json.loads(command("events", "--json", "--norad-id", str(n)).output) for n in (first, other)]
    assert len(of_both) == len({e["id"] for found in alone for e in found})
    levels = json.loads(command("events", "--json", "--risk", "critical", "--risk", "high").output)
    assert {e["risk_level"] for e in levels} == {"critical", "high"}


def test_unknown_objects_are_reported(command: Command) -> None:
    listed = command("events", "--norad-id", "99999998")
    assert listed.exit_code == 0
    assert "The newest run has no object 99999998." in listed.stderr


@pytest.mark.sampled(3)
@pytest.mark.parametrize("width", [60, 80, 100, 150])
@pytest.mark.parametrize("query", [("events", "--limit", "3"), ("sql", "SELECT * FROM conjunctions LIMIT 1")])
def test_no_terminal_is_too_narrow_for_a_whole_id(
    published: Path, query: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    app([*query, "--store", str(published)], standalone_mode=False)
    shown = capsys.readouterr().out
    with connect(published) as connection:
        ((worst, level),) = connection.execute(
            f"SELECT event_id, risk_level FROM conjunctions ORDER BY {MOST_DANGEROUS_FIRST} LIMIT 1"
        ).fetchall()
    if query[0] == "events":
        assert str(worst) in shown
        assert level in shown
    else:
        assert all(column.name in shown for column in schema.CONJUNCTIONS.columns)


def test_events_in_a_pipe_are_separated_by_tabs(command: Command) -> None:
    rows = list(csv.DictReader(command("events", "--limit", "3").output.splitlines(), delimiter="\t"))
    assert len(rows) == 3
    assert int(rows[0]["primary_norad_id"]) < int(rows[0]["secondary_norad_id"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("--risk", "dreadful"),
        ("--order", "danger"),
        ("--limit", "0"),
        ("--norad-id", "0"),
        ("--norad-id", "1000000000"),
    ],
)
def test_events_refuses_what_is_out_of_range(command: Command, arguments: tuple[str, ...]) -> None:
    assert command("events", *arguments).exit_code == 2


def test_status_tells_run_age_counts_and_rejections(published: Path, capsys) -> None:
    finished = status(published).run.finished.replace(tzinfo=UTC)
    now = finished + timedelta(hours=2, minutes=5)
    print_status(status(published), published, now, as_json=False)
    shown = capsys.readouterr().out
    for part in (
        str(published),
        "20261121T060000Z (synthetic)",
        "2026-11-21T06:00:04Z, 2 h 5 min ago",
        "30 screened; 3 not propagated by SGP4",
        " (2 mean eccentricity or semi-major axis out of range, 1 decayed)",
        "1, first: line 17 (99999): eccentricity 1.5 is not below 1",
    ):
        assert part in shown
    print_status(status(published), published, now, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["age_s"] == 7500
    assert told["run"]["failed_by_code"] == {"1": 2, "6": 1}
    assert told["run"]["started"] == "2026-11-21T06:00:00Z"
    assert told["rejections"][0]["line"] == 17


def test_status_runs_as_a_command(command: Command) -> None:
    assert json.loads(command("status", "--json").output)["runs"] == 1


@pytest.mark.parametrize(
    ("seconds", "shown"), [(59, "0 min"), (3600, "1 h 0 min"), (90_000, "1 d 1 h"), (7500, "2 h 5 min")]
)
def test_ages_are_shown_in_two_units(seconds: float, shown: str) -> None:
    assert age_text(seconds) == shown


def test_sql_answers_as_json_csv_and_tabs(command: Command) -> None:
    query = "SELECT run_id, started, failed_by_code, 'nan'::DOUBLE AS n, 1.5::DECIMAL(4,2) AS d FROM runs"
    row = json.loads(command("sql", query, "--json").output)[0]
    assert row == {
        "run_id": "20261121T060000Z",
        "started": "2026-11-21T06:00:00Z",
        "failed_by_code": {"1": 2, "6": 1},
        "n": None,
        "d": 1.5,
    }
    for option, delimiter in (("--csv", ","), (None, "\t")):
        output = command("sql", query, *([option] if option else [])).output
        cells = next(csv.DictReader(output.splitlines(), delimiter=delimiter))
        assert cells["started"] == "2026-11-21T06:00:00Z"
        assert json.loads(cells["failed_by_code"]) == {"1": 2, "6": 1}
    assert json.loads(command("sql", "FROM runs WHERE false", "--json").output) == []
    assert isinstance(command("sql", query, "--json", "--csv").exception, UsageError)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM conjunction_history WHERE run_id = '20261121T060000Z'",
        "FROM element_history LIMIT 1",
        "WITH a AS (FROM events) SELECT count(*) FROM a UNION SELECT 2",
        "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 5) FROM a",
        "DESCRIBE events",
        "SUMMARIZE runs",
        "SHOW TABLES",
        "VALUES (1)",
        "EXPLAIN FROM events",
        "explain analyze SELECT count(*) FROM analyses",
        "PIVOT conjunctions ON risk_level IN ('low', 'high') USING count(*)",
    ],
)
def test_sql_reads(command: Command, query: str) -> None:
    result = command("sql", query, "--json")
    assert result.exception is None
    assert json.loads(result.output)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM conjunctions",
        "INSERT INTO runs FROM runs",
        "CREATE TABLE t AS SELECT 1",
        "CREATE TEMP TABLE t AS SELECT 1",
        "DROP TABLE runs",
        "ATTACH '{store}/runs/x.duckdb'",
        "SET threads = 1",
        "INSTALL httpfs",
        "COPY (SELECT 1) TO '{store}/runs/x.csv'",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{store}/runs/x.csv'",
        "EXPLAIN (ANALYZE, FORMAT json) COPY (SELECT 1) TO '{store}/runs/x.csv'",
        "WITH a AS (COPY (SELECT 1) TO '{store}/runs/x.csv') SELECT 1",
        "SELECT (WITH a AS (COPY (SELECT 1) TO '{store}/runs/x.csv') SELECT 1)",
        "FROM query('WITH a AS (COPY (SELECT 1) TO ''{store}/runs/x.csv'') SELECT 1')",
        "SELECT 1; DROP TABLE runs",
        "",
    ],
)
def test_sql_refuses_to_write(command: Command, published: Path, query: str) -> None:
    """COPY inside a WITH counts as a SELECT to DuckDB, and wrote a file."""
    before = sorted(published.rglob("*"))
    result = command("sql", query.format(store=published))
    # Where DuckDB's own parser has no such form yet, the query fails as not being SQL.
    assert isinstance(result.exception, (UsageError, InputError))
    assert sorted(published.rglob("*")) == before
    assert not result.output


@pytest.mark.parametrize("file", ["/etc/hostname", "{store}/current.json", "{store}/runs/../current.json"])
def test_sql_reads_nothing_but_the_store(command: Command, published: Path, file: str) -> None:
    query = f"FROM read_text('{file.format(store=published)}')"
    assert isinstance(command("sql", query).exception, InputError)


def test_sql_names_what_is_wrong_in_one_paragraph(command: Command) -> None:
    for query, reason in (
        ("SELECT nope FROM runs", "nope"),
        ("SELEC 1", "SELEC"),
        ("SELECT name::INTEGER FROM objects", "MADE UP"),
    ):
        error = command("sql", query).exception
        assert isinstance(error, InputError)
        assert reason in str(error)
        assert "\n\n" not in str(error)


@pytest.mark.slow
def test_an_export_holds_everything_by_itself(
    make, command: Command, published: Path, tmp_path: Path
) -> None:
    make.publish(published, make.run(hours_later=6))
    with connect(published) as connection:
        names = [*schema.TABLES, *VIEWS]
        expected = {n: sorted(connection.execute(f"FROM {n}").fetchall(), key=repr) for n in names}
    target = tmp_path / "all.duckdb"
    result = command("export", str(target))
    assert result.exception is None
    assert str(target) in result.output
    for path in [*published.rglob("*.parquet"), published / "skysieve.duckdb"]:
        path.unlink()
    with duckdb.connect(target, read_only=True) as connection:
        exported = {n: sorted(connection.execute(f"FROM {n}").fetchall(), key=repr) for n in names}
        comments = connection.execute(
            "SELECT count(*) FROM duckdb_columns() WHERE comment IS NULL AND NOT internal"
        ).fetchone()
    assert exported == expected
    assert len(exported["conjunction_history"]) == 120
    assert comments == (0,)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["all.duckdb"]


def test_an_export_replaces_a_file_only_by_force(command: Command, tmp_path: Path) -> None:
    target = tmp_path / "all.duckdb"
    target.write_text("precious")
    error = command("export", str(target)).exception
    assert isinstance(error, UsageError)
    assert "--force" in str(error)
    assert target.read_text() == "precious"
    assert command("export", str(target), "--force").exception is None
    assert duckdb.connect(target, read_only=True).execute("SELECT count(*) FROM runs").fetchone() == (1,)


def test_an_export_never_goes_into_the_store(command: Command, published: Path) -> None:
    before = (published / "skysieve.duckdb").read_bytes()
    error = command("export", str(published / "skysieve.duckdb"), "--force").exception
    assert isinstance(error, UsageError)
    assert (published / "skysieve.duckdb").read_bytes() == before


@pytest.mark.parametrize(
    "arguments", [("events",), ("status",), ("sql", "SELECT 1"), ("export", "{t}/x.duckdb")]
)
def test_commands_on_an_empty_store_say_what_to_do(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    filled = [argument.format(t=tmp_path) for argument in arguments]
    error = CliRunner().invoke(app, [*filled, "--store", str(tmp_path / "none")]).exception
    assert isinstance(error, StoreError)
    assert str(tmp_path / "none") in str(error)
    assert not (tmp_path / "none").exists()


def test_the_store_comes_from_the_settings_by_default(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKYSIEVE_STORE", str(published))
    assert CliRunner().invoke(app, ["status"]).exception is None


@pytest.mark.slow
def test_compact_says_what_it_removed(command: Command, make, published: Path, monkeypatch) -> None:
    make.publish(published, make.run(hours_later=1))
    assert "0 runs keep" in command("compact").output
    monkeypatch.setenv("SKYSIEVE_RETENTION_DAYS", "0")
    monkeypatch.setenv("SKYSIEVE_ELEMENT_RETENTION_DAYS", "0")
    first = command("compact").output
    assert "1 runs keep only their critical and high rows" in first
    assert "the next run frees their disk space" in first
    assert "0 runs keep" in command("compact").output
    with connect(published) as connection:
        levels = connection.execute(
            "SELECT DISTINCT risk_level FROM conjunction_history WHERE run_id < '20261121T070000Z' ORDER BY 1"
        ).fetchall()
    assert levels == [("critical",), ("high",)]


@pytest.mark.parametrize("days", ["-1", "nan", "1e9"])
def test_days_that_make_no_sense_are_refused(
    command: Command, monkeypatch: pytest.MonkeyPatch, days: str
) -> None:
    monkeypatch.setenv("SKYSIEVE_RETENTION_DAYS", days)
    result = command("compact")
    assert isinstance(result.exception, UsageError)
    assert f"SKYSIEVE_RETENTION_DAYS={days}" in str(result.exception)
