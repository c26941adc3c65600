"""An owner's objects over HTTP: its events, the objects themselves, and a fleet of its satellites."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.planted_collision import refused
from tests.made_up_run import make_run, publish_owned


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("owners") / "store"


@pytest.fixture(scope="module")
def owned(store: Path) -> dict[str, list[int]]:
    return publish_owned(store, make_run())


@pytest.fixture(scope="module")
def client(store: Path, owned: dict[str, list[int]]) -> Iterator[Client]:
    with serving(store) as client:
        yield client


def listed(client: Client, path: str, **parameters: object) -> Any:
    answer = client.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_events_are_those_of_an_owner(client: Client, owned: dict[str, list[int]]) -> None:
    every = listed(client, "/conjunctions")["conjunctions"]

    def of(*groups: list[int]) -> list[int]:
        return [
            one["id"]
            for one in every
            if all({one["primary_norad_id"], one["secondary_norad_id"]} & {*group} for group in groups)
        ]

    found = listed(client, "/conjunctions", owner="ses")
    assert [one["id"] for one in found["conjunctions"]] == of(owned["SES"])
    assert found["total"] == len(of(owned["SES"])) > 3
    number = owned["SESA"][0]
    both = listed(client, "/conjunctions", owner="NRL", norad_id=number)["conjunctions"]
    assert [one["id"] for one in both] == of(owned["NRO/NRL"], [number])


def test_the_pages_of_an_owner_are_those_of_the_whole_list(client: Client) -> None:
    whole = listed(client, "/conjunctions", owner="SES")["conjunctions"]
    first = listed(client, "/conjunctions", owner="SES", limit=3)
    rest = listed(client, "/conjunctions", cursor=first["next"])["conjunctions"]
    assert first["conjunctions"] + rest == whole
    other = client.get("/conjunctions", params={"owner": "IRIDS", "cursor": first["next"]})
    refused(other, 422, "owner", "the cursor is from a list that was requested with SES")


def test_the_objects_of_an_owner_are_listed(client: Client, owned: dict[str, list[int]]) -> None:
    fields = ["norad_id", "owner", "status", "can_manoeuvre", "can_manoeuvre_reason"]
    found = listed(client, "/objects", owner="nro", fields=fields)
    assert [one["norad_id"] for one in found["objects"]] == owned["NRO/NRL"]
    assert {one["owner"] for one in found["objects"]} == {"NRO/NRL"}
    assert {(one["can_manoeuvre"], one["can_manoeuvre_reason"]) for one in found["objects"]} == {
        ("no", "debris"),
        ("no", "a rocket body"),
        ("unknown", "nothing says whether it has thrusters"),
    }
    two = [owned["SES"][0], owned["SESA"][0]]
    one = listed(client, "/objects", owner="SES", norad_id=",".join(map(str, two)), fields=["norad_id"])
    assert one["objects"] == [{"norad_id": two[0]}]
    tags = {client.get("/objects", params={"owner": word}).headers["ETag"] for word in ("SES", "SESA")}
    assert len(tags) == 2


@pytest.mark.parametrize("path", ["/conjunctions", "/conjunctions/cdm", "/objects"])
def test_an_unknown_owner_is_refused_with_those_that_are_near(client: Client, path: str) -> None:
    refused(client.get(path, params={"owner": "SE"}), 422, "owner", "did you mean SES or SESA?")
    refused(client.get(path, params={"owner": ""}), 422, "owner", "at least 1")


def test_a_fleet_has_the_satellites_of_an_owner(client: Client, owned: dict[str, list[int]]) -> None:
    known = listed(client, "/objects", owner="SES", fields=["norad_id", "object_type"])["objects"]
    satellites = [one["norad_id"] for one in known if one["object_type"] == "payload"]
    assert 0 < len(satellites) < len(owned["SES"])
    made = client.request("POST", "/fleets", json={"name": "ses", "owner": "ses"})
    assert made.status_code == 201, made.text
    assert [one["norad_id"] for one in made.json()["objects"]] == satellites
    unknown = client.request("POST", "/fleets", json={"name": "none", "owner": "SE"})
    refused(unknown, 422, "owner", "did you mean SES or SESA?")
