"""Fixtures for all tests, and the rings they are run in."""

import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path

import pytest
import typer.main
from _pytest.mark.expression import Expression
from hypothesis import HealthCheck, settings

from flows.sources.catalogues import read_file
from screening.kernel_files import keep_kernels_in
from storage.settings import StoreSettings, load_settings
from tests.reused_store import free_store
from tests.runs import make_run

# Tests, commands and workers share one compilation.
keep_kernels_in(load_settings(StoreSettings).kernel_cache)

# Putting the command line together takes 25 ms, and tests run a thousand commands.
typer.main.get_command = cache(typer.main.get_command)

# A job that a shell starts in the background (`nohup make test &`) ignores Ctrl-C, and so would every program
# that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long examples take is no property of the code: machines are shared.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

REPOSITORY = Path(__file__).resolve().parents[1]
PAGE = REPOSITORY / "tests" / "page"
# Where every test is of other rings than that of `make test`: the marks that its tests have.
WHOLE = {
    PAGE: ({"page"}, {"page", "slow"}),
    REPOSITORY / "tests" / "api" / "test_openapi_document.py": ({"processes"}, {"slow"}),
}


# What Python raises when it starts a program or copies itself.
STARTS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"})
_within_one_process: list[str] = []  # the id of the test that runs, unless it may start processes


def _refuse_processes(event: str, arguments: tuple[object, ...]) -> None:
    if event in STARTS and _within_one_process:
        started = arguments[1] if len(arguments) > 1 else event
        raise AssertionError(f"{_within_one_process[0]} starts {started}: mark it `processes`")


sys.addaudithook(_refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let only tests that say so start processes: `make test` is quick as none of its tests does."""
    other_rings = any(map(item.get_closest_marker, ("processes", "page", "slow")))
    _within_one_process[:] = [] if other_rings else [item.nodeid]
    try:
        return (yield)
    finally:
        _within_one_process.clear()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave unread what is of other rings as a whole: it takes each worker of `make test` 4 CPU-s."""
    rings = next((rings for path, rings in WHOLE.items() if collection_path == path), None)
    if rings is None or not config.option.markexpr:
        return None
    wanted = Expression.compile(config.option.markexpr)
    return None if any(wanted.evaluate(lambda name, **_: name in ring) for ring in rings) else True  # noqa: B023


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the page's tests, refuse tests that share an id, leave most sampled cases to `make test-all`.

    Of tests that share an id pytest-xdist runs one and counts it for all.
    """
    shared = [node_id for node_id, count in Counter(item.nodeid for item in items).items() if count > 1]
    if shared:
        raise pytest.UsageError(f"tests share a node id: {', '.join(shared)}")
    for item in items:
        if item.path.is_relative_to(PAGE):
            item.add_marker(pytest.mark.page)
    cases: Counter[str] = Counter()
    for item in items:
        sampled, test = item.get_closest_marker("sampled"), item.nodeid.partition("[")[0]
        if sampled is None or item.get_closest_marker("slow"):
            continue
        if cases[test] % sampled.args[0]:
            item.add_marker(pytest.mark.slow)
        cases[test] += 1


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the folder that holds pyproject.toml."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_file() -> Callable[[str], Path]:
    """Return a function from a name below ../shared/data to its path; it skips the test if that is missing.

    Real catalogues and published truth are too large for the repository, so they lie beside it.
    """

    def find(name: str) -> Path:
        path = REPOSITORY.parent / "shared" / "data" / name
        if not path.exists():
            pytest.skip(f"needs the data file {path}")
        return path

    return find


@pytest.fixture(scope="session")
def shared_data(shared_file: Callable[[str], Path]) -> Path:
    """Return the folder ../shared/data, or skip the test."""
    return shared_file("")


@pytest.fixture(scope="session")
def catalogue_lines(shared_file: Callable[[str], Path]) -> list[str]:
    """The header and 600 records of the real catalogue, one object in forty."""
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    return lines[:1] + lines[1::40][:600]


@pytest.fixture(scope="session")
def small_catalogue(catalogue_lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those records as a file."""
    path = tmp_path_factory.mktemp("catalogue") / "gp.csv"
    path.write_text("\n".join(catalogue_lines) + "\n")
    return path


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the path of a store that does not exist yet."""
    return free_store(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def module_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the path of a store that does not exist yet, for all tests of a module."""
    return free_store(tmp_path_factory.getbasetemp(), "module_")


@pytest.fixture(scope="session")
def store_with_run(small_catalogue: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run of the small catalogue over two hours."""
    store = tmp_path_factory.mktemp("store")
    make_run(read_file(small_catalogue), store, hours=2.0)
    return store
