"""`GET /conjunctions`: shape, filters against SQL on the same store, orders, limits."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from api.models.responses import Conjunction, ConjunctionPage
from storage.reading.read_only_sql import query
from storage.schema import CONJUNCTIONS
from storage.shell.output import plain
from tests.api.client import Client

FIRST_FIELDS = ["id", "primary_norad_id", "secondary_norad_id", "tca", "miss_distance_m", "risk_level"]
# Of rows of earlier releases the larger of theirs.
BEST = (
    "coalesce(probability_best, CASE WHEN probability IS NULL AND probability_2d IS NULL THEN probability_mc "
    "WHEN probability_2d IS NULL OR probability > probability_2d THEN probability ELSE probability_2d END)"
)
LEVEL = (
    f"CASE WHEN {BEST} > 1e-4 THEN 'critical' WHEN {BEST} > 1e-5 THEN 'high' WHEN {BEST} > 1e-6 "
    f"THEN 'medium' WHEN {BEST} IS NULL THEN 'unknown' ELSE 'low' END"
)
STORED_LEVEL = f"coalesce(CAST(probability_level AS VARCHAR), {LEVEL})"
ORDERS = {
    "risk": f"CASE {LEVEL} WHEN 'critical' THEN 1 WHEN 'high' THEN 2 WHEN 'medium' THEN 3 "
    f"WHEN 'unknown' THEN 4 ELSE 5 END, {BEST} DESC NULLS LAST, miss_distance_m, event_id",
    "tca": "tca, event_id",
    "miss_distance": "miss_distance_m, event_id",
    "probability": f"{BEST} DESC NULLS LAST, event_id",
    "fragments": f"{BEST} * fragments_10cm DESC NULLS LAST, event_id",
}


def selected(store: Path, condition: str, order: str = ORDERS["risk"]) -> list[int]:
    """Return the ids that plain SQL finds."""
    _, rows = query(store, f"SELECT event_id FROM events WHERE {condition} ORDER BY {order}")
    return [row[0] for row in rows]  # type: ignore[misc]


def ids(client: Client, **parameters: object) -> list[int]:
    """Return the ids that the service finds, and check that it counts them right."""
    answer = client.get("/conjunctions", params={"limit": 10_000, **parameters})  # type: ignore[dict-item]
    assert answer.status_code == 200, answer.text
    found = [event["id"] for event in answer.json()["conjunctions"]]
    assert answer.json()["total"] == len(found)
    assert answer.json()["next"] is None
    return found


def common_object(store: Path) -> Any:
    """Return the number of an object that is primary of some events and secondary of others."""
    both = "SELECT primary_norad_id FROM events INTERSECT SELECT secondary_norad_id FROM events ORDER BY 1"
    _, rows = query(store, both)
    return list(rows)[50][0]


def test_an_event_has_every_column_once_and_the_main_ones_first(client: Client) -> None:
    page = client.get("/conjunctions", params={"limit": 1})
    assert page.headers["Content-Type"] == "application/json"
    assert list(page.json()) == ["conjunctions", "total", "next"]
    (event,) = page.json()["conjunctions"]
    assert list(event)[:6] == FIRST_FIELDS
    expected = {column.name for column in CONJUNCTIONS.columns} - {"event_id"} | {"id"}
    assert set(event) == expected
    assert len(event) == len(expected)


def test_every_answer_has_the_documented_types(client: Client) -> None:
    page = client.get("/conjunctions", params={"limit": 2000})
    checked = TypeAdapter(ConjunctionPage).validate_json(page.content)  # strict: no other field or type
    assert len(checked.conjunctions) == 2000
    # A model that let everything pass would be no check.
    nullable = {column.name for column in CONJUNCTIONS.columns if column.nullable}
    required = {name for name, field in Conjunction.model_fields.items() if field.annotation in (str, int)}
    assert required
    assert required.isdisjoint(nullable)


@pytest.mark.slow
def test_values_are_those_of_the_store(client: Client, served_store: Path) -> None:
    columns, rows = query(served_store, f"FROM events ORDER BY {ORDERS['risk']}")
    stored = [dict(zip(columns, map(plain, row), strict=True)) for row in rows]
    for event in stored:
        event["id"] = event.pop("event_id")
    sent = client.get("/conjunctions", params={"limit": 10_000}).json()["conjunctions"]
    assert sent == stored
    assert {event["diluted"] for event in sent} == {True, False, None}
    assert {type(event["mc_hits"]) for event in sent} == {int, type(None)}


def test_times_end_in_z(client: Client) -> None:
    events = client.get("/conjunctions", params={"limit": 3000}).json()["conjunctions"]
    for name in ("tca", "computed_at", "primary_epoch"):
        assert all(event[name].endswith("Z") for event in events)


def test_a_hundred_come_unless_more_are_asked_for(client: Client) -> None:
    page = client.get("/conjunctions").json()
    assert len(page["conjunctions"]) == 100
    assert page["total"] == 3000


@pytest.mark.parametrize("order", ORDERS)
def test_orders(client: Client, served_store: Path, order: str) -> None:
    assert ids(client, order=order) == selected(served_store, "true", ORDERS[order])


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("parameters", "condition"),
    [
        ({"risk_level": "critical"}, "risk_level = 'critical'"),
        ({"risk_level": "low"}, "risk_level = 'low'"),
        ({"probability_level": "critical"}, f"{STORED_LEVEL} = 'critical'"),
        ({"probability_level": "unknown"}, f"{STORED_LEVEL} = 'unknown'"),
        (
            {"probability_level": ["critical", "low"], "risk_level": "low"},
            f"risk_level = 'low' AND {STORED_LEVEL} IN ('critical', 'low')",
        ),
        ({"max_miss_m": 250}, "miss_distance_m <= 250"),
        ({"min_probability": 0.5}, f"{BEST} >= 0.5"),
        ({"min_probability": 0}, f"{BEST} IS NOT NULL"),
        ({"tca_from": "2026-11-21T12:00:00Z"}, "tca >= '2026-11-21 12:00'"),
        ({"tca_to": "2026-11-21T12:00:00"}, "tca < '2026-11-21 12:00'"),
        ({"tca_from": "2026-11-21T14:30:00+02:00"}, "tca >= '2026-11-21 12:30'"),
        (
            {"tca_from": "2026-11-21T08:00Z", "tca_to": "2026-11-21T20:00Z", "risk_level": "high"},
            "tca >= '2026-11-21 08:00' AND tca < '2026-11-21 20:00' AND risk_level = 'high'",
        ),
        ({"min_probability": 0.2, "max_miss_m": 5e3}, f"{BEST} >= 0.2 AND miss_distance_m <= 5000"),
    ],
)
def test_filters_find_what_sql_finds(
    client: Client, served_store: Path, parameters: dict[str, object], condition: str
) -> None:
    expected = selected(served_store, condition)
    assert 0 < len(expected) < 3000
    assert ids(client, **parameters) == expected


def test_an_object_is_found_on_either_side(client: Client, served_store: Path) -> None:
    number = common_object(served_store)
    expected = selected(served_store, f"{number} IN (primary_norad_id, secondary_norad_id)")
    sides = client.get("/conjunctions", params={"norad_id": number}).json()["conjunctions"]
    assert {event["primary_norad_id"] == number for event in sides} == {True, False}
    assert ids(client, norad_id=number) == expected
    assert ids(client, norad_id=number, risk_level="high", order="tca") == selected(
        served_store,
        f"{number} IN (primary_norad_id, secondary_norad_id) AND risk_level = 'high'",
        ORDERS["tca"],
    )


def test_a_fleet_and_several_levels_are_found_together(client: Client, served_store: Path) -> None:
    both = client.get("/conjunctions", params={"limit": 2}).json()["conjunctions"]
    fleet = [both[0]["primary_norad_id"], both[1]["secondary_norad_id"]]
    sides = " OR ".join(f"{number} IN (primary_norad_id, secondary_norad_id)" for number in fleet)
    assert ids(client, norad_id=fleet) == selected(served_store, sides)
    levels = "risk_level IN ('critical', 'medium')"
    assert ids(client, norad_id=fleet, risk_level=["medium", "critical"]) == selected(
        served_store, f"({sides}) AND {levels}"
    )


def test_bounds_of_the_span_of_tcas(client: Client) -> None:
    first, second = client.get("/conjunctions", params={"order": "tca", "limit": 2}).json()["conjunctions"]
    assert ids(client, tca_to=second["tca"], order="tca") == [first["id"]]
    assert first["id"] in ids(client, tca_from=first["tca"])


def test_an_unescaped_plus_in_a_zone_is_understood(client: Client) -> None:
    unescaped = client.get("/conjunctions?tca_from=2026-11-21T14:00:00+02:00&limit=1").json()["total"]
    assert unescaped == len(ids(client, tca_from="2026-11-21T12:00:00Z"))


def test_what_matches_nothing(client: Client) -> None:
    page = client.get("/conjunctions", params={"norad_id": 1, "order": "probability"}).json()
    assert page == {"conjunctions": [], "total": 0, "next": None}


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ("limit=0", "limit"),
        ("limit=10001", "limit"),
        ("limit=many", "limit"),
        ("limit=24.5", "limit"),
        ("risk_level=severe", "risk_level"),
        ("norad_id=0", "norad_id"),
        ("norad_id=1000000000", "norad_id"),
        ("tca_from=yesterday", "tca_from"),
        ("tca_from=1730419200", "tca_from"),
        ("tca_to=0001-01-01T00:00:00%2B14:00", "tca_to"),
        ("tca_from=2026-11-22T00:00Z&tca_to=2026-11-21T00:00Z", "tca_to"),
        ("max_miss_m=-1", "max_miss_m"),
        ("max_miss_m=nan", "max_miss_m"),
        ("min_probability=1.5", "min_probability"),
        ("order=danger", "order"),
        ("risk=high", "risk"),
        ("norad_id=1&norad_id=0", "norad_id.1"),
        ("max_miss_m=1&max_miss_m=2", "max_miss_m"),
        ("offset=-1", "offset"),
        ("cursor=abc", "cursor"),
        ("cursor=%00", "cursor"),
    ],
)
def test_what_is_not_allowed_is_refused_by_name(client: Client, parameters: str, field: str) -> None:
    answer = client.get(f"/conjunctions?{parameters}")
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert [error["field"] for error in answer.json()["errors"]] == [field]
