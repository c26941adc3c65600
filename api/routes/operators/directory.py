"""The directory: whom to call about which objects."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from api.access.credentials import require_bearer_or_page
from api.errors import BadParameter
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, OrganisationId
from api.models.operators import Directory, EntryRequest, ListedEntry
from screening.answers import same_fields
from screening.errors import UsageError
from storage.state.operators.directory import EntryThere, NewEntry, add_entries, directory, remove_entry
from storage.state.records import Credential, DirectoryEntry

PATH = "/directory"

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["operators"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
EntryId = Annotated[int, Path(alias="id", ge=1, le=2**53, description="Id of an entry.", examples=[3])]


@router.get(PATH, response_model=Directory, dependencies=[Depends(no_parameters)], summary="Whom to call")
def get_directory(service: CurrentService, whose: OrganisationId) -> Response:
    """Return the directory of the organisation: operators of objects, and how to reach them."""
    found = [_listed(one) for one in directory(service.settings.store, whose)]
    return json_response(Directory(found, len(found)))


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=ListedEntry,
    responses=documented(
        HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    ),
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(EntryRequest),
    summary="Add an operator",
)
def add_entry(
    service: CurrentService,
    by: Annotated[Credential, Depends(require_bearer_or_page)],
    body: Annotated[EntryRequest, Depends(json_body(EntryRequest))],
) -> Response:
    """Add whom to call about objects: of owners, with catalogue numbers, or whose names fit a pattern."""
    given = body.model_dump()
    lists = {name: tuple(given[name]) for name in ("owners", "norad_ids")}
    new = NewEntry(**given | lists, made_by=by.name, credential_id=by.id, organisation_id=by.organisation_id)
    try:
        (made,) = add_entries(service.settings.store, [new], service.now())
    except EntryThere:
        raise
    except UsageError as error:
        raise BadParameter("body", str(error)) from error
    return json_response(_listed(made), {"Location": f"{PATH}/{made.id}"}, HTTPStatus.CREATED)


@router.delete(
    PATH + "/{id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Remove an operator",
)
def remove(service: CurrentService, whose: OrganisationId, entry_id: EntryId) -> Response:
    """Remove an entry of the directory."""
    remove_entry(service.settings.store, entry_id, whose)
    return Response(status_code=HTTPStatus.NO_CONTENT)


def _listed(one: DirectoryEntry) -> ListedEntry:
    lists = {"owners": list(one.owners), "norad_ids": list(map(int, one.norad_ids))}
    return ListedEntry(**same_fields(ListedEntry, one) | lists)
