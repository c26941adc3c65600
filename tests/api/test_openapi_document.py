"""Every operation of the OpenAPI document, on a running service, with data that fits and that does not.

Every status, content type and body must be one that the document has, and none a 5xx.
"""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS
from schemathesis.core.parameters import ParameterLocation

from api.app import create_app
from api.http.middleware.request_size import MAX_PARAMETERS, MAX_QUERY_BYTES
from api.settings import ApiSettings
from storage.state.credentials import create_credential
from tests.api.conftest import NOW, plausible
from tests.api.running import running
from tests.made_up_run import make_run, publish

BOUNDED, MORE = 10, 300
# Rules about values that no schema can express. All others are in the document: what fits it is accepted.
RULES_BESIDE_THE_SCHEMA = {
    "cursor",  # is one that the service gave
    "tca_to",  # is not before tca_from
    "until",  # is not before since
    "at",  # in the years 1957 to 2100
    "start",  # is near the run's window
    "from",  # is one of the event's two objects
    "burn",  # is WHEN,R,T,N
    "mass",  # comes with the burns of an OPM
    "step",  # does not make too many states
    "body",  # is a file of one of the formats
    "trajectory_id",  # is stored
    "fleet_id",  # is that of a fleet
    "fleet",  # or `owner` is given, and not both
    "owner",  # has an object in the newest run
    "address",
    "volume",  # is one of the public Internet
    "radius",  # is 0.01 to 100 where it is a number
    "query",  # does not say both `risk` and what has taken its place
}

# Made up, they are no HTTP any more, and the server refuses them before the application is asked.
OF_THE_CONNECTION = {"content-length", "transfer-encoding", "connection", "expect", "host", "upgrade"}
LAST_OBJECT = 987_654_321
LONGEST_S = 300.0  # for an answer, where kernels are compiled for the first time

schema = schemathesis.openapi.from_dict(create_app(ApiSettings(store=Path("nowhere"))).openapi())


class Served(NamedTuple):
    """A running service and what opens it."""

    url: str
    bearer: dict[str, str]
    key: dict[str, str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a service for which more requests are allowed than usual."""
    store = tmp_path_factory.mktemp("document") / "store"
    made_up = plausible(make_run())
    # The largest numbers that are allowed are tried each time, and must be no objects: to search for what
    # comes near one needs an ephemeris, which a made-up run does not have.
    made_up.conjunctions["secondary_norad_id"][:] = np.minimum(
        made_up.conjunctions["secondary_norad_id"], LAST_OBJECT
    )
    made_up.elements["norad_id"][-1] = LAST_OBJECT
    publish(store, made_up)
    token, key = (
        create_credential(store, kind, "fuzz", NOW, per_minute=1_000_000) for kind in ("bearer", "api-key")
    )
    with running(store, SKYSIEVE_RATE_LIMIT_PER_MINUTE="1000000", SKYSIEVE_REFRESH_HOURS="100000") as service:
        yield Served(service.url, {"Authorization": f"Bearer {token.secret}"}, {"X-API-Key": key.secret})


def too_long(query: str) -> bool:
    """Return whether a query is longer than the service reads, which no schema can express."""
    return len(query) > MAX_QUERY_BYTES or query.count("&") >= MAX_PARAMETERS


def another_path_has(case: schemathesis.Case) -> bool:
    """Return whether a request is that of another path: GET /trajectories/check is GET /trajectories/{id}."""
    path = case.operation.path.split("/")
    return any(
        case.method.lower() in methods
        and len(other := name.split("/")) == len(path)
        and all(part in (one, "{id}") for part, one in zip(other, path, strict=True))
        for name, methods in schema.raw_schema["paths"].items()
    )


def check(case: schemathesis.Case, served: Served) -> None:
    """Send a request, and check the answer against the document."""
    headers = (
        served.key if {"apiKey": []} in case.operation.definition.raw.get("security", []) else served.bearer
    )
    beside = ["positive_data_acceptance"]  # checked below
    header = case.meta.components.get(ParameterLocation.HEADER)
    if header is not None and header.mode.is_negative:
        beside.append("negative_data_rejection")  # its wrong header is replaced by the right one
    if case.method.lower() != case.operation.method.lower() and another_path_has(case):
        beside.append("unsupported_method")
    excluded = CHECKS.get_by_names(beside)
    for name in [name for name in case.headers or {} if name.lower() in OF_THE_CONNECTION]:
        del case.headers[name]
    if too_long(urlencode(case.query or {}, doseq=True)):
        return
    answer = case.call(base_url=served.url, headers=headers, timeout=LONGEST_S)
    if answer.status_code == HTTPStatus.REQUEST_URI_TOO_LONG:  # lists in lists are written out when sent
        assert too_long(urlsplit(answer.request.url or "").query)
        return
    if answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:  # lists with more than they may have
        excluded = CHECKS.get_by_names([*beside, "negative_data_rejection"])  # which does not know 413
    case.validate_response(answer, excluded_checks=excluded)
    assert answer.headers["x-request-id"]
    if case.meta.generation.mode.is_positive and answer.status_code == 422:
        wrong = {error["field"].rpartition(".")[2] for error in answer.json()["errors"]}
        assert wrong <= RULES_BESIDE_THE_SCHEMA


def keywords(part: dict[str, Any] | list[Any]) -> Iterator[str]:
    """Yield the names in the document, of its schemas' keywords and of fields."""
    for name, inner in part.items() if isinstance(part, dict) else enumerate(part):
        yield str(name)
        if isinstance(inner, dict | list):
            yield from keywords(inner)


def test_bounds_are_those_of_json_schema() -> None:
    wrong = {"ge", "le", "gt", "lt", "min_length", "max_length"}  # which pydantic writes beside null
    assert wrong.isdisjoint(keywords(schema.raw_schema))


@pytest.mark.processes
@schema.parametrize()
@settings(max_examples=BOUNDED, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_document_holds(case: schemathesis.Case, served: Served) -> None:
    check(case, served)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=MORE, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_document_holds_for_more_data(case: schemathesis.Case, served: Served) -> None:
    check(case, served)
