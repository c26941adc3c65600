"""Received messages over HTTP: taken, listed, shown; what cannot be read is refused with line and keyword."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.routes.trajectories import MAX_FILE_BYTES
from storage.messages import files
from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, publish
from tests.screening.risk.expected_of_messages import EXPECTED
from tests.screening.risk.message_texts import SUMMARY, to_xml
from tests.storage.messages.received import RECEIVED, text

SharedFile = Callable[[str], Path]

TEXT, ZIP = {"Content-Type": "text/plain"}, {"Content-Type": "application/zip"}


def post(client: Client, body: bytes | str, kind: dict[str, str] = TEXT, /, **query: object):  # type: ignore[no-untyped-def]
    content = body.encode() if isinstance(body, str) else body
    headers = {**client.headers, **kind}
    return client.request("POST", "/messages", content=content, params=query, headers=headers)


def archive(**texts: str | bytes) -> bytes:
    """A zip archive of some files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in texts.items():
            packed.writestr(f"{name}.cdm", content)
    return held.getvalue()


def made(hours: float, **options: str) -> str:
    return text(made=RECEIVED + timedelta(hours=hours), **options)


def test_messages_are_taken_listed_and_shown(empty: Client) -> None:
    answer = post(empty, made(1, message_id="A") + made(2, message_id="B"), source="inbox")
    assert answer.status_code == 201, answer.text
    done = answer.json()
    assert (done["new"], done["known"], done["refused"], done["refused_in_all"]) == (2, 0, [], 0)
    listed = empty.get("/messages").json()
    assert [one["message_id"] for one in listed["messages"]] == ["B", "A"]
    assert (listed["total"], listed["next"]) == (2, None)
    newest = listed["messages"][0]
    assert newest["source"] == "inbox"
    assert newest["creation_date"] == "2024-11-01T14:00:00Z"
    assert newest["encounter_id"] == newest["own_encounter_id"]
    assert newest["event_id"] is None
    assert newest["remarks"] == []
    assert empty.get(f"/v1/messages/{newest['id']}").json() == newest
    original = empty.get(f"/messages/{newest['id']}", params={"format": "original"})
    assert original.headers["content-type"] == "text/plain; charset=utf-8"
    assert original.text == made(2, message_id="B")
    assert post(empty, to_xml(made(1, message_id="A"))).json()["known"] == 1


@pytest.mark.slow
def test_an_original_has_the_type_of_its_form(empty: Client) -> None:
    for body, kind in (
        (to_xml(text(message_id="5")), "application/xml"),
        (json.dumps([SUMMARY]), "application/json"),
    ):
        (each,) = post(empty, body).json()["ids"]
        asked = {"format": "original", "restricted": "true"}
        original = empty.get(f"/messages/{each}", params=asked)
        assert original.headers["content-type"].split(";")[0] == kind
        assert post(empty, original.content).json()["known"] == 1


@pytest.mark.slow
def test_a_list_is_cut_into_pages_that_leave_nothing_out(empty: Client) -> None:
    post(empty, "".join(made(hour) for hour in range(7)))
    post(empty, "".join(made(hour, originator="ANOTHER") for hour in range(5)))
    seen: list[str] = []
    query: dict[str, object] = {"limit": 3, "originator": "made up"}
    while True:
        page = empty.get("/messages", params=query).json()
        assert page["total"] == 7
        seen += [one["creation_date"] for one in page["messages"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert len(seen) == 7
    assert seen == sorted(seen, reverse=True)


@pytest.mark.slow
def test_conditions_choose(empty: Client) -> None:
    post(empty, text(pair=("11", "22")) + text(pair=("22", "33")) + text(pair=("44", "55")))
    of_two = empty.get("/messages", params={"norad_id": "22,99"}).json()
    assert of_two["total"] == 2
    one = of_two["messages"][0]
    same = empty.get("/messages", params={"event_id": one["encounter_id"]}).json()
    assert [each["id"] for each in same["messages"]] == [one["id"]]
    assert empty.get("/messages", params={"since": "2100-01-01"}).json()["total"] == 0
    assert empty.get("/messages", params={"since": "2001-01-01"}).json()["total"] == 3


@pytest.mark.slow
def test_restricted_messages_are_given_only_if_they_are_asked_for(empty: Client) -> None:
    (each,) = post(empty, json.dumps([SUMMARY])).json()["ids"]
    assert empty.get("/messages").json()["total"] == 0
    assert empty.get("/messages", params={"restricted": "true"}).json()["messages"][0]["id"] == each
    for form in ("json", "original"):
        refused = empty.get(f"/messages/{each}", params={"format": form})
        assert refused.status_code == 403
        assert refused.json()["type"] == "urn:skysieve:problem:restricted"
        assert empty.get(f"/messages/{each}", params={"format": form, "restricted": "true"}).is_success


@pytest.mark.slow
def test_what_is_refused_stands_beside_what_is_taken(empty: Client) -> None:
    wrong = text(message_id="2").replace("MISS_DISTANCE                  = 1000 [m]", "MISS_DISTANCE = far")
    done = post(empty, archive(a=text(message_id="1"), b=wrong, c=b"", d=archive(a=text())), ZIP).json()
    assert (done["new"], done["refused_in_all"]) == (1, 3)
    assert [(one["number"], one["line"], one["keyword"]) for one in done["refused"]] == [
        (2, 6, "MISS_DISTANCE"),
        (3, 1, None),
        (4, None, None),
    ]
    assert "b.cdm" in done["refused"][0]["message"]
    assert "archive within an archive" in done["refused"][2]["message"]


@pytest.mark.parametrize(
    ("body", "line", "keyword"),
    [
        (text().replace("TCA   ", "TCB   "), 16, "TCA"),  # a missing one: the end of its part
        (text().replace("2024-11-02T03", "2024-31-02T03"), 5, "TCA"),
        (to_xml(text()).replace("<TCA>", "<x:TCA>2024-11-03T00:00:00</x:TCA>\n<TCA>"), 10, "TCA"),
        (text()[:1500], None, None),
        ("", 1, None),
        ("<html></html>", 1, None),
        ("[" * 100_000, 1, None),
        (b"\x00\xff" * 1000, 1, None),
    ],
)
def test_what_cannot_be_read_is_refused_with_line_and_keyword(
    refusing: Client, body: str | bytes, line: int | None, keyword: str | None
) -> None:
    answer = post(refusing, body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    (error,) = answer.json()["errors"]
    assert error["field"] == "body"
    if line is not None:
        assert error["line"] == line
    if keyword is not None:
        assert error["keyword"] == keyword
    assert refusing.get("/messages", params={"restricted": "true"}).json()["total"] == 0


@pytest.mark.slow
def test_an_archive_that_unpacks_to_too_much_is_refused_as_a_whole(
    refusing: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = archive(a=text(), b=bytes(files.MAX_BYTES + 1))
    assert len(bomb) < 100_000
    refused = post(refusing, bomb, ZIP)
    assert refused.status_code == 422
    assert "may have 64 MB" in refused.json()["detail"]
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 3_000_000)
    refused = post(refusing, archive(a=text(), b=bytes(2_000_000), c=bytes(2_000_000)), ZIP)
    assert refused.status_code == 422
    assert "unpacks to more than" in refused.json()["detail"]
    assert refusing.get("/messages").json()["total"] == 0


def test_a_damaged_archive_is_refused(refusing: Client) -> None:
    whole = archive(a=text() * 3)
    assert post(refusing, whole[: len(whole) // 2], ZIP).status_code == 422
    bent = bytearray(whole)
    bent[len(bent) // 3] ^= 0xFF
    assert post(refusing, bytes(bent), ZIP).status_code == 422


@pytest.mark.parametrize(
    "query", [{"cursor": "bm90IG9uZQ"}, {"cursor": "%%"}, {"limit": 0}, {"event_id": 2**53}, {"what": 1}]
)
def test_wrong_parameters_are_refused(refusing: Client, query: dict[str, object]) -> None:
    assert refusing.get("/messages", params=query).status_code == 422


def test_what_is_not_sent_as_a_file_or_too_large_is_refused(refusing: Client) -> None:
    assert post(refusing, text(), {"Content-Type": "image/png"}).status_code == 415
    assert (
        post(refusing, text(), {"Content-Type": "text/plain", "Content-Encoding": "gzip"}).status_code == 415
    )
    assert post(refusing, bytes(MAX_FILE_BYTES + 1)).status_code == 413


def test_an_unknown_message_is_404(refusing: Client) -> None:
    assert refusing.get("/messages/0123456789abcdef").status_code == 404
    assert refusing.get("/messages/abc").status_code == 422


def test_an_import_that_takes_too_long_stores_nothing(store: Path) -> None:
    publish(store, make_run())
    with serving(store) as client:
        client.app.state.service.costly.longest_s = 1e-6
        answer = post(client, text() + text(message_id="1"))
        assert (answer.status_code, answer.json()["type"]) == (503, "urn:skysieve:problem:busy")
        assert client.get("/messages").json()["total"] == 0


@pytest.mark.slow
def test_published_files_good_and_bad_in_one_archive(empty: Client, shared_file: SharedFile) -> None:
    """What is refused, and at which line, is expected of each by hand (expected_of_messages.py)."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for one in EXPECTED:
            packed.writestr(one.file, shared_file(one.file).read_bytes())
    done = post(empty, held.getvalue(), ZIP).json()
    wrong = {number: one for number, one in enumerate(EXPECTED, start=1) if one.refused_why}
    assert {one["number"]: one["line"] for one in done["refused"]} == {
        number: one.refused_line for number, one in wrong.items()
    }
    for told in done["refused"]:
        one = wrong[told["number"]]
        assert one.refused_why in told["message"]
        assert one.refused_why.split()[0] == told["keyword"]
        alone = post(empty, shared_file(one.file).read_bytes())
        assert alone.status_code == 422
        assert alone.json()["errors"][0]["line"] == one.refused_line
    assert done["new"] + done["known"] + len(wrong) == len(EXPECTED)
    listed = empty.get("/messages", params={"restricted": "true", "limit": 10_000}).json()
    assert listed["total"] == done["new"]


@pytest.mark.slow
@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b", b"CCSDS_CDM_VERS = 1.0\n", b"[{"]),
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_refused_politely(refusing: Client, data: bytes, begin: bytes) -> None:
    answer = post(refusing, begin + data)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "body"
