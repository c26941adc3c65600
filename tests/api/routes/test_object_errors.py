"""`GET /objects/{id}/errors`: the numbers of the command, by the age of the set."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner

from screening.risk.views.object_errors import ObjectErrors
from skysieve.command_line import app
from tests.api.client import Client
from tests.api.conftest import serving
from tests.object_history import ObjectHistory, publish_history
from tests.reused_store import free_store

one_metre = 1.0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, ObjectHistory, str]]:
    """Give a client of a store with a history."""
    store = free_store(tmp_path_factory.getbasetemp(), "errors_")
    history = publish_history(store)
    with serving(store) as client:
        yield client, history, str(store)


def test_it_is_what_the_command_tells(served: tuple[Client, ObjectHistory, str]) -> None:
    client, history, store = served
    answer = client.get(f"/objects/{history.norad_id}/errors")
    TypeAdapter(ObjectErrors).validate_json(answer.content)
    command = ["objects", "show", str(history.norad_id), "--errors", "--json", "--store", store]
    told = json.loads(CliRunner().invoke(app, command).output)
    told["error_class"] = told.pop("class")
    assert answer.json() == told


def test_differences_are_those_of_another_sgp4(served: tuple[Client, ObjectHistory, str]) -> None:
    client, history, _ = served
    found = client.get(f"/objects/{history.norad_id}/errors").json()
    own = found["differences"]
    assert own["age_days"] == pytest.approx([1.0, 1.0, 2.0])
    sizes_m = np.linalg.norm(own["missed_rtn_m"], axis=1)
    expected = history.distances_m()
    assert sorted(sizes_m[:2]) == pytest.approx(expected[1], abs=one_metre)
    assert sizes_m[2] == pytest.approx(expected[2][0], abs=one_metre)
    assert [(one["from_days"], one["to_days"], one["pairs"]) for one in found["measured"]] == [
        (0.5, 1.5, 2),
        (1.5, 3.5, 1),
    ]
    assert "Its own sets 0.5 to 1.5 days apart usually differ by less than" in found["words"]


def test_the_law_grows_and_its_tails_lie_outside(served: tuple[Client, ObjectHistory, str]) -> None:
    client, history, _ = served
    law = client.get(f"/objects/{history.norad_id}/errors").json()["law"]
    sigma_m, within_m = np.array(law["sigma_rtn_m"]), np.array(law["within_95_rtn_m"])
    assert (np.diff(sigma_m, axis=0) >= 0.0).all()
    assert (within_m > 1.96 * sigma_m).all()
    assert law["burn_share"][0] == 0.0
    assert (np.diff(law["burn_share"]) > 0.0).all()


def test_an_object_without_a_history_says_so(served: tuple[Client, ObjectHistory, str]) -> None:
    client, history, _ = served
    found = client.get(f"/objects/{history.alone}/errors").json()
    assert found["measured"] == []
    assert found["differences"] == {"age_days": [], "missed_rtn_m": []}
    assert found["words"].endswith("The store has no earlier set of it to compare with.")


def test_an_object_that_the_run_does_not_have_is_not_found(served: tuple[Client, ObjectHistory, str]) -> None:
    client, _, _ = served
    answer = client.get("/objects/4/errors")
    assert (answer.status_code, "No object 4" in answer.json()["detail"]) == (404, True)
    assert client.get("/objects/4/errors?at=now").status_code == 422
    assert client.get("/objects/4/errors", headers={"Authorization": ""}).status_code == 401
