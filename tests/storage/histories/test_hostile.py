"""Hostile files: what is good in them is taken, the rest counted and named; nothing is a traceback."""

import gzip
import io
import random
import tarfile
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.histories import archives, pieces
from storage.histories.incoming import Imported, import_histories
from tests.storage.histories.made_up import START, Set, history, seen_table, tle
from tests.storage.histories.test_incoming import SEEN, as_rows, rows

NOW = datetime(2026, 11, 26, tzinfo=UTC)
GOOD = history(40, 3)


@pytest.fixture
def take(store: Path, tmp_path: Path) -> Callable[[str, bytes], Imported]:
    """Give an import of one file."""

    def taken(name: str, data: bytes) -> Imported:
        path = tmp_path / name
        path.write_bytes(data)
        return import_histories(store, [path], NOW)

    return taken


Take = Callable[[str, bytes], Imported]


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def tarred(mode: str, **files: bytes) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


@pytest.mark.parametrize(
    "pack",
    [
        lambda text: text,
        gzip.compress,
        lambda text: gzip.compress(gzip.compress(text)),
        lambda text: zipped(one=text),
        lambda text: zipped(one=gzip.compress(text), two=gzip.compress(text)),
        lambda text: tarred("w", one=text),
        lambda text: tarred("w:gz", one=gzip.compress(text)),
        lambda text: tarred("w:gz", **{"one": text, "folder/._two": b"of a Macintosh"}),
    ],
    ids=range(8),
)
def test_files_and_archives_of_all_kinds(take: Take, store: Path, pack: Callable[[bytes], bytes]) -> None:
    imported = take("packed", pack(seen_table(GOOD).encode()))
    assert (imported.new, imported.unreadable) == (len(GOOD), [])
    assert rows(store, SEEN) == as_rows(GOOD)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (random.Random(1).randbytes(100_000), "neither OMM nor TLE"),
        (b"\x00" * 10_000, "neither OMM nor TLE"),
        (b"<!doctype html><html>Sorry</html>", "web page"),
        (b"seen,line1,line2\n", None),
        (b"\x1f\x8b" + b"\x00" * 100, "cannot be read"),
        (gzip.compress(seen_table(GOOD).encode())[:-200], "cannot be read"),
        (zipped(), "archive without files"),
        (tarred("w"), None),
        (zipped(one=b"x")[:40], "damaged zip archive"),
        (zipped(one=zipped(two=b"x")), "zip archive within an archive"),
        (tarred("w", one=seen_table(GOOD).encode())[:3000], None),
        (b"[" * 100_000, None),
        (b'{"NORAD_CAT_ID": ' * 10_000, None),
    ],
    ids=range(14),
)
def test_what_cannot_be_read_is_said(take: Take, store: Path, data: bytes, why: str | None) -> None:
    imported = take("hostile", data)
    assert why is None or why in " ".join(imported.unreadable)
    assert why is None or imported.unreadable_files >= 1
    assert take("good.csv", seen_table(GOOD).encode()).new + imported.new == len(GOOD)
    assert rows(store, SEEN) == as_rows(GOOD)


def test_a_bomb_is_left_before_it_fills_anything(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_SURELY_FINE_BYTES", 1 << 20)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1 << 18)
    for data in (zipped(one=b"\n" * 30_000_000), gzip.compress(b"1 " * 20_000_000)):
        imported = take("bomb", data)
        assert imported.new == 0
        assert "unpacks to more than 100 times its size" in imported.unreadable[0]


def test_a_text_without_ends_of_records_is_left(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MOST_BYTES_AT_ONCE", 1 << 20)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1 << 18)
    imported = take("endless", b"x" * (3 << 20))
    assert "contains a record longer than" in imported.unreadable[0]


def test_an_unreadable_path_is_counted(store: Path, tmp_path: Path) -> None:
    good = tmp_path / "good.csv"
    good.write_text(seen_table(GOOD))
    gone = tmp_path / "gone.csv"
    imported = import_histories(store, [gone, good, tmp_path], NOW)
    assert (imported.new, imported.unreadable_files) == (len(GOOD), 2)
    assert "No such file" in imported.unreadable[0]
    assert "Is a directory" in imported.unreadable[1]


def skipped(imported: Imported) -> dict[str, int]:
    return {one.reason: one.sets for one in imported.skipped}


def test_bad_records_among_good_ones(take: Take, store: Path) -> None:
    lines = seen_table(GOOD).splitlines()
    damaged = lines[5].replace(".00016717", ".00016718")
    no_time = lines[6].replace("2026-05-01T", "yesterday ")
    text = "\n".join([*lines, damaged, no_time, "2026-05-01T00:00:00+00:00,x,1", "", "garbage,,,,"]) + "\n"
    imported = take("sets.csv", text.encode())
    assert (imported.new, imported.known) == (len(GOOD), 0)
    assert skipped(imported) == {"bad checksum": 1, "unreadable record": 3}
    example = next(one.example for one in imported.skipped if one.reason == "bad checksum")
    assert f"line {len(lines) + 1}" in example
    assert rows(store, SEEN) == as_rows(GOOD)


def test_the_future_is_skipped(take: Take, store: Path) -> None:
    late = datetime.fromisoformat("2027-01-01")
    wrong = [
        Set(2001, late, late),  # known after the import
        Set(2002, START, START + timedelta(days=11)),
        Set(2003, START, late),
    ]
    published = Set(2004, START, START + timedelta(days=8))  # such are in real catalogues
    imported = take("sets.csv", seen_table([*GOOD, *wrong, published]).encode())
    assert skipped(imported) == {
        "known only in the future": 1,
        "epoch more than 10 days after it was known": 2,
    }
    assert rows(store, SEEN) == as_rows([*GOOD, published])


def test_of_two_objects_under_a_number_the_rarer_is_skipped(take: Take, store: Path) -> None:
    mine = [one._replace(norad_id=3000) for one in history(1, 6)]
    other = [
        one._replace(object_id="09001B", inclination_deg=98.0, seen=one.seen + timedelta(hours=1))
        for one in mine[1:3]
    ]
    corrected = [  # its designator was corrected
        *(one._replace(norad_id=3001, object_id="21001A") for one in history(1, 2)),
        *(one._replace(norad_id=3001, object_id="21001C") for one in history(1, 6)[2:]),
    ]
    swapped = [  # a number that was given to another object, once
        *(one._replace(norad_id=3002, object_id="21002A") for one in history(1, 2)),
        *(one._replace(norad_id=3002, object_id="21002C", inclination_deg=20.0) for one in history(1, 6)[2:]),
    ]
    imported = take("sets.csv", seen_table([*mine, *other, *corrected, *swapped]).encode())
    assert skipped(imported) == {"another object under the number": 2}
    assert rows(store, SEEN) == as_rows([*mine, *corrected, *swapped])


def test_sets_that_go_back_in_time_are_kept_and_counted(take: Take, store: Path) -> None:
    first, second, third = history(1, 3)
    swapped = [first, third._replace(seen=second.seen), second._replace(seen=third.seen)]
    imported = take("sets.csv", seen_table(swapped).encode())
    assert (imported.new, imported.backwards, imported.skipped) == (3, 1, [])


def test_a_cut_off_history_gives_what_is_whole(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 4096)
    text = tle(GOOD)
    imported = take("sets.tle", text[:-30].encode())
    assert 0 < imported.new < len(GOOD)
    assert "cut off" in imported.unreadable[0]
