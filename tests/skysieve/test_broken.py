"""A folder that is no store, a newer release, damage, wrong questions: an error of ours that names what."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import skysieve
from storage.disk.current import read_current, write_current
from storage.disk.layout import SCHEMA_VERSION, STAGING
from tests.made_up_run import make_run, publish
from tests.skysieve.conftest import FIRST, SECOND

Make = Callable[[Path], Path]


def no_folder(folder: Path) -> Path:
    return folder / "missing"


def empty_folder(folder: Path) -> Path:
    return folder


def other_folder(folder: Path) -> Path:
    (folder / "notebook.ipynb").write_text("{}")
    return folder


def file(folder: Path) -> Path:
    (folder / "gp.csv").write_text("")
    return folder / "gp.csv"


def analyst_file(folder: Path) -> Path:
    publish(folder / "store", make_run())
    return folder / "store" / "skysieve.duckdb"


def too_long(folder: Path) -> Path:
    return folder / ("x" * 300)


def without_run(folder: Path) -> Path:
    (folder / "store" / "runs").mkdir(parents=True)
    return folder / "store"


def of_a_newer_release(folder: Path) -> Path:
    store = folder / "store"
    publish(store, make_run())
    newest = read_current(store)
    assert newest is not None
    (store / STAGING).mkdir(exist_ok=True)
    write_current(store, newest._replace(schema_version=SCHEMA_VERSION + 1))
    (store / STAGING).rmdir()
    return store


def damaged_current(folder: Path) -> Path:
    publish(folder / "store", make_run())
    (folder / "store" / "current.json").write_text("{")
    return folder / "store"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (no_folder, "There is no store in {path}:"),
        (empty_folder, "{path} is not a skysieve store: it has no current.json"),
        (other_folder, "{path} is not a skysieve store: it has no current.json"),
        (file, "{path} is a file: the store is the folder that holds it, {parent}."),
        (analyst_file, "{path} is a file: the store is the folder that holds it, {parent}."),
        (too_long, "{path} cannot be used: [Errno 36] File name too long"),
        (without_run, "The store {path} holds no run yet."),
        (
            of_a_newer_release,
            f"The store {{path}} has schema version {SCHEMA_VERSION + 1}, written by a newer release",
        ),
        (damaged_current, "{path}/current.json is damaged"),
    ],
)
def test_what_is_no_readable_store_is_refused_at_once(make: Make, says: str, tmp_path: Path) -> None:
    path = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(skysieve.StoreError) as refused:
        skysieve.open_store(path)
    assert says.format(path=path, parent=path.parent) in str(refused.value)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_a_store_that_a_newer_release_takes_over_meanwhile_is_refused(tmp_path: Path) -> None:
    publish(tmp_path / "store", make_run())
    store = skysieve.open_store(tmp_path / "store")
    shutil.rmtree(tmp_path / "store")
    of_a_newer_release(tmp_path)
    for read in (store.conjunctions, store.objects, store.runs, lambda: store.sql("FROM runs")):
        with pytest.raises(skysieve.StoreError, match="written by a newer release"):
            read()


def test_a_store_that_is_removed_meanwhile_is_reported(tmp_path: Path) -> None:
    publish(tmp_path / "store", make_run())
    store = skysieve.open_store(tmp_path / "store")
    shutil.rmtree(tmp_path / "store")
    for read in (store.conjunctions, store.runs, lambda: store.sql("FROM runs"), lambda: store.history(1)):
        with pytest.raises(skysieve.StoreError, match="holds no run yet"):
            read()


def test_a_damaged_file_gives_no_numbers(tmp_path: Path) -> None:
    publish(tmp_path / "store", make_run())
    store = skysieve.open_store(tmp_path / "store")
    path = tmp_path / "store" / "runs" / f"run_id={FIRST}" / "conjunctions.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    for read in (store.conjunctions, lambda: store.to_arrow("conjunctions"), lambda: store.history(1)):
        with pytest.raises(skysieve.StoreError, match=r"conjunctions\.parquet is damaged"):
            read()
    assert len(store.proximities()) == 4  # the rest can be read


@pytest.mark.parametrize("run", ["20200101T000000Z", "0", "", "../20261121T060000Z", "latest"])
def test_a_run_that_the_store_does_not_have_is_named_with_the_newest(store: skysieve.Store, run: str) -> None:
    for read in (store.conjunctions, store.proximities):
        with pytest.raises(skysieve.InputError, match=f"no run '{run}'; its newest is {SECOND}"):
            read(run)


@pytest.mark.parametrize(
    ("sql", "parameters", "kind", "says"),
    [
        ("SELEC 1", None, skysieve.InputError, "syntax error"),
        ("SELECT miss FROM conjunctions", None, skysieve.InputError, '"miss" not found'),
        ("SELECT 1; SELECT 2", None, skysieve.UsageError, "exactly one statement; this text has 2"),
        ("", None, skysieve.UsageError, "exactly one statement; this text has 0"),
        ("DELETE FROM runs", None, skysieve.UsageError, "only reads"),
        ("COPY runs TO 'runs.csv'", None, skysieve.UsageError, "only reads"),
        ("FROM read_text('/etc/passwd')", None, skysieve.InputError, "/etc/passwd"),
        ("SELECT ?", None, skysieve.InputError, "Values were not provided"),
        ("SELECT ?", [1, 2], skysieve.InputError, "excess parameters: 2"),
        ("SELECT ?", [object()], skysieve.InputError, "object"),
        ("SELECT $a", {"b": 1}, skysieve.InputError, "parameters: a"),
    ],
)
def test_wrong_sql_is_told_in_one_paragraph(
    store: skysieve.Store,
    sql: str,
    parameters: list[object] | dict[str, object] | None,
    kind: type[skysieve.SkysieveError],
    says: str,
) -> None:
    for read in (store.sql, store.sql_arrow):
        with pytest.raises(kind, match=says) as refused:
            read(sql, parameters)
        assert "\n\n" not in str(refused.value)


@pytest.mark.parametrize("event_id", ["abc", "17", 1.5, float("nan"), float("inf"), None])
def test_an_id_that_is_no_whole_number_is_named(store: skysieve.Store, event_id: object) -> None:
    with pytest.raises(skysieve.InputError, match=f"event_id is {event_id!r}; it must be a whole number"):
        store.history(event_id)  # type: ignore[arg-type]


def test_variables_of_python_are_no_tables(store: skysieve.Store) -> None:
    frame = store.runs()
    assert len(frame) == 2
    with pytest.raises(skysieve.InputError, match="frame does not exist"):
        store.sql("FROM frame")


def test_a_table_that_is_none_is_told_with_those_that_are(store: skysieve.Store) -> None:
    with pytest.raises(skysieve.InputError, match="no table 'events' to return whole; allowed are conjunc"):
        store.to_arrow("events")  # type: ignore[arg-type]
    with pytest.raises(skysieve.InputError, match="one table 'objects', not one for each run"):
        store.to_arrow("objects", FIRST)
