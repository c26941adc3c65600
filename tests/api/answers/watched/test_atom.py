"""The Atom feed, read by feedparser, and by the letter of RFC 4287."""

from datetime import UTC, datetime, timedelta
from typing import Any

import feedparser
import pytest
from lxml import etree

from api.answers.watched.atom import atom_of
from api.answers.watched.told import About
from storage.fleets.encounters import Encounter
from storage.rows.limits import Limits
from tests.storage.fleets.rows import row

ABOUT = About(7, "mine", Limits(), "20261121T060000Z", "", "")
MADE = datetime(2026, 11, 1, tzinfo=UTC)
CHANGED = datetime(2026, 11, 21, 6, 0, 4, 900_000, tzinfo=UTC)
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def encounter(number: int = 11, cancelled: str = "", changed: datetime = CHANGED, **given: Any) -> Encounter:
    return Encounter(row(number, **given), cancelled, changed)


def read(*encounters: Encounter, about: About = ABOUT) -> Any:
    found = feedparser.parse(atom_of(about, encounters, MADE))
    assert not found.bozo, found.bozo_exception
    assert found.version == "atom10"
    return found


def test_an_entry_tells_the_encounter() -> None:
    (entry,) = read(encounter()).entries
    assert entry.title == "High: ISS (ZARYA) and COSMOS 2251 DEB, 1,234 m, P 2.5e-05"
    assert entry.updated == "2026-11-21T06:00:04Z"
    assert [tag.term for tag in entry.tags] == ["high"]
    assert "<p>Closest approach: 2026-11-22T03:04:05.679Z</p>" in entry.content[0].value


def test_ids_are_stable_and_apart() -> None:
    first, second = read(encounter(11), encounter(12, miss_distance_m=1.0)).entries
    assert first.id != second.id
    later = read(encounter(11, changed=CHANGED + timedelta(hours=1)), encounter(12)).entries
    assert {first.id, second.id} == {entry.id for entry in later}
    other_fleet = read(encounter(11), about=ABOUT._replace(fleet_id=8))
    assert {read().feed.id, first.id, second.id}.isdisjoint({other_fleet.feed.id, other_fleet.entries[0].id})


def test_the_last_changed_stands_first_and_dates_the_feed() -> None:
    found = read(encounter(1), encounter(2, "off", CHANGED + timedelta(hours=6)))
    assert [entry.title[:9] for entry in found.entries] == ["Cancelled", "High: ISS"]
    assert found.feed.updated == "2026-11-21T12:00:04Z"


def test_a_feed_without_entries_dates_from_the_fleet() -> None:
    found = read()
    assert (found.entries, found.feed.updated) == ([], "2026-11-01T00:00:00Z")


@pytest.mark.parametrize("name", ['<b>&amp; "x"', "卫星, α; é", "A\nB\x00\x1b"])
def test_names_are_text(name: str) -> None:
    found = read(encounter(primary_name=name), about=ABOUT._replace(fleet=name))
    printable = "".join(one if one.isprintable() else " " for one in name)
    tree = etree.fromstring(atom_of(ABOUT._replace(fleet=name), [encounter(primary_name=name)], MADE))
    assert tree.findtext("a:title", namespaces=ATOM) == f"Encounters of {printable}"
    assert printable in tree.findtext("a:entry/a:title", namespaces=ATOM)
    assert len(found.entries) == 1


def test_what_the_standard_requires_is_there_once() -> None:
    """RFC 4287, 4.1.1 and 4.1.2; an entry without content would need a link."""
    tree = etree.fromstring(atom_of(ABOUT, [encounter()], MADE))
    assert tree.tag == "{http://www.w3.org/2005/Atom}feed"
    for place in ("a:id", "a:title", "a:updated", "a:author/a:name", "a:entry/a:id", "a:entry/a:title",
                  "a:entry/a:updated", "a:entry/a:content"):  # fmt: skip
        assert len(tree.findall(place, ATOM)) == 1, place
    (content,) = tree.findall("a:entry/a:content", ATOM)
    assert [child.tag for child in content] == ["{http://www.w3.org/1999/xhtml}div"]  # 4.1.3.3


def test_links_lead_to_the_page_if_its_address_is_known() -> None:
    assert "links" not in read(encounter()).entries[0] or not read(encounter()).entries[0].links
    found = read(encounter(), about=ABOUT._replace(public_url="https://sky.example.org"))
    assert found.entries[0].link == "https://sky.example.org/#/event/11"
