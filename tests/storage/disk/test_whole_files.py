"""A file is there whole or as it was, whatever happens while it is written."""

import errno
import os
from pathlib import Path

import pytest

from storage.disk.whole_files import put_in_place, staged_beside, synced, write_text


def test_a_text_is_written_and_replaced(tmp_path: Path) -> None:
    path, staged = tmp_path / "current.json", tmp_path / "staged"
    path.write_text("a longer text than the new one")
    write_text(staged, "é\n")
    put_in_place(staged, path)
    assert path.read_bytes() == "é\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_the_content_is_on_the_disk_before_the_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, order = tmp_path / "file", []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor: int) -> None:
        order.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        fsync(descriptor)

    def noted_replace(staged: Path, target: Path) -> Path:
        order.append("replace")
        return replace(staged, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    with staged_beside(path) as staged, synced(staged) as stream:
        stream.write(b"new")
    assert order == [".file.new", "replace"]
    order.clear()
    put_in_place(path, tmp_path / "other")
    assert order == ["replace", tmp_path.name]


@pytest.mark.parametrize("before", [None, b"before"])
@pytest.mark.parametrize("failing", ["write", "fsync"])
def test_what_fails_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None, failing: str
) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"), staged_beside(path) as staged, synced(staged) as stream:
        stream.write(b"half of it")
        if failing == "write":
            full(0)
    assert [one.read_bytes() for one in tmp_path.iterdir()] == ([] if before is None else [before])


def test_what_another_program_writes_is_put_in_place_too(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    with staged_beside(path) as staged:
        staged.write_bytes(b"id\n")
        assert not path.exists()
    assert path.read_bytes() == b"id\n"
    assert list(tmp_path.iterdir()) == [path]
