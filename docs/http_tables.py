"""Write the tables of fields in docs/http.md from the OpenAPI document of the service.

Run from the repository: python docs/http_tables.py (an `http.py` would hide the module of that name). What a
field means is in the class of the answer, in api/models and screening/risk/views.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from docs.page_types import openapi  # noqa: E402
from tests.benchmarks.documents import Rows, table, with_tables  # noqa: E402

DOCUMENT = REPOSITORY / "docs" / "http.md"
MARK = "generated"
SHOWN = (
    *("Geometry", "Trend", "WhatIfResult", "Overview", "StoredTrajectory", "Satellite", "Standing"),
    *("ChangesOfFleet", "MessagesTaken", "ListedFleet", "MadeAlert", "ListedDelivery", "DetectedManoeuvres"),
    *("ObjectErrors", "Verification", "ListedAcknowledgement", "EventPlans", "InboxFile", "FleetDecision"),
    *("CheckedFile", "TrajectoryScorecard", "ReEntries", "RemainingLives"),
    *("Environment", "EnvironmentSeries", "ObjectDensity", "Workload"),
    *("CatalogueChanges", "Fragmentations", "FragmentationWithPieces"),
    *("CredentialList", "AuditLog", "RunProgress", "Directory", "ListedIntent", "LinkList", "MadeLink"),
)
WORDS = {
    "number": "number",
    "integer": "integer",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
}

Schema = Mapping[str, Any]


def document() -> str:
    """Return docs/http.md with its tables as the answers are now."""
    schemas = openapi()["components"]["schemas"]
    tables = {name: _tables(schemas, name) for name in SHOWN}
    return with_tables(DOCUMENT.read_text(encoding="utf-8"), tables, MARK)


def _tables(schemas: Mapping[str, Schema], root: str) -> str:
    names = [root]
    for name in names:  # grows
        inside = dict.fromkeys(_inside(schemas[name]["properties"]))
        names += [other for other in inside if other not in names]
    return "\n".join(map(partial(_section, schemas), names))


def _section(schemas: Mapping[str, Schema], name: str) -> str:
    return f"`{name}`: {_line(schemas[name]['description'])}\n\n{table(_rows(schemas[name]))}"


def _rows(schema: Schema) -> Rows:
    yield "field", "type", "meaning"
    for name, field in schema["properties"].items():
        yield f"`{name}`", _type(field), _line(field["description"])


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _type(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "$ref" in schema:
        return f"`{_name(schema)}`"
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if "prefixItems" in schema:
        return f"{len(schema['prefixItems'])} × {_type(schema['prefixItems'][0])}"
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if schema.get("type") == "object":
        return (
            "object"
            if schema["additionalProperties"] is True
            else f"object of {_type(schema['additionalProperties'])}"
        )
    return "time" if schema.get("format") == "date-time" else WORDS.get(schema["type"], schema["type"])


def _inside(schema: object) -> Iterator[str]:
    """Return the names of the schemas that one refers to, in order."""
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            yield _name(schema)
        for one in schema.values():
            yield from _inside(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from _inside(one)


def _name(reference: Schema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
