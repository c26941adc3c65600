"""Metrics for Prometheus. Open to all, like `/health`."""

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client.exposition import choose_encoder

from api.http.parameters import no_parameters
from api.live.service import CurrentService

router = APIRouter(tags=["health"], dependencies=[Depends(no_parameters)])


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    summary="Metrics for Prometheus",
)
def get_metrics(request: Request, service: CurrentService) -> Response:
    """Return counts and times of requests, and figures of the served run, in Prometheus text format."""
    encode, media_type = choose_encoder(request.headers.get("Accept", ""))
    return Response(encode(service.metrics.registry), headers={"Content-Type": media_type, "Vary": "Accept"})
