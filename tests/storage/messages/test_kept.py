"""Messages stay until they are removed or expire; small batches are merged under whatever reader there is."""

import logging
import os
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from screening.errors import InputError
from storage.disk.layout import MESSAGES
from storage.messages.kept import message, received, remove_message
from storage.messages.merging import MOST_BATCHES
from storage.messages.refusals import NotKnown
from storage.reading.check import check, parts
from storage.reading.export import export
from storage.reading.newest_run import connect
from storage.reading.read_only_sql import query
from storage.writing.retention import Retention, compact
from tests.made_up_run import make_run, publish
from tests.storage.messages.received import RECEIVED, TCA, taken, text

DAYS_30 = Retention(timedelta(days=30), timedelta(days=30))


def batches(store: Path) -> list[Path]:
    """The files with rows."""
    return [path for path in (store / MESSAGES).iterdir() if pq.read_metadata(path).num_rows]


def on_day(day: float) -> datetime:
    """So many days after TCA."""
    return TCA + timedelta(days=day)


def in_sql(store: Path) -> list[tuple[object, ...]]:
    return list(query(store, "SELECT id FROM messages ORDER BY id")[1])


@pytest.mark.slow
def test_a_removed_message_is_gone_and_may_come_again(store: Path) -> None:
    publish(store, make_run())
    first, second = taken(store, text(message_id="1") + text(message_id="2")).ids
    assert remove_message(store, first[:8]) == first
    assert received(store)["id"].to_pylist() == [second]
    assert in_sql(store) == [(second,)]
    with pytest.raises(NotKnown):
        remove_message(store, first)
    assert taken(store, text(message_id="1")).ids == [first]


@pytest.mark.slow
def test_ids_that_begin_alike_are_not_mistaken_for_each_other(store: Path) -> None:
    ids = taken(store, *(text(message_id=str(number)) for number in range(1, 300))).ids
    short = next((one[:2] for one in ids), "")
    with pytest.raises(InputError):
        message(store, short)
    assert {message(store, one)["id"] for one in ids[:5]} == set(ids[:5])


@pytest.mark.slow
@pytest.mark.parametrize(("day", "left"), [(29.9, 2), (30.1, 1)])
def test_a_message_expires_after_its_tca(store: Path, day: float, left: int) -> None:
    publish(store, make_run(hours_later=0))
    taken(store, text())
    taken(store, text(message_id="late"), hours_later=24 * 20)
    assert compact(store, on_day(day), DAYS_30).message_files == 2 - left
    assert len(received(store)) == left
    assert len(in_sql(store)) == left
    publish(store, make_run(seed=2, hours_later=24))
    compact(store, on_day(day + 1), DAYS_30)
    assert len(batches(store)) == left


@pytest.mark.slow
def test_an_expired_message_may_come_again(store: Path) -> None:
    publish(store, make_run())
    ids = taken(store, text()).ids
    compact(store, on_day(31), DAYS_30)
    assert len(received(store)) == 0
    again = taken(store, text(), hours_later=24 * 32)
    assert again.ids == ids
    assert received(store)["id"].to_pylist() == ids


@pytest.mark.slow
def test_many_small_batches_become_one(store: Path) -> None:
    publish(store, make_run())
    ids = [taken(store, text(message_id=str(number))).ids[0] for number in range(MOST_BATCHES + 1)]
    before = received(store).to_pylist()
    with connect(store) as reader:
        reader.execute("SELECT count(*) FROM messages").fetchall()
        compact(store, on_day(0), DAYS_30)
        assert len(batches(store)) == MOST_BATCHES + 2
        assert received(store).to_pylist() == before
        assert reader.execute("SELECT count(*) FROM messages").fetchall() == [(len(ids),)]
        assert remove_message(store, ids[0]) == ids[0]
        assert reader.execute("SELECT count(*) FROM messages").fetchall() == [(len(ids) - 1,)]
    for path in (store / MESSAGES).glob("*merged*"):
        os.utime(path, (on_day(0).timestamp(),) * 2)
    compact(store, on_day(0.1), DAYS_30)
    assert len(batches(store)) == 1
    assert received(store).to_pylist() == [row for row in before if row["id"] != ids[0]]
    assert {row[0] for row in in_sql(store)} == set(ids[1:])
    assert taken(store, text(message_id="0")).known + taken(store, text(message_id="1")).known == 1


def flipped(path: Path, place: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(len(content) * place)] ^= 1
    path.write_bytes(content)


def test_a_damaged_batch_is_named_and_left_out(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    taken(store, text(message_id="1"))
    (damaged,) = batches(store)
    kept = taken(store, text(message_id="2")).ids
    flipped(damaged, 0.3)
    with caplog.at_level(logging.WARNING, "skysieve"):
        assert received(store)["id"].to_pylist() == kept
    assert damaged.name in caplog.text
    found = [check(part) for part in parts(store) if part.kind == "messages"]
    assert [one.part.path.name for one in found if one and one.damage] == [damaged.name]


@pytest.mark.slow
def test_a_damaged_batch_stops_no_run(store: Path) -> None:
    publish(store, make_run())
    taken(store, text(message_id="1"))
    (damaged,) = batches(store)
    flipped(damaged, 0.99)
    publish(store, make_run(hours_later=6))
    assert in_sql(store) == []
    assert damaged.with_name(f"{damaged.name}.damaged").exists()


def test_sql_reads_messages_and_nothing_else_of_the_disk(store: Path) -> None:
    publish(store, make_run())
    (each,) = taken(store, text(message_id="1", made=RECEIVED)).ids
    assert in_sql(store) == [(each,)]
    with pytest.raises(InputError):
        list(query(store, f"FROM read_text('{store}/current.json')")[1])


@pytest.mark.slow
@pytest.mark.parametrize("restricted", [False, True])
def test_an_export_has_restricted_messages_only_if_they_are_allowed(
    store: Path, tmp_path: Path, restricted: bool
) -> None:
    publish(store, make_run())
    (free,) = taken(store, text(message_id="1")).ids
    (bound,) = taken(store, text(message_id="2"), restricted=True).ids
    target = export(
        store, tmp_path / "all.duckdb", force=False, on_table=lambda _name: None, allow_restricted=restricted
    )
    with duckdb.connect(target, read_only=True) as connection:
        found = connection.execute("SELECT id, text FROM messages").fetchall()
    assert {one for one, _ in found} == ({free, bound} if restricted else {free})
    assert all("CCSDS_CDM_VERS" in words for _, words in found)
