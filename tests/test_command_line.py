"""The command line as a whole: quick help, exit codes, and errors that read as messages."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from screening.errors import InputError, StoreError, UsageError
from skysieve import command_line

REPOSITORY = Path(__file__).resolve().parents[1]
SLOW_TO_IMPORT = (
    "numpy",
    "numba",
    "scipy",
    "duckdb",
    "pyarrow",
    "dask",
    "distributed",
    "matplotlib",
    "prefect",
    "sqlalchemy",
)
NOT_FOR_A_RUN = (
    "asyncio",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.spatial",
    "scipy.special",
    "dask",
    "distributed",
    "flows.alerts.outbox",
    "httpx",
    "matplotlib",
    "prefect",
    "pydantic_settings",
    "sqlalchemy",
)
COMMAND = (sys.executable, "-m", "skysieve")


def run_program(program: str, *arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, which must end with this code."""
    result = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,  # kernels may have to be compiled
    )
    assert result.returncode == code, result.stderr
    return result


def run_main(monkeypatch: pytest.MonkeyPatch, error: BaseException | None) -> int | str | None:
    """Run main() with a single command that prints a line and raises `error`; return the exit code."""
    commands = typer.Typer(pretty_exceptions_enable=False)

    @commands.command()
    def command() -> None:
        typer.echo("output")
        if error is not None:
            raise error

    monkeypatch.setattr(command_line, "app", commands)
    monkeypatch.setattr(sys, "argv", ["skysieve"])
    with pytest.raises(SystemExit) as stop:
        command_line.main()
    return stop.value.code


@pytest.mark.processes
def test_help_imports_nothing_slow() -> None:
    # Each of these costs 0.1 to 2 s; the help must come in under 0.5 s.
    program = f"import sys, skysieve.command_line; print([m for m in {SLOW_TO_IMPORT} if m in sys.modules])"
    assert run_program(program).stdout.strip() == "[]"


@pytest.mark.processes
def test_a_run_imports_only_what_it_uses(small_catalogue: Path, tmp_path: Path) -> None:
    # Each of these costs 0.05 to 0.5 s, of a run that takes 5 s in all.
    program = f"""
import sys
from skysieve import command_line
leave = command_line._leave
def left(code):
    print("imported", [m for m in {NOT_FOR_A_RUN} if m in sys.modules])
    leave(code)
command_line._leave = left
command_line.start()
"""
    for _ in range(2):  # the first run may have to compile kernels
        result = run_program(program, "screen", small_catalogue, "--hours", 1, "--store", tmp_path)
    assert result.stdout.splitlines()[-1] == "imported []"


@pytest.mark.processes
@pytest.mark.parametrize(
    "idle", ["api.app", "api.server.process", "flows.group.local_cluster", "flows.scheduled.deployment"]
)
def test_an_idle_process_does_without_the_compiler(idle: str) -> None:
    # numba and the kernels take memory that a service without a request, a worker without a task do not need.
    program = f"import sys, {idle}; print('numba' in sys.modules)"
    assert run_program(program).stdout.strip() == "False"


@pytest.mark.processes
def test_a_cluster_that_nobody_uses_is_not_even_imported() -> None:
    program = f"import sys, flows.group.local_dask; print([m for m in {SLOW_TO_IMPORT} if m in sys.modules])"
    assert run_program(program).stdout.strip() == "[]"


def test_version_names_the_program() -> None:
    result = CliRunner().invoke(command_line.app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout == f"skysieve {command_line.version()}\n"


def test_without_arguments_the_help_is_shown() -> None:
    result = CliRunner().invoke(command_line.app, [])
    assert "screen" in result.output
    assert "--version" in result.output


def commands_below(group: object, path: str) -> Iterator[tuple[str, object]]:
    for name, command in getattr(group, "commands", {}).items():
        yield f"{path} {name}", command
        yield from commands_below(command, f"{path} {name}")


def test_a_command_made_alone_is_as_among_all() -> None:
    def seen(group: object, name: str) -> dict[str, object]:
        return {
            path: (command.help, [parameter.opts for parameter in command.params])  # type: ignore[attr-defined]
            for path, command in commands_below(group, "")
            if path.split()[0] == name
        }

    every = typer.main.get_command(command_line.app)
    names = list(every.commands)  # type: ignore[attr-defined]
    assert {"screen", "re-entries", "fleets"} <= set(names)
    for name in names:
        alone = command_line._with_one_command([name])
        assert len(alone.registered_groups) == 1
        assert seen(typer.main.get_command(alone), name) == seen(every, name)
    for words in ([], ["unknown"], ["--version"]):
        assert command_line._with_one_command(words) is command_line.app


def test_every_command_and_option_explains_itself() -> None:
    commands = dict(commands_below(typer.main.get_command(command_line.app), "skysieve"))
    assert "skysieve screen" in commands
    silent = [path for path, command in commands.items() if not command.help]  # type: ignore[attr-defined]
    silent += [
        f"{path} {parameter.opts[0]}"
        for path, command in commands.items()
        for parameter in command.params  # type: ignore[attr-defined]
        if not parameter.help
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (None, 0),
        (InputError("the catalogue is empty"), 1),
        (StoreError("the store is locked"), 1),
        (UsageError("--hours is 0; allowed are 1 to 720"), 2),
    ],
)
def test_exit_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception | None, code: int
) -> None:
    assert (run_main(monkeypatch, error) or 0) == code
    captured = capsys.readouterr()
    assert captured.out == "output\n"
    assert captured.err == ("" if error is None else f"error: {error}\n")


def test_an_interruption_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(monkeypatch, KeyboardInterrupt()) == 128 + signal.SIGINT
    assert capsys.readouterr().err == "interrupted\n"


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        run_main(monkeypatch, ZeroDivisionError("a bug"))


def test_on_a_terminal_a_long_message_is_wrapped_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    path = "/a/path/that-is/longer/than-the/terminal-is/wide.csv"
    message = f"the catalogue {path} holds no element sets; the expected form is OMM or TLE"
    run_main(monkeypatch, InputError(message))
    lines = capsys.readouterr().err.splitlines()
    assert max(len(line) for line in lines if path not in line) <= 40
    assert " ".join(lines) == f"error: {message}"


@pytest.mark.processes
def test_wrong_usage_exits_with_2() -> None:
    result = subprocess.run(
        [*COMMAND, "no-such-command"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert "no-such-command" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.processes
def test_a_reader_that_leaves_early_causes_no_noise() -> None:
    # `skysieve ... | head -0`: the output fits a buffer, so it fails only when that is flushed at the end.
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    try:
        result = subprocess.run(
            [*COMMAND, "--help"], cwd=REPOSITORY, stdout=writing_end, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing_end)
    assert result.stderr == b""
    assert result.returncode == 1


@pytest.mark.processes
@pytest.mark.parametrize(("given", "used"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_linear_algebra_of_a_run_has_one_thread_unless_told_otherwise(
    given: dict[str, str], used: str
) -> None:
    program = """
import os, sys
from skysieve import command_line
command_line._leave = print
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print("before numpy", os.environ.get("OPENBLAS_NUM_THREADS"))
sys.meta_path.insert(0, Watch())
command_line.start()
"""
    others = {name: text for name, text in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    result = subprocess.run(
        [sys.executable, "-c", program, "screen", "/nonexistent.csv"],
        cwd=REPOSITORY,
        env={**others, **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines()[0] == f"before numpy {used}"


AT_AN_IMPORT = """
import signal, sys
class Interruption:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interruption())
"""
IN_A_TASK = """
import os, signal, threading
from flows.cluster.threads import Threads
def interrupted(_task, _basis):
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()
results = Threads.results
Threads.results = lambda threads, _do, tasks, basis: results(threads, interrupted, tasks, basis)
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    "interruption",
    [
        *(
            pytest.param(AT_AN_IMPORT.format(module=name), id=f"import of {name}")
            for name in ("numpy", "numba", "flows.runs.run", "duckdb")
        ),
        pytest.param(IN_A_TASK, id="in a task that never ends"),
    ],
)
def test_an_interrupted_run_leaves_at_once_and_publishes_nothing(
    small_catalogue: Path, tmp_path: Path, interruption: str
) -> None:
    program = f"{interruption}\nfrom skysieve.command_line import start\nstart()"
    result = run_program(
        program, "screen", small_catalogue, "--hours", 1, "--store", tmp_path, code=128 + signal.SIGINT
    )
    assert result.stderr.splitlines()[-1] == "interrupted"
    assert "Traceback" not in result.stderr
    assert not list(tmp_path.glob("runs/*"))
