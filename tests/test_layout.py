"""What holds for the repository as a whole and no single module could keep: names, borders, hygiene."""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGES = ("flows", "screening", "api", "storage", "skysieve")
MODULES = sorted(path for package in PACKAGES for path in (REPOSITORY / package).rglob("*.py"))
GENERATED = REPOSITORY / "docs" / "site"  # by `make docs`
TESTS = sorted((REPOSITORY / "tests").rglob("*.py"))
TOP_LEVEL_TEXTS = ("Makefile", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".ci/run")
TEXT_SUFFIXES = {".py", ".md", ".sh", ".toml", ".yaml", ".yml", ".html", ".css", ".js", ".ts", ".mjs", ".sql"}

# A file of this length holds more than one concept; the aim is 250.
longest_file_lines = 500
# A person who looks for a file reads that many names; `__init__.py` is in each folder and counts for none.
most_files_in_a_folder = 14
# What holds tests that belong to no room, and what they need.
NAMED_FILE = r"`((?:screening|storage|flows|api|skysieve|tests|deploy)/[\w/]+\.\w+)"
TESTS_OF_NO_ROOM = {
    *("tests", "tests/benchmarks", "tests/page", "tests/storage/stores"),
    *("tests/validation", "tests/validation/messages", "tests/validation/orbits", "tests/validation/risk"),
}


def relative(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted name of every absolute import, those inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def modules_done_without(tree: ast.Module) -> Iterator[str]:
    """Yield the modules that are imported where an ImportError is expected."""
    for node in ast.walk(tree):
        expected = [one.type for one in node.handlers] if isinstance(node, ast.Try) else []
        if any(isinstance(one, ast.Name) and one.id == "ImportError" for one in expected):
            yield from imported_modules(ast.Module(node.body, []))


def environment_uses(tree: ast.Module) -> Iterator[str]:
    """Yield what a module uses to read the process environment, directly or through typer."""
    names = {"environ", "environb", "getenv", "getenvb"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names:
            yield f"line {node.lineno}: {node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module == "os":
            yield from (f"line {node.lineno}: {alias.name}" for alias in node.names if alias.name in names)
        elif isinstance(node, ast.keyword) and node.arg == "envvar":
            yield f"line {node.value.lineno}: envvar"


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Yield the public functions, classes and methods without a docstring, and the module itself."""
    if tree.body and ast.get_docstring(tree) is None:
        yield "the module"
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    while scopes:
        for node in scopes.pop().body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if node.name.startswith("_"):
                    continue
                if ast.get_docstring(node) is None:
                    yield node.name
                if isinstance(node, ast.ClassDef):
                    scopes.append(node)


def project_table() -> dict[str, object]:
    table = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def declared(group: str | None = None) -> list[Requirement]:
    """Return the requirements of the project, or of one of its optional groups."""
    table = project_table()
    lines = table["dependencies"] if group is None else table["optional-dependencies"][group]  # type: ignore[index]
    return [Requirement(line) for line in lines]  # type: ignore[union-attr]


def constraints() -> dict[str, str]:
    """Return the versions of constraints.txt by canonical name."""
    lines = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def texts() -> Iterator[Path]:
    yield from (path for name in TOP_LEVEL_TEXTS if (path := REPOSITORY / name).exists())
    yield REPOSITORY / "hatch_build.py"
    for folder in (*PACKAGES, "tests", "deploy", "docs"):
        found = (p for p in sorted((REPOSITORY / folder).rglob("*")) if p.suffix in TEXT_SUFFIXES)
        found = (p for p in found if not p.is_relative_to(GENERATED))
        yield from (p for p in found if not {"node_modules", "dist"} & set(p.parts))


def test_the_walk_sees_the_modules() -> None:
    # Every test below passes on an empty list.
    assert {"screening/errors.py", "flows/commands/runs.py", "storage/commands/store.py"} <= set(
        map(relative, MODULES)
    )


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PACKAGES)
def test_no_other_distribution_owns_our_import_names(name: str) -> None:
    # The names are plain words: one dependency that installs, say, `storage` would overwrite files of ours.
    assert set(packages_distributions().get(name, ())) <= {"skysieve"}


@pytest.mark.slow
def test_documents_name_files_that_exist() -> None:
    named = {
        (relative(path), name)
        for path in texts()
        if path.suffix == ".md"
        for name in re.findall(NAMED_FILE, path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert [one for one in sorted(named) if not (REPOSITORY / one[1]).exists()] == []


@pytest.mark.slow
def test_kernels_are_compiled_as_one_module_says() -> None:
    # numba.njit would fix a kernel's folder when its module is imported, before the settings are read.
    users = [
        relative(p) for p in MODULES if any(m.split(".")[0] == "numba" for m in imported_modules(syntax(p)))
    ]
    assert users == ["screening/kernel_loading.py", "screening/kernels.py"]


@pytest.mark.slow
def test_only_settings_read_the_environment() -> None:
    uses = {
        relative(path): found
        for path in MODULES
        if path.name != "settings.py" and (found := list(environment_uses(syntax(path))))
    }
    assert uses == {}


@pytest.mark.parametrize(
    "line",
    ["import os; os.environ['A']", "from os import getenv", "import os as o; o.getenv('A')", "f(envvar='A')"],
)
def test_every_way_to_read_the_environment_is_seen(line: str) -> None:
    assert len(list(environment_uses(ast.parse(line)))) == 1


@pytest.mark.slow
def test_everything_public_is_documented() -> None:
    missing = {relative(path): found for path in MODULES if (found := list(undocumented(syntax(path))))}
    assert missing == {}


def test_files_are_short() -> None:
    lengths = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES + TESTS}
    assert {path: lines for path, lines in lengths.items() if lines > longest_file_lines} == {}


def test_folders_are_small() -> None:
    beside = Counter(relative(path.parent) for path in MODULES if path.name != "__init__.py")
    assert {folder: files for folder, files in beside.items() if files > most_files_in_a_folder} == {}


def test_every_room_says_in_a_sentence_what_is_in_it() -> None:
    rooms = {path.parent for path in MODULES} - {REPOSITORY / package for package in PACKAGES}
    openings = {relative(room): ast.get_docstring(syntax(room / "__init__.py")) or "" for room in rooms}
    assert len(openings) > 40
    assert {
        room for room, opening in openings.items() if not opening.partition("\n")[0].endswith(".")
    } == set()


def test_tests_lie_in_the_room_of_what_they_test() -> None:
    folders = {relative(path.parent) for path in TESTS} - TESTS_OF_NO_ROOM
    assert [folder for folder in sorted(folders) if not (REPOSITORY / folder[len("tests/") :]).is_dir()] == []


def test_no_text_postpones_work() -> None:
    notes = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X])\b")  # brackets, so that this line is not found
    found = [
        f"{relative(path)}:{number}"
        for path in texts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if notes.search(line)
    ]
    assert found == []


@pytest.mark.slow
def test_every_imported_library_is_declared() -> None:
    # What arrives only as a dependency of a dependency leaves with its next release.
    needed, optional = ({canonicalize_name(one.name) for one in declared(group)} for group in (None, "dev"))
    owners = {
        module: {canonicalize_name(owner) for owner in found}
        for module, found in packages_distributions().items()
    }
    known = {*sys.stdlib_module_names, *PACKAGES}
    undeclared = set()
    for path in MODULES:
        tree = syntax(path)
        done_without = set(modules_done_without(tree))
        for dotted in imported_modules(tree):
            module = dotted.split(".")[0]
            allowed = needed | optional if dotted in done_without else needed
            if module not in known and not allowed & owners.get(module, set()):
                undeclared.add(f"{relative(path)}: {module}")
    assert undeclared == set()


def test_constraints_are_names_with_exact_versions() -> None:
    lines = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").splitlines()
    plain = re.compile(r"#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+")
    assert [line for line in lines if not plain.fullmatch(line)] == []


def test_constraints_hold_every_declared_dependency_in_its_range() -> None:
    versions = constraints()
    outside = [
        str(requirement)
        for requirement in declared() + declared("dev")
        if (name := canonicalize_name(requirement.name)) not in versions
        or versions[name] not in requirement.specifier
    ]
    assert outside == []


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_constraints_hold_what_any_python_needs(python: str) -> None:
    """Prefect needs `whenever` under 3.13 alone, which then came in whatever version was the newest."""
    there = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    versions = constraints()
    required = [
        Requirement(line)
        for one in distributions()
        if canonicalize_name(one.metadata["Name"]) in versions
        for line in one.requires or ()
    ]
    assert len(required) > 100
    unpinned = {
        one.name
        for one in required
        if (one.marker is None or one.marker.evaluate(there)) and canonicalize_name(one.name) not in versions
    }
    assert unpinned - {"pip", "setuptools"} == set()


def test_the_page_is_built_from_libraries_of_any_registry() -> None:
    # npm writes the address of each package into its lock file unless it is told not to.
    lock = (REPOSITORY / "api" / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in lock
    assert "://" not in re.sub(r'"funding": \{[^}]*\}|"url": "[^"]*"', "", lock)
    assert '"resolved"' not in lock
