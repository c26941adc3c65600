"""`GET /environment`, its series and density, and who causes the work of a fleet or an owner."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.models.sky.environment import Environment, EnvironmentSeries, ObjectDensity, Workload
from tests.api.client import Client
from tests.api.conftest import serving
from tests.storage.sky.counted_run import Counted, counted_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counted]:
    store = tmp_path_factory.mktemp("crowded") / "store"
    return store, counted_run(store)


@pytest.fixture(scope="module")
def served(run: tuple[Path, Counted]) -> Iterator[Client]:
    with serving(run[0]) as client:
        yield client


def test_shells_and_groups_of_a_run(served: Client, run: tuple[Path, Counted]) -> None:
    answer = served.get("/environment")
    TypeAdapter(Environment).validate_json(answer.content)
    found = answer.json()
    assert (found["run_id"], found["days"]) == (run[1].run_id, 1.0)
    assert {row["kind"] for row in found["rows"]} == {"shell", "type", "owner", "constellation"}
    shells = [row for row in found["rows"] if (row["kind"], row["one"]) == ("shell", "all")]
    assert [row["altitude_from_km"] for row in shells] == sorted(row["altitude_from_km"] for row in shells)
    assert sum(row["objects"] for row in shells) == pytest.approx(39)  # of 40, two are docked
    types = served.get("/environment?kind=type&limit=2").json()["rows"]
    assert [row["kind"] for row in types] == ["type"] * 2
    assert types[0]["approaches_5km_day"] >= types[1]["approaches_5km_day"]
    assert served.get(f"/environment?run={run[1].run_id}&kind=type&limit=2").json()["rows"] == types
    assert served.get("/environment?run=20200101T000000Z").status_code == 404
    assert served.get("/environment?run=../x").status_code == 404
    for query in ("kind=country", "limit=0", "threshold=5"):
        assert served.get(f"/environment?{query}").status_code == 422


def test_the_series_and_where_objects_are(served: Client, run: tuple[Path, Counted]) -> None:
    answer = served.get("/environment/series")
    TypeAdapter(EnvironmentSeries).validate_json(answer.content)
    (only,) = answer.json()["runs"]
    shells = [row for row in served.get("/environment?kind=shell").json()["rows"] if row["one"] == "all"]
    assert only["run_id"] == run[1].run_id
    assert only["approaches_5km_day"] == sum(row["approaches_5km_day"] for row in shells)
    answer = served.get("/environment/density")
    TypeAdapter(ObjectDensity).validate_json(answer.content)
    density = answer.json()
    assert len(density["objects"]) == len(density["altitude_edges_km"]) - 1
    by_altitude = {
        edge: sum(row) for edge, row in zip(density["altitude_edges_km"], density["objects"], strict=False)
    }
    # At 14.2 revolutions a day and an eccentricity of 0.001: 814 to 829 km.
    assert by_altitude[800.0] == pytest.approx(40)


def test_who_causes_the_work_of_a_fleet_and_an_owner(served: Client, run: tuple[Path, Counted]) -> None:
    own = [int(one["norad_id"]) for one in run[1].objects if one["owner"] == "GSFC"]
    objects = [{"norad_id": number} for number in own]
    fleet = served.request("POST", "/fleets", json={"name": "mine", "objects": objects}).json()["id"]
    answer = served.get(f"/environment/workload?fleet={fleet}")
    TypeAdapter(Workload).validate_json(answer.content)
    work = answer.json()
    assert work == served.get("/environment/workload?owner=gsfc").json()
    assert work["objects"] == len(own)
    of_owners = [one for one in work["shares"] if one["kind"] == "owner"]
    assert sum(one["share"] for one in of_owners) == pytest.approx(1.0)
    with_others = work["approaches_5km_day"] - work["within_5km_day"]
    assert sum(one["approaches_5km_day"] for one in of_owners) == pytest.approx(with_others)
    assert served.get("/environment/workload?fleet=99").status_code == 404
    for query in ("", "owner=NOBODY", f"fleet={fleet}&owner=GSFC"):
        assert served.get(f"/environment/workload?{query}").status_code == 422


def test_those_without_approaches_have_no_work(served: Client) -> None:
    empty = served.request("POST", "/fleets", json={"name": "none", "objects": [{"norad_id": 1}]}).json()[
        "id"
    ]
    work = served.get(f"/environment/workload?fleet={empty}").json()
    assert (work["approaches_5km_day"], work["shares"]) == (0.0, [])
