"""Links that open an event without a credential: their keys, and when they end."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from screening.errors import UsageError
from storage.state.credentials import create_credential, revoke_credential
from storage.state.database import SERVICE_STATE
from storage.state.operators.links import (
    LinkEnded,
    NoSuchLink,
    create_link,
    expiry,
    link_ended,
    links,
    recognise_link,
    revoke_link,
)

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
WEEK = timedelta(days=7)


def test_only_the_right_key_of_the_right_event_opens(store: Path) -> None:
    made = create_link(store, 7, NOW + WEEK, "desk", NOW, organisation_id=1)
    assert recognise_link(store, 7, made.key, NOW).id == made.id
    other = create_link(store, 8, NOW + WEEK, "desk", NOW, organisation_id=1)
    for event_id, key in (
        (8, made.key),
        (7, other.key),
        (7, ""),
        (7, made.key[:-1] + ("a" if made.key[-1] != "a" else "b")),
        (7, f"skysieve_link_{made.id}_{'x' * 43}"),
        (7, f"skysieve_link_99_{'x' * 43}"),
        (7, made.key.replace("link", "feed")),
    ):
        with pytest.raises(NoSuchLink) as refused:
            recognise_link(store, event_id, key, NOW)
        assert not isinstance(refused.value, LinkEnded), key
    assert made.key.encode() not in (store / SERVICE_STATE).read_bytes()


def test_it_ends_in_time_when_revoked_and_with_its_credential(store: Path) -> None:
    maker = create_credential(store, "bearer", "desk", NOW)
    first, second, third = (
        create_link(store, 7, NOW + WEEK, "desk", NOW, organisation_id=1, credential_id=number)
        for number in (None, None, maker.id)
    )
    recognise_link(store, 7, first.key, NOW + WEEK - timedelta(seconds=1))
    with pytest.raises(NoSuchLink):
        revoke_link(store, 7, second.id, 2, NOW)  # another organisation's
    with pytest.raises(NoSuchLink):
        revoke_link(store, 10**30, second.id, 1, NOW)
    revoke_link(store, 7, second.id, 1, NOW)
    recognise_link(store, 7, third.key, NOW)
    revoke_credential(store, maker.id, NOW)
    for key, at in ((first.key, NOW + WEEK), (second.key, NOW), (third.key, NOW)):
        with pytest.raises(LinkEnded):
            recognise_link(store, 7, key, at)
    assert [link_ended(store, one, NOW) for one in links(store, 1, 7)] == [False, True, True]
    assert links(store, 2, 7) == links(store, 1, 8) == links(store, 1, 10**30) == links(store, 2) == []


def test_when_it_ends() -> None:
    tca = NOW + timedelta(days=2)
    assert expiry(tca, None, NOW) == tca + WEEK
    assert expiry(NOW - timedelta(days=400), None, NOW) == NOW + WEEK  # of a historic run
    assert expiry(NOW + timedelta(days=29), None, NOW) == NOW + timedelta(days=30)
    assert expiry(tca, NOW + timedelta(hours=1), NOW) == NOW + timedelta(hours=1)
    for wrong in (NOW, NOW - WEEK, NOW + timedelta(days=30, seconds=1)):
        with pytest.raises(UsageError):
            expiry(tca, wrong, NOW)
