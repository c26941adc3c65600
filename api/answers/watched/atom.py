"""Encounters as an Atom feed: RFC 4287."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as ET

from api.answers.watched.told import About, paragraphs, plain, title
from storage.fleets.encounters import Encounter
from storage.rows.graded import graded
from storage.times import time_text

MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_XHTML = "http://www.w3.org/1999/xhtml"


class Entry(NamedTuple):
    """One entry of a feed."""

    id: str  # a name that no other entry has; the feed's id is derived from it
    title: str
    updated: datetime
    categories: Sequence[str]
    address: str  # of a page on it; empty: none
    paragraphs: Sequence[str]


class Feed(NamedTuple):
    """A feed."""

    id: str
    title: str
    subtitle: str
    updated: datetime  # at least; later if an entry is
    address: str  # of a page with the same content; empty: none
    entries: Sequence[Entry]  # the newest first
    itself: str = ""  # its own address; empty: not told


def atom_of(about: About, encounters: Sequence[Encounter], since: datetime) -> bytes:
    """Return the text of a fleet's feed: one entry an encounter, the last changed first.

    The ids of feed and entries follow from those of the fleet and the event. It has no link to itself: that
    would contain the key.

    Args:
        about: whose it is.
        encounters: in any order.
        since: when the fleet was made; it also tells apart fleets of two stores.
    """
    of_fleet = f"skysieve:{time_text(since, 'seconds')}:fleet:{about.fleet_id}"
    newest_first = sorted(encounters, key=lambda one: (one.changed, one.row["event_id"]), reverse=True)
    entries = [
        Entry(
            f"{of_fleet}:event:{one.row['event_id']}",
            title(one),
            one.changed,
            graded(one.row).categories,
            about.event_url(one.row["event_id"]),
            paragraphs(one, about),
        )
        for one in newest_first
    ]
    name = f"Encounters of {about.fleet}"
    return written(Feed(of_fleet, name, about.summary(), since, about.public_url, entries))


def written(feed: Feed) -> bytes:
    """Return the text of a feed."""
    root = ET.Element("feed", {"xmlns": _ATOM})
    _add(root, "id", uuid5(NAMESPACE_URL, feed.id).urn)
    _add(root, "title", plain(feed.title))
    _add(root, "subtitle", plain(feed.subtitle))
    _add(root, "updated", max([_text(feed.updated), *(_text(one.updated) for one in feed.entries)]))
    _add(ET.SubElement(root, "author"), "name", "skysieve")
    if feed.itself:
        ET.SubElement(root, "link", {"rel": "self", "href": feed.itself})
    _link(root, feed.address)
    for one in feed.entries:
        entry = ET.SubElement(root, "entry")
        _add(entry, "id", uuid5(NAMESPACE_URL, one.id).urn)
        _add(entry, "title", plain(one.title))
        _add(entry, "updated", _text(one.updated))
        for word in one.categories:
            ET.SubElement(entry, "category", {"term": word})
        _link(entry, one.address)
        division = ET.SubElement(ET.SubElement(entry, "content", {"type": "xhtml"}), "div", {"xmlns": _XHTML})
        for paragraph in one.paragraphs:
            _add(division, "p", plain(paragraph))
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _text(time: datetime) -> str:
    return time_text(time, "seconds")


def _link(parent: ET.Element, address: str) -> None:
    if address:
        ET.SubElement(parent, "link", {"rel": "alternate", "type": "text/html", "href": address})


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
