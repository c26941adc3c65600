"""`GET /verification` against what `skysieve verify` prints, before and after there is something to say."""

import json
from pathlib import Path

import numpy as np
import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner

from flows.sources.files import read_file
from skysieve.command_line import app
from storage.verification.record import Verification
from tests.api.client import Client
from tests.api.conftest import serving
from tests.runs import START, make_run

pytestmark = pytest.mark.slow


def verification(client: Client) -> dict[str, object]:
    answer = client.get("/verification")
    assert answer.status_code == 200, answer.text
    TypeAdapter(Verification).validate_json(answer.content)
    found: dict[str, object] = answer.json()
    return found


def test_the_service_says_what_the_command_says(small_catalogue: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    source = read_file(small_catalogue)
    make_run(source, store, START, 18.0)
    with serving(store) as client:
        assert verification(client)["since"] is None
        for step in range(1, 5):
            make_run(source, store, START + np.timedelta64(6 * step, "h"), 18.0)
        found = verification(client)
        assert found["since"] == "2024-11-01"
        tag = client.get("/verification").headers["ETag"]
        assert client.get("/verification", headers={"If-None-Match": tag}).status_code == 304
        fleet = client.request("POST", "/fleets", json={"name": "told", "norad_ids": [1]}).json()
        report = client.get(f"/fleets/{fleet['id']}/report", params={"format": "html"}).text
        words = found["words"]
        assert isinstance(words, list)
        assert all(sentence in report for sentence in ("How our forecasts did", *words))
    printed = CliRunner().invoke(app, ["verify", "--json", "--store", str(store)])
    assert json.loads(printed.stdout) == found
    shown = CliRunner().invoke(app, ["verify", "--store", str(store)]).stdout
    assert f"{found['encounters']:,.0f} encounters from 2024-11-01" in shown
