"""Who may do what, by a table written for this test: a line an operation, a column a credential."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.access.rights import RIGHTS
from tests.api.access.two_organisations import OTHER_OBJECT, OWN_OBJECT, Shared, shared_store
from tests.screening.orbits.texts.ephemerides.circling import oem

COLUMNS = (
    *("alpha-viewer", "alpha-operator", "alpha-flight", "alpha-admin"),
    *("beta-viewer", "beta-operator", "beta-flight", "beta-admin"),
    *("beta-key", "nobody"),
)
# {x} are Alpha's; what would be done is asked with a parameter that is refused with 422, and so is not done.
TABLE = """
GET /conjunctions                       200 200 200 200  200 200 200 200  403 401
GET /runs/current                       200 200 200 200  200 200 200 200  403 401
GET /positions                          403 403 403 403  403 403 403 403  200 401
GET /fleets                             200 200 200 200  200 200 200 200  403 401
GET /fleets/{fleet}                     200 200 200 200  404 404 404 404  403 401
GET /fleets/{fleet}/conjunctions        200 200 200 200  404 404 404 404  403 401
GET /fleets/{fleet}/feeds               200 200 200 200  404 404 404 404  403 401
GET /conjunctions?fleet={fleet}         200 200 200 200  404 404 404 404  403 401
POST /runs?x=1                          403 403 403 422  403 403 403 422  403 401
POST /fleets/{fleet}/search?x=1        403 422 422 422  403 404 404 404  403 401
POST /fleets?x=1                        403 422 422 422  403 422 422 422  403 401
PATCH /fleets/{fleet}?x=1               403 422 422 422  403 404 404 404  403 401
DELETE /fleets/{fleet}?x=1              403 422 422 422  403 404 404 404  403 401
POST /fleets/{fleet}/feeds?x=1          403 422 422 422  403 404 404 404  403 401
GET /alerts/{alert}                     200 200 200 200  404 404 404 404  403 401
DELETE /alerts/{alert}?x=1              403 422 422 422  403 404 404 404  403 401
POST /alerts/{alert}/secret?x=1         403 422 422 422  403 404 404 404  403 401
GET /alerts/{alert}/deliveries          200 200 200 200  404 404 404 404  403 401
POST /deliveries/{delivery}/retry?x=1   403 422 422 422  403 404 404 404  403 401
GET /messages/{message}                 200 200 200 200  404 404 404 404  403 401
GET /trajectories/{path}                200 200 200 200  200 200 200 200  403 401
GET /trajectories/{hypothetical}        200 200 200 200  404 404 404 404  403 401
DELETE /trajectories/{hypothetical}?x=1 403 422 422 422  403 422 422 422  403 401
POST /conjunctions/analyze?x=1          403 422 422 422  403 422 422 422  403 401
POST /conjunctions/{event}/manoeuvres   403 415 415 415  403 415 415 415  403 401
POST /conjunctions/{event}/acknowledgements?x=1 403 422 422 422  403 422 422 422  403 401
GET /acknowledgements                   200 200 200 200  200 200 200 200  403 401
GET /directory                          200 200 200 200  200 200 200 200  403 401
POST /directory?x=1                     403 403 403 422  403 403 403 422  403 401
DELETE /directory/1?x=1                 403 403 403 422  403 403 403 422  403 401
GET /conjunctions/{event}/intents       200 200 200 200  200 200 200 200  403 401
POST /conjunctions/{event}/intents?x=1  403 422 422 422  403 422 422 422  403 401
GET /conjunctions/{event}/links         200 200 200 200  200 200 200 200  403 401
POST /conjunctions/{event}/links?x=1    403 422 422 422  403 422 422 422  403 401
DELETE /conjunctions/{event}/links/1?x=1 403 422 422 422  403 422 422 422  403 401
GET /conjunctions/{event}/shared        404 404 404 404  404 404 404 404  404 404
GET /credentials                        403 403 403 200  403 403 403 200  403 401
POST /credentials?x=1                   403 403 403 422  403 403 403 422  403 401
GET /audit                              403 403 403 200  403 403 403 200  403 401
"""
# The other operations on what may be private.
FURTHER_TABLE = """
GET /conjunctions/{event}               200 200 200 200  200 200 200 200  403 401
GET /conjunctions/{event}/geometry      200 200 200 200  200 200 200 200  403 401
GET /conjunctions/{event}/trend         200 200 200 200  200 200 200 200  403 401
GET /conjunctions/{told}                200 200 200 200  404 404 404 404  403 401
GET /conjunctions/{told}/trend          200 200 200 200  404 404 404 404  403 401
GET /conjunctions/{told}/calendar.ics   200 200 200 200  404 404 404 404  403 401
GET /links                              200 200 200 200  200 200 200 200  403 401
GET /plans                              200 200 200 200  200 200 200 200  403 401
GET /conjunctions/{event}/plans         200 200 200 200  200 200 200 200  403 401
POST /conjunctions/{event}/plans           403 415 415 415  403 415 415 415  403 401
DELETE /conjunctions/{event}/plans/1?x=1 403 422 422 422  403 422 422 422  403 401
POST /conjunctions/analyze/full?x=1     403 422 422 422  403 422 422 422  403 401
POST /trajectories?x=1                  403 422 422 422  403 422 422 422  403 401
POST /trajectories/check?x=1            403 422 422 422  403 422 422 422  403 401
POST /messages?x=1                      403 422 422 422  403 422 422 422  403 401
GET /messages                           200 200 200 200  200 200 200 200  403 401
POST /inbox?x=1                         403 422 422 422  403 422 422 422  403 401
GET /inbox                              200 200 200 200  200 200 200 200  403 401
GET /trajectories                       200 200 200 200  200 200 200 200  403 401
POST /fleets/preview?x=1                403 422 422 422  403 422 422 422  403 401
GET /fleets/{fleet}/members             200 200 200 200  404 404 404 404  403 401
GET /fleets/{fleet}/decision            200 200 200 200  404 404 404 404  403 401
GET /fleets/{fleet}/outside             200 200 200 200  404 404 404 404  403 401
GET /fleets/{fleet}/satellites          200 200 200 200  404 404 404 404  403 401
GET /fleets/{fleet}/changes             200 200 200 200  404 404 404 404  403 401
GET /fleet-standings                    200 200 200 200  200 200 200 200  403 401
DELETE /fleets/{fleet}/feeds/{feed}?x=1 403 422 422 422  403 404 404 404  403 401
GET /alerts                             200 200 200 200  200 200 200 200  403 401
POST /alerts?x=1                        403 422 422 422  403 422 422 422  403 401
PATCH /alerts/{alert}?x=1               403 422 422 422  403 404 404 404  403 401
POST /alerts/{alert}/test?x=1           403 422 422 422  403 404 404 404  403 401
DELETE /credentials/1?x=1               403 403 403 422  403 403 403 422  403 401
GET /runs                               403 403 403 200  403 403 403 200  403 401
GET /fleets/{fleet}/calendar.ics?key=x  404 404 404 404  404 404 404 404  404 404
"""


@pytest.fixture(scope="module")
def shared(module_store: Path) -> Iterator[Shared]:
    with shared_store(module_store) as one:
        yield one


@pytest.mark.parametrize(
    ("table", "pairs"), [(TABLE, 370), pytest.param(FURTHER_TABLE, 340, marks=pytest.mark.slow)]
)
def test_each_credential_gets_what_its_role_and_organisation_allow(
    shared: Shared, table: str, pairs: int
) -> None:
    wrong, count = [], 0
    for line in table.strip().splitlines():
        method, path, *statuses = line.split()
        assert len(statuses) == len(COLUMNS), line
        for name, expected in zip(COLUMNS, statuses, strict=True):
            answer = shared.clients[name].request(method, path.format(**shared.ids))
            count += 1
            if answer.status_code != int(expected):
                wrong.append((name, method, path, answer.status_code, expected))
    assert wrong == []
    assert count >= pairs


def test_no_operation_is_without_a_declaration(shared: Shared) -> None:
    document = shared.clients["nobody"].get("/openapi.json").json()["paths"]
    operations = {f"{method.upper()} {path}" for path, methods in document.items() for method in methods}
    assert operations == set(RIGHTS)
    for path, methods in document.items():
        for method, operation in methods.items():
            role = RIGHTS[f"{method.upper()} {path}"].role
            assert operation.get("x-role") == role
            assert role is None or f"Needs the role `{role}`" in operation["description"]


@pytest.mark.parametrize(
    ("who", "norad_id", "status"),
    [
        ("alpha-operator", OWN_OBJECT, 403),
        ("alpha-flight", OWN_OBJECT, 201),
        ("alpha-flight", OTHER_OBJECT, 403),
        ("beta-flight", OWN_OBJECT, 403),
        ("beta-admin", OWN_OBJECT, 403),  # made when there were two organisations, without objects
    ],
)
def test_only_whose_credential_names_an_object_says_where_it_is(
    shared: Shared, who: str, norad_id: int, status: int
) -> None:
    client = shared.clients[who]
    query = {"kind": "definitive", "norad_id": str(norad_id), "source": "forged.oem"}
    headers = {**client.headers, "Content-Type": "text/plain"}
    answer = client.request("POST", "/trajectories", content=oem(), params=query, headers=headers)
    assert answer.status_code == status, answer.text
    if status == 403:
        assert str(norad_id) in answer.json()["detail"]
    removed = shared.clients["beta-flight"].request("DELETE", f"/trajectories/{shared.ids['path']}")
    assert removed.status_code == 403
    assert shared.clients["beta-flight"].get(f"/trajectories/{shared.ids['path']}").status_code == 200


def test_an_administrator_gives_no_more_than_is_its_own(shared: Shared) -> None:
    admin = shared.clients["beta-admin"]
    forged = {"name": "forged", "role": "flight", "objects": [OWN_OBJECT]}
    refused = admin.request("POST", "/credentials", json=forged)
    assert refused.status_code == 422
    assert "may not state the paths" in refused.json()["detail"]
    made = admin.request("POST", "/credentials", json={"name": "desk", "role": "operator"})
    assert made.status_code == 201, made.text
    names = [one["name"] for one in admin.get("/credentials").json()["credentials"]]
    assert "desk" in names
    assert not any("zzmark" in name for name in names)
    alphas = shared.clients["alpha-admin"].get("/credentials").json()["credentials"]
    for one, status in ((made.json()["id"], 204), (alphas[0]["id"], 404)):
        assert admin.request("DELETE", f"/credentials/{one}").status_code == status
    log = admin.get("/audit").json()["entries"]
    assert [(one["operation"], one["result"]) for one in log[:4]] == [
        ("DELETE /credentials/{id}", "404"),
        ("DELETE /credentials/{id}", "204"),
        ("POST /credentials", "201"),
        ("POST /credentials", "422"),
    ]
    assert (log[2]["object"], log[2]["who"], log[2]["address"]) == (
        str(made.json()["id"]),
        "admin",
        "127.0.0.1",
    )
