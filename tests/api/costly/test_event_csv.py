"""`GET /conjunctions` with `Accept: text/csv`: the same rows as JSON, all of them, of one run."""

import asyncio
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet as pq
import pytest

from api.costly import event_csv
from api.routes import conjunctions
from screening.vocabulary import SIZES_FROM
from storage.reading.events_file import write_events
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

CSV = {"Accept": "text/csv"}


def ask(client: Client, query: str = "") -> httpx.Response:
    return client.get(f"/conjunctions{query}", headers={**client.headers, **CSV})


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def as_json_has_it(text: str, value: Any) -> bool:
    """Return whether a cell says what a value of the JSON says."""
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, str):
        # JSON leaves out the microseconds of a time where they are all zero.
        return text in (value, value.replace("Z", ".000000Z"))
    return type(value)(text) == value


@pytest.mark.parametrize(
    "query", ["", "?order=tca", "?risk_level=high&order=probability", "?max_miss_m=200", "?norad_id=1"]
)
def test_all_rows_that_match_as_json_has_them(client: Client, query: str) -> None:
    answer = ask(client, query)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    licence = '<https://creativecommons.org/licenses/by/4.0/>; rel="license"'
    assert answer.headers["Link"].startswith(licence)
    assert SIZES_FROM in answer.headers["Link"]
    assert answer.headers["Vary"].startswith("Accept, ")
    rows = read(answer.text)
    page = client.get(f"/conjunctions{query}{'&' if query else '?'}limit=10000")
    assert page.headers["Vary"].startswith("Accept, ")
    events = page.json()["conjunctions"]
    assert len(rows) == len(events) == page.json()["total"]
    for row, event in zip(rows, events, strict=True):
        assert list(row) == list(event)
        assert [name for name in row if not as_json_has_it(row[name], event[name])] == []


def test_the_first_line_names_the_columns_also_without_rows(client: Client) -> None:
    (event,) = client.get("/conjunctions?limit=1").json()["conjunctions"]
    assert ask(client, "?norad_id=1").text == ",".join(event) + "\n"


def test_a_limit_and_a_cursor_hold(client: Client) -> None:
    first = client.get("/conjunctions?limit=7&order=tca").json()
    ids = [str(event["id"]) for event in first["conjunctions"]]
    assert [row["id"] for row in read(ask(client, "?limit=7&order=tca").text)] == ids
    rest = read(ask(client, f"?cursor={first['next']}").text)
    assert len(rest) == first["total"] - 7
    assert [row["id"] for row in read(ask(client, "?order=tca").text)] == ids + [row["id"] for row in rest]


@pytest.mark.parametrize("query", ["?limit=0", "?norad_id=0", "?cursor=abc"])
def test_errors_are_problems(client: Client, query: str) -> None:
    answer = ask(client, query)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"


FULLWIDTH = ("\uff1dHYPERLINK(1)", "\uff0b1", "\uff0d1", "\uff20SUM(A1)")
FORMULAS = ('=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "\tTAB", "=1,\n2", *FULLWIDTH)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("name", FORMULAS)
def test_a_name_in_a_file_of_events_is_no_formula(store: Path, name: str, suffix: str) -> None:
    run = make_run()
    run.elements["name"] = name
    publish(store, run)
    path = write_events(store, store / f"events{suffix}")
    if suffix == ".csv":
        names = {row["primary_name"] for row in read(path.read_bytes().decode())}
        assert names == {f"'{name}"}
    else:
        assert pq.read_table(path)["primary_name"].unique().to_pylist() == [name]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", FORMULAS)
def test_a_name_is_no_formula(store: Path, name: str) -> None:
    run = make_run()
    run.elements["name"] = name
    publish(store, run)
    with serving(store) as client:
        rows = read(ask(client).text)
        stored = client.get("/conjunctions").json()["conjunctions"][0]["primary_name"]
    assert stored
    assert {row["primary_name"] for row in rows} == {row["secondary_name"] for row in rows} == {f"'{stored}"}


@pytest.mark.slow
def test_other_names_are_as_they_are(store: Path) -> None:
    run = make_run()
    run.elements["name"] = 'A=B, "C" -D \u00e9'
    publish(store, run)
    with serving(store) as client:
        stored = client.get("/conjunctions").json()["conjunctions"][0]["primary_name"]
        assert {row["primary_name"] for row in read(ask(client).text)} == {stored}


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(event_csv, "_ROWS", 100)
    yield


@pytest.mark.slow
def test_it_is_of_one_run_though_another_is_published_meanwhile(store: Path, small_parts: None) -> None:
    first_run = publish(store, plausible(make_run(conjunctions=1000, objects=60)))
    with serving(store) as client:

        async def download() -> str:
            transport = httpx.ASGITransport(client.app)
            headers = {**client.headers, **CSV}
            async with httpx.AsyncClient(
                transport=transport, base_url="http://localhost", headers=headers
            ) as asking:
                return (await asking.get("/conjunctions", timeout=60)).text

        parts: list[bytes] = []
        sending = conjunctions.csv_parts

        def slowly(*arguments: Any) -> Iterator[bytes]:
            for part in sending(*arguments):
                if len(parts) == 3:
                    newest = publish(store, plausible(make_run(conjunctions=50, seed=5, hours_later=6)))
                    wait_until(lambda: client.get("/runs/current").json()["run_id"] == newest)  # noqa: B023
                parts.append(part)
                yield part

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(conjunctions, "csv_parts", slowly)
            rows = read(asyncio.run(download()))
        assert len(read(ask(client).text)) == 50
    assert len(parts) == 11  # the names, and ten times a hundred rows
    assert len({row["id"] for row in rows}) == len(rows) == 1000
    assert {row["run_id"] for row in rows} == {first_run}
