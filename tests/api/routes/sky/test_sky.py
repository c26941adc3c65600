"""What changed in the catalogue, and break-ups, over HTTP and on the command line: as the store has them."""

import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from skysieve.command_line import app
from storage.sky.catalogue import CatalogueChanges, catalogue_changes
from tests.api.client import Client
from tests.api.conftest import serving
from tests.skies_of_2021 import DAYS, LAUNCHES, PARENT, note_sky, sky

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def noted(shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("noted") / "store"
    for step, day in enumerate(DAYS[1:3]):
        note_sky(store, sky(shared_file, day, LAUNCHES), 6.0 * step)
    return store


@pytest.fixture(scope="module")
def client(noted: Path) -> Iterator[Client]:
    with serving(noted) as made:
        yield made


def test_the_catalogue(client: Client, noted: Path) -> None:
    answer = client.get("/catalogue")
    found = answer.json()
    assert {one["launch"]: one["objects"] for one in found["launches"]} == {"2021-115": 55}
    assert found["pieces"] == 606
    assert found["words"] == catalogue_changes(noted).words
    assert set(found) == set(CatalogueChanges.__dataclass_fields__)
    again = client.get("/catalogue", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == HTTPStatus.NOT_MODIFIED


def test_break_ups_and_their_pieces(client: Client) -> None:
    (event,) = client.get("/fragmentations").json()["fragmentations"]
    assert event["parent_norad_id"] == PARENT
    one = client.get(f"/fragmentations/{event['id']}").json()
    assert {name: one[name] for name in event} == event
    assert len(one["orbits"]) == event["pieces"] == 606
    assert client.get("/fragmentations/1").status_code == HTTPStatus.NOT_FOUND


def test_the_commands_print_the_same(client: Client, noted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*words: str) -> str:
        app([*words, "--store", str(noted)], standalone_mode=False)
        return capsys.readouterr().out

    assert json.loads(printed("fragmentations", "--json")) == client.get("/fragmentations").json()
    (event,) = client.get("/fragmentations").json()["fragmentations"]
    assert event["words"] in printed("fragmentations")
    assert "49516" in printed("fragmentations", str(event["id"]))
    assert "606 are pieces of break-ups" in printed("catalogue")
    assert json.loads(printed("catalogue", "--json"))["words"] == client.get("/catalogue").json()["words"]
