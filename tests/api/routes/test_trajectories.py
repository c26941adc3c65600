"""Operators' files over HTTP: taken, listed, removed; what cannot be used is refused with line and reason."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from api.live import uploads
from api.live.uploads import MOST_OF_ONE, Uploads
from api.routes.trajectories import MAX_FILE_BYTES
from storage.state.credentials import create_credential
from tests.api.client import Client
from tests.api.conftest import header
from tests.api.waiting import wait_until
from tests.screening.orbits.texts.ephemerides.circling import oem

SharedFile = Callable[[str], Path]

ISS = "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz"
STARLINK = "meme/MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz"
TEXT, XML = {"Content-Type": "text/plain"}, {"Content-Type": "application/xml"}


def post(client: Client, body: bytes, kind: dict[str, str], /, **query: object):  # type: ignore[no-untyped-def]
    headers = {**client.headers, **kind}
    return client.request("POST", "/trajectories", content=body, params=query, headers=headers)


@pytest.mark.processes
def test_files_are_taken_listed_and_removed(empty: Client, shared_file: SharedFile) -> None:
    station = post(empty, gzip.decompress(shared_file(ISS).read_bytes()), XML, norad_id=25544)
    assert station.status_code == 201, station.text
    known = station.json()
    assert (known["norad_id"], known["kind"], known["segments"]) == (25544, "definitive", 3)
    assert station.headers["location"] == f"/trajectories/{known['id']}"
    path = shared_file(STARLINK)
    packed = {"Content-Type": "application/gzip"}
    starlink = post(empty, path.read_bytes(), packed, kind="hypothetical", source=path.name).json()
    assert (starlink["norad_id"], starlink["restricted"], starlink["kind"]) == (48430, True, "hypothetical")

    listed = empty.get("/trajectories").json()
    assert (listed["trajectories"], listed["total"]) == ([known, starlink], 2)
    page = empty.get("/v1/trajectories", params={"limit": 1, "offset": 1}).json()
    assert (page["trajectories"], page["total"]) == ([starlink], 2)
    only = empty.get("/trajectories", params={"norad_id": "5,25544", "kind": "definitive"}).json()
    assert only["trajectories"] == [known]
    assert empty.get(f"/trajectories/{known['id']}").json() == known

    gone = empty.request("DELETE", f"/trajectories/{known['id']}")
    assert (gone.status_code, gone.content) == (204, b"")
    for method in ("GET", "DELETE"):
        answer = empty.request(method, f"/trajectories/{known['id']}")
        assert (answer.status_code, answer.json()["title"]) == (404, "Not found")
    assert empty.get("/trajectories").json()["total"] == 1


@pytest.mark.processes
def test_a_file_without_covariances_takes_those_given(empty: Client, shared_file: SharedFile) -> None:
    station = gzip.decompress(shared_file(ISS).read_bytes())
    known = post(empty, station, XML, norad_id=25544, sigma_rtn_m="30,200.5,20").json()
    assert known["covariances"] == 2 * known["segments"]
    assert (
        "its sigmas were given on import, not in the file: 30/200.5/20 m (radial/in-track/cross)"
        in known["notes"]
    )
    refused = post(empty, shared_file(STARLINK).read_bytes(), TEXT, norad_id=48430, sigma_rtn_m="3,2,2")
    assert refused.status_code == 422
    assert "has its own covariances; `sigma_rtn_m` is for files without them" in refused.text
    assert post(empty, station, XML, norad_id=25544, sigma_rtn_m="30,200").status_code == 422


@pytest.mark.processes
def test_a_starlink_file_under_another_name_stays_restricted(empty: Client, shared_file: SharedFile) -> None:
    body = gzip.decompress(shared_file(STARLINK).read_bytes())
    assert post(empty, body, TEXT, norad_id=48430, name="MINE").json()["restricted"]


def test_another_planet_is_refused_with_its_line(refusing: Client, shared_file: SharedFile) -> None:
    answer = post(refusing, shared_file("ndm/oem/OEMExample4.txt").read_bytes(), TEXT, norad_id=5)
    assert answer.status_code == 422
    assert "CENTER_NAME 'MARS'" in answer.json()["detail"]
    assert "line 8" in answer.json()["detail"]
    assert [error["field"] for error in answer.json()["errors"]] == ["body"]
    assert refusing.get("/trajectories").json()["total"] == 0


@pytest.mark.processes
def test_a_file_that_does_not_say_whose_it_is(refusing: Client, shared_file: SharedFile) -> None:
    answer = post(refusing, gzip.decompress(shared_file(ISS).read_bytes()), XML)
    assert answer.status_code == 422
    assert "give it (`norad_id`)" in answer.json()["detail"]


def test_a_file_that_is_too_large_is_refused_before_it_is_read(refusing: Client) -> None:
    read = 0

    async def endless():  # type: ignore[no-untyped-def]
        nonlocal read
        while True:
            read += 2**20
            yield bytes(2**20)

    answer = post(refusing, endless(), TEXT)  # type: ignore[arg-type]
    assert answer.status_code == 413
    assert read <= MAX_FILE_BYTES + 2 * 2**20
    announced = {**TEXT, "Content-Length": str(MAX_FILE_BYTES + 1)}
    read = 0
    answer = post(refusing, endless(), announced)  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["title"]) == (413, "The body is too long")


def test_other_bodies_keep_their_limit(refusing: Client) -> None:
    answer = refusing.request(
        "POST", "/conjunctions/analyze", content=b" " * 70_000, headers=refusing.headers
    )
    assert answer.status_code in (413, 415)


@pytest.mark.parametrize("kind", [{}, {"Content-Type": "application/json"}])
def test_a_body_of_another_type(refusing: Client, kind: dict[str, str]) -> None:
    answer = post(refusing, b"{}", kind)
    assert (answer.status_code, answer.json()["type"]) == (415, "urn:skysieve:problem:not-a-file")


def test_without_a_credential_nothing_is_read(refusing: Client) -> None:
    assert post(refusing.without_credential(), b"x", TEXT).status_code == 401


@pytest.mark.parametrize("query", [{"kind": "planned"}, {"norad_id": 0}, {"name": "a\nb"}, {"format": "x"}])
def test_parameters_that_are_not_allowed(refusing: Client, query: dict[str, object]) -> None:
    assert post(refusing, b"x", TEXT, **query).status_code == 422


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/trajectories", "/messages"])
def test_slow_senders_keep_nobody_else_from_sending(refusing: Client, path: str) -> None:
    app = refusing.app
    store = app.state.service.settings.store
    secret = create_credential(store, "bearer", "another", app.state.service.now()).secret
    another = {**header("bearer", secret), **TEXT}
    wait_until(lambda: refusing.get("/trajectories", headers=another).status_code == 200)
    asyncio.run(_slow_senders(app, path, {**refusing.headers, **TEXT}, another))


async def _slow_senders(app: FastAPI, path: str, mine: dict[str, str], another: dict[str, str]) -> None:
    ended, arriving = asyncio.Event(), asyncio.Semaphore(0)

    async def slow() -> AsyncIterator[bytes]:
        yield b"x"
        arriving.release()
        await ended.wait()

    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        sent = [
            asyncio.ensure_future(client.post(path, content=slow(), headers=mine)) for _ in range(MOST_OF_ONE)
        ]
        for _ in sent:
            await asyncio.wait_for(arriving.acquire(), 20)
        busy = await client.post(path, content=b"x", headers=mine)
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "10")
        assert (await client.post(path, content=b"x", headers=another)).status_code == 422
        ended.set()
        assert [(await one).status_code for one in sent] == [422] * MOST_OF_ONE
        assert (await client.post(path, content=b"x", headers=mine)).status_code == 422


@pytest.mark.parametrize("path", ["/trajectories", "/messages"])
def test_a_credential_uploads_so_much_a_day_whatever_restarts(
    empty: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = empty.app.state.service
    monkeypatch.setattr(uploads, "MB_PER_DAY", 1)
    for status in (422, 422, 409):  # the second passes the limit, and is the last one taken
        service.uploads = Uploads(service.settings, service.now)
        answer = empty.request("POST", path, content=b"x" * 600_000, headers={**empty.headers, **TEXT})
        assert answer.status_code == status
    assert "has uploaded 1 MB today" in answer.json()["detail"]
    service.uploads = Uploads(service.settings, lambda: service.now() + timedelta(days=1))
    assert empty.request("POST", path, content=b"x", headers={**empty.headers, **TEXT}).status_code == 422


def test_a_credential_has_at_most_half_of_the_trajectories(
    empty: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = empty.app.state.service
    monkeypatch.setattr(uploads, "MOST_FILES", 4)
    answers = [
        post(empty, oem(count=20 + number).encode(), TEXT, norad_id=99_999, kind="hypothetical")
        for number in range(3)
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert "has reached its limit of 2 stored trajectories" in answers[-1].json()["detail"]
    secret = create_credential(service.settings.store, "bearer", "another", service.now()).secret
    another = {**header("bearer", secret), **TEXT}
    wait_until(lambda: empty.get("/trajectories", headers=another).status_code == 200)
    query = {"norad_id": 99_999, "kind": "hypothetical"}
    other = empty.request("POST", "/trajectories", content=oem(count=30), params=query, headers=another)
    assert other.status_code == 201


@pytest.mark.parametrize("path", ["/trajectories", "/messages"])
@pytest.mark.parametrize(
    ("most_mb", "most_files", "limit"),
    [(1, 3, "SKYSIEVE_MAX_STORED_MB is 1."), (2, 2, "it may hold 2 files.")],
)
def test_no_more_is_taken_than_may_be_stored(
    empty: Client, path: str, most_mb: int, most_files: int, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = empty.app.state.service
    folder = service.settings.store / path[1:]
    folder.mkdir(exist_ok=True)
    for number in range(2):
        (folder / f"{number}.parquet").write_bytes(b"x" * 600_000)
    monkeypatch.setattr(uploads, "MOST_FILES", most_files)
    settings = service.settings.model_copy(update={"max_stored_mb": most_mb})
    service.uploads = Uploads(settings, service.now)
    answer = empty.request("POST", path, content=b"x", headers={**empty.headers, **TEXT})
    assert answer.status_code == 409
    assert limit in answer.json()["detail"]
