"""`GET /objects` and the records that were left out."""

import csv
import io
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.models.responses import ObjectList, RejectionList
from storage.reading.read_only_sql import query
from tests import runs
from tests.api.client import Client
from tests.api.conftest import serving
from tests.made_up_run import make_run, publish


def stored(store: Path, columns: str) -> list[tuple[object, ...]]:
    return list(query(store, f"SELECT {columns} FROM objects ORDER BY norad_id")[1])


def test_every_object_is_there_with_all_that_is_known(client: Client, served_store: Path) -> None:
    answer = client.get("/objects")
    TypeAdapter(ObjectList).validate_json(answer.content)
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


def test_after_another_run_it_is_sent_again(store: Path) -> None:
    tags = []
    for hours in (0, 6):
        publish(store, make_run(hours_later=hours))
        with serving(store) as served:
            tags.append(served.get("/objects").headers["ETag"])
    assert tags[0] != tags[1]


def test_rejected_records_are_listed(client: Client) -> None:
    answer = client.get("/runs/current/rejections")
    TypeAdapter(RejectionList).validate_json(answer.content)
    assert answer.json() == {
        "rejections": [{"line": 17, "record": "99999", "reason": "eccentricity 1.5 is not below 1"}],
        "total": 1,
    }


@pytest.mark.slow
def test_what_follows_from_element_sets_and_names(
    shared_file: Callable[[str], Path], store: Path, tmp_path: Path
) -> None:
    """Against the published records, by Kepler's third law."""
    numbers = {25544, 44714, 44057, 28474, 43013, 24946, 33773, 4382}
    text = shared_file("gp_onorbit_20241101.csv").read_text()
    published = {int(row["NORAD_CAT_ID"]): row for row in csv.DictReader(io.StringIO(text))}
    header, *lines = text.splitlines()
    place = header.split(",").index("NORAD_CAT_ID")
    wanted = [line for line in lines if int(line.split(",")[place]) in numbers]
    runs.make_run(runs.source_of([header, *wanted], tmp_path), store)
    with serving(store) as served:
        answer = served.get("/objects")
        TypeAdapter(ObjectList).validate_json(answer.content)
        known = {one["norad_id"]: one for one in answer.json()["objects"]}
        only = served.get("/objects?fields=perigee_km&norad_id=44714").json()["objects"]
    assert len(known) == len(wanted) > 5
    for number, one in known.items():
        row = published[number]
        axis_km = (398_600.8 / (float(row["MEAN_MOTION"]) * 2 * math.pi / 86_400) ** 2) ** (1 / 3)
        for name, sign in (("perigee_km", -1), ("apogee_km", 1)):
            expected = axis_km * (1 + sign * float(row["ECCENTRICITY"])) - 6378.135
            assert one[name] == pytest.approx(expected, abs=0.00501)  # to 10 m
        assert one["inclination_deg"] == float(row["INCLINATION"])
        assert datetime.fromisoformat(one["epoch"]) == datetime.fromisoformat(row["EPOCH"]).replace(
            tzinfo=UTC
        )
    names = {
        published[n]["OBJECT_NAME"].split("-")[0].split()[0]: one["constellation"] for n, one in known.items()
    }
    assert names["STARLINK"] == "Starlink"
    assert names["ONEWEB"] == "OneWeb"
    assert known[25544]["constellation"] is None
    debris = [one for one in known.values() if one["name"].endswith(" DEB")]
    assert debris
    assert {one["constellation"] for one in debris} == {None}  # also of IRIDIUM 33
    assert only == [{"perigee_km": known[44714]["perigee_km"]}]
