"""Every `skysieve` command that a document shows is one that the command line takes, with its values."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.exceptions import TyperException
from typer.main import get_command

from skysieve import command_line

REPOSITORY = Path(__file__).resolve().parents[1]
DOCUMENTS = [
    REPOSITORY / "README.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
    *sorted((REPOSITORY / "deploy").rglob("*.md")),
]
# What ends a command in a shell: the rest is not its own.
END = {"|", ">", ">>", "<", "&", "&&", "||", ";", "2>"}


class Shown(NamedTuple):
    """A command in a document."""

    document: str
    line: int
    words: list[str]  # after `skysieve`


def shown_in(document: Path) -> Iterator[Shown]:
    """Yield the commands in blocks of a shell and in indented lines."""
    in_shell, number = False, 0
    text = document.read_text(encoding="utf-8").replace("\\\n", "  ")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            in_shell = line.startswith(("```sh", "```bash"))
        command = re.match(r"(?:\$ )?(?:\.venv/bin/)?skysieve (.*)", line.removeprefix("    "))
        if command and (in_shell or line.startswith("    ")):
            words = shlex.split(command[1], comments=True)
            end = next((place for place, word in enumerate(words) if word in END), len(words))
            yield Shown(document.name, number, words[:end])


SHOWN = [shown for document in DOCUMENTS for shown in shown_in(document)]


def parse(words: list[str]) -> None:
    """Let the command line read words, up to where the command would run."""
    command: Any = get_command(command_line.app)
    context = command.make_context("skysieve", list(words), resilient_parsing=True)
    left = list(words)
    while hasattr(command, "commands") and left:
        name, command, left = command.resolve_command(context, left)
        if command is None:
            raise LookupError(f"No such command: {' '.join(words)}")
        if not hasattr(command, "commands"):
            command.make_context(name, left, parent=context)


@pytest.mark.parametrize(
    "shown", SHOWN, ids=lambda shown: f"{shown.document}:{' '.join(shown.words[:3])}-{shown.line}"
)
def test_the_command_line_takes_it(shown: Shown) -> None:
    parse(shown.words)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_commands_and_options_in_sentences_exist(document: Path) -> None:
    """There values are left out, or are words such as ID: a command or an option that is none is wrong."""
    for command in re.findall(r"`skysieve ([^`]+)`", document.read_text(encoding="utf-8")):
        try:
            parse(shlex.split(command))
        except TyperException as error:
            assert type(error).__name__ in ("MissingParameter", "BadParameter", "BadOptionUsage"), command


@pytest.mark.parametrize("wrong", ["screen gp.csv --hour 3", "screens gp.csv", "fleets make x"])
def test_what_does_not_exist_is_seen(wrong: str) -> None:
    with pytest.raises((TyperException, LookupError), match="No such"):
        parse(wrong.split())


def test_they_are_found() -> None:
    assert len(SHOWN) > 40


@pytest.mark.slow
def test_the_commands_about_fleets_run(store_with_run: Path, store: Path, tmp_path: Path) -> None:
    store = shutil.copytree(store_with_run, store)
    # In the text the fleet is removed before its events are listed.
    commands = sorted(
        (shown.words for shown in SHOWN if shown.document == "fleets.md"), key=lambda words: "remove" in words
    )
    assert len(commands) > 6
    for words in commands:
        run = subprocess.run(
            [sys.executable, "-m", "skysieve", *words],
            env=os.environ | {"SKYSIEVE_STORE": str(store)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, (words, run.stderr)
        if words[:2] == ["directory", "export"]:  # the shell puts it into the file that is imported next
            (tmp_path / "operators.csv").write_text(run.stdout)
