"""A fleet's encounters as an Atom feed: RFC 4287."""

from collections.abc import Sequence
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as ET

from api.answers.watched.told import About, paragraphs, plain, title
from storage.fleets.encounters import Encounter
from storage.rows.graded import graded
from storage.times import time_text

MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_XHTML = "http://www.w3.org/1999/xhtml"


def atom_of(about: About, encounters: Sequence[Encounter], since: datetime) -> bytes:
    """Return the text of a feed: one entry an encounter, the last changed first.

    The ids of feed and entries follow from those of the fleet and the event. It has no link to itself: that
    would contain the key.

    Args:
        about: whose it is.
        encounters: in any order.
        since: when the fleet was made; it also tells apart fleets of two stores.
    """
    root = ET.Element("feed", {"xmlns": _ATOM})
    of_fleet = f"skysieve:{time_text(since, 'seconds')}:fleet:{about.fleet_id}"
    newest_first = sorted(encounters, key=lambda one: (one.changed, one.row["event_id"]), reverse=True)
    _add(root, "id", uuid5(NAMESPACE_URL, of_fleet).urn)
    _add(root, "title", plain(f"Encounters of {about.fleet}"))
    _add(root, "subtitle", plain(about.summary()))
    _add(root, "updated", max([_text(since), *(_text(one.changed) for one in encounters)]))
    _add(ET.SubElement(root, "author"), "name", "skysieve")
    if about.public_url:
        ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": about.public_url})
    for encounter in newest_first:
        entry = ET.SubElement(root, "entry")
        number = encounter.row["event_id"]
        _add(entry, "id", uuid5(NAMESPACE_URL, f"{of_fleet}:event:{number}").urn)
        _add(entry, "title", title(encounter))
        _add(entry, "updated", _text(encounter.changed))
        for word in graded(encounter.row).categories:
            ET.SubElement(entry, "category", {"term": word})
        if address := about.event_url(number):
            ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": address})
        division = ET.SubElement(ET.SubElement(entry, "content", {"type": "xhtml"}), "div", {"xmlns": _XHTML})
        for paragraph in paragraphs(encounter, about):
            _add(division, "p", paragraph)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _text(time: datetime) -> str:
    return time_text(time, "seconds")


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
