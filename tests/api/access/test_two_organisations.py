"""What one organisation adds is in no answer to another: all operations are asked, all answers searched."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from storage.fleets.events import fleet_events
from storage.messages.kept import received
from storage.trajectories.kept import trajectories
from tests.api.access.two_organisations import MARK, OWN_OBJECT, Shared, shared_store
from tests.api.client import Client

# What of an address is tried with which of Alpha's things; every id is tried in every place.
_FORMS = (
    {},
    {"restricted": "true"},
    {"fleet": "{fleet}"},
    {"norad_id": "{object}"},
    {"format": "html"},
    {"limit": "1000", "offset": "0"},
    {"key": "skysieve_feed_{feed}_" + "x" * 43},
)
_ACCEPT = ("*/*", "text/csv")


@pytest.fixture(scope="module")
def shared(module_store: Path) -> Iterator[Shared]:
    with shared_store(module_store) as one:
        yield one


def answers_of(client: Client, shared: Shared) -> Iterator[tuple[str, httpx.Response]]:
    """Yield what a client gets from every operation, with each of Alpha's ids in its place."""
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            places = sorted({*shared.ids.values(), "1"}) if "{id}" in path else [""]
            for one in places:
                address = path.replace("{id}", one).replace("{feed_id}", shared.ids["feed"])
                if method != "get":
                    if method == "delete" or path.endswith(("/secret", "/test", "/retry")):
                        continue  # what changes Alpha's things is in the table of test_rights
                    answer = client.request(method.upper(), address, json={"name": "x", "fleet_id": 1})
                    yield f"{method} {address}", answer
                    continue
                for form in _FORMS:
                    query = {name: value.format(**shared.ids) for name, value in form.items()}
                    for accept in _ACCEPT if not form else _ACCEPT[:1]:
                        headers = {**client.headers, "Accept": accept}
                        yield (
                            f"{method} {address} {query}",
                            client.get(address, params=query, headers=headers),
                        )


def said(answer: httpx.Response) -> str:
    """Return all that an answer tells: its body, unpacked, and its headers."""
    body = answer.content
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"\n".join(packed.read(name) for name in packed.namelist())
    return (body.decode("utf-8", "replace") + repr(answer.headers)).lower()


@pytest.mark.slow
def test_nothing_that_alpha_has_added_reaches_beta(shared: Shared) -> None:
    client = shared.clients["beta-admin"]
    asked = list(answers_of(client, shared))
    assert len(asked) > 300
    leaks = [name for name, answer in asked if MARK in said(answer)]
    assert leaks == []
    assert not [name for name, answer in asked if answer.status_code >= 500]
    for path in ("/", "/metrics", "/health", "/session", "/positions"):  # the page, and what is open to all
        assert MARK not in said(client.get(path)), path


@pytest.mark.slow
def test_alpha_finds_its_own_in_the_same_answers(shared: Shared) -> None:
    """Otherwise the search for the mark could not fail."""
    asked = answers_of(shared.clients["alpha-viewer"], shared)
    found = {name.split("?")[0].split(" {")[0] for name, answer in asked if MARK in said(answer)}
    ids = shared.ids
    for path in (
        *("/fleets", f"/fleets/{ids['fleet']}", f"/fleets/{ids['fleet']}/report", "/messages", "/inbox"),
        *(f"/messages/{ids['message']}", "/trajectories", f"/trajectories/{ids['hypothetical']}"),
        *("/directory", f"/conjunctions/{ids['event']}/geometry"),
        *("/acknowledgements", f"/conjunctions/{ids['event']}", f"/conjunctions/{ids['told']}"),
        *("/alerts", f"/alerts/{ids['alert']}/deliveries", f"/conjunctions/{ids['event']}/cdm"),
    ):
        assert f"get {path}" in found, path


def test_an_event_that_only_alphas_message_tells_is_alphas(shared: Shared) -> None:
    told = shared.ids["told"]
    alpha, beta = shared.clients["alpha-viewer"], shared.clients["beta-viewer"]
    for path, query in ((f"/conjunctions/{told}", {}), (f"/conjunctions/{told}/trend", {})):
        assert alpha.get(path, params=query).status_code == 200
        assert beta.get(path, params=query).status_code == 404
    everything = {"limit": 1000, "restricted": "true"}
    with_it, without = (
        {str(one["id"]) for one in one.get("/conjunctions", params=everything).json()["conjunctions"]}
        for one in (alpha, beta)
    )
    assert with_it - without == {told}
    assert without <= with_it
    overview = [one.get("/runs/current/overview").json() for one in (alpha, beta)]
    assert overview[0] != overview[1]


def test_fleets_of_the_same_object_get_the_messages_of_their_own(shared: Shared) -> None:
    """Alerts go by these rows."""
    told = int(shared.ids["told"])
    found = {
        name: set(fleet_events(shared.store, shared.run_id, one.id)["event_id"].to_pylist())
        for name, one in shared.fleets.items()
    }
    assert told in found["alpha"]
    assert told not in found["beta"]


def test_a_definitive_path_is_seen_by_all_with_who_added_it(shared: Shared) -> None:
    for client in (shared.clients["alpha-viewer"], shared.clients["beta-viewer"]):
        one = client.get(f"/trajectories/{shared.ids['path']}").json()
        assert (one["norad_id"], one["added_by"]) == (OWN_OBJECT, "default")
    listed = shared.clients["beta-viewer"].get("/trajectories").json()
    assert [one["id"] for one in listed["trajectories"]] == [shared.ids["path"]]


@pytest.mark.slow
def test_the_same_message_and_path_are_each_organisations_own(shared: Shared) -> None:
    alpha, beta = shared.clients["alpha-operator"], shared.clients["beta-operator"]
    text = alpha.get(f"/messages/{shared.ids['message']}", params={"format": "original"}).text
    kind = {"Content-Type": "text/plain"}
    made = beta.request("POST", "/messages", content=text, headers={**beta.headers, **kind})
    assert (made.json()["new"], made.json()["conflicting"]) == (1, 0)
    (own,) = made.json()["ids"]
    assert own != shared.ids["message"]
    assert [one["id"] for one in beta.get("/messages").json()["messages"]] == [own]
    assert (
        beta.request("POST", "/messages", content=text, headers={**beta.headers, **kind}).json()["known"] == 1
    )
    assert len(received(shared.store)) == 2  # the command line sees both
    assert {one.about.organisation_id for one in trajectories(shared.store)} == {1}
