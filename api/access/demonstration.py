"""A demonstration: anyone reads what a store shows of the sky, without a credential; nothing can be changed.

What its users keep for themselves is not shown: addresses, messages, operators' trajectories.
"""

from datetime import UTC, datetime

from fastapi import Request

from api.access.rights import operation_of, require_role
from api.errors import NotAllowed
from api.http.middleware.proxy import client_network
from api.http.request_notes import exchange_of
from api.live.service import Service
from storage.state.records import Credential
from storage.vocabulary import FIRST_ORGANISATION, CredentialKind

NAME = "demonstration"
HIDDEN = ("alerts", "audit", "credentials", "deliveries", "feeds", "inbox", "messages", "trajectories")
QUESTIONS = ("POST /conjunctions/{id}/manoeuvres",)  # that anyone may ask all the same: they store nothing
_ALWAYS = datetime(2020, 1, 1, tzinfo=UTC)


def visitor(kind: CredentialKind = "bearer") -> Credential:
    """Return what stands for the credential of whoever visits a demonstration."""
    return Credential(
        *(0, kind, NAME, _ALWAYS, None, None, None, b""),
        organisation_id=FIRST_ORGANISATION,
        role="viewer",
        objects=(),
        last_used=None,
    )


def of_demonstration(request: Request, service: Service, kind: CredentialKind) -> Credential:
    """Count a request, by its address, and return the visitor that it is from.

    Raises:
        NotAllowed: it asks for what a demonstration keeps for itself, or changes something.
        TooManyRequests: its address has asked too often.
    """
    if request.query_params.get("restricted") == "true" or set(HIDDEN) & set(request.url.path.split("/")):
        raise NotAllowed("This is a demonstration: messages, trajectories, alerts and feeds are not shown.")
    quota = service.limits.visitor(client_network(request))
    exchange_of(request).headers.update(quota.headers())
    if not quota.taken.allowed:
        raise quota.refusal("A visitor of the demonstration")
    service.asked = True
    exchange_of(request).organisation = FIRST_ORGANISATION
    asks = visitor(kind)
    return asks if operation_of(request) in QUESTIONS else require_role(request, asks)
