"""What fleets and messages say about how objects avoid others; messages are those that others published."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from screening.errors import UsageError
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.objects.bodies.right_of_way import ByMessage, Mover
from storage.disk.layout import MESSAGES
from storage.fleets.manoeuvre_classes import said_by_message, said_by_operators
from storage.messages.kept import message, received, remove_message
from storage.state.fleets import FleetObject, NewFleet, create_fleet
from tests.storage.messages.received import taken, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)


def test_an_organisation_hears_what_its_own_fleets_say(store: Path) -> None:
    create_fleet(store, NewFleet("silent", (FleetObject(5),)), NOW)
    create_fleet(store, NewFleet("mine", (FleetObject(5),), manoeuvre_class="manual"), NOW)
    create_fleet(
        store, NewFleet("theirs", name_pattern="SAT-*", manoeuvre_class="crewed", organisation_id=2), NOW
    )
    ours, theirs, all_of_them = (said_by_operators(store, whose) for whose in (1, 2, None))
    assert ours(5, "SAT-5") == Mover("manual", "says its operator, in the fleet mine", said=True)
    assert ours(6, "SAT-6") is None
    assert theirs(5, "SAT-5") == Mover("crewed", "says its operator, in the fleet theirs", said=True)
    assert all_of_them(5, "SAT-5") == ours(5, "SAT-5")  # its number goes before a pattern
    assert all_of_them(6, "sat-6") == theirs(6, "sat-6")


def test_a_class_that_is_none_is_refused(store: Path) -> None:
    with pytest.raises(UsageError, match="expected none, minimal, manual, automated, crewed, unknown"):
        create_fleet(store, NewFleet("mine", (FleetObject(5),), manoeuvre_class="often"), NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("CDMExample2.txt", ("yes", "no")),
        ("CDMExample1.xml", ("yes", "no")),
        ("ION_SCV8_vs_STARLINK_1233.txt", (None, "yes")),  # N/A
    ],
)
def test_published_messages_say_whether_each_object_can(
    name: str, said: tuple[str | None, ...], shared_file: Callable[[str], Path]
) -> None:
    path = shared_file(f"ndm/cdm/{name}")
    (found,) = each_message(path.read_text())
    assert isinstance(found, ConjunctionMessage)
    assert (found.primary.manoeuvrable, found.secondary.manoeuvrable) == said


def test_the_newest_message_that_says_so_counts(store: Path) -> None:
    def made(hour: int, said: str, originator: str = "SENDER") -> str:
        lines = text(made=NOW.replace(hour=hour), message_id=str(hour), originator=originator)
        return re_said(lines, said)

    taken(store, made(1, "NO"), made(3, "YES", "OTHER"), made(2, "NO"), made(4, "N/A"))
    rows = received(store).to_pylist()
    assert said_by_message(rows, 12345) == ByMessage("yes", "says a message of OTHER, 2026-11-21")
    assert said_by_message(rows, 1) is None


def test_messages_of_an_earlier_release_say_nothing_and_are_read(store: Path) -> None:
    one, other = taken(store, re_said(text(message_id="1"), "YES"), text(message_id="2")).ids
    (path,) = (found for found in (store / MESSAGES).iterdir() if pq.read_metadata(found).num_rows)
    rows = pq.read_table(path)
    new = [name for name in rows.column_names if name.endswith("_manoeuvrable")]
    assert rows["primary_manoeuvrable"].to_pylist() == ["yes", None]
    pq.write_table(rows.drop_columns(new), path)
    found = received(store)
    assert len(new) == 2
    assert {found[name].null_count for name in new} == {2}
    assert message(store, one)["primary_manoeuvrable"] is None
    remove_message(store, other)
    assert received(store)["id"].to_pylist() == [one]


def re_said(lines: str, said: str) -> str:
    """Return a message whose first object is said to be manoeuvrable or not."""
    return lines.replace("REF_FRAME", f"MANEUVERABLE = {said}\nREF_FRAME", 1)
