"""`skysieve check`: every kind of file of a store, whole, damaged, and from the release without checksums."""

import json
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skysieve.command_line import app
from storage.disk.checksums import ASIDE
from storage.disk.layout import ANALYST_FILE
from storage.state.database import SERVICE_STATE
from tests.storage.flipping import FIRST, SECOND, flip, store_with_all_kinds

Check = Callable[[Path], Result]

KINDS = (
    f"runs/run_id={FIRST}/conjunctions.parquet",
    f"runs/run_id={FIRST}/proximities.parquet",
    f"runs/run_id={FIRST}/rejections.parquet",
    f"runs/run_id={FIRST}/screened.parquet",
    f"runs/run_id={FIRST}/run.parquet",
    f"runs/run_id={FIRST}/kept.parquet",
    "runs/run_id=0/conjunctions.parquet",
    f"elements/{FIRST}.parquet",
    "analyses/full-1-0123.parquet",
    f"ephemeris/{SECOND}/states.npy",
    f"ephemeris/{SECOND}/about.json",
    "current.json",
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with every kind of file."""
    return store_with_all_kinds(tmp_path_factory.mktemp("whole") / "store")


def check(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["check", "--store", str(store), *arguments])


def damaged(store: Path) -> list[str]:
    result = check(store, "--json")
    found = json.loads(result.stdout)["damaged"]
    assert result.exit_code == (1 if found else 0)
    return [str(Path(one["path"]).relative_to(store)) for one in found]


def test_of_a_whole_store_every_file_is_verified(whole: Path) -> None:
    result = check(whole, "--json")
    checked = {one.pop("kind"): one for one in json.loads(result.stdout)["checked"]}
    assert result.exit_code == 0
    assert {"conjunctions", "element sets", "ephemeris", ANALYST_FILE, SERVICE_STATE} < set(checked)
    assert all(one["verified"] == one["files"] > 0 for one in checked.values())
    files = [path for path in whole.rglob("*") if path.is_file() and not path.is_symlink()]
    locks = [path for path in files if path.name.endswith((".lock", "-wal", "-shm"))]
    assert sum(one["files"] for one in checked.values()) == len(files) - len(locks)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", KINDS)
def test_any_changed_bit_is_found(whole: Path, name: str) -> None:
    path = whole / name
    content = path.read_bytes()
    flip(path, random.Random(name))
    try:
        assert damaged(whole) == [name]
    finally:
        path.write_bytes(content)
    assert damaged(whole) == []


@pytest.mark.parametrize(
    ("pattern", "place", "bit"),
    [
        ("catalogues/*.gz", 0.5, 4),  # the header of gzip has bits that nothing looks at
        ("catalogues/*.json", 0.5, 1),
        (f"shown/{SECOND}.1.duckdb", 0.3, 4),  # DuckDB leaves parts of its file unused
        (SERVICE_STATE, 0.0, 4),
    ],
)
def test_a_changed_byte_that_is_used_is_found(whole: Path, pattern: str, place: float, bit: int) -> None:
    (path,) = whole.glob(pattern)
    content = path.read_bytes()
    changed = bytearray(content)
    changed[int(place * len(changed))] ^= 1 << bit
    path.write_bytes(changed)
    try:
        assert damaged(whole) == [str(path.relative_to(whole))]
    finally:
        path.write_bytes(content)


def test_a_person_reads_what_is_damaged_and_where(whole: Path) -> None:
    path = whole / KINDS[0]
    content = path.read_bytes()
    path.write_bytes(content[:-100])
    try:
        result = check(whole)
    finally:
        path.write_bytes(content)
    assert result.exit_code == 1
    assert f"{path} is damaged (" in result.stdout
    assert "1 of " in result.stderr
    assert "restore them from a backup" in result.stderr


def test_files_of_the_first_release_are_read_and_counted_as_not_verifiable(tmp_path: Path) -> None:
    packed = Path(__file__).parents[1] / "stores" / "skysieve-store-0.1.0.tar.xz"
    with tarfile.open(packed) as archive:
        # Python 3.11.2, of Debian 12, knows no argument `filter`, and takes this for an ordinary attribute.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    (current,) = tmp_path.rglob("current.json")
    store = current.parent
    result = check(store, "--json")
    checked = {one["kind"]: one for one in json.loads(result.stdout)["checked"]}
    assert result.exit_code == 0, result.stdout
    assert checked["conjunctions"]["cannot_be_verified"] == checked["conjunctions"]["files"] > 0
    assert checked[SERVICE_STATE]["cannot_be_verified"] == 1
    assert checked[ANALYST_FILE]["verified"] > 0  # DuckDB's own checksums
    (events, *_) = sorted(store.glob("runs/run_id=2*/conjunctions.parquet"))
    events.write_bytes(events.read_bytes()[:-100])
    assert damaged(store) == [str(events.relative_to(store))]


def test_what_was_set_aside_is_not_counted(whole: Path) -> None:
    aside = whole / f"runs/run_id={FIRST}/conjunctions.parquet{ASIDE}"
    aside.write_bytes(b"nothing")
    try:
        assert damaged(whole) == []
    finally:
        aside.unlink()


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    result = check(tmp_path / "none")
    assert result.exit_code == 1
    assert str(tmp_path / "none") in str(result.exception)
