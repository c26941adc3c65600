"""The audit log of the service: operations that change something or are refused, refused credentials."""

import logging
from http import HTTPStatus

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from starlette.types import Scope

from api.access.rights import RIGHTS, operation_of
from api.http.middleware.observing import Audit
from api.http.request_notes import Exchange
from api.live.service import Service
from screening.errors import SkysieveError
from storage.state.whose.audit import record

LOG = logging.getLogger("skysieve.api")


def audit_of(service: Service) -> Audit:
    """Return what writes an answered request into the log, before the client has the answer.

    It takes the status, and the address of what was made, if anything was.
    """

    async def audit(scope: Scope, exchange: Exchange, status: int, made: str) -> None:
        request = Request(scope)
        operation = operation_of(request)
        right = RIGHTS.get(operation)
        if exchange.refused:
            service.refused.count(service.now(), exchange.address, operation, str(status))
            return
        if right is None or exchange.organisation is None or exchange.credential is None:
            return
        if not right.changes and status != HTTPStatus.FORBIDDEN:
            return
        named = [str(value) for value in request.path_params.values()]
        new = [] if status == HTTPStatus.SEE_OTHER else made.rstrip("/").split("/")[-1:]
        about = "/".join([*named, *new]).strip("/")
        whose, who = exchange.organisation, exchange.who

        def write() -> None:
            record(
                service.settings.store,
                service.now(),
                whose,
                who,
                operation,
                str(status),
                credential_id=exchange.credential,
                about=about,
                address=exchange.address,
            )

        try:
            await run_in_threadpool(write)
        except SkysieveError:
            LOG.exception("the audit log has no entry of request %s", exchange.request_id)

    return audit
