"""Directory, intents and links over HTTP, in a store that two organisations share."""

import html
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from storage.state.operators.links import create_link
from tests.api.access.two_organisations import MARK, TEXT, Shared, shared_store
from tests.api.client import Client
from tests.api.conftest import NOW
from tests.api.waiting import wait_until
from tests.made_up_run import WINDOW_START
from tests.storage.messages.received import text

ENTRY = {
    "operator": "<script>alert(1)</script>",
    "owners": ["exsp"],
    "name_pattern": "*",
    "email": '"><img/src=x>@example.org',
    "telephone": "+49 30 <b>1</b>",
    "hours": "08:00-18:00",
    "time_zone": "Europe/Berlin",
}


@pytest.fixture(scope="module")
def shared(module_store: Path) -> Iterator[Shared]:
    with shared_store(module_store) as one:
        yield one


def post(client: Client, path: str, **body: object) -> tuple[int, dict[str, object]]:
    answer = client.request("POST", path, json=body)
    return answer.status_code, answer.json()


def link(shared: Shared, **body: object) -> tuple[int, str]:
    """Make a link to Alpha's event, and return its id and its path."""
    status, made = post(
        shared.clients["alpha-operator"], f"/conjunctions/{shared.ids['event']}/links", **body
    )
    assert status == 201, made
    return int(str(made["id"])), "/conjunctions" + str(made["url"]).partition("/conjunctions")[2]


@pytest.mark.slow
def test_an_entry_is_whom_to_ask_for_its_organisation_alone(shared: Shared) -> None:
    alpha, beta = shared.clients["alpha-admin"], shared.clients["beta-viewer"]
    status, made = post(alpha, "/directory", **ENTRY)
    assert (status, made["owners"]) == (201, ["EXSP"])
    assert post(alpha, "/directory", **ENTRY)[0] == 409
    (marked,) = [one for one in alpha.get("/directory").json()["entries"] if one["operator"] == MARK]
    assert alpha.request("DELETE", f"/directory/{marked['id']}").status_code == 204
    assert post(alpha, "/directory", **ENTRY | {"time_zone": "Mars"})[0] == 422
    asked = alpha.get(f"/conjunctions/{shared.ids['event']}/geometry").json()["whom_to_ask"]
    assert (asked["primary"]["source"], asked["primary"]["contact"]) == ("fleet", f"{MARK} desk")
    events = alpha.get("/conjunctions", params={"limit": 60}).json()["conjunctions"]
    found = {one["id"]: alpha.get(f"/conjunctions/{one['id']}/geometry").json() for one in events}
    event = next(
        number for number, one in found.items() if one["whom_to_ask"]["secondary"]["source"] == "directory"
    )
    for one in found.values():  # the pattern fits every name, but nobody steers debris and stages
        kind, source = one["objects"]["secondary"]["object_type"], one["whom_to_ask"]["secondary"]["source"]
        assert source in ("fleet", "nobody" if kind in ("debris", "rocket_body") else "directory")
    assert found[event]["whom_to_ask"]["secondary"]["email"] == ENTRY["email"]
    theirs = beta.get(f"/conjunctions/{event}/geometry").json()["whom_to_ask"]
    assert theirs["secondary"]["source"] in ("catalogue", "unknown")
    assert beta.get("/directory").json()["total"] == 0
    page = alpha.get(f"/conjunctions/{event}/report", params={"format": "html"}).text
    assert "<script" not in page
    assert "<img" not in page
    assert html.escape("<script>alert(1)")[:20] in page
    assert shared.clients["beta-admin"].request("DELETE", f"/directory/{made['id']}").status_code == 404
    assert alpha.request("DELETE", f"/directory/{made['id']}").status_code == 204


def test_only_its_organisation_sees_what_a_fleet_says_of_who_can_move(shared: Shared) -> None:
    """Both have a fleet of the same object, of different classes; a link and others show neither."""
    path = f"/conjunctions/{shared.ids['event']}/geometry"
    for name, said in (("alpha", f"says its operator, in the fleet {MARK} fleet"), ("beta", "beta fleet")):
        client, fleet = shared.clients[f"{name}-operator"], shared.fleets[name].id
        for manoeuvre_class in ("automated", "crewed"):
            body = {"manoeuvre_class": manoeuvre_class}
            assert client.request("PATCH", f"/fleets/{fleet}", json=body).status_code == 200
            found = client.get(path).json()["right_of_way"]
            assert found["primary_class"] == manoeuvre_class, found
            assert found["primary_reason"].endswith(said)
            steps = client.get(f"/conjunctions/{shared.ids['event']}/trend").json()["better_data"]
            assert client.get(path.removesuffix("/geometry") + "/report?format=html").status_code == 200
            assert steps is not None
        assert client.request("PATCH", f"/fleets/{fleet}", json={"manoeuvre_class": "unknown"}).is_success
        assert "its operator" not in str(client.get(path).json()["right_of_way"])


def test_a_message_says_whether_the_other_object_can_move(shared: Shared) -> None:
    alpha, number = shared.clients["alpha-operator"], int(shared.ids["object"])
    lines = text(
        tca=WINDOW_START + timedelta(hours=40), made=NOW, message_id="says", pair=(str(number), "98765")
    )
    first, _, second = lines.rpartition("REF_FRAME")
    answer = alpha.request(
        "POST",
        "/messages",
        content=f"{first}MANEUVERABLE = YES\nREF_FRAME{second}",
        headers={**alpha.headers, **TEXT},
    )
    (message,) = answer.json()["ids"]
    event = alpha.get(f"/messages/{message}").json()["encounter_id"]
    wait_until(lambda: alpha.get(f"/conjunctions/{event}").is_success)
    found = alpha.get(f"/conjunctions/{event}/geometry").json()["right_of_way"]
    assert found["secondary_class"] == "manual", found
    assert found["secondary_reason"] == f"says a message of MADE UP, {NOW:%Y-%m-%d}"
    assert alpha.get(f"/messages/{message}").json()["secondary_manoeuvrable"] == "yes"


def test_an_intent_is_seen_by_all_and_said_by_its_operator_alone(shared: Shared) -> None:
    event, number = shared.ids["event"], int(shared.ids["object"])
    path = f"/conjunctions/{event}/intents"
    alpha, beta = shared.clients["alpha-operator"], shared.clients["beta-operator"]
    status, first = post(alpha, path, intent="waiting")
    assert (status, first["norad_id"], first["counts"]) == (201, number, True)
    status, made = post(alpha, path, intent="will_move", move_at="2026-11-21T14:05:00Z", note="0.1 m/s <b>")
    assert status == 201, made
    assert "its operator will move, 2026-11-21 14:05 UTC (default, " in str(made["words"])
    assert post(alpha, path, intent="will_not_move", move_at="2026-11-21T14:05:00Z")[0] == 422
    assert post(alpha, path, intent="perhaps")[0] == 422
    assert post(alpha, path, intent="waiting", norad_id=99999)[0] == 422
    assert post(shared.clients["alpha-viewer"], path, intent="waiting")[0] == 403
    for name in ("alpha-viewer", "beta-viewer"):
        seen = shared.clients[name].get(f"/conjunctions/{event}").json()["intents"]
        assert [(one["intent"], one["counts"]) for one in seen] == [("will_move", True), ("waiting", False)]
        assert MARK not in str(seen)  # no name of a credential
        cdm = shared.clients[name].get(f"/conjunctions/{event}/cdm").text
        (line,) = [line for line in cdm.splitlines() if "INTENT" in line]
        assert line.startswith("COMMENT") and made["words"] in line
    events = beta.get("/conjunctions", params={"limit": 100}).json()["conjunctions"]
    numbers = {int(shared.ids["object"])}
    foreign = next(
        one for one in events if not numbers & {one["primary_norad_id"], one["secondary_norad_id"]}
    )
    status, refused = post(beta, f"/conjunctions/{foreign['id']}/intents", intent="waiting")
    assert (status, "No fleet of your organisation has either object" in str(refused)) == (403, True)
    assert post(alpha, "/conjunctions/1/intents", intent="waiting")[0] == 404


@pytest.mark.slow
def test_a_link_shows_the_event_without_a_credential_and_nothing_of_its_organisation(shared: Shared) -> None:
    number, address = link(shared)
    nobody = shared.clients["nobody"]
    post(shared.clients["alpha-operator"], f"/conjunctions/{shared.ids['event']}/intents", intent="waiting")
    answer = nobody.get(address)
    assert answer.status_code == 200, answer.text
    assert "is waiting before it decides" in answer.text
    assert MARK not in answer.text.lower()
    assert answer.headers["X-Robots-Tag"].startswith("noindex")
    assert "'none'" in answer.headers["Content-Security-Policy"]
    own = shared.clients["alpha-viewer"].get(
        f"/conjunctions/{shared.ids['event']}/report", params={"format": "html"}
    )
    assert MARK in own.text.lower()  # otherwise the search could not fail
    listed = shared.clients["alpha-viewer"].get(f"/conjunctions/{shared.ids['event']}/links").json()
    assert [one["ended"] for one in listed["links"] if one["id"] == number] == [False]
    assert "skysieve_link" not in str(listed)
    assert (
        shared.clients["beta-viewer"].get(f"/conjunctions/{shared.ids['event']}/links").json()["total"] == 0
    )


def test_an_event_that_only_one_organisation_sees_gets_no_link(shared: Shared) -> None:
    for query in ("", "?restricted=true"):
        status, refused = post(
            shared.clients["alpha-operator"], f"/conjunctions/{shared.ids['told']}/links{query}"
        )
        assert status == (422 if query else 409), refused
    assert post(shared.clients["beta-operator"], f"/conjunctions/{shared.ids['told']}/links")[0] == 404


def test_a_link_that_has_ended_is_gone_and_a_wrong_key_is_not_found(shared: Shared) -> None:
    event, nobody = int(shared.ids["event"]), shared.clients["nobody"]
    number, address = link(shared)
    operator = shared.clients["beta-operator"]
    assert operator.request("DELETE", f"/conjunctions/{event}/links/{number}").status_code == 404
    operator = shared.clients["alpha-operator"]
    assert operator.request("DELETE", f"/conjunctions/{event}/links/{number}").status_code == 204
    assert nobody.get(address).status_code == 410
    begun = NOW - timedelta(days=9)
    old = create_link(shared.store, event, NOW - timedelta(days=2), "desk", begun, organisation_id=1)
    assert nobody.get(f"/conjunctions/{event}/shared?key={old.key}").status_code == 410
    _, address = link(shared)
    for wrong in (address[:-1], address + "x", address.replace(str(event), "1"), address.partition("?")[0]):
        assert nobody.get(wrong).status_code == 404, wrong
    _, key = address.split("key=")
    assert nobody.get(f"/conjunctions/{event}", headers={"Authorization": f"Bearer {key}"}).status_code == 401


def test_how_long_a_link_may_last(shared: Shared) -> None:
    path = f"/conjunctions/{shared.ids['event']}/links"
    operator = shared.clients["alpha-operator"]
    for expires in ("2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "soon"):
        assert post(operator, path, expires=expires)[0] == 422
    status, made = post(operator, path)
    assert status == 201
    event = operator.get(f"/conjunctions/{shared.ids['event']}").json()
    after_tca = datetime.fromisoformat(str(made["expires"])) - datetime.fromisoformat(event["tca"])
    assert timedelta(days=7) - timedelta(seconds=1) < after_tca <= timedelta(days=7)
