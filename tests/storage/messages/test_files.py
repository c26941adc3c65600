"""Messages are found in files, folders and archives; what is no message, or too much, is told."""

import gzip
import io
import struct
import zipfile
from pathlib import Path

import pytest

from screening.errors import InputError
from storage.machine.found_files import files_below
from storage.messages import files
from storage.messages.files import MessageFile, files_of, read_files
from storage.messages.incoming import take, take_files
from storage.messages.kept import received
from tests.storage.messages.received import RECEIVED, text


def archive(path: Path, *contents: bytes) -> Path:
    """Write an archive of files 0, 1, ..."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for number, content in enumerate(contents):
            packed.writestr(str(number), content)
    return path


def errors(found: list[MessageFile]) -> list[str]:
    return [file.error for file in found if file.error]


def test_folders_are_gone_through_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("b", "a/z", "a/y", ".git/x", "a/.swp"):
        path = tmp_path / "inbox" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    single = tmp_path / ".named"
    single.write_text("named")
    found = [path.read_text() for path in files_below([tmp_path / "inbox", single])]
    assert found == ["a/y", "a/z", "b", "named"]
    with pytest.raises(InputError, match="does not exist"):
        list(files_below([tmp_path / "inbox", tmp_path / "gone"]))


def test_the_files_of_an_archive_are_read_one_by_one(tmp_path: Path, store: Path) -> None:
    path = archive(
        tmp_path / "a.zip", text(message_id="1").encode(), gzip.compress(text(message_id="2").encode())
    )
    assert [file.name for file in read_files([path])] == [f"{path}: 0", f"{path}: 1"]
    done = take_files(store, read_files([path]), RECEIVED)
    assert (done.new, done.refused) == (2, [])


def test_what_cannot_be_unpacked_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", b"first" * 100, b"second" * 100)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        at = packed.getinfo("0").header_offset
    struct.pack_into("<H", content, at + 6, 1)  # encrypted, says the header of the file
    directory = content.index(b"PK\x01\x02")
    struct.pack_into("<H", content, directory + 8, 1)
    found = list(files_of(bytes(content), "a.zip"))
    assert [file.data for file in found] == [b"", b"second" * 100]
    assert "encrypted" in found[0].error


@pytest.mark.parametrize("cut", [0.3, 0.9])
def test_a_damaged_archive_is_told(tmp_path: Path, cut: float) -> None:
    content = archive(tmp_path / "a.zip", text().encode(), text().encode()).read_bytes()
    (told,) = errors(list(files_of(content[: int(len(content) * cut)], "a.zip")))
    assert "a.zip is a damaged zip archive" in told
    bent = bytearray(content)
    bent[200] ^= 0xFF
    assert "0 is damaged in its archive" in errors(list(files_of(bytes(bent), "a.zip")))[0]


def test_empty_archives_and_archives_in_archives_are_told(tmp_path: Path) -> None:
    inner = archive(tmp_path / "inner.zip", text().encode())
    outer = archive(tmp_path / "outer.zip", inner.read_bytes())
    nothing = archive(tmp_path / "nothing.zip")
    told = errors(list(read_files([outer, nothing])))
    assert "archive within an archive" in told[0]
    assert "without files" in told[1]


@pytest.mark.slow
def test_what_is_unpacked_is_counted_whatever_the_archive_says(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory of the archive says 10 bytes of what is 70 MB."""
    path = archive(tmp_path / "bomb.zip", text().encode(), bytes(70_000_000))
    content = bytearray(path.read_bytes())
    second = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    struct.pack_into("<I", content, second + 24, 10)
    assert len(content) < 200_000
    with pytest.raises(InputError, match="may have 64 MB"):
        take(store, path.read_bytes(), "bomb.zip", RECEIVED)
    assert len(received(store)) == 0
    # The size in the directory ends the reading, and the checksum does not fit.
    done = take(store, bytes(content), "bomb.zip", RECEIVED)
    assert done.new == 1
    assert "is damaged in its archive" in done.refused[0].text
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 1_000_000)
    many = archive(tmp_path / "many.zip", *[bytes(400_000)] * 3)
    with pytest.raises(InputError, match="unpacks to more than"):
        list(read_files([many]))


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 3)
    path = archive(tmp_path / "many.zip", b"0", b"1", b"2", b"3")
    with pytest.raises(InputError, match="holds 4 files"):
        list(read_files([path]))


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.cdm"
    with path.open("wb") as file:
        file.truncate(files.MAX_BYTES + 1)
    (told,) = errors(list(read_files([path])))
    assert "may have 64 MB" in told
    packed = io.BytesIO(gzip.compress(bytes(files.MAX_BYTES + 1))).getvalue()
    (found,) = files_of(packed, "large.gz")
    assert not found.error  # the reader measures what is in it


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (told,) = errors(list(read_files([tmp_path / "gone"])))
    assert "cannot be read: No such file" in told
