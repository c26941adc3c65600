"""Files that need to know where the site will be: feeds of both lists, and the map for search engines."""

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from api.answers.stored_events import StoredEvent
from api.answers.watched.atom import Entry, Feed, written
from api.site.contents import Contents
from api.site.frame import NAME, Link, path_of
from api.site.lists import BY_DISTANCE, BY_PROBABILITY
from storage.rows.words.event import facts, headline

FEEDS = {"feed.xml": BY_PROBABILITY, "nearest.xml": BY_DISTANCE}
SITEMAP = "sitemap.xml"
_ENTRIES = 50
_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def feeds(contents: Contents) -> Iterable[tuple[str, bytes]]:
    """Yield the name and text of each feed: the first events of a list."""
    paged = contents.notable
    for (name, link), events in zip(FEEDS.items(), (contents.likeliest, contents.nearest), strict=True):
        yield (
            name,
            _feed(contents, name, link, [one for one in events[:_ENTRIES] if one.id in paged]),
        )


def _feed(contents: Contents, name: str, link: Link, events: Sequence[StoredEvent]) -> bytes:
    base, run = contents.wishes.base_url, contents.run
    entries = [
        Entry(
            f"{base}/{path_of(one.id)}",
            headline(one.row),
            one.computed_at,
            one.graded.categories,
            f"{base}/{path_of(one.id)}",
            facts(one.row),
        )
        for one in events
    ]
    said = " ".join([f"The first {len(entries)} of run {run.run_id}.", *contents.notices])
    title = f"{NAME}: {link.label[:1].lower()}{link.label[1:]}"
    itself = f"{base}/{name}"
    return written(Feed(itself, title, said, run.finished, f"{base}/{link.path}", entries, itself))


def sitemap(contents: Contents, paths: Iterable[str]) -> bytes:
    """Return the map of some pages, by their paths from the root."""
    root = ET.Element("urlset", {"xmlns": _SITEMAPS})
    for path in paths:
        place = ET.SubElement(root, "url")
        ET.SubElement(
            place, "loc"
        ).text = f"{contents.wishes.base_url}/{'' if path == 'index.html' else path}"
        ET.SubElement(place, "lastmod").text = f"{contents.run.finished:%Y-%m-%d}"
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text
