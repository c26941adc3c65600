"""The credentials of an organisation: listed, made, revoked by its administrators."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from fastapi.concurrency import run_in_threadpool

from api.access.credentials import require_bearer_or_page
from api.errors import BadParameter
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService
from api.models.administration import (
    CredentialList,
    CredentialRequest,
    ListedCredential,
    MadeCredential,
)
from screening.answers import same_fields
from screening.errors import UsageError
from storage.state.credentials import create_credential, list_credentials, revoke_credential
from storage.state.records import Credential
from storage.state.whose.organisations import organisation_names

PATH = "/credentials"

router = APIRouter(
    tags=["administration"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
By = Annotated[Credential, Depends(require_bearer_or_page)]
CredentialId = Annotated[
    int, Path(alias="id", ge=1, le=2**53, description="Id of a credential.", examples=[4])
]


@router.get(
    PATH,
    response_model=CredentialList,
    dependencies=[Depends(no_parameters)],
    summary="List credentials",
)
def get_credentials(service: CurrentService, by: By) -> Response:
    """Return the credentials of the organisation, without their secrets."""
    store = service.settings.store
    found = [
        ListedCredential(**same_fields(ListedCredential, one) | {"objects": list(one.objects)})
        for one in list_credentials(store, by.organisation_id)
    ]
    return json_response(CredentialList(found, organisation_names(store).get(by.organisation_id, "")))


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=MadeCredential,
    responses=documented(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(CredentialRequest),
    summary="Make a credential",
)
async def add_credential(
    service: CurrentService,
    by: By,
    body: Annotated[CredentialRequest, Depends(json_body(CredentialRequest))],
) -> Response:
    """Make a credential of the organisation; its secret is shown only here.

    Nobody gives another credential objects that it may not state the paths of itself.
    """

    def made() -> MadeCredential:
        try:
            new = create_credential(
                service.settings.store,
                body.kind,
                body.name,
                service.now(),
                days=body.days,
                per_minute=body.per_minute,
                role=body.role,
                objects=body.objects,
                organisation_id=by.organisation_id,
                by=by,
            )
        except UsageError as error:
            raise BadParameter("body", str(error)) from error
        return MadeCredential(**same_fields(MadeCredential, new))

    new = await run_in_threadpool(made)
    service.credentials.forget()
    return json_response(new, {"Location": f"{PATH}/{new.id}"}, HTTPStatus.CREATED)


@router.delete(
    PATH + "/{id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Revoke a credential",
)
def remove_credential(service: CurrentService, by: By, credential_id: CredentialId) -> Response:
    """Revoke a credential of the organisation for good; the service refuses it within a second."""
    revoke_credential(service.settings.store, credential_id, service.now(), by.organisation_id)
    service.credentials.forget()
    return Response(status_code=HTTPStatus.NO_CONTENT)
