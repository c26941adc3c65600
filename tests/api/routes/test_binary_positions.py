"""Positions as arrays: the same as the JSON, with velocities that are the positions' change."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.answers.positions.bodies import BINARY, COMPACT, MAGIC
from storage.state.credentials import create_credential
from tests.api.client import Client
from tests.api.conftest import NOW, serving

AT = "2024-11-01T01:00:00Z"
float32_m = 4.0  # half the last digit of a float32 beyond 65,536 km, as high orbits are
interpolated_m = 300.0  # a cubic over 300 s of a low orbit; see docs/decisions.md


@pytest.fixture(scope="module")
def globe(store_with_run: Path) -> Iterator[Client]:
    key = create_credential(store_with_run, "api-key", "globe", NOW).secret
    with serving(store_with_run) as client:
        yield Client(client.app, {"X-API-Key": key})


def arrays(client: Client, query: str, kind: str = BINARY) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read an answer as its documentation says."""
    answer = client.get(f"/positions?{query}", headers={**client.headers, "Accept": kind})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == kind
    body = answer.content
    assert body.startswith(MAGIC)
    end = 12 + int.from_bytes(body[8:12], "little")
    header, columns = json.loads(body[12:end]), {}
    assert end % 4 == 0  # browsers read numbers of four bytes only where these begin
    for column in header["columns"]:
        kind, count = np.dtype("<" + column["type"]), header["count"] * column["per_object"]
        columns[column["name"]] = np.frombuffer(body, kind, count, end).reshape(header["count"], -1).squeeze()
        end += kind.itemsize * count
    assert end == len(body)
    return header, columns


def test_they_are_those_of_the_json(globe: Client) -> None:
    header, columns = arrays(globe, f"at={AT}")
    sent = globe.get(f"/positions?at={AT}").json()
    satellites = sent.pop("satellites")
    assert {name: header[name] for name in sent} == sent
    assert columns["norad_id"].tolist() == [satellite["norad_id"] for satellite in satellites]
    r_km = np.array([[satellite[axis] for axis in "xyz"] for satellite in satellites])
    assert np.abs(columns["r_itrf_km"] - r_km).max() * 1e3 < float32_m
    altitude_km = np.array([satellite["alt"] for satellite in satellites])
    assert np.abs(columns["altitude_km"] - altitude_km).max() * 1e3 < float32_m
    assert [header["risks"][code] for code in columns["risk"]] == [known["risk"] for known in satellites]


def test_those_for_pictures_are_the_same_to_a_step(globe: Client) -> None:
    header, exact = arrays(globe, f"at={AT}")
    compact_header, compact = arrays(globe, f"at={AT}", COMPACT)
    assert {**compact_header, "columns": None} == {**header, "columns": None}
    assert (np.cumsum(compact["norad_id_step"]) == exact["norad_id"]).all()
    assert (compact["risk"] == exact["risk"]).all()
    for steps, exponent, name in (
        ("r_itrf_steps", "r_exponent", "r_itrf_km"),
        ("v_itrf_steps", "v_exponent", "v_itrf_km_s"),
    ):
        step = 2.0 ** compact[exponent][:, np.newaxis]
        assert (np.abs(compact[steps] * step - exact[name]) <= step).all()
        # The steps are as small as two bytes allow.
        assert (np.abs(compact[steps]).max(axis=1) >= 2**14).all()
    low = exact["altitude_km"] < 1000
    assert low.sum() > 100
    apart_km = np.linalg.norm(
        compact["r_itrf_steps"] * 2.0 ** compact["r_exponent"][:, np.newaxis] - exact["r_itrf_km"], axis=1
    )
    assert apart_km[low].max() < 0.25


def test_those_for_pictures_are_compressed_for_who_accepts_it(globe: Client) -> None:
    sizes = {}
    for coding in ("identity", "gzip", "zstd"):
        asked = {**globe.headers, "Accept": COMPACT, "Accept-Encoding": coding}
        answer = globe.get(f"/positions?at={AT}", headers=asked)
        assert answer.headers.get("Content-Encoding", "identity") == coding
        assert answer.headers["Vary"].startswith("Accept, Accept-Encoding")
        sizes[coding] = int(answer.headers["Content-Length"])
    assert max(sizes["gzip"], sizes["zstd"]) < 0.85 * sizes["identity"]


def test_between_two_answers_positions_can_be_interpolated(globe: Client) -> None:
    (_, first), (_, middle), (_, last) = (
        arrays(globe, f"at=2024-11-01T01:0{m}:00Z") for m in ("0", "2", "5")
    )
    low = first["altitude_km"] < 2000
    assert low.sum() > 400
    u, h = 120 / 300, 300.0
    between = (
        (1 + 2 * u) * (u - 1) ** 2 * first["r_itrf_km"]
        + u**2 * (3 - 2 * u) * last["r_itrf_km"]
        + h * u * (u - 1) ** 2 * first["v_itrf_km_s"]
        + h * u**2 * (u - 1) * last["v_itrf_km_s"]
    )
    error_m = 1e3 * np.linalg.norm(between - middle["r_itrf_km"], axis=1)
    assert error_m[low].max() < interpolated_m


@pytest.mark.parametrize("accept", ["*/*", "application/json", f"application/json, {BINARY}", "text/html"])
def test_who_does_not_ask_for_them_gets_json(globe: Client, accept: str) -> None:
    answer = globe.get("/positions?limit=1", headers={**globe.headers, "Accept": accept})
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Vary"].startswith("Accept, Accept-Encoding, ")


def test_all_forms_have_tags_of_their_own(globe: Client) -> None:
    tag = globe.get(f"/positions?at={AT}").headers["ETag"]
    asked = {**globe.headers, "If-None-Match": tag}
    assert globe.get(f"/positions?at={AT}", headers=asked).status_code == 304
    for kind in (BINARY, COMPACT):
        assert globe.get(f"/positions?at={AT}", headers={**asked, "Accept": kind}).status_code == 200
