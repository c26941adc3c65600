"""Write the types of the page, api/web/src/generated.ts, from the OpenAPI document of the service.

Run from the repository: python docs/page_types.py. With --check, as in `make lint`, it writes nothing and
fails where the file differs. Needs Node.js and the libraries of `make page`. What a field means is in the
class of the answer, in api/models.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from api.app import create_app  # noqa: E402
from api.settings import ApiSettings  # noqa: E402

WEB = REPOSITORY / "api" / "web"
GENERATED = WEB / "src" / "generated.ts"
GENERATOR = WEB / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
_OPTIONS = ("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable", "false")
_FOR_PEOPLE = ("title", "description", "examples", "format")


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    with TemporaryDirectory() as folder:
        return create_app(ApiSettings(store=Path(folder) / "store")).openapi()


def generate(document: object, target: Path, *options: str) -> int:
    """Write the types of a document into a file; return the generator's exit code."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "openapi.json"
        source.write_text(json.dumps(document), encoding="utf-8")
        command = ("node", str(GENERATOR), str(source), "--output", str(target), *options)
        return subprocess.run(command, check=False).returncode  # noqa: S603 - the command is this one


def page_types(*options: str) -> int:
    """Write the types of the page, or compare with `--check`; return the generator's exit code.

    They have names and types alone: the file would else change with every comma of a description.
    """
    document = openapi()
    schemas = {name: _bare(schema) for name, schema in document["components"]["schemas"].items()}
    document |= {"paths": {}, "components": {"schemas": schemas}}
    return generate(document, GENERATED, *_OPTIONS, *options)


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
    if code := page_types(*sys.argv[1:]):
        sys.stderr.write(f"error: {GENERATED} differs; run: python docs/page_types.py\n")
        sys.exit(code)
