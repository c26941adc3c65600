"""The store's downloaded texts: whole or not there, found again after damage, and no more than needed."""

import gzip
import hashlib
import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from screening.errors import StoreError
from storage.disk import whole_files
from storage.disk.downloads import (
    CATALOGUES,
    KEPT_TEXTS,
    AcceptedText,
    SourceHistory,
    catalogues_locked,
    histories,
    history_path,
    keep,
    last_good,
    read_history,
    read_text,
    write_history,
)

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
URL = "https://celestrak.org/pub/on-orbit.csv"
OTHER_URL = "https://celestrak.org/NORAD/elements/gp.php?GROUP=stations&FORMAT=csv"


@pytest.fixture
def folder(store: Path) -> Path:
    with catalogues_locked(store, 1):
        pass
    return store / CATALOGUES


def accepted(text: bytes, **changes: object) -> AcceptedText:
    digest = hashlib.sha256(text).hexdigest()
    return replace(AcceptedText(digest, NOW, NOW, objects=7, parsed_share=0.99, etag='"e"'), **changes)


def kept(store: Path, text: bytes, url: str = URL) -> None:
    keep(store, read_history(store, url), accepted(text), text)


def test_a_text_comes_back_with_what_is_known_of_it(store: Path, folder: Path) -> None:
    history = SourceHistory(URL, requested_at=NOW, transferred_at=NOW, stopped_at=NOW, stopped_by="403")
    taken = accepted(b"content", last_modified="Sat, 21 Nov 2026 06:00:00 GMT")
    keep(store, history, taken, b"content")
    found = read_history(store, URL)
    assert found == replace(history, texts=(taken,))
    assert last_good(store, found) == (taken, b"content")


def test_a_text_lies_compressed_under_its_hash(store: Path, folder: Path) -> None:
    kept(store, b"content" * 1000)
    (path,) = folder.glob("*.gz")
    assert gzip.decompress(path.read_bytes()) == b"content" * 1000
    assert path.stem == hashlib.sha256(b"content" * 1000).hexdigest()
    assert path.stat().st_size < 1000


def test_an_unknown_source_has_an_empty_history(store: Path, folder: Path) -> None:
    assert read_history(store, URL) == SourceHistory(URL)
    assert last_good(store, SourceHistory(URL)) is None


def test_the_file_of_a_history_tells_which_source(store: Path) -> None:
    names = {history_path(store, url).name for url in (URL, OTHER_URL, OTHER_URL.replace("stations", "geo"))}
    assert len(names) == 3
    assert all("celestrak.org" in name and name.endswith(".json") for name in names)
    long = history_path(store, f"https://host/{'../' * 200}?{'x' * 5000}")
    assert long.parent == store / CATALOGUES
    assert len(long.name) < 120


def test_times_stand_in_the_file_as_people_read_them(store: Path, folder: Path) -> None:
    write_history(store, SourceHistory(URL, requested_at=NOW))
    assert json.loads(history_path(store, URL).read_text())["requested_at"] == "2026-11-21T06:00:00Z"


def test_the_last_texts_of_each_source_are_kept(store: Path, folder: Path) -> None:
    texts = [f"text {number}".encode() for number in range(KEPT_TEXTS + 2)]
    kept(store, b"of another", OTHER_URL)
    for text in texts:
        kept(store, text)
    history = read_history(store, URL)
    assert [read_text(store, one.sha256) for one in history.texts] == texts[: -KEPT_TEXTS - 1 : -1]
    assert read_text(store, accepted(texts[0]).sha256) is None
    assert last_good(store, read_history(store, OTHER_URL)) == (accepted(b"of another"), b"of another")
    assert len(list(folder.glob("*.gz"))) == KEPT_TEXTS + 1


def test_a_text_that_two_sources_share_goes_with_the_last_of_them(store: Path, folder: Path) -> None:
    kept(store, b"shared")
    kept(store, b"shared", OTHER_URL)
    for number in range(KEPT_TEXTS):
        kept(store, f"text {number}".encode())
    assert read_text(store, accepted(b"shared").sha256) == b"shared"
    for number in range(KEPT_TEXTS):
        kept(store, f"text {number}".encode(), OTHER_URL)
    assert read_text(store, accepted(b"shared").sha256) is None


def test_the_same_text_again_takes_no_second_place(store: Path, folder: Path) -> None:
    for text in (b"one", b"two", b"one"):
        kept(store, text)
    assert [one.sha256 for one in read_history(store, URL).texts] == [
        accepted(b"one").sha256,
        accepted(b"two").sha256,
    ]


@pytest.mark.parametrize("damage", ["cut", "changed", "other text", "gone"])
def test_behind_a_damaged_text_stands_the_one_before(store: Path, folder: Path, damage: str) -> None:
    kept(store, b"before")
    kept(store, b"newest" * 100)
    path = folder / f"{accepted(b'newest' * 100).sha256}.gz"
    whole = path.read_bytes()
    match damage:
        case "cut":
            path.write_bytes(whole[:-9])
        case "changed":
            path.write_bytes(whole[:12] + b"\0\0" + whole[14:])
        case "other text":
            path.write_bytes(gzip.compress(b"other"))
        case "gone":
            path.unlink()
    assert last_good(store, read_history(store, URL)) == (accepted(b"before"), b"before")
    kept(store, b"newest" * 100)
    assert read_text(store, path.stem) == b"newest" * 100


def test_a_writer_killed_at_any_step_leaves_a_whole_history(
    store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write can be the last one: the former text stays the good one until the new one is there."""
    kept(store, b"before")
    steps = _count_steps(store, monkeypatch, text=b"rehearsal")
    assert steps == 4  # text and history: written, renamed
    for step in range(steps):
        before = last_good(store, read_history(store, URL))
        text = f"after {step}".encode()
        with monkeypatch.context() as patch, pytest.raises(_Killed):
            _kill_at(step, patch)
            kept(store, text)
        now = last_good(store, read_history(store, URL))
        assert now in (before, (accepted(text), text))
    kept(store, b"in the end")
    assert last_good(store, read_history(store, URL)) == (accepted(b"in the end"), b"in the end")
    assert not list(folder.glob("*.new"))
    assert len(list(folder.glob("*.gz"))) <= KEPT_TEXTS


class _Killed(BaseException):
    pass


def _kill_at(step: int, patch: pytest.MonkeyPatch) -> list[str]:
    """Make the step-th flush or rename the last thing that happens; -1: only count."""
    done: list[str] = []
    fsync, replace_path = os.fsync, Path.replace

    def count(name: str) -> None:
        if len(done) == step:
            raise _Killed
        done.append(name)

    def counted_fsync(descriptor: int) -> None:
        count("flush")
        fsync(descriptor)

    def counted_replace(path: Path, target: Path) -> Path:
        count("rename")
        return replace_path(path, target)

    patch.setattr(os, "fsync", counted_fsync)
    patch.setattr(whole_files, "sync_folder", lambda folder: None)
    patch.setattr(Path, "replace", counted_replace)
    return done


def _count_steps(store: Path, monkeypatch: pytest.MonkeyPatch, text: bytes) -> int:
    with monkeypatch.context() as patch:
        done = _kill_at(-1, patch)
        kept(store, text)
    return len(done)


@pytest.mark.parametrize("content", [b"", b"{", b'{"url": 5}', b'{"url": "u", "requested_at": "yesterday"}'])
def test_a_damaged_history_is_a_clear_error(store: Path, folder: Path, content: bytes) -> None:
    path = history_path(store, URL)
    path.write_bytes(content)
    for read in (lambda: read_history(store, URL), lambda: histories(store)):
        with pytest.raises(StoreError, match="rename it") as damaged:
            read()
        assert str(path) in str(damaged.value)


def test_one_at_a_time_downloads(store: Path) -> None:
    with catalogues_locked(store, 1), pytest.raises(StoreError) as refused, catalogues_locked(store, 0.001):
        pass
    assert str(store) in str(refused.value)


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with pytest.raises(StoreError) as refused, catalogues_locked(in_the_way / "store", 1):
        pass
    assert str(in_the_way / "store") in str(refused.value)


def test_the_newest_request_survives_without_any_text(store: Path, folder: Path) -> None:
    write_history(store, SourceHistory(URL, requested_at=NOW + timedelta(hours=1)))
    assert read_history(store, URL).requested_at == NOW + timedelta(hours=1)
    assert histories(store) == [read_history(store, URL)]
