"""Write the types of the page, api/web/src/generated.ts, from the OpenAPI document of the service.

After them come the numbers of an event that the page shows, as they are declared.

Run from the repository: python docs/page_types.py. With --check, as in `make lint`, it writes nothing and
fails where the file differs. Needs Node.js and the libraries of `make page`. What a field means is in the
class of the answer, in api/models.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from api.app import create_app  # noqa: E402
from api.models.shown_numbers import shown_numbers  # noqa: E402
from api.settings import ApiSettings  # noqa: E402
from screening.fields import Part  # noqa: E402

WEB = REPOSITORY / "api" / "web"
GENERATED = WEB / "src" / "generated.ts"
GENERATOR = WEB / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
_OPTIONS = ("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable", "false")
_FOR_PEOPLE = ("title", "description", "examples", "format")


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    with TemporaryDirectory() as folder:
        return create_app(ApiSettings(store=Path(folder) / "store")).openapi()


def generate(document: object, target: Path, *options: str) -> None:
    """Write the types of a document into a file.

    Raises CalledProcessError if the generator fails.
    """
    with TemporaryDirectory() as folder:
        source = Path(folder) / "openapi.json"
        source.write_text(json.dumps(document), encoding="utf-8")
        command = ("node", str(GENERATOR), str(source), "--output", str(target), *options)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - the command is this one


def page_types() -> str:
    """Return the types of the page and the numbers that it shows.

    The types have names and types alone: the file would else change with every comma of a description.
    """
    document = openapi()
    schemas = {name: _bare(schema) for name, schema in document["components"]["schemas"].items()}
    document |= {"paths": {}, "components": {"schemas": schemas}}
    with TemporaryDirectory() as folder:
        types = Path(folder) / "types.ts"
        generate(document, types, *_OPTIONS)
        return types.read_text(encoding="utf-8") + _numbers()


def _numbers() -> str:
    """Return the numbers of an event, by part of its table, as a constant; a missing note or term is null."""
    lines = []
    for part in get_args(Part):
        lines.append(f"    {part}: [")
        for field, shown in shown_numbers(part):
            told = {name: getattr(shown, name) or None for name in ("label", "format", "note", "term")}
            entry = {"field": field, **told, "unit": shown.unit}
            lines.append(f"        {json.dumps(entry, ensure_ascii=False)},")
        lines.append("    ],")
    return "\n".join(["export const NUMBERS = {", *lines, "} as const;", ""])


def _bare(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_bare(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    bare = {name: _bare(value) for name, value in schema.items() if name not in _FOR_PEOPLE}
    if "properties" in schema:  # whose names may be such words
        bare["properties"] = {name: _bare(value) for name, value in schema["properties"].items()}
    return bare


if __name__ == "__main__":
    wanted = page_types()
    if sys.argv[1:] != ["--check"]:
        GENERATED.write_text(wanted, encoding="utf-8")
    elif GENERATED.read_text(encoding="utf-8") != wanted:
        sys.exit(f"error: {GENERATED} differs; run: python docs/page_types.py")
