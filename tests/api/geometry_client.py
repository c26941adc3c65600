"""Ask a service for the geometry of an event."""

from typing import Any

from pydantic import TypeAdapter

from api.models.geometry import Geometry
from tests.api.client import Client

Record = dict[str, Any]


def get(client: Client, event_id: int) -> Record:
    """Return an event's geometry, checked against its documented shape."""
    answer = client.get(f"/conjunctions/{event_id}/geometry")
    assert answer.status_code == 200, answer.text
    TypeAdapter(Geometry).validate_json(answer.content)  # strict: no other field, no other type
    found: Record = answer.json()
    return found
