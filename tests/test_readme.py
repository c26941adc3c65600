"""The README and the lists of settings and commands are true, and the README is short."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from api.settings import ApiSettings
from flows.settings import FlowSettings
from skysieve import command_line
from storage.settings import Settings


def _documented(readme: str) -> dict[str, str]:
    rows = re.findall(r"^\| `(SKYSIEVE_\w+)` \| (?:.*?) \| (.*?) \|$", readme, re.MULTILINE)
    return dict(rows)


def _settings(*kinds: type[Settings]) -> dict[str, str]:
    return {
        f"SKYSIEVE_{name.upper()}": field.description or ""
        for kind in kinds
        for name, field in kind.model_fields.items()
    }


def test_the_table_of_settings_lists_them_all_and_no_other(repository: Path) -> None:
    assert _documented((repository / "docs" / "settings.md").read_text()) == _settings(
        FlowSettings, ApiSettings
    )


def test_the_table_of_commands_lists_them_all_and_no_other(repository: Path) -> None:
    rows = re.findall(
        r"^\| `skysieve ([\w -]+?)(?: [A-Z-].*?)?` \|",
        (repository / "docs" / "commands.md").read_text(),
        re.MULTILINE,
    )
    commands = get_command(command_line.app).commands  # type: ignore[attr-defined]
    assert set(rows) == {name for name, command in commands.items() if not command.hidden}


def test_the_help_of_every_command_names_what_it_does(repository: Path) -> None:
    for name, command in get_command(command_line.app).commands.items():  # type: ignore[attr-defined]
        assert command.help, f"skysieve {name} --help says nothing"


def test_the_readme_is_read_in_five_minutes(repository: Path) -> None:
    assert len((repository / "README.md").read_text().split()) <= 1_000


@pytest.mark.processes
def test_the_sql_of_the_documents_runs(repository: Path, store_with_run: Path) -> None:
    texts = [(repository / name).read_text() for name in ("README.md", "docs/store.md")]
    blocks = [block for text in texts for block in re.findall(r"```sql\n(.*?)```", text, re.DOTALL)]
    assert len(blocks) == 6
    for sql in blocks:
        command = [sys.executable, "-m", "skysieve", "sql", "--store", str(store_with_run), "--", sql]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=repository)
        assert done.returncode == 0, done.stderr
