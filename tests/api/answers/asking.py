"""Ask the service for analyses."""

from typing import Any

from tests.api.client import Client

QUICK, FULL = "/conjunctions/analyze", "/conjunctions/analyze/full"
# Of the 600 objects the run covers two hours, and its ephemeris twelve more.
RUN_HOURS, EPHEMERIS_HOURS = 2, 14


def ask(client: Client, path: str, norad_id: int, **other: object) -> dict[str, Any]:
    body = {"primary_norad_id": norad_id, "look_ahead_hours": RUN_HOURS, **other}
    answer = client.request("POST", path, json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())
