"""Acknowledgements: the newest counts, all are kept, two at once do not overwrite each other."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest

from screening.errors import UsageError
from storage.state import sealed_rows, tables
from storage.state.alerts.acknowledgements import (
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_OF_AN_EVENT,
    NewAcknowledgement,
    OtherHasIt,
    acknowledge,
    acknowledgements_of,
    standing,
    words,
)
from storage.state.credentials import list_credentials
from storage.state.database import SERVICE_STATE, service_state
from storage.state.records import Acknowledgement
from storage.state.tables import ServiceStateError

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
EVENT = 3896461733156320


def take(store: Path, name: str, replaces: int | None = None, **more: object) -> Acknowledgement:
    at = NOW + timedelta(minutes=len(acknowledgements_of(store, EVENT)))
    new = NewAcknowledgement(EVENT, name, str(more.pop("note", "")), "desk", 3, **more)  # type: ignore[arg-type]
    return acknowledge(store, new, "high", replaces, at)


def test_the_newest_counts_and_all_are_kept(store: Path) -> None:
    ana = take(store, "Ana", note=" Asked the operator ")
    assert ana == (1, EVENT, NOW, False, "Ana", "Asked the operator", "high", "desk", 3, 1)
    assert standing(store) == [ana]
    bo = take(store, "Bo", ana.id)
    assert standing(store) == [bo]
    gone = take(store, "Bo", bo.id, withdrawn=True)
    assert standing(store) == []
    other = acknowledge(store, NewAcknowledgement(5, "Cy", "", "desk"), "low", None, NOW)
    again = take(store, "Ana")
    assert acknowledgements_of(store, EVENT) == [again, gone, bo, ana]
    assert standing(store) == [again, other]
    assert standing(store, 1) == [again]


def test_whoever_does_not_know_what_stands_is_told(store: Path) -> None:
    with pytest.raises(OtherHasIt, match="No one has this event"):
        take(store, "Bo", withdrawn=True)
    ana = take(store, "Ana")
    for replaces in (None, ana.id + 1):
        with pytest.raises(OtherHasIt, match="Ana has had this since 2026-11-21 06:00 Z"):
            take(store, "Bo", replaces)
    assert acknowledgements_of(store, EVENT) == [ana]


def test_of_two_at_once_one_has_it(store: Path) -> None:
    take(store, "Cy", take(store, "Cy").id, withdrawn=True)
    ready, refused = Barrier(2), []

    def at_once(name: str) -> None:
        ready.wait()
        try:
            take(store, name)
        except OtherHasIt as error:
            refused.append(str(error))

    threads = [Thread(target=at_once, args=(name,)) for name in ("Ana", "Bo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (stands,) = standing(store)
    assert len(refused) == 1
    assert refused[0].startswith(f"{stands.name} has had this")


@pytest.mark.parametrize(
    ("name", "note"),
    [("", ""), ("  ", ""), ("A\nB", ""), ("x" * (LONGEST_NAME + 1), ""), ("A", "two\nlines"),
     ("A", "\u202eright to left"), ("A", "x" * (LONGEST_NOTE + 1))],
)  # fmt: skip
def test_what_is_not_one_readable_line_is_refused(store: Path, name: str, note: str) -> None:
    with pytest.raises(UsageError, match="is not allowed as the n"):
        take(store, name, note=note)
    assert standing(store) == []


def test_of_an_event_the_oldest_go(store: Path) -> None:
    last: int | None = None
    for number in range(MOST_OF_AN_EVENT + 2):
        last = take(store, f"No {number}", last).id
    kept = acknowledgements_of(store, EVENT)
    assert (len(kept), kept[0].id, kept[-1].name) == (MOST_OF_AN_EVENT, last, "No 2")


def test_a_flipped_bit_is_noticed(store: Path) -> None:
    take(store, "Ana")
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        state.execute("UPDATE acknowledgements SET name = 'Bna'")
        state.commit()
    with pytest.raises(ServiceStateError, match="is damaged"):
        standing(store)


def test_a_store_of_the_form_before_is_read_and_then_upgraded(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = next(n for n, one in enumerate(tables.MIGRATIONS) if "TABLE acknowledgements" in one[0])
    with monkeypatch.context() as earlier:
        earlier.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:before])
        columns = "id, kind, name, created, expires, revoked, per_minute, secret_sha256, read_only"
        earlier.setattr(sealed_rows, "SEALED", {"credentials": columns})
        with service_state(store) as state, sealed_rows.sealed(state, "credentials"):
            state.execute(
                "INSERT INTO credentials (id, kind, name, created, secret_sha256) "
                "VALUES (1, 'bearer', 'desk', '2026-11-21T06:00:00Z', x'00')"
            )
    assert standing(store) == []  # upgraded in memory
    made = take(store, "Ana")
    assert standing(store) == [made]
    assert [one.name for one in list_credentials(store)] == ["desk"]
    with service_state(store) as state:
        assert state.execute("PRAGMA user_version").fetchone() == (len(tables.MIGRATIONS),)


@pytest.mark.parametrize(
    ("note", "withdrawn", "stands", "expected"),
    [
        ("", False, True, "Ana has had this since 2026-11-21 06:00 Z."),
        ("Asked", False, True, "Ana has had this since 2026-11-21 06:00 Z: Asked."),
        ("All well?", False, False, "Ana took this on at 2026-11-21 06:00 Z: All well?"),
        ("", True, True, "Ana let go of this at 2026-11-21 06:00 Z."),
    ],
)
def test_it_has_words(note: str, withdrawn: bool, stands: bool, expected: str) -> None:
    one = Acknowledgement(1, EVENT, NOW, withdrawn, "Ana", note, "high", "desk", None)
    assert words(one, stands=stands) == expected
    past = expected.replace("06:00 Z", "06:00 Z (real time; the run is of the past)")
    assert words(one, stands=stands, historic=True) == past
