"""docs/operations.md tells the truth: its commands run, and what it quotes is what the program says."""

import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.live import uploads
from api.server.process import LIMITS
from flows.sources.catalogues import read_file
from storage.reading.newest_run import connect
from storage.state.credentials import create_credential, list_credentials
from tests.api.running import environment
from tests.runs import make_run

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "operations.md").read_text()


def run(script: str, folder: Path, store: Path) -> str:
    """Run a block of the page; any command of it that fails, fails."""
    program = folder / "skysieve"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m skysieve "$@"\n')
    program.chmod(0o755)
    paths = f"{folder}:{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=environment(
            PATH=paths,
            PYTHONPATH=str(Path(__file__).resolve().parents[1]),
            SKYSIEVE_STORE=str(store),
            BACKUP=str(folder / "backup"),
        ),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(store: Path, view: str) -> list[tuple[object, ...]]:
    with connect(store) as connection:
        return connection.execute(f"SELECT * FROM {view} ORDER BY ALL").fetchall()


@pytest.mark.processes
def test_a_backup_is_restored_elsewhere_and_goes_on(
    page: str, store_with_run: Path, small_catalogue: Path, store: Path, tmp_path: Path
) -> None:
    store, restored = store, tmp_path / "elsewhere" / "store"
    shutil.copytree(store_with_run, store)
    create_credential(store, "bearer", "operations desk", NOW)
    backup, restore = re.findall(r"^```sh\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    run(backup, tmp_path, store)
    create_credential(store, "api-key", "since the first backup", NOW)
    run(backup, tmp_path, store)  # as it is done every day
    assert sorted(path.name for path in (tmp_path / "backup").iterdir()) == ["service.sqlite", "store.tar"]
    views = ("conjunctions", "conjunction_history", "element_history", "events", "runs", "objects")
    before = {view: rows(store, view) for view in views}
    credentials = list_credentials(store)
    shutil.rmtree(store)
    said = run(restore, tmp_path, restored)
    assert before["runs"][0][0] in said
    assert {view: rows(restored, view) for view in views} == before
    assert list_credentials(restored) == credentials
    make_run(read_file(small_catalogue), restored, hours=1.0)
    assert len(rows(restored, "runs")) == len(before["runs"]) + 1


@pytest.mark.processes
@pytest.mark.parametrize("broken", ["tar", "python3", "sync"])
def test_a_backup_that_fails_leaves_the_former_one(
    page: str, store: Path, tmp_path: Path, broken: str
) -> None:
    store, kept = store, tmp_path / "backup"
    store.mkdir()
    create_credential(store, "bearer", "operations desk", NOW)
    backup = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)[0]
    run(backup, tmp_path, store)
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    (store / "later.parquet").write_text("a run since the first backup")
    create_credential(store, "bearer", "since the first backup", NOW)
    program = tmp_path / broken
    program.write_text("#!/bin/sh\necho disk full >&2\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(AssertionError, match="disk full"):
        run(f"set +e\n{backup}", tmp_path, store)  # as lines typed in a shell, which goes on after an error
    assert {name: (kept / name).read_bytes() for name in before} == before
    program.unlink()
    run(backup, tmp_path, store)
    after = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert after.keys() == before.keys()
    assert [name for name in before if after[name] == before[name]] == []


def test_what_is_quoted_is_said(page: str, repository: Path) -> None:
    quoted = re.findall(
        r'"([^"]+)"', page.partition("## When something fails")[2].partition("## Security")[0]
    )
    assert len(quoted) > 7
    folders = ("flows", "storage", "screening")
    sources = [path.read_text() for name in folders for path in (repository / name).rglob("*.py")]
    said = re.sub(r'"\s*\n\s*f?"', "", "\n".join(sources))  # texts that go on in the next line
    assert [text for text in quoted if text not in said] == []


def test_what_is_linked_is_there(page: str, repository: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page):
        assert (repository / "docs" / target).exists(), target


def test_the_settings_it_names_exist(page: str, repository: Path) -> None:
    known = set(
        re.findall(r"^\| `(SKYSIEVE_\w+)`", (repository / "docs" / "settings.md").read_text(), re.MULTILINE)
    )
    assert set(re.findall(r"SKYSIEVE_[A-Z_]+[A-Z]", page)) <= known


def test_the_limits_on_uploads_and_connections_are_true(page: str) -> None:
    limits = page.partition("## Limits of the HTTP service")[2].partition("## Limits of what is read")[0]
    told = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", limits, re.MULTILINE))
    assert told["files that a credential uploads in a day (UTC)"] == f"{uploads.MB_PER_DAY:,} MB"
    assert f"and {uploads.MOST_FILES:,} files" in told["messages in the store; trajectories in the store"]
    assert told["connections"] == f"{LIMITS.connections:,}"
    assert told["connections per address"] == f"{LIMITS.per_network:,}"
    assert told["all responses waiting for clients, together"] == f"{LIMITS.unsent_bytes / 1e6:g} MB"
