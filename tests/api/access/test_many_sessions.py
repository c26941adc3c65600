"""Sessions of one token are few, the newest; and to find one costs nothing, however many there are."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api.live.known_credentials import KnownCredentials
from storage.state import sessions
from storage.state.credentials import RefusedCredential, create_credential, list_credentials
from storage.state.database import query_state, service_state
from storage.state.records import Credential
from storage.state.sessions import MOST_OF_A_CREDENTIAL, create_session, end_session

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)


@pytest.fixture
def token(store: Path) -> Credential:
    create_credential(store, "bearer", "desk", NOW)
    create_credential(store, "bearer", "night", NOW)
    return list_credentials(store)[0]


@pytest.fixture
def rows_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Give how many rows each question about sessions had as its answer."""
    counts: list[int] = []

    def counted(*question: Any) -> list[Any]:
        rows = query_state(*question)
        counts.append(len(rows))
        return rows

    monkeypatch.setattr(sessions, "query_state", counted)
    yield counts


def opens(known: KnownCredentials, secret: str) -> bool:
    try:
        known.of_session(secret, NOW)
    except RefusedCredential:
        return False
    return True


def test_the_oldest_sessions_of_a_token_make_room(store: Path, token: Credential) -> None:
    night = create_session(store, list_credentials(store)[1], NOW)
    made = [create_session(store, token, NOW) for _ in range(MOST_OF_A_CREDENTIAL + 2)]
    known = KnownCredentials(store)
    assert [opens(known, session.secret) for session in made[:3]] == [False, False, True]
    assert opens(known, made[-1].secret)
    assert opens(known, night.secret)  # another token's go by that token's number


def test_those_that_an_earlier_release_let_in_make_room_too(store: Path, token: Credential) -> None:
    later = (NOW + timedelta(hours=1)).isoformat()
    with service_state(store) as state:
        state.executemany(
            "INSERT INTO sessions (secret_sha256, credential_id, expires) VALUES (?, ?, ?)",
            [(number.to_bytes(32), token.id, later) for number in range(40_000)],
        )
    newest = create_session(store, token, NOW)
    assert query_state(store, "SELECT count(*) FROM sessions") == [(MOST_OF_A_CREDENTIAL,)]
    assert opens(KnownCredentials(store), newest.secret)


def test_to_find_one_reads_one_row_of_many(store: Path, token: Credential, rows_read: list[int]) -> None:
    wanted = create_session(store, token, NOW)
    with service_state(store) as state:
        state.executemany(
            "INSERT INTO sessions (secret_sha256, credential_id, expires) VALUES (?, ?, ?)",
            [(number.to_bytes(32), number, "2027-01-01T00:00:00Z") for number in range(2000)],
        )
    known = KnownCredentials(store, monotonic_s=lambda: 0.0)
    for _ in range(100):
        assert opens(known, wanted.secret)
        assert not opens(known, "made up")
    assert max(rows_read) == 1
    assert sum(rows_read) == 1  # once in half a second


def test_one_that_was_ended_elsewhere_is_over_within_half_a_second(store: Path, token: Credential) -> None:
    session = create_session(store, token, NOW)
    time_s = [0.0]
    known = KnownCredentials(store, monotonic_s=lambda: time_s[0])
    assert opens(known, session.secret)
    end_session(store, session.secret)
    time_s[0] = 0.51
    assert not opens(known, session.secret)
