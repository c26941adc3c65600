"""A demonstration: anyone reads what a store shows of the sky, without a credential; nothing can be changed.

What its users keep for themselves is not shown: addresses, messages, operators' trajectories.
"""

from datetime import UTC, datetime

from fastapi import Request

from api.errors import ReadOnly
from api.http.middleware.proxy import client_network
from api.http.request_notes import exchange_of
from api.live.service import Service
from storage.state.records import Credential
from storage.vocabulary import CredentialKind

NAME = "demonstration"
HIDDEN = ("alerts", "deliveries", "feeds", "inbox", "messages", "trajectories")
_ALWAYS = datetime(2020, 1, 1, tzinfo=UTC)


def visitor(kind: CredentialKind = "bearer") -> Credential:
    """Return what stands for the credential of whoever visits a demonstration."""
    return Credential(0, kind, NAME, _ALWAYS, None, None, None, b"", read_only=True, last_used=None)


def of_demonstration(request: Request, service: Service, kind: CredentialKind) -> Credential:
    """Count a request, by its address, and return the visitor that it is from.

    Raises:
        ReadOnly: it asks for what a demonstration keeps for itself.
        TooManyRequests: its address has asked too often.
    """
    if request.query_params.get("restricted") == "true" or set(HIDDEN) & set(request.url.path.split("/")):
        raise ReadOnly("This is a demonstration: messages, trajectories, alerts and feeds are not shown.")
    quota = service.limits.visitor(client_network(request))
    exchange_of(request).headers.update(quota.headers())
    if not quota.taken.allowed:
        raise quota.refusal("A visitor of the demonstration")
    service.asked = True
    return visitor(kind)
