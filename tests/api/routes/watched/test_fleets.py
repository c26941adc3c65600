"""Fleets over HTTP: made, listed, changed, removed, by tokens and by the page; what is wrong is refused."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.access.page_session import COOKIE
from storage.state.credentials import create_credential
from storage.state.fleets import FleetObject, fleets
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

PAGE = {"X-Requested-With": "test"}


def make(client: Client, **fields: object) -> httpx.Response:
    return client.request("POST", "/fleets", json={"name": "mine", "norad_ids": [5]} | fields)


def searched(client: Client, fleet_id: int) -> dict[str, Any]:
    """Return a fleet once its search has ended."""
    wait_until(lambda: not client.get(f"/fleets/{fleet_id}").json()["searching"], 300.0)
    return client.get(f"/fleets/{fleet_id}").json()  # type: ignore[no-any-return]


@pytest.mark.slow
def test_a_fleet_is_made_listed_changed_and_removed(empty: Client, store: Path) -> None:
    answer = make(
        empty,
        norad_ids=[25544, 999_999_998],
        objects=[{"norad_id": 5, "volume": "sphere:2", "hours": 48}],
        volume="box:2x25.0x25",
        contact="ops@example.org",
    )
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert answer.headers["location"] == "/fleets/1"
    assert made | {"created": "", "members": 0, "unknown": []} == {
        "id": 1,
        "name": "mine",
        "created": "",
        "made_by": "test",
        "contact": "ops@example.org",
        "volume": "box:2x25x25",
        "hours": None,
        "radius": "shadow",
        "name_pattern": "",
        "manoeuvre_class": "unknown",
        "objects": [
            {"norad_id": 5, "volume": "sphere:2", "hours": 48.0},
            {"norad_id": 25544, "volume": None, "hours": None},
            {"norad_id": 999_999_998, "volume": None, "hours": None},
        ],
        "members": 0,
        "unknown": [],
        "searching": True,
        "search_problem": None,
    }
    assert made["members"] + len(made["unknown"]) == 3
    assert 999_999_998 in made["unknown"]
    made = searched(empty, 1)
    second = make(empty, name="all", norad_ids=[], name_pattern="*").json()
    assert second["members"] == empty.get("/objects").json()["total"]
    second = searched(empty, 2)
    assert empty.get("/v1/fleets").json() == {"fleets": [made, second], "total": 2}
    page = empty.get("/fleets", params={"limit": 1, "offset": 1}).json()
    assert page == {"fleets": [second], "total": 2}

    changed = empty.request("PATCH", "/fleets/1", json={"hours": 72, "contact": "", "norad_ids": [6]}).json()
    assert (changed["hours"], changed["contact"], changed["volume"]) == (72.0, "", "box:2x25x25")
    assert [one["norad_id"] for one in changed["objects"]] == [6]
    assert empty.request("PATCH", "/fleets/1", json={}).json() | {"searching": True} == changed
    assert empty.request("PATCH", "/fleets/1", json={"hours": None}).json()["hours"] is None
    for said in ("crewed", "unknown"):
        sent = empty.request("PATCH", "/fleets/1", json={"manoeuvre_class": said})
        assert sent.json()["manoeuvre_class"] == said
    assert empty.request("PATCH", "/fleets/1", json={"manoeuvre_class": "often"}).status_code == 422
    for radius in ("bounding", "12.5", "shadow"):
        assert empty.request("PATCH", "/fleets/1", json={"radius": radius}).json()["radius"] == radius
    assert fleets(store)[0].objects == (FleetObject(6),)

    gone = empty.request("DELETE", "/fleets/1")
    assert (gone.status_code, gone.content) == (204, b"")
    for method, body in (("GET", None), ("DELETE", None), ("PATCH", {})):
        refused = empty.request(method, "/fleets/1", json=body)
        assert (refused.status_code, refused.json()["title"]) == (404, "Not found")
    assert empty.get("/fleets").json()["total"] == 1


def test_two_fleets_of_the_same_objects_are_each_shown_as_they_are(empty: Client) -> None:
    for name in ("first", "second"):
        made = empty.request("POST", "/fleets", json={"name": name, "norad_ids": [5]})
        assert (made.status_code, made.json()["name"]) == (201, name)
    assert [one["name"] for one in empty.get("/fleets").json()["fleets"]] == ["first", "second"]
    assert empty.get("/fleets/2").json()["name"] == "second"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"norad_ids": []}, "body"),
        ({"norad_ids": [-1]}, "norad_ids.0"),
        ({"norad_ids": [1_000_000_000]}, "norad_ids.0"),
        ({"norad_ids": [5.5]}, "norad_ids.0"),
        ({"norad_ids": ["5"]}, "norad_ids.0"),
        ({"norad_ids": list(range(1, 5002))}, "norad_ids"),
        ({"objects": [{"norad_id": 5}, {"norad_id": 5, "hours": 2}]}, "body"),
        ({"objects": [{"norad_id": 5, "volume": "box:1x2"}]}, "objects.0.volume"),
        ({"name": ""}, "name"),
        ({"name": "f" * 10_000}, "name"),
        ({"name": "12"}, "body"),
        ({"name": "a\nb"}, "body"),
        ({"name": "a\u202eb"}, "body"),
        ({"name": None}, "name"),
        *(({"radius": radius}, "radius") for radius in ("0", "-1", "nan", "1e9", "big", 5, None)),
        ({"volume": "sphere:nan"}, "volume"),
        ({"volume": "sphere:999"}, "volume"),
        ({"volume": "box:0x1x1"}, "volume"),
        ({"volume": "sphere:5km"}, "volume"),
        ({"hours": 0.5}, "hours"),
        ({"hours": 241}, "hours"),
        ({"name_pattern": "*" * 101}, "name_pattern"),
        ({"contact": "a\r\nb"}, "body"),
        ({"made_by": "me"}, "made_by"),
        ({"id": 7}, "id"),
    ],
)
def test_bodies_that_are_refused(refusing: Client, fields: dict[str, object], field: str) -> None:
    answer = make(refusing, **fields)
    assert answer.status_code == 422, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert len(answer.text) < 2000
    assert refusing.get("/fleets").json()["total"] == 0


@pytest.mark.slow
def test_bodies_that_are_no_json_or_too_long(refusing: Client) -> None:
    headers = {**refusing.headers, "Content-Type": "application/json"}
    for content, status in ((b"{", 422), (b"[]", 422), (b'{"name": "\\ud800"}', 422), (b" " * 65_537, 413)):
        assert refusing.request("POST", "/fleets", content=content, headers=headers).status_code == status
    assert refusing.request("POST", "/fleets", content=b"name=x").status_code == 415
    assert refusing.request("PUT", "/fleets/1").headers["allow"] == "DELETE, GET, PATCH"
    assert refusing.get("/fleets/0").status_code == 404  # as another organisation's
    assert refusing.get("/fleets/mine").status_code == 422


@pytest.mark.slow
def test_five_thousand_numbers_fit_into_a_body(empty: Client) -> None:
    answer = make(empty, norad_ids=list(range(999_990_000, 999_995_000)))
    assert answer.status_code == 201, answer.text
    assert len(answer.json()["unknown"]) == 5000


def test_a_name_is_taken_once(empty: Client) -> None:
    assert make(empty).status_code == 201
    assert make(empty, name="other").status_code == 201
    for answer in (make(empty, name="MINE"), empty.request("PATCH", "/fleets/2", json={"name": "Mine"})):
        assert (answer.status_code, answer.json()["detail"]) == (
            422,
            "A fleet named 'mine' already exists (id 1).",
        )


def test_a_pattern_that_fits_too_much_is_refused(empty: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make(empty, name="before", name_pattern="*")
    monkeypatch.setattr("storage.fleets.members.MOST_MEMBERS", 3)
    answer = make(empty, name_pattern="*")
    assert (answer.status_code, "matches too many names" in answer.json()["detail"]) == (422, True)
    assert empty.request("PATCH", "/fleets/1", json={"contact": "x"}).status_code == 422
    assert empty.get("/fleets").json()["total"] == 1


def test_before_the_first_run_fleets_can_be_made(store: Path) -> None:
    store.mkdir()
    with serving(store) as client:
        assert make(client).json()["members"] is None
        assert client.get("/fleets").json()["fleets"][0]["members"] is None


@pytest.mark.slow
def test_the_newest_run_tells_the_members(empty: Client, store: Path) -> None:
    make(empty, norad_ids=[], name_pattern="*")
    before = empty.get("/fleets/1").json()["members"]
    publish(store, make_run(objects=before + 10, hours_later=1))
    empty.app.state.service.events.refresh()
    assert empty.get("/fleets/1").json()["members"] == before + 10


@pytest.fixture
def page(empty: Client) -> Iterator[Client]:
    """Give the page's client: with a cookie and nothing else."""
    answer = empty.request("POST", "/session")
    yield Client(empty.app, {"Cookie": f"{COOKIE}={answer.cookies[COOKIE]}"})


def test_the_page_changes_fleets_with_its_header_only(page: Client, empty: Client) -> None:
    body: dict[str, Any] = {"name": "mine", "norad_ids": [5]}
    assert page.request("POST", "/fleets", json=body).status_code == 401
    for site in ("same-site", "cross-site"):
        foreign = {**page.headers, **PAGE, "Sec-Fetch-Site": site}
        assert page.request("POST", "/fleets", json=body, headers=foreign).status_code == 401
    own = {**page.headers, **PAGE, "Sec-Fetch-Site": "same-origin"}
    assert page.request("POST", "/fleets", json=body, headers=own).json()["made_by"] == "test"
    assert page.get("/fleets").json()["total"] == 1
    for method in ("PATCH", "DELETE"):
        assert page.request(method, "/fleets/1", json={}).status_code == 401
        assert empty.get("/fleets/1").status_code == 200
    assert page.request("PATCH", "/fleets/1", json={"hours": 2}, headers=own).json()["hours"] == 2.0
    assert page.request("DELETE", "/fleets/1", headers=own).status_code == 204


def test_api_keys_may_not(empty: Client, store: Path) -> None:
    key = create_credential(store, "api-key", "eyes", datetime.now(UTC)).secret
    assert Client(empty.app, {"X-API-Key": key}).get("/fleets").status_code == 403
    assert empty.without_credential().get("/fleets").status_code == 401


def test_one_credential_has_a_limit_and_another_its_own(
    empty: Client, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = create_credential(store, "bearer", "other", datetime.now(UTC)).secret
    monkeypatch.setattr("storage.state.fleets.MOST_OF_A_CREDENTIAL", 2)
    answers = [make(empty, name=f"fleet {number}").status_code for number in range(3)]
    assert answers == [201, 201, 422]
    client = Client(empty.app, {"Authorization": f"Bearer {other}"})
    assert make(client).json()["made_by"] == "other"
    assert json.loads(client.request("DELETE", "/fleets/1").content or "null") is None
    assert empty.get("/fleets").json()["total"] == 2


def test_a_volume_that_is_refused_says_what_is_expected(empty: Client) -> None:
    for volume in ({"volume": "cube:1"}, {"objects": [{"norad_id": 5, "volume": "cube:1"}]}):
        answer = empty.request("POST", "/fleets", json={"name": "mine", "norad_ids": [6]} | volume)
        assert answer.status_code == 422
        assert "'cube:1' is not a screening volume: expected sphere:KM, box:RxTxN" in answer.text
        assert "[0-9]" not in answer.text
