"""Keys of feeds: made, listed, revoked, recognised; they end with what made them."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from screening.errors import UsageError
from storage.state.credentials import create_credential, list_credentials, revoke_credential
from storage.state.database import SERVICE_STATE
from storage.state.feeds import (
    MOST_OF_A_FLEET,
    NoSuchFeed,
    create_feed,
    feeds,
    has_ended,
    recognise_feed,
    revoke_feed,
)
from storage.state.fleets import NoSuchFleet, remove_fleet
from storage.state.tables import ServiceStateError
from tests.storage.fleets.planted import plant_fleet

NOW = datetime(2026, 11, 21, 7, 0, 0, 250_000, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store with four fleets, 1 to 4."""
    for name in ("one", "two", "three", "four"):
        plant_fleet(tmp_path, NOW, name)
    return tmp_path


def test_a_key_opens_its_fleet_s_feeds_and_no_other(store: Path) -> None:
    made = create_feed(store, 3, "desk", None, NOW)
    (listed,) = feeds(store, 3)
    assert recognise_feed(store, 3, made.key, NOW) == listed
    assert (listed.made_by, listed.created, listed.revoked) == ("desk", NOW.replace(microsecond=0), None)
    assert feeds(store, 4) == []
    with pytest.raises(NoSuchFeed):
        recognise_feed(store, 4, made.key, NOW)


def test_everything_wrong_is_told_with_the_same_words(store: Path) -> None:
    made = create_feed(store, 3, "desk", None, NOW)
    other = create_feed(store, 3, "desk", None, NOW)
    revoke_feed(store, other.id, NOW)
    changed = made.key[:-1] + ("A" if made.key[-1] != "A" else "B")
    wrong = [(3, changed), (3, made.key + "A"), (3, ""), (3, "\udc80"), (3, other.key), (99, made.key)]
    wrong.append((3, made.key.replace(f"_{made.id}_", "_77_")))
    told = set()
    for fleet_id, key in wrong:
        with pytest.raises(NoSuchFeed) as refused:
            recognise_feed(store, fleet_id, key, NOW)
        told.add(str(refused.value))
    assert told == {"There is no such feed."}


def test_a_key_has_256_random_bits_and_is_not_stored(store: Path) -> None:
    keys = [create_feed(store, 3, "desk", None, NOW).key for _ in range(20)]
    parts = [key.split("_", 3)[3] for key in keys]
    assert {len(part) for part in parts} == {43}  # 6 bits each: 258, of which two are padding
    assert len(set(parts)) == 20
    stored = b"".join(path.read_bytes() for path in store.glob(f"{SERVICE_STATE}*"))
    assert not [part for part in parts if part.encode() in stored]


def test_a_key_ends_with_the_credential_that_made_it(store: Path) -> None:
    token = create_credential(store, "bearer", "desk", NOW, days=1)
    made = create_feed(store, 3, "desk", token.id, NOW)
    recognise_feed(store, 3, made.key, NOW + timedelta(hours=23))
    with pytest.raises(NoSuchFeed):
        recognise_feed(store, 3, made.key, NOW + timedelta(days=1))
    (feed,) = feeds(store, 3)
    assert not has_ended(feed, list_credentials(store), NOW)
    revoke_credential(store, token.id, NOW)
    assert has_ended(feed, list_credentials(store), NOW)
    with pytest.raises(NoSuchFeed):
        recognise_feed(store, 3, made.key, NOW)


def test_a_revoked_key_stays_revoked_and_listed(store: Path) -> None:
    made = create_feed(store, 3, "desk", None, NOW)
    revoke_feed(store, made.id, NOW, fleet_id=3)
    revoke_feed(store, made.id, NOW + timedelta(days=1))
    (feed,) = feeds(store, 3)
    assert feed.revoked == NOW.replace(microsecond=0)


@pytest.mark.parametrize(("number", "fleet_id"), [(9, None), (1, 4)])
def test_only_a_feed_that_exists_is_revoked(store: Path, number: int, fleet_id: int | None) -> None:
    create_feed(store, 3, "desk", None, NOW)
    with pytest.raises(NoSuchFeed, match=f"no feed {number}"):
        revoke_feed(store, number, NOW, fleet_id=fleet_id)


def test_a_fleet_has_so_many_valid_keys_and_no_more(store: Path) -> None:
    for _ in range(MOST_OF_A_FLEET):
        made = create_feed(store, 3, "desk", None, NOW)
    with pytest.raises(UsageError, match="revoke one first"):
        create_feed(store, 3, "desk", None, NOW)
    create_feed(store, 4, "desk", None, NOW)
    revoke_feed(store, made.id, NOW)
    assert create_feed(store, 3, "desk", None, NOW).id > made.id


def test_keys_that_ended_with_their_credential_do_not_count(store: Path) -> None:
    """They kept the fleet at its limit for ever, although none of them opened anything."""
    token = create_credential(store, "bearer", "desk", NOW, days=1)
    later = NOW + timedelta(days=1)
    for _ in range(MOST_OF_A_FLEET):
        create_feed(store, 3, "desk", token.id, NOW)
    with pytest.raises(UsageError, match="revoke one first"):
        create_feed(store, 3, "desk", None, NOW)
    made = [create_feed(store, 3, "desk", None, later).id for _ in range(MOST_OF_A_FLEET)]
    assert [feed.id for feed in feeds(store, 3)][MOST_OF_A_FLEET:] == made
    revoke_feed(store, made[0], later)
    create_feed(store, 3, "desk", None, later)
    ended = [one for one in feeds(store, 3) if has_ended(one, list_credentials(store), later)]
    assert len(ended) == MOST_OF_A_FLEET, "of those that ended the newest are kept"
    assert ended[-1].id == made[0]


def test_a_changed_row_opens_nothing(store: Path) -> None:
    """A flipped bit in the number of the fleet would show another one's encounters."""
    made = create_feed(store, 3, "desk", None, NOW)
    with sqlite3.connect(store / SERVICE_STATE) as state:
        state.execute("UPDATE feeds SET fleet_id = 4")
    state.close()
    with pytest.raises(ServiceStateError, match="feeds"):
        recognise_feed(store, 4, made.key, NOW)


def test_only_a_fleet_that_exists_has_feeds_and_takes_them_with_it(store: Path) -> None:
    made = create_feed(store, 3, "desk", None, NOW)
    remove_fleet(store, 3, NOW)
    with pytest.raises(NoSuchFeed):
        recognise_feed(store, 3, made.key, NOW)
    assert feeds(store, 3) == []
    for number in (3, 99):
        with pytest.raises(NoSuchFleet, match=f"no fleet {number}"):
            create_feed(store, number, "desk", None, NOW)
