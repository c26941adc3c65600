"""Refused credentials in the audit log: a row for each address and minute, however many there are."""

from datetime import timedelta
from pathlib import Path

import pytest

from api.live import refused_credentials
from api.live.refused_credentials import RefusedCredentials
from storage.state.whose.audit import entries, record
from storage.vocabulary import EVERYBODY, NOBODY
from tests.api.conftest import NOW, Clock, header, serving
from tests.made_up_run import make_run, publish


def test_what_is_refused_over_http_is_in_the_log_once_a_minute(store: Path) -> None:
    publish(store, make_run())
    clock = Clock()
    with serving(store, clock) as client:
        nobody = client.without_credential()
        for number in range(7):
            wrong = header("bearer", f"skysieve_{number}")
            assert nobody.request("POST", "/session", headers=wrong).status_code in (401, 429)
        assert nobody.get("/conjunctions").status_code in (401, 429)  # without any: the page asks so
        assert nobody.get("/fleets/1/feed.atom?key=x").status_code in (404, 429)
        client.app.state.service.refused.write(clock())
        assert entries(store) == []  # the minute has not passed
        clock.time += timedelta(minutes=1)
        assert nobody.get("/positions", headers=header("api-key", "no")).status_code == 401
    late, early = entries(store)
    assert (early.operation, early.object, early.result) == ("POST /session", "8 times", "401")
    assert (late.operation, late.object, late.result) == ("GET /positions", "1 time", "401")
    assert (late.at, early.at) == (NOW + timedelta(minutes=1), NOW)
    assert {one.address for one in (early, late)} == {"127.0.0.1"}
    assert {(one.organisation_id, one.credential_id) for one in (early, late)} == {(NOBODY, None)}


def test_a_flood_fills_neither_memory_nor_disk(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.state.whose.audit.KEPT_ENTRIES", 120)
    record(store, NOW, EVERYBODY, "command line", "organisations add", "done")
    counts = RefusedCredentials(store)
    for minute in range(2):
        for number in range(5_000):
            at = NOW + timedelta(minutes=minute)
            counts.count(at, f"2001:db8:0:{number % 2_000:x}::/64", "GET /conjunctions", "401")
        assert len(counts._counted) <= (minute + 1) * (refused_credentials.MOST_ADDRESSES + 1)
    counts.write()
    found = entries(store)
    of_nobody = [one for one in found if one.organisation_id == NOBODY]
    assert len(of_nobody) == 120
    assert of_nobody[0].address == "others"
    assert of_nobody[0].object == f"{5_000 - 3 * 100} times"  # each of the hundred came three times
    assert [one.operation for one in found if one.organisation_id == EVERYBODY] == ["organisations add"]
