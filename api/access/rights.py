"""Who may do what: the role that each operation needs, whose data it is about, and whether it changes any.

The one declaration: it is enforced where a credential is recognised, the OpenAPI document and the audit log
follow. An operation that is not here is refused.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from fastapi import FastAPI, Request

from api.errors import NotAllowed, NotFound
from storage.state.alerts.alerts import NoSuchAlert
from storage.state.alerts.deliveries import NoSuchMessage
from storage.state.database import query_state
from storage.state.records import Credential
from storage.vocabulary import ROLES, Role

# Whose data an operation shows or changes: of the public sky, of the credential's organisation alone, or both
# side by side; the service's own.
Whose = Literal["everybody", "organisation", "both", "service"]


class Right(NamedTuple):
    """What an operation needs."""

    role: Role | None  # None: no credential
    whose: Whose
    changes: bool = False  # something in the store, which the audit log then has


_SKY, _BOTH, _OWN = Right("viewer", "everybody"), Right("viewer", "both"), Right("viewer", "organisation")
_ASK = Right("operator", "both")
_CHANGE = Right("operator", "organisation", changes=True)
_ADMIN, _ADMINISTER = Right("admin", "organisation"), Right("admin", "organisation", changes=True)
_OPEN = Right(None, "service")

RIGHTS: dict[str, Right] = {
    "GET /conjunctions": _BOTH,
    "GET /conjunctions/cdm": _BOTH,
    "GET /conjunctions/{id}": _BOTH,
    "GET /conjunctions/{id}/calendar.ics": _BOTH,
    "GET /conjunctions/{id}/cdm": _BOTH,
    "GET /conjunctions/{id}/geometry": _BOTH,
    "GET /conjunctions/{id}/report": _BOTH,
    "GET /conjunctions/{id}/trend": _BOTH,
    "POST /conjunctions/analyze": Right("operator", "everybody", changes=True),
    "POST /conjunctions/analyze/full": Right("operator", "both", changes=True),
    "POST /conjunctions/{id}/manoeuvres": _ASK,
    "POST /conjunctions/{id}/acknowledgements": _CHANGE,
    "GET /acknowledgements": _OWN,
    "GET /conjunctions/{id}/intents": _SKY,
    "POST /conjunctions/{id}/intents": Right("operator", "everybody", changes=True),
    "GET /conjunctions/{id}/links": _OWN,
    "POST /conjunctions/{id}/links": _CHANGE,
    "DELETE /conjunctions/{id}/links/{link_id}": _CHANGE,
    # The key in the address is that of one event.
    "GET /conjunctions/{id}/shared": Right(None, "everybody"),
    "GET /directory": _OWN,
    "POST /directory": _ADMINISTER,
    "DELETE /directory/{id}": _ADMINISTER,
    "POST /conjunctions/{id}/plans": _CHANGE,
    "GET /conjunctions/{id}/plans": _BOTH,
    "DELETE /conjunctions/{id}/plans/{plan}": _CHANGE,
    "GET /plans": _OWN,
    "GET /proximities": _SKY,
    "GET /re-entries": _BOTH,
    "GET /runs/current": _SKY,
    "GET /runs/current/overview": _BOTH,
    "GET /runs/current/rejections": _SKY,
    "GET /verification": _SKY,
    "GET /objects": _BOTH,
    "GET /objects/{id}/orbit": _SKY,
    "GET /objects/{id}/errors": _SKY,
    "GET /objects/{id}/trajectories/scorecard": _SKY,
    "GET /objects/{id}/ephemeris": _BOTH,
    "GET /objects/{id}/manoeuvres": _SKY,
    "GET /manoeuvres": _SKY,
    "GET /positions": _BOTH,
    # A definitive one also needs that the credential may state the path of its object.
    "POST /trajectories": Right("operator", "both", changes=True),
    "DELETE /trajectories/{id}": Right("operator", "both", changes=True),
    "POST /trajectories/check": Right("operator", "everybody"),
    "GET /trajectories": _BOTH,
    "GET /trajectories/{id}": _BOTH,
    "GET /fleets": _OWN,
    "POST /fleets": _CHANGE,
    "POST /fleets/preview": _ASK,
    "GET /fleets/{id}": _OWN,
    "PATCH /fleets/{id}": _CHANGE,
    "DELETE /fleets/{id}": _CHANGE,
    "POST /fleets/{id}/search": _CHANGE,
    "GET /fleets/{id}/members": _OWN,
    "GET /fleets/{id}/conjunctions": _OWN,
    "GET /fleets/{id}/decision": _OWN,
    "GET /fleets/{id}/outside": _OWN,
    "GET /fleets/{id}/satellites": _OWN,
    "GET /fleets/{id}/remaining-life": _OWN,
    "GET /fleets/{id}/report": _OWN,
    "GET /fleets/{id}/changes": _OWN,
    "GET /fleet-standings": _OWN,
    "GET /fleets/{id}/feeds": _OWN,
    "POST /fleets/{id}/feeds": _CHANGE,
    "DELETE /fleets/{id}/feeds/{feed_id}": _CHANGE,
    # The key in the address is that of one fleet.
    "GET /fleets/{id}/calendar.ics": Right(None, "organisation"),
    "GET /fleets/{id}/feed.atom": Right(None, "organisation"),
    "GET /alerts": _OWN,
    "POST /alerts": _CHANGE,
    "GET /alerts/{id}": _OWN,
    "PATCH /alerts/{id}": _CHANGE,
    "DELETE /alerts/{id}": _CHANGE,
    "POST /alerts/{id}/secret": _CHANGE,
    "POST /alerts/{id}/test": _CHANGE,
    "GET /alerts/{id}/deliveries": _OWN,
    "POST /deliveries/{id}/retry": _CHANGE,
    "GET /messages": _BOTH,
    "POST /messages": _CHANGE,
    "GET /messages/{id}": _BOTH,
    "GET /inbox": _BOTH,
    "POST /inbox": _CHANGE,
    "GET /credentials": _ADMIN,
    "POST /credentials": _ADMINISTER,
    "DELETE /credentials/{id}": _ADMINISTER,
    "GET /audit": _ADMIN,
    "GET /runs": Right("admin", "service"),
    "POST /runs": Right("admin", "service", changes=True),
    "POST /session": Right("viewer", "service", changes=True),
    "GET /session": _OPEN,
    "DELETE /session": _OPEN,
    "GET /session/oidc": _OPEN,
    "GET /session/oidc/callback": Right(None, "service", changes=True),
    "GET /health": _OPEN,
    "GET /ready": _OPEN,
    "GET /metrics": _OPEN,
}
_WORDS: dict[Whose, str] = {
    "everybody": "It is about the sky, the same for everybody.",
    "organisation": "It is about the credential's organisation alone.",
    "both": "It is about the sky, and what the credential's organisation has added to it.",
    "service": "",
}


def operation_of(request: Request, prefix: str = "/v1") -> str:
    """Return the operation that a request asks for, as in RIGHTS."""
    path = str(getattr(request.scope.get("route"), "path", request.url.path)).removeprefix(prefix)
    return f"{'GET' if request.method == 'HEAD' else request.method} {path}"


def require_role(request: Request, credential: Credential) -> Credential:
    """Return a credential if its role permits the operation that it asks for.

    Raises:
        NotAllowed: it does not.
    """
    needed = RIGHTS[operation_of(request)].role
    if needed is not None and ROLES.index(credential.role) < ROLES.index(needed):
        raise NotAllowed(
            f"Credential {credential.id} ({credential.name}) is a {credential.role}; this needs the role "
            f"{needed} (`skysieve tokens create --role {needed}`)."
        )
    return credential


def require_own(request: Request, credential: Credential, store: Path) -> Credential:
    """Return a credential if the fleet, alert or delivery that it names is of its organisation.

    Another organisation's is refused as one that does not exist.

    Raises:
        NotFound: it is not; NoSuchAlert, NoSuchMessage likewise.
    """
    named = request.path_params.get("id", "")
    first = operation_of(request).split("/")[1]
    if first in _OF and named != "preview":
        sql, refusal = _OF[first]
        _require(store, credential, sql, named, refusal)
    if wanted := request.query_params.get("fleet"):
        _require(store, credential, *_OF["fleets"][:1], wanted, _OF["fleets"][1])
    return credential


def _require(
    store: Path, credential: Credential, sql: str, named: str, refusal: Callable[[str], Exception]
) -> None:
    rows = query_state(store, sql, (named,)) if len(named) <= _LONGEST_ID else []
    if rows != [(credential.organisation_id,)] and (rows or named.isdecimal() or named.startswith("msg_")):
        raise refusal(named)


def _no_fleet(named: str) -> Exception:
    return NotFound(f"There is no fleet {named}; `GET /fleets` lists those there are.")


def _no_alert(named: str) -> Exception:
    return NoSuchAlert(f"There is no alert {named}", f"There is no alert {named}")


def _no_delivery(named: str) -> Exception:
    return NoSuchMessage(f"There is no message {named!r}", f"There is no message {named!r}")


_LONGEST_ID = 40
_FLEETS_OF = "SELECT f.organisation_id FROM fleets f"
# By the first part of the path: whose a fleet, an alert or a message of one is.
_OF: dict[str, tuple[str, Callable[[str], Exception]]] = {
    "fleets": (f"{_FLEETS_OF} WHERE f.id = ?", _no_fleet),
    "alerts": (f"{_FLEETS_OF} JOIN alerts a ON a.fleet_id = f.id WHERE a.id = ?", _no_alert),
    "deliveries": (
        f"{_FLEETS_OF} JOIN alerts a ON a.fleet_id = f.id JOIN outbox m ON m.alert_id = a.id WHERE m.id = ?",
        _no_delivery,
    ),
}


def describe_rights(app: FastAPI) -> None:
    """State in the OpenAPI document which role each operation needs, and whose data it is about."""
    make = app.openapi

    def with_rights() -> dict[str, Any]:
        document = make()  # already built
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                right = RIGHTS[f"{method.upper()} {path}"]
                if right.role is not None and "x-role" not in operation:
                    words = f"Needs the role `{right.role}`. {_WORDS[right.whose]}".strip()
                    operation["description"] += f"\n\n{words}"
                    operation |= {"x-role": right.role, "x-data": right.whose}
                    methods[method] = operation
        return document

    app.openapi = with_rights  # type: ignore[method-assign]
