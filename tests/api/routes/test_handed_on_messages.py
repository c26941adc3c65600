"""Conjunction data messages over HTTP: those of the command line, negotiated, and many in a zip file."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, possible, publish
from tests.storage.commands.path_store import command

KVN, XML, JSON = "text/plain", "application/xml", "application/json"
BEGINS = {KVN: "CCSDS_CDM_VERS", XML: "<?xml", JSON: "{"}


@pytest.fixture(scope="module")
def store_of_events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("served_messages") / "store"
    publish(store, possible(make_run(conjunctions=1500, objects=100)))
    return store


@pytest.fixture(scope="module")
def of_events(store_of_events: Path) -> Iterator[Client]:
    with serving(store_of_events) as client:
        yield client


def ids(client: Client, **conditions: object) -> list[int]:
    answer = client.get("/conjunctions", params=conditions)
    return [event["id"] for event in answer.json()["conjunctions"]]


def message_in(text: str) -> ConjunctionMessage:
    (message,) = each_message(text)
    assert isinstance(message, ConjunctionMessage), message
    return message


@pytest.mark.parametrize("form", ["kvn", "xml", "json"])
def test_the_answer_is_what_the_command_writes(
    of_events: Client,
    store_of_events: Path,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (event_id,) = ids(of_events, limit=1)
    answer = of_events.get(f"/conjunctions/{event_id}/cdm", params={"format": form, "frame": "ITRF"})
    assert answer.status_code == 200, answer.text
    words = ["--format", form, "--frame", "ITRF", "--store", store_of_events]
    assert command(monkeypatch, "cdm", event_id, *words) == 0
    assert answer.text == capsys.readouterr().out
    ending = {"kvn": "cdm"}.get(form, form)
    assert answer.headers["content-disposition"] == f'attachment; filename="{event_id}.{ending}"'


@pytest.mark.parametrize(
    ("accept", "query", "expected"),
    [
        (None, {}, KVN),
        ("*/*", {}, KVN),
        ("image/png", {}, KVN),
        ("application/xml", {}, XML),
        ("application/json", {}, JSON),
        ("application/json;q=0.5, application/xml", {}, XML),
        ("application/json", {"format": "kvn"}, KVN),
    ],
)
def test_the_form_is_negotiated(
    of_events: Client, accept: str | None, query: dict[str, str], expected: str
) -> None:
    (event_id,) = ids(of_events, limit=1)
    headers = {} if accept is None else {"Accept": accept}
    answer = of_events.get(f"/conjunctions/{event_id}/cdm", params=query, headers=headers)
    assert answer.headers["content-type"].split(";")[0] == expected
    assert answer.headers["vary"].split(", ")[0] == "Accept"
    assert answer.text.startswith(BEGINS[expected])
    assert message_in(answer.text).message_id.startswith(f"{event_id}_")


def test_a_message_that_the_client_has_is_not_sent_again(of_events: Client) -> None:
    first, second = ids(of_events, limit=2)
    answer = of_events.get(f"/conjunctions/{first}/cdm")
    tag = answer.headers["etag"]
    again = of_events.get(f"/conjunctions/{first}/cdm", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other_form = of_events.get(
        f"/conjunctions/{first}/cdm", params={"format": "xml"}, headers={"If-None-Match": tag}
    )
    assert other_form.status_code == 200
    other = of_events.get(f"/conjunctions/{second}/cdm", headers={"If-None-Match": tag})
    assert other.status_code == 200


def files_in(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "conditions",
    [
        {},
        {"limit": 1500},
        {"risk_level": "high", "limit": 50, "offset": 10},
        {"max_miss_m": 3000, "order": "tca"},
        {"max_miss_m": 0},
    ],
)
def test_many_are_those_of_the_list_in_its_order(of_events: Client, conditions: dict[str, object]) -> None:
    expected = ids(of_events, **conditions)
    answer = of_events.get("/conjunctions/cdm", params={**conditions, "format": "json"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    files = files_in(answer.content)
    assert list(files) == [f"{event_id}.json" for event_id in expected]
    for event_id in expected[:2]:
        single = of_events.get(f"/conjunctions/{event_id}/cdm", headers={"Accept": JSON})
        assert files[f"{event_id}.json"] == single.text
        assert json.loads(single.text)["OBJECT2"]["X"]


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/conjunctions/cdm", {"limit": 10_001}, "limit"),
        ("/conjunctions/cdm", {"cursor": "x"}, "cursor"),
        ("/conjunctions/cdm", {"format": "csv"}, "format"),
        ("/conjunctions/cdm", {"tca_from": "2026-11-22", "tca_to": "2026-11-21"}, "tca_to"),
        ("/conjunctions/{}/cdm", {"format": "KVN"}, "format"),
        ("/conjunctions/{}/cdm", {"frame": "TEME"}, "frame"),
        ("/conjunctions/{}/cdm", {"method": "guess"}, "method"),
        ("/conjunctions/{}/cdm", {"limit": 1}, "limit"),
        ("/conjunctions/{}/cdm", {"format": ["kvn", "xml"]}, "format"),
        ("/conjunctions/x/cdm", {}, "id"),
    ],
)
def test_what_cannot_be_is_refused(
    of_events: Client, path: str, query: dict[str, object], field: str
) -> None:
    (event_id,) = ids(of_events, limit=1)
    answer = of_events.get(path.format(event_id), params=query)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_method_without_a_value_is_refused(of_events: Client) -> None:
    found = of_events.get("/conjunctions", params={"limit": 1000}).json()["conjunctions"]
    without = next(event["id"] for event in found if event["probability_mc"] is None)
    answer = of_events.get(f"/conjunctions/{without}/cdm", params={"method": "monte_carlo"})
    assert answer.status_code == 422
    assert "has no probability of the method monte_carlo" in answer.json()["detail"]


@pytest.mark.parametrize("event_id", [-1, 0, 5, 2**53, 10**30])
def test_an_event_that_there_is_not(of_events: Client, event_id: int) -> None:
    assert of_events.get(f"/conjunctions/{event_id}/cdm").status_code == 404


def test_a_credential_is_needed(of_events: Client) -> None:
    (event_id,) = ids(of_events, limit=1)
    for path in ("/conjunctions/cdm", f"/conjunctions/{event_id}/cdm"):
        assert of_events.without_credential().get(path).status_code == 401
