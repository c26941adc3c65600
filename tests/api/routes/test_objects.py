"""`GET /objects` and the records that were left out."""

from pathlib import Path

from api.models.responses import ObjectList, RejectionList
from storage.reading.read_only_sql import query
from tests.api.client import Client


def stored(store: Path, columns: str) -> list[tuple[object, ...]]:
    return list(query(store, f"SELECT {columns} FROM objects ORDER BY norad_id")[1])


def test_every_object_is_there_with_all_that_is_known(client: Client, served_store: Path) -> None:
    answer = client.get("/objects")
    ObjectList.model_validate_json(answer.content)
    assert answer.json()["total"] == 200
    sent = [(known["norad_id"], known["name"], known["object_type"]) for known in answer.json()["objects"]]
    assert sent == stored(served_store, "norad_id, name, object_type")


def test_fields_and_numbers_are_chosen(client: Client, served_store: Path) -> None:
    (first,), *_, (last,) = stored(served_store, "norad_id")
    answer = client.get(f"/objects?fields=name&fields=norad_id&norad_id={last}&norad_id={first}").json()
    assert [list(known) for known in answer["objects"]] == [["name", "norad_id"]] * 2
    assert [known["norad_id"] for known in answer["objects"]] == [first, last]


def test_an_unknown_object_is_named(client: Client, served_store: Path) -> None:
    ((known,), *_) = stored(served_store, "norad_id")
    answer = client.get(f"/objects?fields=name&norad_id={known}&norad_id=1")
    assert answer.status_code == 404
    assert "No object 1 in" in answer.json()["detail"]


def test_an_unknown_field_is_refused(client: Client) -> None:
    answer = client.get("/objects?fields=secret")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "fields"


def test_it_is_not_sent_twice(client: Client) -> None:
    tag = client.get("/objects").headers["ETag"]
    kept = client.get("/objects", headers={**client.headers, "If-None-Match": tag})
    assert (kept.status_code, kept.content) == (304, b"")
    other = client.get("/objects?fields=name", headers={**client.headers, "If-None-Match": tag})
    assert other.status_code == 200


def test_rejected_records_are_listed(client: Client) -> None:
    answer = client.get("/runs/current/rejections")
    RejectionList.model_validate_json(answer.content)
    assert answer.json() == {
        "rejections": [{"line": 17, "record": "99999", "reason": "eccentricity 1.5 is not below 1"}],
        "total": 1,
    }
