"""`GET /re-entries` and `GET /fleets/{id}/remaining-life`: what decays when, page by page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.models.sky.re_entries import ReEntries, RemainingLives
from storage.reading.newest_run import connect
from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, publish
from tests.storage.sky.planted_decays import plant


@pytest.fixture(scope="module")
def numbers() -> list[int]:
    return sorted(int(number) for number in make_run().elements["norad_id"][:5])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, numbers: list[int]) -> Iterator[Client]:
    """Give a client of a store with a run in which four objects decay, and of which fleets have some."""
    store: Path = tmp_path_factory.mktemp("decaying") / "store"
    run_id = publish(store, make_run())
    plant(store, run_id, dict(zip(numbers, (40.0, 3.0, 59.0, 700.0), strict=False)))
    with connect(store) as connection:
        ((start,),) = connection.execute("SELECT window_start FROM runs").fetchall()
        assert connection.execute("SELECT count(*) FROM decays").fetchall() == [(4,)]
    assert f"{start:%Y%m%dT%H%M%S}Z" == run_id
    with serving(store) as client:
        yield client


def asked(client: Client, query: str = "") -> tuple[list[int], int]:
    answer = client.get(f"/re-entries?{query}")
    TypeAdapter(ReEntries).validate_json(answer.content)
    return [one["norad_id"] for one in answer.json()["re_entries"]], answer.json()["total"]


def test_the_first_decays_first_within_sixty_days(served: Client, numbers: list[int]) -> None:
    first, second, third, fourth, fifth = numbers
    assert asked(served) == ([second, first, third], 3)
    assert asked(served, "days=1826") == ([second, first, third, fourth], 4)
    assert asked(served, "limit=1&offset=1") == ([first], 3)
    assert asked(served, f"norad_id={third},{fifth}") == ([third], 1)
    one = served.get("/re-entries?limit=1").json()["re_entries"][0]
    assert one["window_start"] < one["median"] < one["window_end"]
    assert "run_id" not in one


def test_those_of_a_fleet_and_how_long_it_stays(served: Client, numbers: list[int]) -> None:
    first, second, _, fourth, fifth = numbers
    objects = [{"norad_id": number} for number in (first, fourth, fifth)]
    fleet = served.request("POST", "/fleets", json={"name": "mine", "objects": objects}).json()["id"]
    assert asked(served, f"fleet={fleet}") == ([first], 1)
    assert asked(served, f"fleet={fleet}&norad_id={second}") == ([], 0)
    answer = served.get(f"/fleets/{fleet}/remaining-life")
    TypeAdapter(RemainingLives).validate_json(answer.content)
    lives = {one["norad_id"]: one for one in answer.json()["satellites"]}
    assert list(lives) == [first, fourth, fifth]
    assert [one["outlook"] for one in lives.values()][:2] == ["decays", "decays"]
    assert lives[fourth]["re_entry"]["median"] > lives[first]["re_entry"]["median"]
    stays = lives[fifth]["perigee_km"] >= 700.0
    assert (lives[fifth]["outlook"], lives[fifth]["re_entry"]) == (
        "stays" if stays else "thrusts or unknown",
        None,
    )
    assert served.get("/fleets/99/remaining-life").status_code == 404
    assert served.get("/re-entries?fleet=99").status_code == 404


@pytest.mark.parametrize("query", ["days=0", "days=2000", "limit=0", "norad_id=0", "within=3"])
def test_what_is_refused(served: Client, query: str) -> None:
    assert served.get(f"/re-entries?{query}").status_code == 422
