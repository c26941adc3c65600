"""`GET /manoeuvres` and `GET /objects/{id}/manoeuvres`: what element sets show, page by page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.models.detected import DetectedManoeuvres
from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, publish
from tests.storage.manoeuvres.test_kept import burns, put

NOON = "2026-11-20T12:00:00Z"


@pytest.fixture(scope="module")
def numbers() -> list[int]:
    return [int(number) for number in make_run().elements["norad_id"][:3]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, numbers: list[int]) -> Iterator[Client]:
    """Give a client of a store with four manoeuvres of two objects, and one of an object that is gone."""
    store: Path = tmp_path_factory.mktemp("manoeuvred") / "store"
    publish(store, make_run())
    first, second, _ = numbers
    rows = [(first, 0, 2, 9.0), (first, 4, 6, 9.0), (second, 8, 10, 9.0), (second, 12, 14, 9.0)]
    put(store, burns(*rows, (3, 16, 18, 9.0)))
    with serving(store) as client:
        yield client


def test_all_of_them_newest_first(served: Client, numbers: list[int]) -> None:
    answer = served.get("/manoeuvres")
    TypeAdapter(DetectedManoeuvres).validate_json(answer.content)
    first, second, _ = numbers
    assert [one["norad_id"] for one in answer.json()["manoeuvres"]] == [3, second, second, first, first]
    assert answer.json()["total"] == 5
    newest = answer.json()["manoeuvres"][0]
    assert (newest["from"], newest["at"]) == ("2026-11-21T04:00:00Z", "2026-11-21T05:00:00Z")
    assert (newest["dv_n_m_s"], newest["sigmas"]) == (None, 9.0)


def test_pages_and_conditions(served: Client, numbers: list[int]) -> None:
    def asked(query: str) -> tuple[list[int], int]:
        found = served.get(f"/manoeuvres?{query}").json()
        return [one["norad_id"] for one in found["manoeuvres"]], found["total"]

    first, second, _ = numbers
    assert asked("limit=2&offset=1") == ([second, second], 5)
    assert asked("offset=9") == ([], 5)
    assert asked(f"norad_id={first},{second}") == ([second, second, first, first], 4)
    assert asked(f"since={NOON}&until=2026-11-20T14:00:00Z") == ([first], 1)
    assert asked("until=2026-11-20T13:00:00Z")[1] == 0, "exclusive"


def test_those_of_one_object(served: Client, numbers: list[int]) -> None:
    found = served.get(f"/objects/{numbers[0]}/manoeuvres?limit=1")
    TypeAdapter(DetectedManoeuvres).validate_json(found.content)
    assert (len(found.json()["manoeuvres"]), found.json()["total"]) == (1, 2)
    assert served.get(f"/objects/{numbers[2]}/manoeuvres").json() == {"manoeuvres": [], "total": 0}
    assert served.get("/objects/3/manoeuvres").json()["total"] == 1, "gone since"
    unknown = served.get("/objects/4/manoeuvres")
    assert (unknown.status_code, "No object 4" in unknown.json()["detail"]) == (404, True)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/manoeuvres?limit=0", "limit"),
        ("/manoeuvres?since=x", "since"),
        ("/manoeuvres?norad_id=0", "norad_id"),
        (f"/manoeuvres?since={NOON}&until=2026-11-20T11:59:59Z", "until"),
        ("/manoeuvres?limit=1&limit=2", "limit"),
        ("/manoeuvres?object=1", "object"),
        ("/objects/3/manoeuvres?norad_id=3", "norad_id"),
    ],
    ids=range(7),
)
def test_what_is_wrong_is_named(served: Client, path: str, field: str) -> None:
    answer = served.get(path)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


def test_nobody_without_credential(served: Client) -> None:
    assert served.get("/manoeuvres", headers={"Authorization": ""}).status_code == 401
