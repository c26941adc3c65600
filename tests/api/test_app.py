"""What holds for the application as a whole: paths, errors, CORS, its documentation."""

from pathlib import Path
from typing import Any

import pytest

from api.app import create_app
from api.models.responses import Problem
from api.settings import ApiSettings
from screening.errors import UsageError
from storage.settings import load_settings
from tests.api.client import Client
from tests.api.conftest import serving


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


@pytest.fixture(scope="module")
def document(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


@pytest.mark.parametrize("path", ["/conjunctions?limit=3", "/proximities", "/runs/current", "/health"])
def test_every_path_is_there_under_v1(client: Client, path: str) -> None:
    assert client.get(f"/v1{path}").json() == client.get(path).json()


@pytest.mark.slow
def test_behind_a_proxy_with_or_without_the_path(served_store: Path) -> None:
    with serving(served_store, root_path="/sky/") as client:
        for path in ("/runs/current", "/sky/runs/current", "/sky/v1/runs/current"):
            assert client.get(path).status_code == 200
        assert client.get("/openapi.json").json()["servers"] == [{"url": "/sky"}]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/v2/conjunctions", 404),
        ("GET", "/conjunctions/", 404),
        ("POST", "/conjunctions", 405),
        ("DELETE", "/runs/current", 405),
        ("GET", "/conjunctions?limit=0", 422),
        ("GET", "/conjunctions/1", 404),
    ],
)
def test_every_error_has_the_one_shape(client: Client, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = Problem.model_validate_json(answer.content)
    assert problem.status == status
    assert problem.instance == path.partition("?")[0]
    if status == 405:
        assert answer.headers["Allow"] == "GET"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", ["/conjunctions/analyze", "/conjunctions/analyze/full"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_an_analysis_is_not_read_as_if_it_were_an_event(served_store: Path, path: str, method: str) -> None:
    with serving(served_store, root_path="/sky") as client:
        for asking in (client, client.without_credential()):
            for prefix in ("", "/v1", "/sky", "/sky/v1"):
                answer = asking.request(method, f"{prefix}{path}?limit=1")
                assert answer.status_code == 405
                assert answer.headers["Allow"] == "POST"


def test_a_broken_store_names_no_path(served_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from api.live import known_credentials
    from screening.errors import StoreError

    def unreadable(store: Path) -> None:
        raise StoreError(f"{store} cannot be read")

    with serving(served_store) as client:
        monkeypatch.setattr(known_credentials, "list_credentials", unreadable)
        answer = client.get("/runs/current")
    assert answer.status_code == 503
    assert str(served_store) not in answer.text


@pytest.mark.slow
def test_no_other_page_may_call_unless_it_is_allowed(served_store: Path) -> None:
    page = {"Origin": "https://example.org"}
    with serving(served_store) as client:
        assert "Access-Control-Allow-Origin" not in client.get("/health", headers=page).headers
    with serving(served_store, cors_origins="https://example.org, https://example.net") as client:
        allowed = client.get("/health", headers=page).headers["Access-Control-Allow-Origin"]
        assert allowed == "https://example.org"
        foreign = client.get("/health", headers={"Origin": "https://example.com"}).headers
        assert "Access-Control-Allow-Origin" not in foreign
        asked = client.request(
            "OPTIONS",
            "/conjunctions",
            headers={
                **page,
                "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "authorization",
            },
        )
        assert asked.status_code == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [("port", "70000"), ("cors_origins", "example.org"), ("root_path", "sky"), ("refresh_hours", "0")],
)
def test_settings_that_are_not_allowed(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"SKYSIEVE_{name.upper()}", value)
    with pytest.raises(UsageError, match=f"SKYSIEVE_{name.upper()}"):
        load_settings(ApiSettings)


def test_everything_is_described(document: dict[str, Any]) -> None:
    silent = [
        f"{name}: {parameter['name']}"
        for name, operation in operations(document)
        for parameter in operation.get("parameters", [])
        if "description" not in parameter
    ]
    silent += [name for name, operation in operations(document) if not operation.get("description")]
    silent += [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, content in schema["properties"].items()
        if "description" not in content
    ]
    assert silent == []


def test_every_field_with_a_value_has_an_example(document: dict[str, Any]) -> None:
    schema = document["components"]["schemas"]["Conjunction"]["properties"]
    assert [name for name, content in schema.items() if "examples" not in content] == []


def test_the_schemes_of_security_are_documented(document: dict[str, Any]) -> None:
    schemes = document["components"]["securitySchemes"]
    assert schemes["bearer"]["scheme"] == "bearer"
    assert schemes["apiKey"]["name"] == "X-API-Key"
    needs = {name: operation.get("security") for name, operation in operations(document)}
    assert needs["get /conjunctions"] == [{"bearer": []}]
    assert needs["get /health"] is None


def test_the_documented_error_is_defined(document: dict[str, Any]) -> None:
    answer = document["paths"]["/conjunctions"]["get"]["responses"]["410"]
    reference = answer["content"]["application/problem+json"]["schema"]["$ref"]
    assert reference == "#/components/schemas/Problem"
    assert "detail" in document["components"]["schemas"]["Problem"]["properties"]
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_an_application_is_made_without_touching_the_store(store: Path, tmp_path: Path) -> None:
    create_app(ApiSettings(store=store))
    assert list(tmp_path.iterdir()) == []
