"""What docs/http.md shows runs against a service, and its tables are those of the OpenAPI document."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.app import create_app
from api.models.responses import Problem
from api.settings import ApiSettings
from docs.http_tables import DOCUMENT, document
from tests.api.running import COMMAND, environment, running

ADDRESS = "http://127.0.0.1:7373"


def blocks(text: str, language: str) -> list[str]:
    found = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    assert found
    return found


@pytest.mark.processes
def test_the_commands_and_the_python_of_the_documentation_run(
    repository: Path, store_with_run: Path, store: Path, tmp_path: Path
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    shutil.copytree(store_with_run, store)  # the commands add to it
    text = (repository / "docs" / "http.md").read_text()
    program = tmp_path / "skysieve"
    program.write_text(f'#!/bin/sh\nexec "{COMMAND[0]}" {COMMAND[1]} "{COMMAND[2]}" "$@"\n')
    program.chmod(0o755)
    # All of them within a minute are more than a reader would ask.
    with running(store, SKYSIEVE_RATE_LIMIT_PER_MINUTE="1000") as service:
        python = "\n".join(blocks(text, "python")).replace(ADDRESS, service.url)
        (tmp_path / "example.py").write_text(python)
        # One script in the order of the page; curl fails it on any answer but success.
        shell = "\n".join(blocks(text, "sh")).replace(ADDRESS, service.url)
        script = f'set -euo pipefail\n{shell}\nexport TOKEN KEY\nexec "{sys.executable}" example.py\n'
        done = subprocess.run(
            ["bash", "-c", script],
            env=environment(PATH=f"{tmp_path}:/usr/bin:/bin", SKYSIEVE_STORE=str(store)),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert '"conjunctions":[{"id":' in done.stdout
    assert '"status":"ready"' in done.stdout


def test_the_documented_error_is_one(repository: Path) -> None:
    (error,) = blocks((repository / "docs" / "http.md").read_text(), "json")
    Problem.model_validate_json(json.dumps(json.loads(error)))


@pytest.mark.slow
def test_every_path_is_documented(repository: Path, client) -> None:  # type: ignore[no-untyped-def]
    text = (repository / "docs" / "http.md").read_text()
    paths = client.get("/openapi.json").json()["paths"]
    operations = [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
    assert [operation for operation in operations if operation not in text] == []


@pytest.mark.slow
def test_its_tables_of_fields_are_those_of_the_openapi_document() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run: python docs/http_tables.py"


@pytest.mark.slow
def test_every_status_is_documented() -> None:
    """What any request may get, whatever it asks: for operations that need a credential."""
    paths = create_app(ApiSettings(store=Path("nowhere"))).openapi()["paths"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            if operation.get("security"):
                documented = set(operation["responses"])
                assert documented >= {"401", "403", "422", "429", "503"}, f"{method} {path}"
            if "requestBody" in operation:
                assert documented >= {"413", "415"}, f"{method} {path}"
