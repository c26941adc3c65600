"""Whoever asks about an event gets the same probability, in the same words, with the same level."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pandas as pd
import pypdf
import pytest
from typer.testing import CliRunner

import skysieve
from flows.alerts.channels.wording import wording
from flows.alerts.outbox import event_of
from screening.vocabulary import PROBABILITY_LEVELS
from skysieve.command_line import app
from storage.fleets.events import OF_FLEET
from storage.rows.graded import graded
from tests.api.conftest import Clock, serving
from tests.flagged_events import BESIDE, CURVED, IN_PLANE, METHODS, SLOW_FLAG, Flagged, flagged_events
from tests.flows.alerts.alerting import EVENT, body_for

Pair = tuple[int, int]
Row = dict[str, Any]
WORDS = {
    "2d": "{}",
    "3d": "{} in three dimensions",
    "trajectory_mc": "{} from sampled trajectories",
    "bound": "at most {}",
}
IN_MESSAGES = {"2d": "FOSTER-1992", "3d": "DESIGN-POINT-3D", "trajectory_mc": "MONTE-CARLO"}
SAID_IN_MESSAGES = {"2d": "", "3d": "in three dimensions", "trajectory_mc": "from sampled trajectories"}
OF_RUNS = (IN_PLANE, SLOW_FLAG, CURVED, BESIDE)
OF_MESSAGES = tuple(pair for pair in METHODS if pair not in OF_RUNS)


@pytest.fixture(scope="module")
def flagged(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Flagged:
    return flagged_events(shared_file, tmp_path_factory.mktemp("flagged"))


@pytest.fixture(scope="module")
def rows(flagged: Flagged) -> dict[Pair, Row]:
    """Read what is stored of each, past the code that is tested."""
    with duckdb.connect(str(flagged.store / "skysieve.duckdb"), read_only=True) as connection:
        found = connection.execute("FROM events ORDER BY probability_best NULLS FIRST")
        names = [column[0] for column in found.description]
        events = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return {(event["primary_norad_id"], event["secondary_norad_id"]): event for event in events}


def expected(row: Row, digits: int) -> str:
    number = f"{row['probability_best']:.{digits - 1}e}"
    return WORDS[row["probability_method"]].format(number)


def flat(text: str) -> str:
    return " ".join(text.split())


def run(flagged: Flagged, *words: object) -> str:
    done = CliRunner().invoke(app, [*map(str, words), "--store", str(flagged.store)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_there_is_one_of_each_method(rows: dict[Pair, Row]) -> None:
    assert {pair: rows[pair]["probability_method"] for pair in METHODS} == METHODS
    assert rows[SLOW_FLAG]["probability_2d"] is None
    for pair in METHODS:
        assert rows[pair]["probability_best"] > 0
        assert rows[pair]["probability_level"] in ("critical", "high", "medium", "low")  # not unknown


@pytest.mark.parametrize("pair", METHODS)
def test_the_words(rows: dict[Pair, Row], pair: Pair) -> None:
    found, row = graded(rows[pair]), rows[pair]
    assert found.probability_words == expected(row, 2)
    assert found.said(3) == expected(row, 3)
    assert found.words.startswith(f"{row['probability_level']}, probability {expected(row, 2)}")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("pair", METHODS)
def test_a_report(flagged: Flagged, rows: dict[Pair, Row], pair: Pair, tmp_path: Path) -> None:
    row, number = rows[pair], rows[pair]["event_id"]
    restricted = ["--allow-restricted"] if row["origin"] == "restricted_message" else []
    for suffix in ("html", "pdf"):
        run(flagged, "report", number, "--output", tmp_path / f"event.{suffix}", *restricted)
    page = flat(re.sub(r"<[^>]*>", " ", (tmp_path / "event.html").read_text()))
    paper = flat(" ".join(p.extract_text() for p in pypdf.PdfReader(tmp_path / "event.pdf").pages))
    for said in (page, paper):
        assert f"The collision probability is {expected(row, 3)}" in said
        assert f"By its probability the level is {row['probability_level']}." in said
        assert "Monte Carlo" not in said
        if row["probability_method"] != "2d":  # no curve of the plane pretends to be the probability
            assert "as it is" not in said
    assert 'class="level" style="background:' in (tmp_path / "event.html").read_text()


@pytest.mark.parametrize("width", ["200", "80"])
def test_the_terminal(
    flagged: Flagged, rows: dict[Pair, Row], width: str, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", width)
    app(["events", "--store", str(flagged.store)], standalone_mode=False)
    shown = capsys.readouterr().out
    short = {"in three dimensions": "3-D", "from sampled trajectories": "sampled", "at most": "<="}
    for row in (rows[pair] for pair in METHODS):
        words, level = expected(row, 2), row["probability_level"]
        if width == "80":
            for long, brief in short.items():
                words = words.replace(long, brief)
            assert words in shown
        else:
            (line,) = (flat(one) for one in shown.splitlines() if str(row["event_id"]) in one)
            assert words in line
            assert line.startswith(level)


def test_the_terminal_calls_what_is_unknown_so(flagged: Flagged) -> None:
    listed = list(csv.DictReader(io.StringIO(run(flagged, "events")), delimiter="\t"))
    (unknown,) = (one for one in listed if one["probability_level"] == "unknown")
    assert unknown["probability_best"] == ""
    assert graded({"probability_level": "unknown", "miss_distance_m": 6500.0}).words == (
        "unknown: no probability could be computed"
    )


@pytest.mark.parametrize("pair", OF_MESSAGES)
def test_a_scored_message(flagged: Flagged, rows: dict[Pair, Row], pair: Pair) -> None:
    row = rows[pair]
    done = CliRunner().invoke(app, ["score", str(flagged.messages[pair])])
    assert done.exit_code == 0, done.output
    heads, cells = (line.split("\t") for line in done.stdout.splitlines())
    shown = dict(zip(heads, cells, strict=True))
    assert shown["Probability"] == expected(row, 4)
    assert shown["Level"] == row["probability_level"]
    (record,) = json.loads(CliRunner().invoke(app, ["score", "--json", str(flagged.messages[pair])]).stdout)
    assert_row(record, row, 1e-12)
    listed = list(csv.DictReader(io.StringIO(run(flagged, "messages", "list")), delimiter="\t"))
    (listed_row,) = (one for one in listed if one["primary_norad_id"] == str(pair[0]))
    assert_row(listed_row, row, 1e-12)


def assert_row(found: Any, row: Row, tolerance: float = 0.0) -> None:
    """Compare the three fields that count, of a record or a line of texts."""
    assert float(found["probability_best"]) == pytest.approx(row["probability_best"], rel=tolerance, abs=0)
    for name in ("probability_method", "probability_level", "near_level"):
        assert (found[name] or None) == row[name], name


def test_http_and_csv(flagged: Flagged, rows: dict[Pair, Row]) -> None:
    now = Clock(datetime(2024, 11, 1, 4, tzinfo=UTC))
    with serving(flagged.store, now) as client:
        listed = client.get("/conjunctions?limit=100&restricted=true").json()["conjunctions"]
        lines = client.get("/conjunctions?restricted=true", headers={**client.headers, "Accept": "text/csv"})
        for pair in METHODS:
            row, number = rows[pair], rows[pair]["event_id"]
            (event,) = (one for one in listed if one["id"] == number)
            assert_row(event, row)
            (line,) = (one for one in csv.DictReader(io.StringIO(lines.text)) if one["id"] == str(number))
            assert_row(line, row)
            assert_row(client.get(f"/conjunctions/{number}?restricted=true").json(), row)
            trend = client.get(f"/conjunctions/{number}/trend?restricted=true").json()
            assert_row(trend["points"][-1] | {"probability_best": trend["points"][-1]["probability"]}, row)
            if row["probability_method"] != "2d":
                assert trend["points"][-1]["band"] is None


def test_sql_and_python(flagged: Flagged, rows: dict[Pair, Row]) -> None:
    store = skysieve.open_store(flagged.store)
    frame = store.sql("FROM events").set_index("event_id")
    assert frame["probability_level"].cat.categories.tolist() == list(PROBABILITY_LEVELS[::-1])
    for pair in METHODS:
        row = rows[pair]
        assert_row(
            {name: None if pd.isna(one) else one for name, one in frame.loc[row["event_id"]].items()}, row
        )
    conjunctions = store.conjunctions().set_index("event_id")
    for pair in OF_RUNS:
        row = conjunctions.loc[rows[pair]["event_id"]]
        assert_row({name: None if pd.isna(one) else one for name, one in row.items()}, rows[pair])
    assert conjunctions["probability_level"].notna().all()
    assert (conjunctions["probability_level"] == "unknown").sum() == 1


@pytest.mark.parametrize("pair", OF_RUNS)
def test_a_message_that_is_written(flagged: Flagged, rows: dict[Pair, Row], pair: Pair) -> None:
    row = rows[pair]
    text = run(flagged, "cdm", row["event_id"])
    said = dict(re.findall(r"^(\w+) *= *(.*?)\s*$", text, re.MULTILINE))
    comments = re.findall(r"^COMMENT +(.*)$", text, re.MULTILINE)
    document = ElementTree.fromstring(run(flagged, "cdm", row["event_id"], "--format", "xml"))
    in_xml = {one.tag.rpartition("}")[2]: one.text for one in document.iter()}
    for found in (said, in_xml):
        assert float(found["COLLISION_PROBABILITY"]) == pytest.approx(row["probability_best"], rel=1e-14)
        method = found["COLLISION_PROBABILITY_METHOD"].removesuffix("-MIXTURE")
        assert method == IN_MESSAGES[row["probability_method"]]
    assert f"LEVEL BY PROBABILITY = {row['probability_level']}" in comments
    assert SAID_IN_MESSAGES[row["probability_method"]] in " ".join(comments)


@pytest.mark.parametrize("pair", OF_RUNS)
def test_a_mail(rows: dict[Pair, Row], pair: Pair) -> None:
    row = rows[pair]
    seen = dict.fromkeys(OF_FLEET)
    aware = {"tca": row["tca"].replace(tzinfo=UTC)}
    event = EVENT | event_of(row | seen | aware | {"norad_id": pair[0]})
    assert event["probability_best"] == row["probability_best"]
    (item,) = wording(body_for(1, **event)).items
    assert expected(row, 2) in item.text
    assert row["probability_level"] in item.text


def test_the_page_has_these_words(repository: Path) -> None:
    page = (repository / "api" / "web" / "src" / "marks.ts").read_text()
    for method, words in WORDS.items():
        before, after = (part.strip() for part in words.split("{}"))
        named = rf'"?{method}"?: "{before}{" " if before else ""}{after}"'
        assert not (before or after) or re.search(named, page), method
